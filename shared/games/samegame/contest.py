"""SameGame as a `Contest` of `shared/core/contest.py`."""

from random import Random
from typing import Any

from ...core.contest import Contest, Outcome, Rebuilt
from ...core.jit import int_buffer
from ...core.protocol import IllegalAction
from ...games.samegame.maps import CASES, board_of_seed, case_of, find_case
from ...games.samegame.protocol import (
    LIMITS,
    format_action,
    parse_action,
    read_turn,
    turn_lines,
)
from ...games.samegame.render import render
from ...games.samegame.sim import apply, find_region, is_legal, is_over, legal
from ...games.samegame.state import (
    DIGIT,
    MAX_ACTIONS,
    MAX_TURNS,
    N_PLAYERS,
    REGION,
    SCORE,
    SIDE,
    board_of,
    new_setup,
    new_state,
    write_board,
)
from ...games.samegame.truth import verify


class Match:
    """One game. case: the rows of a board, or None for the board of the seed."""

    n_players = N_PLAYERS

    def __init__(
        self, seed: int, n_players: int = N_PLAYERS, case: list[list[int]] | None = None
    ) -> None:
        self.name, rows = board_of_seed(seed)
        if case is not None:
            self.name, rows = "", case
        self.scratch = new_setup()
        self.state = new_state()
        write_board(rows, self.state)
        # The cells of each column from the bottom, by the places where they began.
        self.cells = [
            [SIDE * x + y for y in range(SIDE) if rows[SIDE - 1 - y][x] >= 0] for x in range(SIDE)
        ]
        self.turn = 0
        self.action: int | None = None
        self.points = 0
        self.fault = ""

    def setup(self) -> dict[str, Any]:
        return {"case": self.name, "max_turns": MAX_TURNS}

    def snapshot(self) -> dict[str, Any]:
        """Returns turn, board, the cells' constant numbers, score, and the last action with its
        points.
        """
        return {
            "turn": self.turn,
            "rows": board_of(self.state),
            "cells": [list(column) for column in self.cells],
            "score": int(self.state[SCORE]),
            "action": None if self.action is None else list(divmod(self.action, SIDE)),
            "points": self.points,
        }

    def players_to_move(self) -> list[int]:
        return [0]

    def initial_input(self, player: int) -> list[str]:
        return []

    def turn_input(self, player: int) -> list[str]:
        return turn_lines(self.state)

    def lines_expected(self, player: int) -> int:
        return 1

    def parse(self, player: int, lines: list[str]) -> int:
        action = parse_action(lines[0])
        if not is_legal(self.scratch, self.state, action):
            column, row = divmod(action, SIDE)
            is_empty = board_of(self.state)[SIDE - 1 - row][column] < 0
            why = "the cell is empty" if is_empty else "its region has no other cell"
            raise IllegalAction(f"{lines[0][:200]}: {why}")
        return action

    def random_lines(self, player: int, rng: Random) -> list[str]:
        actions = int_buffer(MAX_ACTIONS)
        n = int(legal(self.scratch, self.state, actions))
        return [format_action(int(actions[rng.randrange(n)]))]

    def play(self, actions: dict[int, int]) -> None:
        for action in actions.values():
            before = int(self.state[SCORE])
            self._remove(action)
            apply(self.scratch, self.state, action, self.state)
            self.action, self.points = action, int(self.state[SCORE]) - before
        self.turn += 1

    def _remove(self, action: int) -> None:
        """Remove the region's cells from `cells`."""
        first, last = find_region(self.scratch, self.state, action)
        for x in range(first, last):
            region = int(self.scratch[REGION + x])
            column = enumerate(self.cells[x])
            self.cells[x] = [cell for y, cell in column if not region >> DIGIT * y & 1]
        kept = [column for column in self.cells if column]
        self.cells = kept + [[] for _ in range(SIDE - len(kept))]

    def eliminate(self, player: int, reason: str) -> None:
        self.fault = reason

    def outcome(self) -> Outcome | None:
        scores = (float(self.state[SCORE]),)
        if self.fault:
            return Outcome((0,), (0.0,), self.fault)
        if not is_over(self.scratch, self.state):
            return None
        left = sum(colour >= 0 for row in board_of(self.state) for colour in row)
        end = f"with {left} cells left" if left else "with an empty board"
        return Outcome((0,), scores, f"{scores[0]:.0f} points in {self.turn} turns, {end}")


def rebuild(seed: int, options: dict[str, str], inputs: dict[int, list[str]]) -> Rebuilt:
    """Recreate an official match on the board that its player read first."""
    [lines] = inputs.values()
    rest, state = iter(lines), new_state()
    read_turn(lambda: next(rest, ""), state)
    return Rebuilt(Match(seed, case=board_of(state)), (0,))


CONTEST = Contest(
    name="samegame",
    title="SameGame",
    players=(N_PLAYERS, N_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    verify=verify,
    render=render,
    options={"case": find_case},
    rebuild=rebuild,
    case_of=case_of,
    cases=tuple(name for name, _ in CASES),
)
