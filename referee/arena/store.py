"""Keeps the results of arenas in one SQLite file, each stored at once.

A game is identified by its contest, conditions (limits, nodes, ...), seed and seating, not by its
plan: the game is stored once, and an arena that needs it again finds it. Bots are identified by
their content (`entrants`), so an edited bot starts anew. Rules are one of the conditions, so edited
rules start anew, too; the games by the former rules stay in the file as another series.

A result is one transaction in write-ahead mode: if the arena is killed, the result is stored
completely or not at all.

    series   contest and conditions of comparable games
    bots     key, name, and the text last given for it
    games    seed, seating (the bots' keys in order, as JSON), when it ended, how, log's path
    seats    a player of a game: bot, rank, score, fault, times
    said     a value that a player of a game reported: name, sum, number of turns
    courses  a value that a bot reported in the games of a series, by turn: number of games, mean,
             sum of squared differences from the mean
    places   of version 0.2 and before: the place of a game of a cluster
    parts    the files of a bot, by its key, or of a contest, by their digest: path, hash
    cases    the test case of a seed of a series for one player: its name, its group
    openings the digest of the first input of a game for one player
    runs     an arena with a note about its bots: time, note, their keys (JSON)
"""

import fcntl
import json
import os
import shlex
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, Iterable, Iterator, Sequence

import numpy as np
from msgspec import DecodeError
from msgspec.json import Decoder

from referee.arena import courses
from referee.arena.entrants import Entrant
from referee.arena.result import FIRST_TIME, LAST_TIME, Result, TimeClass, TurnCount
from referee.arena.rows import (
    SEAT_COLUMNS,
    CaseRow,
    DamagedRow,
    GameRow,
    Reader,
    RunRow,
    ScoreRow,
    SeriesRow,
    Turns,
    ValueRow,
    check_whole,
)
from referee.arena.series import DIGEST_LENGTH, LOWEST, RULES, Series, rules_note, series_data
from referee.errors import UsageError
from referee.log.records import Conditions
from referee.log.schema import FieldError, read
from referee.sources.fingerprint import LIBRARY, Fingerprint, changed_paths, has_contents
from shared.core.contest import Case

# "ofar" in ASCII: marks a file as an arena's, so that other databases are never written to.
APPLICATION_ID = 0x6F666172
read_times = Decoder(list[dict[TimeClass, TurnCount]]).decode
# The rows read at once.
MANY = 1000
# The longest wait for another program that locks the file.
LOCK_S = 5.0

TABLES = """
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    contest TEXT NOT NULL,
    conditions TEXT NOT NULL,
    UNIQUE (contest, conditions)
);
CREATE TABLE bots (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    given TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    series INTEGER NOT NULL REFERENCES series,
    seed INTEGER NOT NULL,
    seating TEXT NOT NULL,
    ended TEXT NOT NULL,
    turns INTEGER NOT NULL,
    reason TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    log TEXT,
    UNIQUE (series, seed, seating)
);
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    bot TEXT NOT NULL REFERENCES bots,
    rank INTEGER NOT NULL,
    score REAL NOT NULL,
    fault TEXT,
    cpu_ms REAL NOT NULL,
    worst_ms REAL NOT NULL,
    times TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
"""


# The tables that files of version 1 may lack: that number stood for seven states of the file.
MORE_TABLES = """
CREATE TABLE IF NOT EXISTS said (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    total REAL NOT NULL,
    turns INTEGER NOT NULL,
    PRIMARY KEY (game, seat, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS places (
    game INTEGER PRIMARY KEY REFERENCES games,
    host TEXT NOT NULL,
    cores TEXT NOT NULL,
    speed REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS parts (
    whole TEXT NOT NULL,
    path TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (whole, path)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cases (
    series INTEGER NOT NULL REFERENCES series,
    seed INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (series, seed)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS openings (
    game INTEGER PRIMARY KEY REFERENCES games,
    digest TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY,
    series INTEGER NOT NULL REFERENCES series,
    began TEXT NOT NULL,
    note TEXT NOT NULL,
    bots TEXT NOT NULL
);
"""
# Number n leads from version n to n + 1; a change of the tables is another one at the end.
MIGRATIONS = (TABLES, MORE_TABLES, courses.TABLE)
VERSION = len(MIGRATIONS)


