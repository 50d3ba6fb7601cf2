"""The protocol of Ultimate Tic-Tac-Toe for referee and bots (RULES.md, section 4).

A bot reads with `read_turn` and writes with `format_action`; the referee writes with `turn_lines`
and reads with `parse_action`.
"""

import re
from typing import TYPE_CHECKING, Callable, Optional

from ...core.clock import Limits
from ...core.protocol import IllegalAction, ProtocolError, parse_numbers
from ...games.ultimate_tic_tac_toe.sim import DIGIT
from ...games.ultimate_tic_tac_toe.state import SIDE

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMITS = Limits(first_ms=1000, turn_ms=100)
ACTION = re.compile(r"(-?\d)\s+(-?\d)(\s.*)?", re.ASCII)


def place_of(action: int) -> "tuple[int, int]":
    """Returns (row, column), 0..8 each."""
    board, cell = action >> DIGIT, action & 15
    return 3 * (board // 3) + cell // 3, 3 * (board % 3) + cell % 3


def action_at(row: int, column: int) -> int:
    """Returns the action at a row and column 0..8."""
    return row // 3 * 3 + column // 3 << DIGIT | row % 3 * 3 + column % 3


def turn_lines(action: Optional[int], actions: "Iterable[int]") -> "list[str]":
    """Returns the lines of a turn: last action (None at first), count, legal actions."""
    rows = [format_action(one) for one in actions]
    last = "-1 -1" if action is None else format_action(action)
    return [last, str(len(rows)), *rows]


def read_turn(read_line: Callable[[], str]) -> "Optional[tuple[int, list[int]]]":
    """Read a turn: (the rival's last action or -1, the sorted legal actions). Returns None at the
    game's end. Raises ProtocolError.
    """
    line = read_line()
    if not line:
        return None
    row, column = parse_numbers(line, 2, "the rival's action")
    action = -1 if (row, column) == (-1, -1) else known_action(row, column)
    (count,) = parse_numbers(read_line(), 1, "the number of legal actions")
    if not 1 <= count <= SIDE * SIDE:
        raise ProtocolError(f"there are 1 to {SIDE * SIDE} legal actions, got {count}")
    places = [parse_numbers(read_line(), 2, "a legal action") for _ in range(count)]
    return action, sorted(known_action(row, column) for row, column in places)


def known_action(row: int, column: int) -> int:
    """Convert a place into its action. Raises ProtocolError."""
    if not (0 <= row < SIDE and 0 <= column < SIDE):
        raise ProtocolError(f"rows and columns are 0 to {SIDE - 1}, got {row} {column}")
    return action_at(row, column)


def format_action(action: int) -> str:
    """Format an action."""
    row, column = place_of(action)
    return f"{row} {column}"


def parse_action(line: str) -> int:
    """Returns the action of a line, legal or not. A message may follow.

    Raises IllegalAction.
    """
    match = ACTION.fullmatch(line)
    if not match:
        raise IllegalAction(f"expected 'row column', got {line[:200]!r}")
    row, column = int(match[1]), int(match[2])
    if row not in range(SIDE) or column not in range(SIDE):
        raise IllegalAction(f"row and column are 0 to {SIDE - 1}, got {line[:200]!r}")
    return action_at(row, column)
