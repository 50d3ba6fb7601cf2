"""A bot's stdout and stderr: collects arriving bytes, returns lines and texts turn by turn.

Lines after a turn's answer stay for the next turn, as on the site.
"""

import math
import re
from typing import NamedTuple

from referee.errors import EXCERPT, excerpt

# As on the site: the limit on a bot's output in a turn, and the part of its stderr that is kept.
MAX_OUTPUT_BYTES = 10_000
# For an answer with any number of lines, or with more than the site's contests ask for.
MAX_OPEN_BYTES = 1_000_000
MOST_SITE_LINES = 8
MAX_STDERR_CHARACTERS = 4_096
# The share of a cap from which a warning is given.
NEAR = 0.8
# Beyond this, a turn's stderr is discarded on arrival, so that a flood costs no memory; from here
# on it is not read, so that it costs no time either: the bot then blocks in its write.
MAX_STDERR_HELD = 1_000_000
MAX_STDERR_READ = 4_000_000

# A line with a named value: `[57] name = 0.5`, as read by players' other tools, with any word or
# two in brackets, or `#value name 0.5`.
VALUE_LINE = re.compile(
    r"^(?:(?:\[ *\w[\w ]{0,15}\] *){1,2}(?P<name>[^\W\d][\w.:/%-]{0,39}) *= *"
    r"|#value +(?P<other_name>[^\W\d][\w.:/%-]{0,39}) +)"
    r"(?P<number>[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][+-]?\d)?) *\r?$",
    re.MULTILINE,
)
# The line in which a bot reports what its search expects (`shared/core/loop.py`): its value, nan
# if the search has none, depth, iterations and the actions to come.
EXPECT_LINE = re.compile(
    r"^#expect +(?P<value>nan|[+-]?\d{1,18}(?:\.\d{1,18})?(?:e[+-]?\d{1,2})?)"
    r" +(?P<depth>\d{1,9}) +(?P<iterations>\d{1,18})(?P<line>(?:\|[^|\r\n]*)*) *\r?$",
    re.MULTILINE,
)
# Actions kept of an expected line.
MOST_EXPECTED = 64
# The number of names kept of a turn.
MAX_VALUES = 24

# The line in which a bot of this project reports its node count (`shared/core/clock.py`).
NODES_LINE = re.compile(r"^nodes=(\d{1,18})\r?\n?", re.MULTILINE)


# The form of an answer: a number of lines, or all lines up to one of this text, in any case.
Expected = int | str


class OutputBuffer:
    """A bot's stdout: `add` arriving bytes, then `take` the complete answer.

    expected: the form of the answer.
    """

    def __init__(self) -> None:
        self.held = bytearray()
        # The number of complete lines in it, counted once although bytes arrive in small pieces.
        self.n_lines = 0
        self.expected: Expected = 0

    def add(self, data: bytes) -> None:
        """Append the bytes that have arrived."""
        self.held += data
        self.n_lines += data.count(b"\n")

    def is_complete(self) -> bool:
        """Returns True if the answer is complete."""
        if isinstance(self.expected, int):
            return self.n_lines >= self.expected
        return self.n_lines >= self._count()

    def _count(self) -> int:
        """Returns the number of lines of the answer, one more than have arrived if its named last
        line is missing.
        """
        expected = self.expected
        if isinstance(expected, int):
            return expected
        *lines, _ = self.held.split(b"\n")
        last = expected.encode()
        numbers = (i for i, line in enumerate(lines, 1) if line.strip().lower() == last)
        return next(numbers, len(lines) + 1)

    def n_missing(self, lines: list[str]) -> int:
        """Returns the number of lines missing after `lines`; 1 if the answer's named last line is
        missing.
        """
        if isinstance(self.expected, int):
            return self.expected - len(lines)
        return int(not lines or lines[-1].strip().lower() != self.expected)

    def answer_size(self) -> int:
        """Returns the number of bytes of the answer, or of all bytes held if the answer is
        incomplete.
        """
        end = 0
        for _ in range(self._count()):
            end = self.held.find(b"\n", end) + 1
            if end == 0:
                return len(self.held)
        return end

    def take(self) -> list[str]:
        """Remove the answer's complete lines and return them without LF or CRLF; invalid UTF-8
        becomes \\xNN.
        """
        if self.n_lines == self.expected and self.held.endswith(b"\n"):
            # The usual case: only this answer is held.
            taken, self.held, self.n_lines = self.held, bytearray(), 0
        else:
            taken = self._cut(min(self.n_lines, self._count()))
        text = taken.decode("utf-8", "backslashreplace")
        # Same result as line by line: LF is a part of no other character, even in invalid UTF-8.
        lines = text.split("\n")
        lines.pop()
        if "\r" in text:
            return [line.removesuffix("\r") for line in lines]
        return lines

    def _cut(self, n_lines: int) -> bytearray:
        end = 0
        for _ in range(n_lines):
            end = self.held.find(b"\n", end) + 1
        taken = self.held[:end]
        del self.held[:end]
        self.n_lines -= n_lines
        return taken

    def written(self) -> str:
        """Returns the number of lines written and the text of the answer, for a verdict."""
        n_lines = self._count()
        whole = min(self.n_lines, n_lines)
        if isinstance(self.expected, str):
            last = "with" if whole == n_lines else "without"
            return f"{whole} lines {last} {self.expected!r}, {self.beginning()}"
        return f"{whole} of {n_lines} lines, {self.beginning()}"

    def beginning(self) -> str:
        """Returns the first bytes held, as quoted in an error."""
        # A character takes four bytes at most.
        return excerpt(self.held[: 4 * EXCERPT + 4].decode(errors="backslashreplace"))


