"""Stores the trials of tunings in the arena's file.

tunings   a tuning that is identified by its contest, rules, bot, conditions, numbers, method and
          table (JSON)
trials    number of the trial, values of both sides (JSON), the first side's half points and the
          possible half points, number of games, number of failures of both sides
"""

import json
import sqlite3
from dataclasses import dataclass
from typing import Any, Iterator

TABLES = """
CREATE TABLE IF NOT EXISTS tunings (
    id INTEGER PRIMARY KEY,
    what TEXT NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS trials (
    tuning INTEGER NOT NULL REFERENCES tunings,
    number INTEGER NOT NULL,
    plus TEXT NOT NULL,
    minus TEXT NOT NULL,
    half_points INTEGER NOT NULL,
    most INTEGER NOT NULL,
    games INTEGER NOT NULL,
    faults INTEGER NOT NULL,
    PRIMARY KEY (tuning, number)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Trial:
    """Games between two points of the search: values `plus` against values `minus`.

    half_points: the score of `plus`, out of `most`. faults: the number of failures of both sides.

    In a contest for one player, half points are the points of the score by which a side was ahead
    on a case.
    """

    number: int
    plus: dict[str, float]
    minus: dict[str, float]
    half_points: float
    most: float
    games: int
    faults: int

    @property
    def lead(self) -> float:
        """The score share of `plus` less the share of `minus`, -1 to 1; 0 without points."""
        return 2 * self.half_points / self.most - 1 if self.most else 0.0


class Trials:
    """The stored trials of one tuning; identity: the data that identifies the tuning."""

    def __init__(self, connection: sqlite3.Connection, identity: dict[str, Any]) -> None:
        self.connection = connection
        connection.executescript(TABLES)
        text = json.dumps(identity, sort_keys=True)
        with connection:
            connection.execute("INSERT OR IGNORE INTO tunings (what) VALUES (?)", (text,))
        query = "SELECT id FROM tunings WHERE what = ?"
        [self.number] = connection.execute(query, (text,)).fetchone()

    def add(self, trial: Trial) -> None:
        """Store a trial."""
        with self.connection:
            self.connection.execute(
                "INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self.number,
                    trial.number,
                    json.dumps(trial.plus),
                    json.dumps(trial.minus),
                    trial.half_points,
                    trial.most,
                    trial.games,
                    trial.faults,
                ),
            )

    def __iter__(self) -> Iterator[Trial]:
        rows = self.connection.execute(
            "SELECT number, plus, minus, half_points, most, games, faults FROM trials"
            " WHERE tuning = ? ORDER BY number",
            (self.number,),
        )
        for number, plus, minus, *rest in rows.fetchall():
            yield Trial(number, json.loads(plus), json.loads(minus), *rest)
