"""Reads the race off a player's input, for the page of a game that was played elsewhere.

The input has no shields, boosts and collisions: none are drawn, and the remaining boosts are
unknown.
"""

from typing import Any, Callable

from ...core.drawing.shapes import Scene
from ...core.jit import float_buffer
from ...core.protocol import read_turns
from ...games.coders_strike_back.protocol import read_start, read_turn
from ...games.coders_strike_back.sim import MAX_TURNS
from ...games.coders_strike_back.state import (
    ANGLE,
    N_PLAYERS,
    N_PODS,
    NEXT,
    STATE_SIZE,
    TIMEOUT,
    TIMEOUT_TURNS,
    VX,
    VY,
    X,
    Y,
)

UNKNOWN = -1


def reconstruct(player: int, inputs: list[list[str]]) -> list[Scene | None]:
    """Returns setup and snapshot before each turn, see `Contest.reconstruct`."""
    return read_turns(inputs, PlayerView(player).read)


class PlayerView:
    """A player's view of one race. Its own pods come first in `state`."""

    def __init__(self, player: int) -> None:
        self.pods = (0, 1, 2, 3) if player == 0 else (2, 3, 0, 1)
        self.setup: dict[str, Any] | None = None
        self.state = float_buffer(STATE_SIZE)

    def read(self, read_line: Callable[[], str]) -> Scene:
        """Returns (setup, snapshot) of a turn's lines."""
        setup = self.setup
        if setup is None:
            setup = self.setup = self._start(*read_start(read_line))
        else:
            for player in range(N_PLAYERS):
                self.state[TIMEOUT + player] -= 1
        before = [int(self.state[NEXT + pod]) for pod in range(N_PODS)]
        if not read_turn(read_line, len(setup["checkpoints"]), self.state):
            raise ValueError("a turn without lines")
        for pod in range(N_PODS):
            if self.state[NEXT + pod] > before[pod]:
                self.state[TIMEOUT + pod // 2] = TIMEOUT_TURNS
        return setup, self._snapshot()

    def _start(self, laps: int, checkpoints: list) -> dict[str, Any]:
        setup = {
            "laps": laps,
            "checkpoints": [list(checkpoint) for checkpoint in checkpoints],
            "max_turns": MAX_TURNS,
        }
        for pod in range(N_PODS):
            self.state[NEXT + pod] = 1
        for player in range(N_PLAYERS):
            self.state[TIMEOUT + player] = TIMEOUT_TURNS
        return setup

    def _snapshot(self) -> dict[str, Any]:
        state, order = self.state, self.pods
        pods = [
            [int(state[field + pod]) for field in (X, Y, VX, VY)]
            + [float(state[ANGLE + pod]), int(state[NEXT + pod]), 0, UNKNOWN, 0]
            for pod in order
        ]
        timeouts = [int(state[TIMEOUT + order[2 * player] // 2]) for player in range(N_PLAYERS)]
        return {"pods": pods, "timeouts": timeouts, "collisions": []}
