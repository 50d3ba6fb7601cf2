"""The protocol of connect four for referee and bots (RULES.md, section 3)."""

from typing import Callable, Optional

from ...core.clock import Limits
from ...core.protocol import IllegalAction, ProtocolError
from ...games.connect_four.game import GAME, HEIGHT, WIDTH, new_setup

LIMITS = Limits(first_ms=1000, turn_ms=100)


def turn_line(columns: "list[int]") -> str:
    """Returns a turn's line: the number of stones, and their columns in turn."""
    return " ".join(map(str, [len(columns), *columns]))


def read_turn(read_line: Callable[[], str]) -> "Optional[list[int]]":
    """Returns the columns so far, None at the game's end. Raises ProtocolError."""
    line = read_line()
    if not line:
        return None
    words = line.split()
    if not all(word.isdecimal() for word in words) or words[:1] != [str(len(words) - 1)]:
        raise ProtocolError(f"expected the number of stones and their columns, got {line[:200]!r}")
    columns = [int(word) for word in words[1:]]
    if any(column >= WIDTH or columns.count(column) > HEIGHT for column in columns):
        raise ProtocolError(f"columns are 0 to {WIDTH - 1}, of {HEIGHT} cells: {line[:200]!r}")
    return columns


def format_action(action: int) -> str:
    """Format an action."""
    return str(action)


def parse_action(line: str, state: "list[int]") -> int:
    """Returns the action of a line. Raises IllegalAction."""
    word = line.strip()
    if word not in map(str, range(WIDTH)):
        raise IllegalAction(f"expected a column 0 to {WIDTH - 1}, got {line[:200]!r}")
    if GAME.following(new_setup(), state, int(word) - 1) != int(word):
        raise IllegalAction(f"column {word} is full")
    return int(word)
