"""Maps and scenarios of Moving AI, as files (N. Sturtevant, IEEE TCIAIG 4(2), 2012)."""

from pathlib import Path
from typing import NamedTuple

from shared.core.checks.truth import TruthError

FREE = ".GS"
ROUNDED_TO_CENTS = "AR0602SR"


class Query(NamedTuple):
    """A line of a scenario: from (x, y) to (x, y), the stated length and its tolerance."""

    start: tuple[int, int]
    goal: tuple[int, int]
    length: float
    tolerance: float


def read_map(path: Path) -> list[list[bool]]:
    """The rows of a map, True where a walker may stand. Raises TruthError."""
    lines = read_lines(path)
    head = {words[0]: words[-1] for words in map(str.split, lines[:3]) if words}
    rows = [[letter in FREE for letter in line] for line in lines[4:] if line]
    size = str(len(rows)), str(len(rows[0]) if rows else 0)
    if (head.get("height"), head.get("width")) != size or len(set(map(len, rows))) != 1:
        raise TruthError(
            f"{path}: no map of Moving AI (its head does not fit its {len(rows)} rows)"
        )
    return rows


def read_scenario(path: Path) -> list[Query]:
    """The queries of a scenario. Raises TruthError."""
    queries = []
    for number, line in enumerate(read_lines(path)[1:], 2):
        words = line.split()
        if not words:
            continue
        try:
            start_x, start_y, goal_x, goal_y = map(int, words[-5:-1])
            length = float(words[-1])
        except ValueError as error:
            raise TruthError(f"{path}:{number}: no query of a scenario: {line!r}") from error
        tolerance = 1e-4 if length <= 100 else 5e-6 * length
        if path.name.startswith(ROUNDED_TO_CENTS):
            tolerance = 0.0051
        queries.append(Query((start_x, start_y), (goal_x, goal_y), length, tolerance))
    return queries


def stratified(queries: list, n: int) -> list:
    """Returns this many queries, evenly by length from the shortest to the longest."""
    ordered = sorted(queries, key=lambda query: query.length)
    return [ordered[i * (len(ordered) - 1) // max(n - 1, 1)] for i in range(min(n, len(ordered)))]


def read_lines(path: Path) -> list[str]:
    """The lines of a text. Raises TruthError."""
    try:
        return path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TruthError(f"{path}: {error}") from error
