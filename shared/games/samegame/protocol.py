"""The protocol of SameGame for referee and bots (RULES.md, section 3)."""

import re
from typing import Callable

from ...core.clock import Limits
from ...core.jit import Ints
from ...core.protocol import IllegalAction, ProtocolError, parse_numbers
from ...games.samegame.state import N_COLOURS, SIDE, board_of, write_board

LIMITS = Limits(first_ms=20_000, turn_ms=50)
ACTION = re.compile(r"(-?\d{1,9})\s+(-?\d{1,9})(\s.*)?", re.ASCII)


def turn_lines(state: Ints) -> list:
    """Returns a turn's lines: the board, top row first."""
    return [" ".join(map(str, row)) for row in board_of(state)]


def read_turn(read_line: Callable[[], str], state: Ints) -> bool:
    """Read a board into `state`, with score 0. Returns False after the game's end.

    Raises ProtocolError.
    """
    line = read_line()
    if not line:
        return False
    rows = [parse_numbers(line, SIDE, "the top row of the board")]
    for _ in range(SIDE - 1):
        rows.append(parse_numbers(read_line(), SIDE, "a row of the board"))
    strange = [colour for row in rows for colour in row if not -1 <= colour < N_COLOURS]
    if strange:
        raise ProtocolError(f"colours are 0 to {N_COLOURS - 1}, -1 is empty; got {strange[0]}")
    for above, below in zip(rows, rows[1:]):  # noqa: RUF007  Python 3.9 has no `pairwise`
        for x in range(SIDE):
            if above[x] >= 0 > below[x]:
                raise ProtocolError(f"a cell of column {x} hangs in the air")
    write_board(rows, state)
    return True


def format_action(action: int) -> str:
    """Format an action."""
    return f"{action // SIDE} {action % SIDE}"


def parse_action(line: str) -> int:
    """Returns an action, legal or not. A message may follow.

    Raises IllegalAction.
    """
    match = ACTION.fullmatch(line)
    if not match:
        raise IllegalAction(f"expected 'column row', got {line[:200]!r}")
    column, row = int(match[1]), int(match[2])
    if column not in range(SIDE) or row not in range(SIDE):
        raise IllegalAction(f"column and row are 0 to {SIDE - 1}, got {line[:200]!r}")
    return SIDE * column + row
