"""Finds the time limits of an official contest: in its referee's sources, or in its statement.

The engine gives 1000 ms for the first answer and 50 ms for each later one, unless the referee calls
`setFirstTurnMaxTime` and `setTurnMaxTime`. Of a referee that changes a limit during a game, the
least value counts.

Source: the engine's `GameManager`, versions 2.5 to 4.7.
"""

import html
import math
import re
from pathlib import Path
from typing import Iterable, NamedTuple

from shared.core.clock import Limits

DEFAULT_FIRST_MS, DEFAULT_TURN_MS = 1000, 50
MAX_MS = 60_000
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# Java's calls of the setters, and Kotlin's assignments.
SETTER = re.compile(r"(?:\bset|\.)([Ff]irstTurn|[Tt]urn)MaxTime(?:\(([^;]*)\)|\s*=(?!=)(.*))")
PRODUCT = re.compile(r"[\d_]+(?:\s*\*\s*[\d_]+)*")
TIME = re.compile(r"(\d+(?:[.,]\d+)?)\s*(ms|milliseconds?|s|seconds?)\b")
# The end of the words about a time, where more words follow before the next one.
BREAK = re.compile(r"[,;(.\n]|\band\b")
ABOUT_TIME = re.compile(r"respon|allotted|turn|output|time", re.IGNORECASE)


class StatedLimits(NamedTuple):
    """The limits of a contest; origin: a text about the places that state them."""

    limits: Limits
    origin: str


DEFAULT_LIMITS = StatedLimits(
    Limits(DEFAULT_FIRST_MS, DEFAULT_TURN_MS),
    "Both are the engine's defaults: see the contest's statement",
)


def find_limits(folder: Path) -> StatedLimits | None:
    """Returns the limits by a contest's sources, with the engine's defaults where these set none.

    Without sources, returns the limits of the statement, None if the statement has none.
    """
    files = [*folder.glob("src/main/**/*.java"), *folder.glob("src/main/**/*.kt")]
    said = statement_limits(folder / "config")
    if not files:
        return StatedLimits(said, "Both are the statement's") if said else None
    texts = {file: COMMENT.sub(_blank, file.read_text("utf-8", "replace")) for file in files}
    numbers = _constants(texts.values())
    stated: dict[str, list[tuple[int, str]]] = {"f": [], "t": []}
    for file, text in texts.items():
        for match in SETTER.finditer(text):
            place = f"{file.name}, line {text.count(chr(10), 0, match.start()) + 1}"
            values = _values(match[2] or match[3] or "", numbers)
            stated[match[1][0].lower()] += [(ms, place) for ms in values]
    first_ms, first = min(stated["f"], default=(DEFAULT_FIRST_MS, "the engine's default"))
    turn_ms, turn = min(stated["t"], default=(DEFAULT_TURN_MS, "the engine's default"))
    others = sorted({ms for ms, _ in stated["t"]} - {turn_ms})
    turn += f" (in other turns {', '.join(map(str, others))})" if others else ""
    limits, origin = Limits(first_ms, turn_ms), f"first_ms: {first}; turn_ms: {turn}"
    if said and said != limits:
        origin += f"; the statement says {said.first_ms} and {said.turn_ms}"
    return StatedLimits(limits, origin)


def statement_limits(config: Path) -> Limits | None:
    """Returns the limits in the English statement of a contest's highest league, None if it has
    none.
    """
    pages = sorted(config.glob("**/statement_en.html*"), key=lambda path: path.parent.name)
    if not pages:
        return None
    text = html.unescape(re.sub(r"<[^>]*>", " ", pages[-1].read_text("utf-8", "replace")))
    matches = list(TIME.finditer(re.sub(r"\s+", " ", text)))
    first: list[int] = []
    later: list[int] = []
    end = 0
    for match, following in zip(matches, [*matches[1:], None]):
        flat = match.string
        behind = flat[match.end() : following.start() if following else match.end() + 40]
        pause = BREAK.search(behind)
        # Without a pause, the words behind a time introduce the next one.
        length = pause.start() if pause else 0 if following else len(behind)
        words = flat[max(end, match.start() - 80) : match.end() + length]
        end = match.end() + length
        ms = round(float(match[1].replace(",", ".")) * (1 if match[2].startswith("m") else 1000))
        if ABOUT_TIME.search(words) and 0 < ms <= MAX_MS:
            (first if re.search(r"\bfirst\b", words, re.IGNORECASE) else later).append(ms)
    if not first and not later:
        return None
    return Limits(min(first or later), min(later or first))


def _values(expression: str, numbers: dict[str, int]) -> list[int]:
    """Returns the values in ms that an expression may have: of a conditional, those of both
    branches.

    Names without a known number, and values outside of 1 to MAX_MS, are left out.
    """
    branches = re.split(r"[?:]", expression)
    branches = [text.strip() for text in (branches[1:] if len(branches) > 1 else branches)]
    values = [
        _product(text) if PRODUCT.fullmatch(text) else numbers.get(text.rpartition(".")[2], 0)
        for text in branches
    ]
    return [ms for ms in values if 0 < ms <= MAX_MS]


def _constants(texts: Iterable[str]) -> dict[str, int]:
    """Returns the numbers that sources assign to names, by name."""
    named = re.compile(rf"\b([A-Za-z_]\w*)\s*(?::\s*\w+\s*)?=\s*({PRODUCT.pattern})\s*[;\n]")
    return {match[1]: _product(match[2]) for text in texts for match in named.finditer(text)}


def _product(text: str) -> int:
    return math.prod(int(number.replace("_", "") or 0) for number in text.split("*"))


def _blank(comment: re.Match[str]) -> str:
    """Returns only the line feeds of a comment, so that the lines after it keep their numbers."""
    return "\n" * comment[0].count("\n")
