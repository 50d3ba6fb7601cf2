"""The stored games of a league for its page, read by a database connection of the page's own."""

import json
import sqlite3
import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.arena.courses import READ, Courses, by_name
from referee.arena.rows import Reader

# The most games in a list, and the most games whose values make a chart.
MOST_LISTED, MOST_CHARTED = 50, 400
# The values that a chart shows.
MOST_VALUES = 12
# Games on a map or test case, or on one of a group
ON = "seed IN (SELECT seed FROM cases WHERE series = games.series AND ? IN (name, kind))"


@dataclass(frozen=True)
class Filter:
    """The conditions on the games to list; None for no condition."""

    # Keys of two bots that both played.
    bot: str | None = None
    other: str | None = None
    # The seat of `bot`.
    seat: int | None = None
    seed: int | None = None
    only_errors: bool = False
    with_page: bool = False
    # The name of a map or test case, or of its group.
    on: str | None = None
    # Only games with a lower number.
    before: int | None = None


def prepare_file(path: Path) -> None:
    """Add to a file of results the index by which a bot's games are found."""
    with closing(sqlite3.connect(path, timeout=30.0)) as connection, connection:
        connection.execute("CREATE INDEX IF NOT EXISTS seats_by_bot ON seats (bot, game)")


class Queries:
    """Reads a file of results; its methods may be called by any thread."""

    def __init__(self, path: Path) -> None:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        self.connection = sqlite3.connect(uri, uri=True, timeout=5.0, check_same_thread=False)
        self.lock = threading.Lock()
        self.reader = Reader(path)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def _rows(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self.lock:
            return self.connection.execute(query, values).fetchall()

    def games(self, series: int, labels: Mapping[str, str], wanted: Filter) -> list[dict[str, Any]]:
        """Returns the newest games that pass a filter, at most MOST_LISTED, the newest first, as
        JSON data.

        labels: {key: label} of the bots.
        """
        # By the sign the table is read from its end, instead of an index that would be sorted.
        where, values = ["+games.series = ?"], [series]
        tables, distinct = "games", ""
        parts: list[Any] = list(values)
        if wanted.bot is not None:
            # A bot may sit at several seats.
            tables, distinct = "seats AS own JOIN games ON games.id = own.game", "DISTINCT"
            where.append("own.bot = ?")
            parts.append(wanted.bot)
            if wanted.seat is not None:
                where.append("own.seat = ?")
                parts.append(wanted.seat)
        if wanted.other is not None:
            where.append("EXISTS (SELECT 1 FROM seats WHERE game = games.id AND bot = ?)")
            parts.append(wanted.other)
        if wanted.only_errors:
            where.append("EXISTS (SELECT 1 FROM seats WHERE game = games.id AND fault IS NOT NULL)")
        if wanted.with_page:
            where.append("games.log IS NOT NULL")
        if wanted.on is not None:
            where.append(ON)
            parts.append(wanted.on)
        for test, bound in (("games.seed = ?", wanted.seed), ("games.id < ?", wanted.before)):
            if bound is not None:
                where.append(test)
                parts.append(bound)
        game_rows = self._rows(
            f"SELECT {distinct} games.id, games.seed, ended, turns, reason, log IS NOT NULL FROM"
            f" {tables} WHERE {' AND '.join(where)} ORDER BY games.id DESC LIMIT {MOST_LISTED}",
            tuple(parts),
        )
        return [
            {
                "id": number,
                "seed": seed,
                "ended": ended,
                "turns": turns,
                "reason": reason,
                "page": bool(page),
                "on": self.case(series, seed),
                "seats": self.seats(number, labels),
            }
            for number, seed, ended, turns, reason, page in game_rows
        ]

    def leaders(
        self, series: int, labels: Mapping[str, str], seat: int | None, on: str | None
    ) -> list[tuple[str, int, float]]:
        """Returns (label, number of results against other bots, mean points of these results) of
        the bots at a seat and on a map or group, None for any; the best first.
        """
        bounds = {"own.seat = ?": seat, ON: on}
        given = {test: bound for test, bound in bounds.items() if bound is not None}
        rows = self._rows(
            "SELECT own.bot, count(*), avg((own.rank < other.rank) + 0.5 * (own.rank = other.rank))"
            " FROM seats AS own JOIN games ON games.id = own.game"
            " JOIN seats AS other ON other.game = own.game AND other.bot != own.bot"
            f" WHERE {' AND '.join(['series = ?', *given])}"
            " GROUP BY own.bot ORDER BY 3 DESC, 2 DESC",
            (series, *given.values()),
        )
        return [(labels[bot], n, points) for bot, n, points in rows if bot in labels]

    def case(self, series: int, seed: int) -> tuple[str, str] | None:
        """Returns the (name, group) of the map or test case of a seed, None if it is unknown."""
        query = "SELECT name, kind FROM cases WHERE series = ? AND seed = ?"
        rows = self._rows(query, (series, seed))
        return (str(rows[0][0]), str(rows[0][1])) if rows else None

    def seats(self, game: int, labels: Mapping[str, str]) -> list[dict[str, Any]]:
        """Returns the players of a game in the order of their seats, as JSON data."""
        rows = self._rows(
            "SELECT bot, rank, score, fault, worst_ms FROM seats WHERE game = ? ORDER BY seat",
            (game,),
        )
        return [
            {
                "bot": labels.get(bot, bot),
                "rank": rank,
                "score": score,
                "fault": fault,
                "worst_ms": worst_ms,
            }
            for bot, rank, score, fault, worst_ms in rows
        ]

    def log(self, game: int) -> str | None:
        """Returns the path of a game's log relative to the file's folder, None without a log."""
        rows = self._rows("SELECT log FROM games WHERE id = ?", (game,))
        return rows[0][0] if rows and isinstance(rows[0][0], str) else None

    def values(self, series: int, bot: str) -> dict[str, list[tuple[int, float]]]:
        """Returns the means of the values that a bot reported in its last MOST_CHARTED games:
        {name: [(game, mean), ...]}, with at most MOST_VALUES names.
        """
        rows = self._rows(
            "SELECT said.name, said.game, total / said.turns FROM said"
            " JOIN seats USING (game, seat)"
            " WHERE said.game IN (SELECT game FROM seats JOIN games ON games.id = game WHERE"
            f" bot = ? AND series = ? ORDER BY game DESC LIMIT {MOST_CHARTED}) AND bot = ?"
            " ORDER BY said.game",
            (bot, series, bot),
        )
        means: dict[str, list[tuple[int, float]]] = {}
        for name, game, mean in rows:
            if isinstance(mean, float) and (name in means or len(means) < MOST_VALUES):
                means.setdefault(str(name), []).append((game, mean))
        return means

    def courses(self, series: int, bots: list[str]) -> Courses:
        """Returns the values that some bots reported, by turn: {name: {bot's key: rows}}."""
        given = {"series": series, "bots": json.dumps(bots)}
        with self.lock:
            rows = self.connection.execute(READ, given).fetchall()
        return by_name(self.reader, rows)

    def times(self, series: int, bot: str) -> dict[int, int]:
        """Returns {class of time: number of turns} of a bot in its last MOST_CHARTED games."""
        rows = self._rows(
            "SELECT times FROM seats JOIN games ON games.id = game WHERE bot = ? AND series = ?"
            f" ORDER BY game DESC LIMIT {MOST_CHARTED}",
            (bot, series),
        )
        counts: dict[int, int] = {}
        for (text,) in rows:
            for name, n in json.loads(text).items():
                counts[int(name)] = counts.get(int(name), 0) + n
        return counts
