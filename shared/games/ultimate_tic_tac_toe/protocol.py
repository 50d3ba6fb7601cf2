"""The text of Ultimate Tic-Tac-Toe, read and written from both sides (RULES.md, section 4).

A bot reads with `read_turn` and writes with `format_action`; the referee writes with `turn_lines` and
reads with `parse_action`.
"""

import re
from typing import TYPE_CHECKING, Callable, Optional

from shared.core.errors import IllegalAction, ProtocolError
from shared.core.jit import Ints, int_buffer
from shared.core.limits import Limits
from shared.core.numbers import parse_numbers
from shared.games.ultimate_tic_tac_toe.sim import (
    DIGIT,
    N_ACTIONS,
    apply_action,
    is_legal,
    legal_actions,
)
from shared.games.ultimate_tic_tac_toe.state import SIDE, TURN

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMITS = Limits(first_ms=1000, turn_ms=100)
ACTION = re.compile(r"(-?\d)\s+(-?\d)(\s.*)?", re.ASCII)


def place_of(action: int) -> "tuple[int, int]":
    """(row, column) 0..8 on the whole board."""
    board, cell = action >> DIGIT, action & 15
    return 3 * (board // 3) + cell // 3, 3 * (board % 3) + cell % 3


def action_at(row: int, column: int) -> int:
    """The action that plays at a row and a column 0..8."""
    return row // 3 * 3 + column // 3 << DIGIT | row % 3 * 3 + column % 3


def turn_lines(action: Optional[int], actions: "Iterable[int]") -> "list[str]":
    """What a player reads every turn: the last action, None before the first one, and the legal ones."""
    rows = [format_action(one) for one in actions]
    last = "-1 -1" if action is None else format_action(action)
    return [last, str(len(rows)), *rows]


def read_turn(read_line: Callable[[], str], setup: Ints, state: Ints) -> Optional[int]:
    """Read a turn and play the rival's action on `state`, the position after one's own last action.

    Returns that action, -1 where there was none, or None where the game has ended. Raises
    ProtocolError, also where the position does not allow what was read.
    """
    line = read_line()
    if not line:
        return None
    row, column = parse_numbers(line, 2, "the rival's action")
    action = -1
    if (row, column) != (-1, -1):
        if not (0 <= row < SIDE and 0 <= column < SIDE):
            raise ProtocolError(f"rows and columns are 0 to {SIDE - 1}, got {line.strip()!r}")
        action = action_at(row, column)
        if not is_legal(setup, state, action):
            raise ProtocolError(
                f"the rival cannot play {row} {column} here: was another action"
                " played than this bot's last one?"
            )
        apply_action(setup, state, action, state)
    elif state[TURN]:
        raise ProtocolError(f"-1 -1 stands for no action, after {int(state[TURN])} of them")
    check_actions(read_line, setup, state)
    return action


def check_actions(read_line: Callable[[], str], setup: Ints, state: Ints) -> None:
    """Read the legal actions, which are known, in any order. Raises ProtocolError where they differ."""
    actions = int_buffer(N_ACTIONS)
    n = int(legal_actions(setup, state, actions))
    expected = {place_of(int(actions[i])) for i in range(n)}
    (count,) = parse_numbers(read_line(), 1, "the number of legal actions")
    rows = [parse_numbers(read_line(), 2, "a legal action") for _ in range(count)]
    found = {(row, column) for row, column in rows}
    if found != expected or count != n:
        other = sorted(found ^ expected)[:1] or ["one listed twice"]
        raise ProtocolError(f"legal actions that are not those of the position, as {other[0]}")


def format_action(action: int) -> str:
    """The line of an action."""
    row, column = place_of(action)
    return f"{row} {column}"


def parse_action(line: str) -> int:
    """The action of a line, whether or not a position allows it; a message may follow.

    Raises IllegalAction.
    """
    match = ACTION.fullmatch(line)
    if not match:
        raise IllegalAction(f"expected 'row column', got {line[:200]!r}")
    row, column = int(match[1]), int(match[2])
    if row not in range(SIDE) or column not in range(SIDE):
        raise IllegalAction(f"row and column are 0 to {SIDE - 1}, got {line[:200]!r}")
    return action_at(row, column)
