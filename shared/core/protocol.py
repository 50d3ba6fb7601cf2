"""The text that a referee and a bot exchange: whole numbers, values of several kinds in a buffer,
turns, and errors in lines.

Kinds of values, as in CodinGame's grammar of an input: "int"; "float", kept in millionths; "bool",
kept as 1 or 0; "word" and "string", kept as their place in a list of words. Only strings may have
blanks; a line has at most one.
"""

from functools import partial
from typing import Any, Callable, Optional, TypeVar

FLOAT_UNIT = 1_000_000

Found = TypeVar("Found")


class ProtocolError(SystemExit):
    """A bot cannot read its input. If uncaught, it ends the bot with its message alone on
    stderr.
    """


class IllegalAction(Exception):
    """A player's lines are not a legal action."""


def parse_numbers(line: str, count: int, what: str) -> list[int]:
    """Returns the `count` whole numbers of a line. what: their name in errors. Raises
    ProtocolError.
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


def split_values(line: str, kinds: list[str]) -> list[str]:
    """Returns the texts of a line's values. Raises ProtocolError."""
    texts = line.rstrip("\r\n").split(" ") if "string" in kinds else line.split()
    if "string" in kinds:
        place, more = kinds.index("string"), len(texts) - len(kinds)
        texts[place : place + more + 1] = [" ".join(texts[place : place + more + 1])]
    if len(texts) != len(kinds):
        raise ProtocolError(f"expected values of the kinds {kinds}, got {line[:200].rstrip()!r}")
    return texts


def read_values(
    line: str, kinds: str, words: list[str], buffer: Any, at: int = 0, times: int = 1
) -> None:
    """Read a line's values into buffer[at:]. kinds: as "int word", repeated `times` times.

    A new word is appended to `words`. Raises ProtocolError.
    """
    listed = kinds.split() * times
    for i, (kind, text) in enumerate(zip(listed, split_values(line, listed))):
        try:
            if kind == "float":
                buffer[at + i] = round(float(text) * FLOAT_UNIT)
            elif kind == "bool":
                buffer[at + i] = int(text in ("true", "1"))
            elif kind == "int":
                buffer[at + i] = int(text)
            else:
                if text not in words:
                    words.append(text)
                buffer[at + i] = words.index(text)
        except ValueError:
            raise ProtocolError(f"{text!r} is no {kind}, in {line[:200].rstrip()!r}") from None


def format_values(kinds: str, words: list[str], buffer: Any, at: int = 0, times: int = 1) -> str:
    """Returns the line that `read_values` reads into buffer[at:]."""
    texts = []
    for i, kind in enumerate(kinds.split() * times):
        value = int(buffer[at + i])
        if kind == "float":
            texts.append(str(value / FLOAT_UNIT))
        elif kind == "bool":
            texts.append("true" if value else "false")
        else:
            texts.append(str(value) if kind == "int" else words[value])
    return " ".join(texts)


def read_cells(line: str, buffer: Any, at: int, size: int, name: str) -> None:
    """Read a row's characters into buffer[at : at + size], then zeros. name: the size's name.

    Raises ProtocolError for a longer row.
    """
    row = line.rstrip("\r\n")
    check_count(len(row), size, name)
    for i in range(size):
        buffer[at + i] = ord(row[i]) if i < len(row) else 0


def format_cells(buffer: Any, at: int, size: int) -> str:
    """Returns the row that `read_cells` reads into buffer[at : at + size]."""
    return "".join(chr(int(buffer[at + i])) for i in range(size) if buffer[at + i])


def check_count(count: int, most: int, name: str) -> int:
    """Returns a count as an int. most: the value of the constant called `name`.

    Raises ProtocolError unless 0 <= count <= most.
    """
    if not 0 <= count <= most:
        raise ProtocolError(f"the input has {count} of {name} = {most}: raise it")
    return int(count)


# Errors raised when reading lines that the contest did not write.
UNREADABLE = (ArithmeticError, LookupError, ProtocolError, ValueError)


def read_turns(
    inputs: list[list[str]], read: Callable[[Callable[[], str]], Found]
) -> list[Optional[Found]]:
    """Returns `read(read_line)` of each turn's lines; None from the first turn whose lines the
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
