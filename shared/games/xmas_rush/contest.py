"""X-mas Rush as a `Contest` of `shared/core/contest.py`."""

from collections.abc import Iterator
from random import Random
from typing import Any

from ...core.contest import Contest, Outcome, Rebuilt
from ...games.xmas_rush.maps import LEGEND, new_game
from ...games.xmas_rush.protocol import (
    LIMITS,
    PUSH,
    format_push,
    format_walk,
    parse_action,
    turn_lines,
)
from ...games.xmas_rush.reconstruct import reconstruct
from ...games.xmas_rush.render import render
from ...games.xmas_rush.sim import (
    MAX_STALE,
    MAX_STEPS,
    MAX_TURNS,
    collect_items,
    is_clash,
    is_over,
    push_lines,
    reveal_quests,
    step,
)
from ...games.xmas_rush.state import (
    COLUMN_PUSH,
    DIRECTIONS,
    DONE,
    DOWN,
    HANDS,
    LEFT,
    N_PLAYERS,
    N_PUSHES,
    N_QUESTS,
    NO_PUSH,
    PATHS,
    PLAYERS,
    RIGHT,
    ROW_PUSH,
    SIZE,
    STALE,
    TURN,
    board_places,
    item_name,
    item_places,
    quests,
    tile_at,
)
from ...games.xmas_rush.truth import make_verify