# The number of games with a former version, and texts for the causes that make this another one:
# changed files, the library's versions, ...; [] if an older version of this program did not store
# them.
Former = tuple[int, list[str]]


@dataclass(frozen=True)
class Stored:
    """A game as stored; seating holds the bots' keys, log a path relative to the file's folder."""

    number: int
    seed: int
    seating: tuple[str, ...]
    result: Result
    log: str | None


# The number and the seed of a game, and the first one of the same bots, places and failures.
Alike = tuple[int, int, Stored]


class Store:
    """An open file of results; a context manager through `open_store`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self.reader = Reader(path)

    def series(
        self,
        contest: str,
        conditions: Conditions,
        rules: Fingerprint | None = None,
        lowest_wins: bool = False,
    ) -> Series:
        """Returns the series of a contest under conditions and rules, whatever the seed.

        A series that is not in the file is stored. Older versions hashed rules by the contents of
        their files, and kept series apart by the version of logs: such a series is continued if
        these files have the same contents.
        """
        data = series_data(conditions)
        if lowest_wins:
            data[LOWEST] = True
        if rules:
            data[RULES] = rules.digest[:DIGEST_LENGTH]
        text = json.dumps(data, sort_keys=True)
        data = json.loads(text)  # as those of stored series
        with self.connection:
            for former in self._chosen_alike(contest, data):
                parts = self._parts(former.conditions.get(RULES, ""))
                if rules and has_contents(parts, rules):
                    self.connection.execute(
                        "UPDATE OR IGNORE series SET conditions = ? WHERE id = ?",
                        (text, former.number),
                    )
            self.connection.execute(
                "INSERT OR IGNORE INTO series (contest, conditions) VALUES (?, ?)", (contest, text)
            )
        [number] = self.connection.execute(
            "SELECT id FROM series WHERE contest = ? AND conditions = ?", (contest, text)
        ).fetchone()
        return Series(number, contest, data)

    def all_series(self) -> list[Series]:
        """Returns the series with a game, the oldest first. Raises UsageError if there is none."""
        rows = self.connection.execute(
            "SELECT id, contest, conditions FROM series"
            " WHERE id IN (SELECT series FROM games) ORDER BY id"
        )
        same_series = []
        for values in rows:
            row = self.reader.row(SeriesRow, values, "a series")
            same_series.append(Series(row.id, row.contest, self.reader.conditions(row)))
        if not same_series:
            raise UsageError(f"{self.path}: no games yet")
        titles = Counter(series.title() for series in same_series)
        return [
            (replace(series, note=rules_note(series)) if titles[series.title()] > 1 else series)
            for series in same_series
        ]

    def add_entrants(self, entrants: list[Entrant]) -> None:
        """Store the bots of an arena, or their new names."""
        with self.connection:
            self.connection.executemany(
                "INSERT INTO bots VALUES (:key, :name, :given) ON CONFLICT (key)"
                " DO UPDATE SET name = excluded.name, given = excluded.given",
                [asdict(entrant) for entrant in entrants],
            )

    def entrants(self, series: Series) -> list[Entrant]:
        """Returns the bots that have played in a series, in the order of their first games."""
        rows = self.connection.execute(
            "SELECT min(id), seating FROM games WHERE series = ? GROUP BY seating", (series.number,)
        )
        # By bot: its first game, and its first seat of any game.
        firsts: dict[str, tuple[int, int]] = {}
        for number, text in rows:
            seating = self.reader.json_value(list[str], text, f"game {number}, seating")
            for seat, bot in enumerate(seating):
                before = firsts.get(bot, (number, seat))
                firsts[bot] = min(before[0], number), min(before[1], seat)
        bots = self.connection.execute("SELECT key, name, given FROM bots ORDER BY key")
        entrants = [self.reader.entrant(row) for row in bots if row[0] in firsts]
        return sorted(entrants, key=lambda entrant: firsts[entrant.key])

    def add(
        self, series: Series, seed: int, seating: list[str], result: Result, log: Path | None
    ) -> None:
        """Store the result of a game and its log's path; an existing result is kept."""
        self.add_all(series, [(seed, seating, result, log)])

    def add_all(
        self, series: Series, games: Sequence[tuple[int, list[str], Result, Path | None]]
    ) -> None:
        """Store results in one transaction, each with its seed, seating and log's path."""
        with self.connection:
            for seed, seating, result, log in games:
                self._add(series, seed, seating, result, log)

    def _add(
        self, series: Series, seed: int, seating: list[str], result: Result, log: Path | None
    ) -> None:
        relative = log and os.path.relpath(log, self.path.parent)
        ended = datetime.now(UTC).isoformat(timespec="seconds")
        added = self.connection.execute(
            "INSERT OR IGNORE INTO games"
            " (series, seed, seating, ended, turns, reason, attempts, log)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                series.number,
                seed,
                json.dumps(seating),
                ended,
                result.turns,
                result.reason,
                result.attempts,
                relative,
            ),
        )
        if added.rowcount == 0:
            return
        self.connection.executemany(
            "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    added.lastrowid,
                    seat,
                    key,
                    seat_result.rank,
                    seat_result.score,
                    seat_result.fault,
                    seat_result.cpu_ms,
                    seat_result.worst_ms,
                    json.dumps(seat_result.times),
                )
                for seat, (key, seat_result) in enumerate(zip(seating, result.seats))
            ],
        )
        self.connection.executemany(
            "INSERT INTO said VALUES (?, ?, ?, ?, ?)",
            [
                (added.lastrowid, seat, name, sum(numbers.values()), len(numbers))
                for seat, seat_result in enumerate(result.seats)
                for name, numbers in seat_result.values.items()
            ],
        )
        self.connection.executemany(
            courses.ADD,
            [
                (series.number, key, name, turn, number)
                for key, seat_result in zip(seating, result.seats)
                for name, numbers in seat_result.values.items()
                for turn, number in numbers.items()
            ],
        )
        if len(seating) == 1 and (opening := result.seats[0].opening):
            self.connection.execute(
                "INSERT INTO openings VALUES (?, ?)", (added.lastrowid, opening)
            )

    def set_log(self, series: Series, seed: int, seating: list[str], log: Path) -> None:
        """Store the log of a game that was played again, whose first result stays."""
        with self.connection:
            self.connection.execute(
                "UPDATE games SET log = ? WHERE series = ? AND seed = ? AND seating = ?",
                (os.path.relpath(log, self.path.parent), series.number, seed, json.dumps(seating)),
            )

    def is_solo(self, series: Series) -> bool:
        """Returns True for a series with games in which each bot played by itself."""
        query = (
            "SELECT count(*) FROM (SELECT 1 FROM games JOIN seats ON game = id WHERE series = ?"
            " AND seat {} 0 LIMIT 1)"
        )
        has_first, has_second = (
            self.connection.execute(query.format(sign), (series.number,)).fetchone()[0]
            for sign in "=>"
        )
        return bool(has_first and not has_second)

    def add_cases(self, series: Series, cases: dict[int, Case]) -> None:
        """Store the cases of seeds."""
        with self.connection:
            self.connection.executemany(
                "INSERT OR REPLACE INTO cases VALUES (?, ?, ?, ?)",
                [(series.number, seed, *case) for seed, case in cases.items()],
            )

    def cases(self, series: Series) -> dict[int, Case]:
        """Returns the case of each seed that has one."""
        rows = self.connection.execute(
            "SELECT seed, name, kind FROM cases WHERE series = ?", (series.number,)
        )
        case_rows = [self.reader.row(CaseRow, values, "a case") for values in rows]
        return {row.seed: Case(row.name, row.kind) for row in case_rows}

    def add_run(self, series: Series, keys: list[str], note: str) -> None:
        """Store a note about an arena of the bots with these keys."""
        began = datetime.now(UTC).isoformat(timespec="seconds")
        with self.connection:
            self.connection.execute(
                "INSERT INTO runs (series, began, note, bots) VALUES (?, ?, ?, ?)",
                (series.number, began, note, json.dumps(keys)),
            )

    def notes(self, series: Series) -> dict[str, str]:
        """Returns the last note about each bot, by the bot's key."""
        notes: dict[str, str] = {}
        rows = self.connection.execute(
            "SELECT id, note, bots FROM runs WHERE series = ? ORDER BY id", (series.number,)
        )
        for values in rows:
            row = self.reader.row(RunRow, values, "a run")
            for key in self.reader.run_bots(row):
                notes[key] = row.note
        return notes

    def mean_values(self, series: Series) -> dict[str, dict[str, float]]:
        """Returns the mean of each value that bots reported: {name: {bot's key: mean}}."""
        means: dict[str, dict[str, float]] = {}
        rows = self.connection.execute(
            "SELECT said.name, bot, sum(total) / sum(said.turns) FROM said"
            " JOIN seats USING (game, seat) JOIN games ON games.id = said.game"
            " WHERE series = ? GROUP BY said.name, bot ORDER BY min(said.game), said.name",
            (series.number,),
        )
        for values in rows:
            row = self.reader.row(ValueRow, values, "a value that a bot named")
            if row.mean is not None:
                means.setdefault(row.name, {})[row.bot] = row.mean
        return means

    def courses(self, series: Series) -> courses.Courses:
        """Returns the values that bots reported in a series, by turn: {name: {bot's key: rows}}."""
        given = {"series": series.number, "bots": None}
        return courses.by_name(self.reader, self.connection.execute(courses.READ, given))

    def n_games(self, series: Series) -> int:
        """Returns the number of games of a series."""
        query = "SELECT count(*) FROM games WHERE series = ?"
        n_games: int = self.connection.execute(query, (series.number,)).fetchone()[0]
        return n_games

    def find_games(self, numbers: Iterable[int]) -> dict[int, Stored]:
        """Returns {number: game} of the games with these numbers."""
        where = "games.id IN (SELECT value FROM json_each(?))"
        return {game.number: game for game in self._games(where, (json.dumps([*numbers]),))}

    def scores(self, series: Series) -> Iterator[ScoreRow]:
        """Yields the scores of all games of a series for one player, in the order of `games`."""
        rows = self.connection.execute(
            """SELECT seed, CASE WHEN seating = '["' || bot || '"]' AND bot IN"""
            " (SELECT key FROM bots) THEN bot END, score, fault, coalesce(digest, ''), log"
            " FROM games JOIN seats ON seats.game = games.id"
            " LEFT JOIN openings ON openings.game = games.id"
            " WHERE series = ? ORDER BY seed, games.id",
            (series.number,),
        )
        while some := rows.fetchmany(MANY):
            try:
                yield from read(list[ScoreRow], some)
            except FieldError as error:
                raise self._damage(series, error) from error

    def lengths(self, series: Series) -> Counter[int]:
        """Returns the number of games of a series by their number of turns."""
        query = "SELECT turns, count(*) FROM games WHERE series = ? GROUP BY turns"
        rows = self.connection.execute(query, (series.number,)).fetchall()
        try:
            return Counter(dict(read(list[tuple[Turns, int]], rows)))
        except FieldError as error:
            raise self._damage(series, error) from error

    def _damage(self, series: Series, error: Exception) -> DamagedRow:
        """Raise the error of the first game that cannot be read by itself, which names the game.

        Returns an error without a name if each game can be read.
        """
        for _ in self.games(series):
            pass
        return DamagedRow(f"{self.path}: damaged: {error}")

    def times(self, series: Series) -> dict[str, Counter[int]]:
        """Returns {bot's key: number of turns by the class of their time} of a series."""
        counts: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(LAST_TIME - FIRST_TIME + 1))
        rows = self.connection.execute(
            "SELECT bot, times FROM games JOIN seats ON game = id WHERE series = ?",
            (series.number,),
        )
        try:
            while some := rows.fetchmany(MANY):
                texts: dict[str, list[str]] = defaultdict(list)
                for bot, text in some:
                    texts[bot].append(text)
                for bot, of_bot in texts.items():
                    counts[bot] += _sum_times(of_bot)
        except (TypeError, ValueError, DecodeError) as error:
            raise self._damage(series, error) from error
        return {
            bot: Counter({FIRST_TIME + int(at): int(of_bot[at]) for at in of_bot.nonzero()[0]})
            for bot, of_bot in counts.items()
        }

    def telling(self, series: Series) -> set[int]:
        """Returns the numbers of the games of a series with a log or a failure."""
        rows = self.connection.execute(
            "SELECT id FROM games WHERE series = ? AND (log IS NOT NULL OR EXISTS"
            " (SELECT 1 FROM seats WHERE game = id AND fault IS NOT NULL))",
            (series.number,),
        )
        return {number for [number] in rows}

    def find(self, series: Series, seed: int, seating: list[str]) -> Stored | None:
        """Returns the game with a seed and a seating, or None if it has not been played."""
        where = "series = ? AND seed = ? AND seating = ?"
        return next(self._games(where, (series.number, seed, json.dumps(seating))), None)

    def games(self, series: Series) -> Iterator[Stored]:
        """Yields all games of a series, by seed and then in the order of storage."""
        return self._games("series = ? ORDER BY seed, games.id", (series.number,))

    def alike(self, series: Series, order: str = "seed, games.id") -> Iterator[Alike]:
        """Yields (number, seed, game) for all games, in a fraction of the time that `games` takes.

        Games with equal bots, places and failures share a `game`, which is the first of them.
        order: the order of the games in SQL.
        """
        rows = self.connection.execute(
            "SELECT games.id, seed, typeof(seed) || seating || coalesce((SELECT group_concat("
            "seat || bot || ' ' || rank || CASE WHEN fault IS NULL THEN '' ELSE 'f' END)"
            " FROM seats WHERE game = games.id), '')"
            f" FROM games WHERE series = ? ORDER BY {order}",
            (series.number,),
        )
        known: dict[str, Stored] = {}
        for number, seed, outcome in rows:
            if outcome not in known:
                [known[outcome]] = self._games("games.id = ?", (number,))
            yield number, seed, known[outcome]

    def drop_logs(self, series: Series, n_kept: int) -> list[Path]:
        """Remove the logs of games without errors from the file, except the n_kept newest.

        Returns the paths of the logs, which the caller deletes.
        """
        where = (
            "series = ? AND log IS NOT NULL AND NOT EXISTS (SELECT 1 FROM seats WHERE game ="
            " games.id AND fault IS NOT NULL)"
        )
        rows = self.connection.execute(
            f"SELECT id, log FROM games WHERE {where} ORDER BY id DESC LIMIT -1 OFFSET ?",
            (series.number, n_kept),
        ).fetchall()
        with self.connection:
            self.connection.executemany(
                "UPDATE games SET log = NULL WHERE id = ?", [(number,) for number, _ in rows]
            )
        return [self.path.parent / log for _, log in rows]

    def _games(self, where: str, values: tuple[Any, ...]) -> Iterator[Stored]:
        games = self.connection.execute(
            "SELECT id, seed, seating, turns, reason, attempts, log,"
            f" (SELECT digest FROM openings WHERE game = games.id) FROM games WHERE {where}",
            values,
        )
        for values in games:
            game = self.reader.row(GameRow, values, "a game")
            seating = self.reader.seating(game)
            seats = self.connection.execute(
                f"SELECT bot, bot IN (SELECT key FROM bots), {', '.join(SEAT_COLUMNS)}"
                " FROM seats WHERE game = ? ORDER BY seat",
                (game.id,),
            ).fetchall()
            result = self.reader.result(game, seating, seats)
            yield Stored(game.id, game.seed, seating, result, game.log)

    def add_parts(self, whole: str, contents: Fingerprint) -> None:
        """Store the paths and hashes of files; whole: their bot's key, or their rules' digest."""
        with self.connection:
            self.connection.executemany(
                "INSERT OR REPLACE INTO parts VALUES (?, ?, ?)",
                [(whole, path, sha256) for path, sha256 in contents.parts.items()],
            )

    def former_rules(self, series: Series) -> Former | None:
        """Returns (number of games, changes) for the newest series that differs in its rules only.

        None if the series has games already, or if there is no such series.
        """
        if self.n_games(series):
            return None
        for other in self._chosen_alike(series.contest, series.conditions):
            if n_games := self.n_games(other):
                before, now = (each.conditions.get(RULES, "") for each in (other, series))
                return n_games, self._changed_parts(before, now)
        return None

    def _chosen_alike(self, contest: str, conditions: dict[str, Any]) -> list[Series]:
        """Returns the series of a contest that differ in their rules at most, the newest first."""
        rows = self.connection.execute(
            "SELECT id, contest, conditions FROM series WHERE contest = ? ORDER BY id DESC",
            (contest,),
        )
        found = [self.reader.row(SeriesRow, values, "a series") for values in rows.fetchall()]
        alike = [Series(row.id, row.contest, self.reader.conditions(row)) for row in found]
        chosen = Series(0, contest, conditions).chosen
        return [series for series in alike if series.chosen == chosen]

    def former_version(self, entrant: Entrant) -> Former | None:
        """Returns (number of games, changes) for the newest other version of a bot that has games.

        Versions have the same text given for them. None if the bot has games already, or if no
        other version has any.
        """

        def played(key: str) -> tuple[int, int]:
            query = "SELECT coalesce(max(game), 0), count(DISTINCT game) FROM seats WHERE bot = ?"
            newest, n_games = self.connection.execute(query, (key,)).fetchone()
            return newest, n_games

        keys = self.connection.execute(
            "SELECT key FROM bots WHERE given = ? AND key != ?", (entrant.given, entrant.key)
        )
        (last, n_games), key = max(
            [(played(key), key) for [key] in keys.fetchall()], default=((0, 0), "")
        )
        if last == 0 or played(entrant.key)[0]:
            return None
        return n_games, self._changed_parts(key, entrant.key)

    def _parts(self, whole: str) -> dict[str, str]:
        """Returns {path: hash} of the stored files of a bot or of rules, {} if they are unknown."""
        query = "SELECT path, sha256 FROM parts WHERE whole = ?"
        return dict(self.connection.execute(query, (whole,)))

    def _changed_parts(self, before: str, now: str) -> list[str]:
        former, parts = self._parts(before), self._parts(now)
        if not former or (LIBRARY in parts and LIBRARY not in former):
            return []
        return changed_paths(former, parts) or ["its command"]


