"""What the bots and rules of a file of results were made of, and what changed since.

A changed bot is another bot and games by changed rules are another series, so nothing is mixed; here
is said why.
"""

from referee.arena.entrants import Entrant
from referee.arena.rows import SeriesRow
from referee.arena.series import RULES, Series
from referee.arena.store import Store
from referee.sources.fingerprint import Contents, differing

# How many games stay with a former version, and the files that have changed since; [] where an older
# version of this program has not kept them.
Former = tuple[int, list[str]]


def keep_parts(store: Store, whole: str, contents: Contents) -> None:
    """Store what a bot, by its key, or rules, by their digest, are made of."""
    with store.connection:
        store.connection.executemany(
            "INSERT OR REPLACE INTO parts VALUES (?, ?, ?)",
            [(whole, path, sha256) for path, sha256 in contents.parts.items()],
        )


def former_rules(store: Store, series: Series) -> Former | None:
    """The newest games by other rules than those of a series that has none, None without any."""
    if store.n_games(series):
        return None
    rows = store.connection.execute(
        "SELECT id, contest, conditions FROM series WHERE contest = ? AND id != ?"
        " AND id IN (SELECT series FROM games) ORDER BY id DESC",
        (series.contest, series.number),
    )
    for values in rows.fetchall():
        row = store.reader.row(SeriesRow, values, "a series")
        other = Series(row.id, row.contest, store.reader.conditions(row))
        if _chosen(other) == _chosen(series):
            before, now = (one.conditions.get(RULES, "") for one in (other, series))
            return store.n_games(other), _differing(store, before, now)
    return None


def former_version(store: Store, entrant: Entrant) -> Former | None:
    """The games of the newest other bot that was given as one that has none, None without any."""

    def played(key: str) -> tuple[int, int]:
        query = "SELECT coalesce(max(game), 0), count(DISTINCT game) FROM seats WHERE bot = ?"
        return store.connection.execute(query, (key,)).fetchone()

    keys = store.connection.execute(
        "SELECT key FROM bots WHERE given = ? AND key != ?", (entrant.given, entrant.key)
    )
    (last, n_games), key = max(
        [(played(key), key) for [key] in keys.fetchall()], default=((0, 0), "")
    )
    if last == 0 or played(entrant.key)[0]:
        return None
    return n_games, _differing(store, key, entrant.key)


def _chosen(series: Series) -> dict:
    """The conditions that were asked for: without the versions of rules and log."""
    return {name: one for name, one in series.conditions.items() if name not in (RULES, "log")}


def _differing(store: Store, before: str, now: str) -> list[str]:
    query = "SELECT path, sha256 FROM parts WHERE whole = ?"
    parts = [dict(store.connection.execute(query, (whole,))) for whole in (before, now)]
    return differing(*parts) if parts[0] else []