class StderrContent(NamedTuple):
    """The content of a turn's stderr.

    text: all lines except `nodes=N`. nodes: the last N, or None. values: the last value of each
    name.
    """

    text: str
    nodes: int | None
    values: dict[str, float]


# Shared by most turns: its values must not be changed.
EMPTY_STDERR = StderrContent("", None, {})


class ErrorBuffer:
    """A bot's stderr: `add` arriving bytes, `take` the content of a turn."""

    def __init__(self) -> None:
        self.held = bytearray()
        self.n_bytes = 0

    def add(self, data: bytes) -> None:
        """Append arriving bytes, up to MAX_STDERR_HELD in a turn."""
        self.n_bytes += len(data)
        self.held += data[: max(0, MAX_STDERR_HELD - len(self.held))]

    def is_full(self) -> bool:
        """Returns True if reading stops until the next turn."""
        return self.n_bytes >= MAX_STDERR_READ

    def last_line(self) -> str:
        """Returns the last line that is not blank, without blanks at its end; "" without such a
        line.
        """
        lines = self.held.decode(errors="backslashreplace").strip().splitlines()
        return lines[-1] if lines else ""

    def take(self) -> StderrContent:
        """Returns the content of the turn, and clears the buffer."""
        if not self.held:
            return EMPTY_STDERR
        text = self.held.decode(errors="backslashreplace")
        self.held = bytearray()
        self.n_bytes = 0
        return parse_stderr(text)


def parse_stderr(text: str) -> StderrContent:
    """Returns the StderrContent of a text on stderr."""
    numbers = NODES_LINE.findall(text)
    nodes = int(numbers[-1]) if numbers else None
    return StderrContent(NODES_LINE.sub("", text) if numbers else text, nodes, parse_values(text))


def parse_values(text: str) -> dict[str, float]:
    """Returns the last value of each name in the lines of a text, for at most MAX_VALUES names.

    The last `#expect` line gives the names expected, depth and iterations.
    """
    values: dict[str, float] = {}
    if "#expect" in text and (match := _last_expected(text)):
        number = {name: float(match[name]) for name in ("value", "depth", "iterations")}
        value = number.pop("value")
        values = number if math.isnan(value) else {"expected": value, **number}
    if "]" not in text and "#value" not in text:
        return values
    for line in VALUE_LINE.finditer(text):
        name = line["name"] or line["other_name"]
        if name in values or len(values) < MAX_VALUES:
            values[name] = float(line["number"])
    return values


def _last_expected(text: str) -> re.Match[str] | None:
    """Returns the match of a text's last `#expect` line, None if there is none."""
    return next(reversed(list(EXPECT_LINE.finditer(text))), None)


def expected_line(text: str) -> list[str]:
    """Returns the actions in a text's last `#expect` line, [] without such a line."""
    match = _last_expected(text) if "#expect" in text else None
    return match["line"].split("|")[1 : MOST_EXPECTED + 1] if match else []


def cut_stderr(text: str) -> str:
    """Returns the text of a turn's stderr that the site shows, followed by the number of characters
    cut.
    """
    if len(text) <= MAX_STDERR_CHARACTERS:
        return text
    return f"{text[:MAX_STDERR_CHARACTERS]}\n[{len(text) - MAX_STDERR_CHARACTERS} characters more]"
