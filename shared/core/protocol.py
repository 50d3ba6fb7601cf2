"""The text that a referee and a bot exchange: whole numbers, turns, and errors in lines."""

from functools import partial
from typing import Callable, Optional, TypeVar

Found = TypeVar("Found")


class ProtocolError(SystemExit):
    """A bot cannot read its input. If uncaught, it ends the bot with its message alone on
    stderr.
    """


class IllegalAction(Exception):
    """A player's lines are not a legal action."""


def parse_numbers(line: str, count: int, what: str) -> list[int]:
    """Parse exactly `count` whole numbers from a line. Raises ProtocolError; `what` names them in
    its text.
    """
    if not line:
        raise ProtocolError(f"the input ended where {what} should follow")
    try:
        numbers = [int(word) for word in line.split()]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        plural = "s" * (count != 1)
        raise ProtocolError(
            f"expected {what} ({count} whole number{plural}), got {line.rstrip()!r}"
        )
    return numbers


# Errors raised when reading lines that the contest did not write.
UNREADABLE = (ArithmeticError, LookupError, ProtocolError, ValueError)


def read_turns(
    inputs: list[list[str]], read: Callable[[Callable[[], str]], Found]
) -> list[Optional[Found]]:
    """Returns read(read_line) -> the lines of a turn; None from the first turn whose lines the
    contest cannot have written.

    read_line() returns the next line, "" after the last one.
    """
    found: list[Optional[Found]] = []
    for lines in inputs:
        rest = iter(lines)
        try:
            found.append(read(partial(next, rest, "")))
        except UNREADABLE:
            break
    return found + [None] * (len(inputs) - len(found))
