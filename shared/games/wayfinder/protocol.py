"""The protocol of Wayfinder for referee and bots (RULES.md, section 2)."""

import re
from typing import Callable, Optional

from ...core.clock import Limits
from ...core.protocol import IllegalAction, ProtocolError, parse_numbers
from ...games.wayfinder.state import MOST_POINTS, Change, Query, Start, TurnInput, apply_changes

LIMITS = Limits(first_ms=1000, turn_ms=50)
NO_PATH = "-1"
NUMBER = r"-?[0-9]{1,6}(?:\.[0-9]{1,6})?"
ANSWER = re.compile(rf"-1|0|[1-9][0-9]{{0,2}}(?: {NUMBER} {NUMBER})+")
EXPECTED = (
    "'-1', '0' or 'k x1 y1 .. xk yk' with single spaces, and at most 6 digits before and after"
    " a point"
)
DECIMALS = 3  # precision of written coordinates: a twentieth of the tolerance


def ring_text(ring: list) -> str:
    """Returns a polygon's line: the number of corners, then x y of each."""
    return f"{len(ring)} " + " ".join(f"{x} {y}" for x, y in ring)


def start_lines(start: Start) -> list:
    """Returns the lines that every player reads before the first turn."""
    return [
        f"{start.n_turns} {start.n_queries}",
        " ".join(map(str, [len(start.radii), *start.radii])),
        ring_text(start.boundary),
        str(len(start.obstacles)),
        *(f"{number} {ring_text(ring)}" for number, ring in start.obstacles.items()),
    ]


def turn_lines(turn: TurnInput) -> list:
    """Returns the lines that every player reads in a turn."""
    lines = [f"{len(turn.changes)} {len(turn.queries)}"]
    for number, ring in turn.changes:
        lines.append(f"+ {number} {ring_text(ring)}" if ring else f"- {number}")
    return lines + [" ".join(map(str, query)) for query in turn.queries]


def read_start(read_line: Callable[[], str]) -> Optional[Start]:
    """Read the start lines. Returns None for an empty input. Raises ProtocolError."""
    line = read_line()
    if not line:
        return None
    n_turns, n_queries = parse_numbers(line, 2, "turns and queries")
    n_radii, *radii = _numbers(read_line(), "the number of radii, then the radii")
    if n_radii != len(radii):
        raise ProtocolError(f"expected {n_radii} radii, got {len(radii)}")
    boundary = _ring(_numbers(read_line(), "the boundary"))
    obstacles: dict = {}
    for _ in range(parse_numbers(read_line(), 1, "the number of obstacles")[0]):
        number, *rest = _numbers(read_line(), "an obstacle")
        _apply(obstacles, [Change(number, _ring(rest))])
    return Start(n_turns, n_queries, radii, boundary, obstacles)


def read_turn(read_line: Callable[[], str], obstacles: dict) -> Optional[TurnInput]:
    """Read a turn and apply its changes to the obstacles {number: ring}; returns None at the
    input's end.

    Raises ProtocolError.
    """
    line = read_line()
    if not line:
        return None
    n_changes, n_queries = parse_numbers(line, 2, "numbers of changes and queries")
    changes = [_change(read_line()) for _ in range(n_changes)]
    _apply(obstacles, changes)
    asked = "a start, a goal and a radius"
    queries = [Query(*parse_numbers(read_line(), 5, asked)) for _ in range(n_queries)]
    return TurnInput(changes, queries)


def _change(line: str) -> Change:
    words = line.split(None, 1)
    if len(words) < 2 or words[0] not in ("+", "-"):
        raise ProtocolError(f"expected '+ id n x1 y1 ..' or '- id', got {line.rstrip()[:200]!r}")
    if words[0] == "-":
        return Change(parse_numbers(words[1], 1, "the number of an obstacle")[0], None)
    number, *rest = _numbers(words[1], "a new obstacle")
    return Change(number, _ring(rest))


def _apply(obstacles: dict, changes: list) -> None:
    try:
        apply_changes(obstacles, changes)
    except ValueError as error:
        raise ProtocolError(str(error)) from error


def _numbers(line: str, what: str) -> list:
    return parse_numbers(line, max(1, len(line.split())), what)


def _ring(numbers: list) -> list:
    """Returns the corners of a ring from the numbers of a line."""
    count, *places = numbers or [0]
    if count < 3 or len(places) != 2 * count:
        raise ProtocolError(
            f"expected a polygon, 'n x1 y1 .. xn yn' with n from 3 on, got n = {count} and"
            f" {len(places)} numbers"
        )
    return list(zip(places[::2], places[1::2]))


def format_path(points: list) -> str:
    """Returns the answer line of a path with these inner points (x, y), at most MOST_POINTS."""
    return " ".join([str(len(points)), *(f"{x:.{DECIMALS}f} {y:.{DECIMALS}f}" for x, y in points)])


def parse_path(line: str) -> Optional[list]:
    """Returns the inner points (x, y) of an answer, or None. Raises IllegalAction."""
    if not ANSWER.fullmatch(line):
        raise IllegalAction(f"expected {EXPECTED}, got {line[:60]!r}")
    if line == NO_PATH:
        return None
    count, *numbers = line.split(" ")
    if int(count) > MOST_POINTS:
        raise IllegalAction(f"{count} points are announced, {MOST_POINTS} are allowed")
    if len(numbers) != 2 * int(count):
        given = len(numbers) / 2
        raise IllegalAction(f"{count} points are announced, {given:g} are given")
    places = list(map(float, numbers))
    return list(zip(places[::2], places[1::2]))


def parse_answers(lines: list) -> list:
    """Apply `parse_path` to each line. Raises IllegalAction, which names the query."""
    paths = []
    for query, line in enumerate(lines):
        try:
            paths.append(parse_path(line))
        except IllegalAction as error:
            raise IllegalAction(f"query {query}: {error}") from error
    return paths
