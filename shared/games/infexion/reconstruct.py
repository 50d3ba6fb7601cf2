"""Reads the board from a player's input, for the page of an imported game.

The input does not name the two actions between a player's turns.
"""

from typing import Callable

from ...core.drawing.shapes import Scene
from ...core.protocol import read_turns
from ...games.infexion.protocol import board_text, read_start, read_turn
from ...games.infexion.sim import MAX_TOTAL_POWER, power_within
from ...games.infexion.state import MAX_TURNS, N_PLAYERS, STONES, TURN, new_state


def reconstruct(player: int, inputs: list[list[str]]) -> list[Scene | None]:
    """Returns setup and snapshot before each turn, see `Contest.reconstruct`."""
    state, setup = new_state(), {"max_turns": MAX_TURNS, "max_total_power": MAX_TOTAL_POWER}
    started = False

    def read(read_line: Callable[[], str]) -> Scene:
        nonlocal started
        if not started:
            read_start(read_line)
            started = True
        if not read_turn(read_line, state):
            raise ValueError("a turn without lines")
        powers = [int(power_within(state, state[STONES + p])) for p in range(N_PLAYERS)]
        turn = int(state[TURN])
        return setup, {"board": board_text(state), "turn": turn, "powers": powers, "action": None}

    return read_turns(inputs, read)
