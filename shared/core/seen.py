"""What a player was sent in a game, read again turn by turn: for `Contest.seen`."""

from functools import partial
from typing import Callable, TypeVar

from shared.core.errors import ProtocolError

Found = TypeVar("Found")
# What lines lead to that are none of the contest's.
UNREADABLE = (ArithmeticError, LookupError, ProtocolError, ValueError)


def read_turns(
    inputs: list[list[str]], read: Callable[[Callable[[], str]], Found]
) -> list[Found | None]:
    """What read(read_line) gives for the lines of each turn, None from the first turn on whose lines
    are not as the contest writes them.

    read_line() gives the next line, "" after the last one.
    """
    found: list[Found | None] = []
    for lines in inputs:
        rest = iter(lines)
        try:
            found.append(read(partial(next, rest, "")))
        except UNREADABLE:
            break
    return found + [None] * (len(inputs) - len(found))