class Match:
    """One game, always at the start of a turn: quests are revealed, items underfoot not yet
    collected.

    league: 1 to 6, as in `maps.LEAGUES`.
    """

    n_players = N_PLAYERS

    def __init__(self, seed: int, n_players: int = N_PLAYERS, league: int = LEGEND) -> None:
        self.state, self.order = new_game(seed, league)
        self.state[TURN] = 1
        self.league = league
        self.faults: dict[int, str] = {}
        # Deductions from the players' quests: an eliminated player restarts at -1 (RULES.md,
        # section 7).
        self.penalties = [0] * N_PLAYERS
        self.reason: str | None = None
        # Each tile keeps one number all game, so that the page can follow it.
        self.paths = [tile_at(self.state, x, y) & PATHS for y in range(SIZE) for x in range(SIZE)]
        self.paths += [int(self.state[HANDS + player]) & PATHS for player in range(N_PLAYERS)]
        self.tiles = [[SIZE * y + x for x in range(SIZE)] for y in range(SIZE)]
        self.hands = [SIZE * SIZE + player for player in range(N_PLAYERS)]
        self.ways = [self._places()]

    def setup(self) -> dict[str, Any]:
        return {
            "league": self.league,
            "quests": int(self.state[N_QUESTS]),
            "max_turns": MAX_TURNS,
            "paths": self.paths,
        }

    def snapshot(self) -> dict[str, Any]:
        places = item_places(self.state)
        return {
            "turn": int(self.state[TURN]),
            "tiles": [list(row) for row in self.tiles],
            "hands": list(self.hands),
            "items": [
                [*item_name(item), self._tile_at(*places[item])]
                for item in self.order
                if item in places
            ],
            "quests": [quests(self.state, player) for player in range(N_PLAYERS)],
            "scores": self.scores(),
            "stale": int(self.state[STALE]),
            "ways": self.ways,
        }

    def _tile_at(self, x: int, y: int) -> int:
        return self.tiles[y][x] if x >= 0 else self.hands[-1 - x]

    def _places(self) -> list[tuple[int, int]]:
        return [board_places(int(self.state[PLAYERS + p]))[0] for p in range(N_PLAYERS)]

    def scores(self) -> list[int]:
        """Returns each player's score: quests done, or after elimination -1 plus later quests."""
        return [int(self.state[DONE + p]) - self.penalties[p] for p in range(N_PLAYERS)]

    @property
    def kind(self) -> int:
        """The action that the turn requests: PUSH or MOVE."""
        return 1 - (int(self.state[TURN]) & 1)

    def players_to_move(self) -> list[int]:
        return [0, 1]

    def initial_input(self, player: int) -> list[str]:
        return []

    def turn_input(self, player: int) -> list[str]:
        return turn_lines(self.state, self.order, player)

    def lines_expected(self, player: int) -> int:
        return 1

    def parse(self, player: int, lines: list[str]) -> Any:
        return parse_action(lines[0], self.kind)

    def random_lines(self, player: int, rng: Random) -> list[str]:
        if self.kind == PUSH:
            return [format_push(rng.randrange(N_PUSHES))]
        n_steps = rng.randrange(MAX_STEPS + 1)
        return [format_walk([rng.randrange(len(DIRECTIONS)) for _ in range(n_steps)])]

    def eliminate(self, player: int, reason: str) -> None:
        """Eliminate a player: the game ends after the first frame of this turn."""
        collect_items(self.state)
        self.penalties[player] = int(self.state[DONE + player]) + 1
        self.faults[player] = reason
        if len(self.faults) == N_PLAYERS:
            self.reason = "; ".join(self.faults.values())

    def play(self, actions: dict[int, Any]) -> None:
        self.ways = [self._places()]
        for _ in self.frames(actions):
            self.ways.append(self._places())
        self.end_turn()

    def end_turn(self) -> None:
        """Begin the next turn, or end the game."""
        if self.faults:
            self.reason = "; ".join(self.faults.values())
        elif is_over(self.state):
            self.reason = self._how_it_ended()
        else:
            self.state[TURN] += 1
            reveal_quests(self.state)

    def frames(self, actions: dict[int, Any]) -> Iterator[None]:
        """Play a turn frame by frame, as the official engine. Yields after each frame.

        If a player is eliminated, only the first frame is played.
        """
        collect_items(self.state)
        if self.kind == PUSH:
            frames = self._push_frames(actions)
        else:
            frames = self._move_frames({p: list(steps) for p, steps in actions.items()})
        for _ in frames:
            yield
            if self.faults:
                break

    def _push_frames(self, pushes: dict[int, int]) -> Iterator[None]:
        clash = len(pushes) == N_PLAYERS and is_clash(*pushes.values())
        for kind in (ROW_PUSH, COLUMN_PUSH):
            lines = {p: push for p, push in pushes.items() if push & 1 == kind}
            if not lines:
                continue
            if clash:
                self.state[STALE] += 1
                collect_items(self.state)
            else:
                self.state[STALE] = 0
                push_lines(self.state, kind, lines.get(0, NO_PUSH), lines.get(1, NO_PUSH))
                for player, push in lines.items():
                    self._push_tiles(player, push >> 2, push & 3)
            yield

    def _push_tiles(self, player: int, line: int, direction: int) -> None:
        """Move the tiles' numbers as the push moves the tiles."""
        row = direction in (LEFT, RIGHT)
        cells = [(line, i) if row else (i, line) for i in range(SIZE)]
        if direction in (RIGHT, DOWN):
            cells.reverse()
        pushed = [self.tiles[y][x] for y, x in cells] + [self.hands[player]]
        self.hands[player] = pushed[0]
        for (y, x), tile in zip(cells, pushed[1:]):
            self.tiles[y][x] = tile

    def _move_frames(self, walks: dict[int, list[int]]) -> Iterator[None]:
        n = 0
        while n < max([1, *map(len, walks.values())]) and walks:
            for player, directions in walks.items():
                if n < len(directions) and not step(self.state, player, directions[n]):
                    directions.clear()
            collect_items(self.state)
            n += 1
            yield

    def _how_it_ended(self) -> str:
        if self.state[TURN] >= MAX_TURNS:
            return f"{MAX_TURNS} turns are played"
        if self.state[STALE] >= MAX_STALE:
            return f"both players pushed the same line {MAX_STALE} times in a row"
        done = [p for p in range(N_PLAYERS) if self.state[DONE + p] == self.state[N_QUESTS]]
        who = " and ".join(f"player {player}" for player in done)
        return f"{who} completed all quests in {self.state[TURN]} turns"

    def outcome(self) -> Outcome | None:
        if self.reason is None:
            return None
        scores = self.scores()
        ranks = tuple(int(score < max(scores)) for score in scores)
        return Outcome(ranks=ranks, scores=tuple(map(float, scores)), reason=self.reason)


def rebuild(seed: int, options: dict[str, str], inputs: dict[int, list[str]]) -> Rebuilt:
    """Recreate the game of an official seed, drawn as by the official referee."""
    game = Match(seed, league=min(int(options.get("league", 1)), LEGEND))
    return Rebuilt(game, players=(0, 1))


CONTEST = Contest(
    name="xmas_rush",
    title="X-mas Rush",
    players=(N_PLAYERS, N_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    verify=make_verify(Match),
    render=render,
    reconstruct=reconstruct,
    rebuild=rebuild,
)