def _sum_times(texts: list[str]) -> np.ndarray:
    """Returns the number of turns in each time class from FIRST_TIME to LAST_TIME.

    texts: the times of seats, as stored. Raises TypeError, ValueError or DecodeError.
    """
    all_times = read_times(f"[{','.join(texts)}]")
    if len(all_times) != len(texts):
        raise ValueError("times are no JSON")
    classes = np.fromiter(chain.from_iterable(all_times), int)
    n_turns = np.fromiter(chain.from_iterable(times.values() for times in all_times), float)
    return np.bincount(classes - FIRST_TIME, n_turns, LAST_TIME - FIRST_TIME + 1)


@contextmanager
def read_store(path: Path) -> Iterator[Store]:
    """Open a file of results for reading; an empty file is left unchanged.

    Raises UsageError, also for an empty file.
    """
    if path.is_file() and path.stat().st_size == 0:
        raise UsageError(f"{path}: empty: no arena has written to it")
    with open_store(path) as store:
        yield store


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """Open a file of results; an empty file becomes a file of results. Raises UsageError."""
    if path.is_dir():
        raise UsageError(f"{path}: a folder: give the file that an arena has written")
    if not path.is_file():
        raise UsageError(f"{path}: no such file: `arena --db {shlex.quote(str(path))}` makes it")
    try:
        with closing(_connect(path)) as connection:
            _prepare(path, connection)
            check_whole(path, connection)
            yield Store(path, connection)
    except sqlite3.OperationalError as error:
        # Errors of its Python part have no code.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
        ):
            raise UsageError(
                f"{path}: another program has kept it locked for {LOCK_S:g} s: close that and try"
                " again; an arena goes on where it was"
            ) from error
        raise UsageError(f"{path}: {error}") from error
    # For a damaged file, SQLite may quote invalid text.
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: no results of an arena: {error}") from error


