"""The protocol of Infexion for referee and bots (RULES.md, section 5).

A bot reads with `read_start` and `read_turn` and writes with `format_action`; the referee writes
with `start_lines` and `turn_lines` and reads with `parse_action`.
"""

import re
from typing import Callable

from ...core.clock import Limits
from ...core.jit import Ints
from ...core.protocol import IllegalAction, ProtocolError, parse_numbers
from ...games.infexion.sim import SPREADS
from ...games.infexion.state import (
    BLUE,
    DIRECTIONS,
    MAX_POWER,
    MAX_TURNS,
    N_CELLS,
    N_DIRECTIONS,
    RED,
    SIDE,
    STATE_SIZE,
    TURN,
    owner_at,
    place,
    power_at,
)

LIMITS = Limits(first_ms=1000, turn_ms=100, bank_ms=180_000)
COLOURS = ("RED", "BLUE")
ACTION = re.compile(r"SPAWN (\d) (\d)|SPREAD (\d) (\d) (-?\d) (-?\d)", re.ASCII)
EMPTY = "."
# A cell's character: 1 to 6 the power of a red cell, a to f that of a blue one.
STONES_TEXT = {RED: "123456", BLUE: "abcdef"}


def board_text(state: Ints) -> str:
    """Returns the 49 characters of a board."""
    return "".join(
        EMPTY if owner_at(state, cell) < 0 else cell_text(state, cell) for cell in range(N_CELLS)
    )


def cell_text(state: Ints, cell: int) -> str:
    """Returns a taken cell's character."""
    return STONES_TEXT[owner_at(state, cell)][power_at(state, cell) - 1]


def read_board(text: str, state: Ints) -> None:
    """Set the cells of `state` from 49 characters. Raises ProtocolError."""
    if len(text) != N_CELLS:
        raise ProtocolError(f"expected a board of {N_CELLS} characters, got {text!r}")
    for cell, character in enumerate(text):
        player = BLUE if character in STONES_TEXT[BLUE] else RED
        power = STONES_TEXT[player].find(character) + 1
        if power == 0 and character != EMPTY:
            raise ProtocolError(f"no cell reads {character!r}: expected . or 1-{MAX_POWER} or a-f")
        place(state, cell, player, power)


def start_lines(player: int, seed: int) -> "list[str]":
    """Returns the lines that a player reads once, before its first turn."""
    return [COLOURS[player], str(seed)]


def read_start(read_line: Callable[[], str]) -> "tuple[int, int]":
    """Read the first lines: (player, seed). Raises ProtocolError."""
    colour = read_line().strip()
    if colour not in COLOURS:
        raise ProtocolError(f"expected RED or BLUE, got {colour!r}")
    (seed,) = parse_numbers(read_line(), 1, "the game's seed")
    return COLOURS.index(colour), seed


def turn_lines(state: Ints) -> "list[str]":
    """Returns the lines of a turn: the actions played so far, then the rows of the board, r = 0
    first.
    """
    text = board_text(state)
    rows = [text[SIDE * r : SIDE * r + SIDE] for r in range(SIDE)]
    return [str(int(state[TURN])), *rows]


def read_turn(read_line: Callable[[], str], state: Ints) -> bool:
    """Read a turn's eight lines into `state`. Returns False, without reading, after the game's end.

    Raises ProtocolError.
    """
    line = read_line()
    if not line:
        return False
    (turn,) = parse_numbers(line, 1, "the number of actions played")
    if not 0 <= turn < MAX_TURNS:
        raise ProtocolError(f"a turn follows 0 to {MAX_TURNS - 1} actions, got {turn}")
    rows = [read_line().strip() for _ in range(SIDE)]
    for row in rows:
        if len(row) != SIDE:
            raise ProtocolError(f"expected a row of {SIDE} cells, got {row!r}")
    for i in range(STATE_SIZE):
        state[i] = 0
    read_board("".join(rows), state)
    state[TURN] = turn
    return True


def format_action(action: int) -> str:
    """Returns an action's line."""
    if action < SPREADS:
        return f"SPAWN {action // SIDE} {action % SIDE}"
    cell, direction = divmod(action - SPREADS, N_DIRECTIONS)
    dr, dq = DIRECTIONS[direction]
    return f"SPREAD {cell // SIDE} {cell % SIDE} {dr} {dq}"


def parse_action(line: str) -> int:
    """Returns the action 0..342 of a line, legal or not. Raises IllegalAction."""
    match = ACTION.fullmatch(line)
    if not match:
        raise IllegalAction(f"expected 'SPAWN r q' or 'SPREAD r q dr dq', got {line[:200]!r}")
    r, q, *step = (int(number) for number in match.groups() if number is not None)
    if r >= SIDE or q >= SIDE:
        raise IllegalAction(f"r and q are 0 to {SIDE - 1}, got {line!r}")
    cell = SIDE * r + q
    if not step:
        return cell
    if tuple(step) not in DIRECTIONS:
        raise IllegalAction(f"no direction {step[0]} {step[1]} in {line!r}: there are {DIRECTIONS}")
    return SPREADS + N_DIRECTIONS * cell + DIRECTIONS.index(tuple(step))
