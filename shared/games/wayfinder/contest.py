"""Wayfinder as a `Contest` of `shared/core/contest.py`."""

import re
from pathlib import Path
from random import Random
from typing import Any, Callable

from ...core.contest import Contest, Outcome
from ...games.wayfinder.clearance import ends_of
from ...games.wayfinder.instances import LEVELS, Choice, Places
from ...games.wayfinder.library import find_instance
from ...games.wayfinder.outlines import free_cells, outlines, read_grid
from ...games.wayfinder.protocol import (
    LIMITS,
    NO_PATH,
    format_path,
    parse_answers,
    start_lines,
    turn_lines,
)
from ...games.wayfinder.render import render
from ...games.wayfinder.scoring import FULL, judge, valid_length
from ...games.wayfinder.state import WORLD, apply_changes, rings_of
from ...games.wayfinder.truth import verify

N_PLAYERS = 2
WINDOW = re.compile(r"(\d{1,5}),(\d{1,5}),(\d{1,5})", re.ASCII)


class Match:
    """One game, always at the start of a turn.

    level: 1 to 3. large: True for a map too large to be analysed in each turn. map: rows of a
    Moving AI map. window: left, top and size of a square of the map.
    """

    n_players = N_PLAYERS

    def __init__(
        self,
        seed: int,
        n_players: int = N_PLAYERS,
        level: int = LEVELS[-1],
        large: bool = False,
        map: list[str] | None = None,
        window: tuple[int, int, int] | None = None,
    ):
        if window and not map:
            raise ValueError("a window is of a map: give map=FILE as well")
        rings = rings_of_map(map, window) if map else ()
        self.instance = find_instance(Choice(seed, level, large, rings))
        self.level = level
        self.is_large = large
        self.turn = 0
        self.obstacles = dict(self.instance.start.obstacles)
        self.scores = [0] * N_PLAYERS
        self.faults: dict[int, str] = {}
        self.answers: dict[int, list] = {}
        self.verdicts: dict[int, list] = {}
        # Results of the last turn played.
        self.shown = dict(self.obstacles)
        self._change()

    def _change(self) -> None:
        """Apply the next turn's changes to the obstacles."""
        if self.turn < self.instance.start.n_turns:
            apply_changes(self.obstacles, self.instance.turns[self.turn].changes)
            self.ends = ends_of(rings_of(self.instance.start.boundary, self.obstacles))

    def setup(self) -> dict[str, Any]:
        start = self.instance.start
        return {
            "kind": self.instance.kind,
            "level": self.level,
            "large": self.is_large,
            "n_turns": start.n_turns,
            "radii": start.radii,
            "boundary": start.boundary,
            "obstacles": [[number, ring] for number, ring in start.obstacles.items()],
        }

    def snapshot(self) -> dict[str, Any]:
        """Returns turn, scores and the last turn's results."""
        turn = {"turn": self.turn, "scores": list(self.scores)}
        if not self.turn:
            return turn
        last = self.turn - 1
        changes, queries = self.instance.turns[last]
        optima = self.instance.optima[last]
        return turn | {
            "changes": [list(change) for change in changes],
            "obstacles": [list(one) for one in self.shown.items()],
            "queries": [list(query) for query in queries],
            "optima": [length if length < float("inf") else None for length in optima],
            "shortest": self.instance.paths[last],
            "answers": [
                [
                    path and [[round(x, 1), round(y, 1)] for x, y in path]
                    for path in self.answers[player]
                ]
                for player in range(N_PLAYERS)
            ],
            "points": [
                [one.points for one in self.verdicts[player]] for player in range(N_PLAYERS)
            ],
            "lengths": [
                [one.length for one in self.verdicts[player]] for player in range(N_PLAYERS)
            ],
        }

    def players_to_move(self) -> list[int]:
        return list(range(N_PLAYERS))

    def initial_input(self, player: int) -> list[str]:
        return start_lines(self.instance.start)

    def turn_input(self, player: int) -> list[str]:
        return turn_lines(self.instance.turns[min(self.turn, self.instance.start.n_turns - 1)])

    def lines_expected(self, player: int) -> int:
        return self.instance.start.n_queries

    def parse(self, player: int, lines: list[str]) -> list[Places | None]:
        return parse_answers(lines)

    def random_lines(self, player: int, rng: Random) -> list[str]:
        """Returns random answers: no path, a straight line, or a path through one point."""
        somewhere = [(rng.randrange(WORLD), rng.randrange(WORLD))]
        lines = (NO_PATH, format_path([]), format_path(somewhere))
        return [rng.choice(lines) for _ in range(self.instance.start.n_queries)]

    def play(self, actions: dict[int, list[Places | None]]) -> None:
        self.answers = actions
        queries, optima = self.instance.turns[self.turn].queries, self.instance.optima[self.turn]
        lengths = {
            player: [valid_length(self.ends, *one) for one in zip(queries, paths, strict=True)]
            for player, paths in actions.items()
        }
        if self.is_large:
            optima = [
                min(length for length in found if length is not None)
                for found in zip(optima, *lengths.values())
            ]
        for player, paths in actions.items():
            answers = zip(optima, paths, lengths[player], strict=True)
            self.verdicts[player] = [judge(*answer) for answer in answers]
            self.scores[player] += sum(verdict.points for verdict in self.verdicts[player])
        self.turn += 1
        self.shown = dict(self.obstacles)
        self._change()

    def eliminate(self, player: int, reason: str) -> None:
        self.faults[player] = reason

    def outcome(self) -> Outcome | None:
        scores = (float(self.scores[0]), float(self.scores[1]))
        if self.faults:
            ranks = tuple(int(player in self.faults) for player in range(N_PLAYERS))
            if len(self.faults) == N_PLAYERS:
                ranks = (0, 0)
            return Outcome(ranks, scores, "; ".join(self.faults.values()))
        if self.turn < self.instance.start.n_turns:
            return None
        ranks = tuple(int(score < max(scores)) for score in scores)
        n_asked = self.instance.start.n_turns * self.instance.start.n_queries
        means = " : ".join(f"{score / n_asked:.1f}" for score in scores)
        who = "a draw" if scores[0] == scores[1] else f"player {ranks.index(0)} won"
        return Outcome(ranks, scores, f"{who}, {means} points of {FULL} a query")


