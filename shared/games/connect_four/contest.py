"""Connect four as a `Contest` of `shared/core/contest.py`."""

from random import Random
from typing import Any, Callable

from ...core.contest import Contest, Outcome
from ...core.drawing.shapes import Scene
from ...core.protocol import ProtocolError, read_turns
from ...games.connect_four.game import GAME, HEIGHT, WIDTH, new_setup, new_state
from ...games.connect_four.protocol import (
    LIMITS,
    format_action,
    parse_action,
    read_turn,
    turn_line,
)
from ...games.connect_four.render import render

SETUP = new_setup()
OPENING = 4  # stones drawn by the seed


def can_win(columns: list[int], plies: int) -> bool:
    """Returns True if the player to move can win within an odd number of plies."""
    state, after = new_state(columns), new_state()
    for column in free_columns(columns):
        GAME.apply(SETUP, state, column, after)
        if GAME.result(SETUP, after) < 0:
            return True
    if plies == 1:
        return False
    return any(
        all(can_win([*columns, column, reply], plies - 2) for reply in replies)
        for column in free_columns(columns)
        if (replies := free_columns([*columns, column]))
    )


def free_columns(columns: list[int]) -> list[int]:
    """List the free columns."""
    return [column for column in range(WIDTH) if columns.count(column) < HEIGHT]


def draw_opening(rng: Random) -> list[int]:
    """Draw the columns of the first stones, with no win near.

    Of 300 openings of four random stones, 19 are won within 14 plies, all of them within three.
    """
    while True:
        columns = [rng.randrange(WIDTH) for _ in range(OPENING)]
        if not can_win(columns, 3):
            return columns


class Match:
    """One game of connect four. The seed draws the first stones."""

    n_players = 2

    def __init__(self, seed: int, n_players: int = 2) -> None:
        self.columns = draw_opening(Random(seed))
        self.fault: tuple[int, str] | None = None

    @property
    def state(self) -> Any:
        return new_state(self.columns)

    def setup(self) -> dict[str, Any]:
        return {}

    def snapshot(self) -> dict[str, Any]:
        """Returns the stones' columns in the order of play."""
        return {"columns": list(self.columns)}

    def players_to_move(self) -> list[int]:
        return [len(self.columns) & 1]

    def initial_input(self, player: int) -> list[str]:
        return []

    def turn_input(self, player: int) -> list[str]:
        return [turn_line(self.columns)]

    def lines_expected(self, player: int) -> int:
        return 1

    def parse(self, player: int, lines: list[str]) -> Any:
        return parse_action(lines[0], self.state)

    def random_lines(self, player: int, rng: Random) -> list[str]:
        return [format_action(rng.choice(free_columns(self.columns)))]

    def play(self, actions: dict[int, Any]) -> None:
        self.columns += actions.values()

    def eliminate(self, player: int, reason: str) -> None:
        self.fault = self.fault or (player, reason)

    def outcome(self) -> Outcome | None:
        if self.fault:
            loser, reason = self.fault
            return decided(1 - loser, reason)
        if not GAME.is_over(SETUP, self.state):
            return None
        n = len(self.columns)
        if GAME.result(SETUP, self.state) == 0:
            return Outcome((0, 0), (0.0, 0.0), "a draw: the board is full")
        winner = (n - 1) & 1
        return decided(winner, f"player {winner} has four in a line after {n} stones")


def decided(winner: int, reason: str) -> Outcome:
    """Returns the outcome of a won game."""
    ranks = (0, 1) if winner == 0 else (1, 0)
    return Outcome(ranks, tuple(1.0 - rank for rank in ranks), reason)


def read_columns(read_line: Callable[[], str]) -> list[int]:
    """Read a turn. Raises ProtocolError at the end of the game as well."""
    columns = read_turn(read_line)
    if columns is None:
        raise ProtocolError("the game is over")
    return columns


def reconstruct(player: int, inputs: list[list[str]]) -> list[Scene | None]:
    """Read the boards from a player's input."""
    turns = read_turns(inputs, read_columns)
    return [None if columns is None else ({}, {"columns": columns}) for columns in turns]


CONTEST = Contest(
    name="connect_four",
    title="Connect four",
    players=(2, 2),
    limits=LIMITS,
    new_match=Match,
    render=render,
    reconstruct=reconstruct,
)
