"""The league's table in a file of results: the versions of its bots.

versions a version of a bot of a league: contest, name, number, the bot's key and record (JSON),
         since when, its state, its priority
"""

from dataclasses import astuple, dataclass

from referee.arena.rows import Turns
from referee.arena.store import Store
from referee.log.records import Bot

TABLE = """
CREATE TABLE IF NOT EXISTS versions (
    contest TEXT NOT NULL,
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    bot TEXT NOT NULL,
    record TEXT NOT NULL,
    since TEXT NOT NULL,
    state TEXT NOT NULL,
    priority INTEGER NOT NULL,
    PRIMARY KEY (contest, name, number)
) WITHOUT ROWID;
"""


@dataclass
class VersionRow:
    """A row of the table of versions: `record` is the bot in JSON, `since` a time in ISO 8601."""

    name: str
    number: Turns
    bot: str
    record: str
    since: str
    state: str
    priority: Turns


class VersionTable:
    """The versions of a contest's bots in a store, which gets the table if it has none."""

    def __init__(self, store: Store, contest: str) -> None:
        self.store, self.contest = store, contest
        store.connection.executescript(TABLE)

    def rows(self) -> list[VersionRow]:
        """Returns the versions by name and number. Raises DamagedRow."""
        rows = self.store.connection.execute(
            "SELECT name, number, bot, record, since, state, priority FROM versions"
            " WHERE contest = ? ORDER BY name, number",
            (self.contest,),
        )
        reader = self.store.reader
        return [reader.row(VersionRow, values, "a version") for values in rows.fetchall()]

    def bot(self, row: VersionRow) -> Bot:
        """Returns the bot of a version. Raises DamagedRow."""
        what = f"version {row.number} of {row.name}, record"
        return self.store.reader.json_value(Bot, row.record, what)

    def put(self, row: VersionRow) -> None:
        """Store a version, or its new state."""
        with self.store.connection:
            self.store.connection.execute(
                "INSERT OR REPLACE INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (self.contest, *astuple(row)),
            )