def rings_of_map(rows: list[str], window: tuple[int, int, int] | None) -> tuple:
    """Returns the rings around the free cells of a map, or of its square window (left, top, size).
    Raises ValueError.
    """
    if window:
        left, top, size = window
        rows = [row[left : left + size] for row in rows[top : top + size]]
    if not rows or not rows[0]:
        raise ValueError("the window is beyond the map")
    cell = WORLD // max(len(rows), len(rows[0]))
    if cell < 1:
        raise ValueError(f"the map has more than {WORLD} cells to a side")
    return tuple(map(tuple, outlines(free_cells(rows), cell)))


def read_level(text: str) -> int:
    """Parse the number of a level. Raises ValueError."""
    if text not in map(str, LEVELS):
        raise ValueError(f"{LEVELS[0]} to {LEVELS[-1]} is expected, got {text!r}")
    return int(text)


def read_large(text: str) -> bool:
    """Parse the option for large maps. Raises ValueError."""
    if text not in ("0", "1"):
        raise ValueError(f"0 or 1 is expected, got {text!r}")
    return text == "1"


def read_window(text: str) -> tuple[int, int, int]:
    """Parse the left, top and size of a square of cells. Raises ValueError."""
    found = WINDOW.fullmatch(text)
    if not found or int(found[3]) < 2:
        raise ValueError(
            f"the left, the top and the size are expected, as in 10,20,64, got {text!r}"
        )
    left, top, size = map(int, found.groups())
    return left, top, size


OPTIONS: dict[str, Callable[[str], Any]] = {
    "level": read_level,
    "large": read_large,
    "map": lambda text: read_grid(Path(text)),
    "window": read_window,
}

CONTEST = Contest(
    name="wayfinder",
    title="Wayfinder",
    players=(N_PLAYERS, N_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    verify=verify,
    render=render,
    options=OPTIONS,
)