def _connect(path: Path) -> sqlite3.Connection:
    """Returns a connection to a file, or to a copy in memory if the file cannot be written to.

    Raises UsageError if the copy would lack the last results.
    """
    if os.access(path.parent, os.W_OK) and os.access(path, os.W_OK):
        return sqlite3.connect(path, timeout=LOCK_S)
    waiting = path.with_name(f"{path.name}-wal")
    if waiting.exists() and waiting.stat().st_size:
        raise UsageError(
            f"{path}: its last results are still in {waiting.name}, and nothing can be written"
            " here: copy both elsewhere and open the copy"
        )
    copy = sqlite3.connect(":memory:")
    # Without the files of the write-ahead mode, which SQLite would create.
    uri = f"{path.absolute().as_uri()}?immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.backup(copy)
    return copy


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Bring a file of results, or an empty file, to the present version.

    Raises UsageError for another database, and for a newer version.
    """
    if _pragma(connection, "schema_version") == 0:
        connection.execute("PRAGMA journal_mode = WAL")
    elif _pragma(connection, "application_id") != APPLICATION_ID:
        raise UsageError(f"{path}: a database of something else than an arena's results")
    if _pragma(connection, "user_version") < VERSION:
        _migrate(connection)
    version = _pragma(connection, "user_version")
    if version > VERSION:
        raise UsageError(f"{path}: results of version {version}, this referee reads {VERSION}")
    # A result survives a power cut too.
    connection.execute("PRAGMA synchronous = FULL")


def _migrate(connection: sqlite3.Connection) -> None:
    """Apply the migrations that a file lacks, all or none of them."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        # Another process may have made them meanwhile.
        for migration in MIGRATIONS[_pragma(connection, "user_version") :]:
            for statement in migration.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def sole_writer(path: Path) -> Iterator[None]:
    """Prevent a second arena from playing the same games. Raises UsageError while another one runs.

    Enter this context before `open_store`, and leave it afterwards: closing the file while SQLite
    has it open would release SQLite's locks.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("ab")
    except OSError as error:
        raise UsageError(
            f"{path}: results cannot be kept there: {error.strerror}: give another --db"
        ) from error
    # The system releases this lock when the process ends for any reason; SQLite's are of another
    # kind.
    with opened as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{path}: another arena is writing to it: give another --db") from None
        yield
