"""Stores the values that bots report, by turn: mean and spread over the games of a series.

There is one row for each bot, name and turn, whatever the number of games: Welford's algorithm adds
a game to it.
https://en.wikipedia.org/wiki/Algorithms_for_calculating_variance#Welford's_online_algorithm
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from referee.arena.rows import Reader
from referee.log.schema import MAX_NUMBER, Count, Number, Positive, Whole

TABLE = """
CREATE TABLE courses (
    series INTEGER NOT NULL REFERENCES series,
    bot TEXT NOT NULL,
    name TEXT NOT NULL,
    turn INTEGER NOT NULL,
    games INTEGER NOT NULL,
    mean REAL NOT NULL,
    squares REAL NOT NULL,
    PRIMARY KEY (series, bot, name, turn)
) WITHOUT ROWID;
"""
# squares: the sum of the squared differences from the mean.
ADD = """
INSERT INTO courses VALUES (?, ?, ?, ?, 1, ?, 0.0)
ON CONFLICT (series, bot, name, turn) DO UPDATE SET
    games = games + 1,
    mean = mean + (excluded.mean - mean) / (games + 1),
    squares = squares + (excluded.mean - mean) * (excluded.mean - mean) * games / (games + 1)
"""
# Of longer games several turns are one point.
MOST_POINTS = 120
# Rows (name, bot, turn, mean, squares, games, degrees of freedom) of a series.
# bots: a JSON list of their keys, or NULL for all.
READ = f"""
WITH unit AS (SELECT 1 + max(turn) / {MOST_POINTS} AS width FROM courses WHERE series = :series)
SELECT name, bot, turn / width * width, sum(games * mean) / sum(games), sum(squares), sum(games),
    sum(games - 1)
FROM courses JOIN unit
WHERE series = :series AND (:bots IS NULL OR bot IN (SELECT value FROM json_each(:bots)))
GROUP BY name, bot, turn / width ORDER BY name, bot, turn
"""


@dataclass
class CourseRow:
    """The mean and the spread of a bot's value at a turn, or at several neighbouring turns."""

    name: str
    bot: str
    turn: Whole
    mean: Number
    # The sum of the squared differences from the mean of the turn.
    squares: Annotated[float, Meta(ge=0, le=MAX_NUMBER**3)]
    games: Positive
    # Their number, less one for each turn.
    freedom: Count

    @property
    def deviation(self) -> float:
        """The standard deviation among games at the same turn, 0.0 if each turn has one game."""
        return math.sqrt(self.squares / self.freedom) if self.freedom else 0.0


# {name: {bot's key: rows}}
Courses = dict[str, dict[str, list[CourseRow]]]


def by_name(reader: Reader, rows: Iterable[tuple[Any, ...]]) -> Courses:
    """Returns the rows of the query READ as {name: {bot's key: rows}}. Raises DamagedRow."""
    found: Courses = {}
    for values in rows:
        row = reader.row(CourseRow, values, "a value by turn")
        found.setdefault(row.name, {}).setdefault(row.bot, []).append(row)
    return found
