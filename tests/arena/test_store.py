"""The file of results."""

import hashlib
import json
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from referee.arena.entrants import Entrant
from referee.arena.result import Result, SeatResult
from referee.arena.rows import DamagedRow
from referee.arena.series import Series, series_data
from referee.arena.store import (
    MORE_TABLES,
    VERSION,
    Store,
    open_store,
    read_store,
    sole_writer,
)
from referee.errors import UsageError
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Conditions
from referee.project import PROJECT
from referee.sources.fingerprint import fingerprint_contest
from tests.arena.conftest import TOY

LIMITS = TurnLimits(Profile.SITE, 1000, 50)
RESULT = Result(
    (
        SeatResult(0, 5.0, None, 12.5, 3.25, {-3: 4, 2: 1}),
        SeatResult(1, 0.0, "player 1, turn 4: late", 1.0, 51.0, {11: 5}),
    ),
    turns=5,
    reason="late",
    attempts=2,
)


def conditions(seed, limits, **others):
    return Conditions.for_all(2, seed=seed, limits=limits, **others)


def read_together(store, series):
    """Yields what tables and reports read of a series."""
    yield from (store.lengths(series), store.times(series), *store.alike(series))


@pytest.fixture
def store(tmp_path):
    """An open store with two bots, a and b."""
    path = tmp_path / "arena.db"
    with sole_writer(path), open_store(path) as store:
        store.add_entrants([Entrant("a", "one", "one.py"), Entrant("b", "two", "two.py")])
        yield store


def test_a_result_is_found_again(store, tmp_path):
    """A game is found by seed and seating, with the log's path relative to the file's folder."""
    series = store.series("toy", conditions(1, LIMITS))
    store.add(series, 7, ["a", "b"], RESULT, tmp_path / "logs" / "7.jsonl")
    found = store.find(series, 7, ["a", "b"])
    assert (found.seed, found.seating, found.result) == (7, ("a", "b"), RESULT)
    assert found.log == "logs/7.jsonl"
    assert store.find(series, 7, ["b", "a"]) is None
    assert store.find(series, 8, ["a", "b"]) is None


def test_other_conditions_are_another_series(store):
    """Games with other limits or nodes form another series; another seed stays in the series."""
    series = store.series("toy", conditions(1, LIMITS))
    assert store.series("toy", conditions(2, LIMITS)) == series
    others = [
        store.series("toy", conditions(1, LIMITS, nodes=100)),
        store.series("toy", conditions(1, TurnLimits(Profile.OFF, 1000, 50))),
        store.series("other", conditions(1, LIMITS)),
    ]
    assert len({series.number, *(other.number for other in others)}) == 4


@pytest.mark.parametrize("is_edited", [False, True])
def test_games_by_rules_of_an_older_version(is_edited, store, tmp_path):
    """It hashed the contents of rules and of the library, and named the version of logs."""
    file = tmp_path / "rules.py"
    file.write_text("from shared.core import jit\n")
    former = {str(file): hashlib.sha256(file.read_bytes()).hexdigest(), "shared/core/jit.py": "12"}
    others = conditions(1, LIMITS, options={"map": "small"})
    data = {**series_data(others), "rules": "former", "log": 5}
    with store.connection:
        store.connection.execute(
            "INSERT INTO series VALUES (3, ?, ?)", (str(file), json.dumps(data, sort_keys=True))
        )
        store.connection.executemany("INSERT INTO parts VALUES ('former', ?, ?)", [*former.items()])
    store.add(Series(3, str(file), data), 7, ["a", "b"], RESULT, None)
    if is_edited:
        file.write_text("from shared.core import jit, rng\n")
    rules = fingerprint_contest(str(file))
    series = store.series(str(file), others, rules)
    assert series == store.series(str(file), others, rules)
    assert (series.number == 3, store.n_games(series)) == (not is_edited, not is_edited)
    if is_edited:
        store.add_parts(series.conditions["rules"], rules)
        assert store.former_rules(series) == (1, [])


def test_the_course_of_a_value(store):
    """Has the mean and the standard deviation among games at each turn; of long games some turns
    are one point.
    """
    series, first = store.series("toy", conditions(1, LIMITS)), RESULT.seats[0]
    values = [1e9, 1e9 + 1.0, 1e9 + 5.0]
    for seed, value in enumerate(values):
        seat = replace(first, values={"eval": {turn: value + turn for turn in range(240)}})
        store.add(series, seed, ["a", "b"], replace(RESULT, seats=(seat, first)), None)
    [course] = store.courses(series)["eval"].values()
    assert [row.turn for row in course] == list(range(0, 240, 2))
    assert course[3].mean == pytest.approx(statistics.mean(values) + 6.5, abs=1e-5)
    assert course[3].deviation == pytest.approx(statistics.stdev(values))


def test_one_writer(store):
    """A second arena on the same file is refused while the first one runs; reading is permitted."""
    with pytest.raises(UsageError, match="another arena is writing"), sole_writer(store.path):
        pass
    with open_store(store.path) as reader, pytest.raises(UsageError, match="no games yet"):
        reader.all_series()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text", "no results"),
        ("sql", "something else"),
        ("new", f"version {VERSION + 1}, this referee reads {VERSION}"),
    ],
)
def test_other_files(tmp_path, content, message):
    """A file that is not a file of results, or has a newer version, is refused and left
    unchanged.
    """
    path = tmp_path / "file"
    if content == "text":
        path.write_text("a diary " * 1000)
    elif content == "sql":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE diary (day)")
    elif content == "new":
        path.touch()
        with open_store(path):
            pass
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(UsageError, match=message), open_store(path):
        pass
    assert content != "text" or path.read_text() == "a diary " * 1000


# Files of version 1 have the first of these tables, by their age.
LATER = re.findall(r"EXISTS (\w+)", MORE_TABLES)


@pytest.mark.parametrize("n_later", range(len(LATER) + 1))
@pytest.mark.parametrize("is_writable", [True, False], ids=["writable", "read-only"])
def test_a_file_of_each_former_schema_is_opened(n_later, is_writable, store, monkeypatch):
    """Its games are found, and it is brought to the present version; one that cannot be written to
    stays as it is.
    """
    path, series = store.path, store.series("toy", conditions(1, LIMITS))
    store.add(series, 7, ["a", "b"], RESULT, None)
    with store.connection:
        for name in [*LATER[n_later:], "courses"]:
            store.connection.execute(f"DROP TABLE {name}")
        store.connection.execute("PRAGMA user_version = 1")
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if not is_writable:
        monkeypatch.setattr("referee.arena.store.os.access", lambda place, mode: False)
    with open_store(path) as opened:
        assert opened.find(series, 7, ["a", "b"]).seed == 7
        assert opened.notes(series) == opened.cases(series) == {}
    with closing(sqlite3.connect(path)) as connection:
        [version] = connection.execute("PRAGMA user_version").fetchone()
    assert version == (VERSION if is_writable else 1)


def test_an_empty_file_that_is_read_stays_empty(tmp_path):
    """`table notes.txt` must not turn the user's file into a database."""
    path = tmp_path / "notes.txt"
    path.touch()
    with pytest.raises(UsageError, match="empty: no arena has written to it"), read_store(path):
        pass
    assert path.read_bytes() == b""


def test_a_file_that_is_locked_for_long(store, monkeypatch):
    """One line reports the lock with advice; the stored results are unchanged."""
    series = store.series("toy", conditions(1, LIMITS))
    store.add(series, 7, ["a", "b"], RESULT, None)
    monkeypatch.setattr("referee.arena.store.LOCK_S", 0.05)
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with open_store(store.path) as reading:
        assert reading.n_games(series) == 1
    with (
        pytest.raises(UsageError, match=r"locked for 0\.05 s: close that and try again"),
        open_store(store.path) as waiting,
    ):
        waiting.add(series, 8, ["a", "b"], RESULT, None)
    other.execute("ROLLBACK")
    with open_store(store.path) as again:
        again.add(series, 8, ["a", "b"], RESULT, None)
        assert again.n_games(series) == 2


# As root of a new namespace, in which a folder is mounted read-only.
READ_ONLY = """\
mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && cd {project} || exit 77
for command in "table {db}" "report {db} -o {page}" "report {db}" "arena toy.py a b --db {db}"; do
  {python} -m referee $command; echo "exit $?"
done
"""


@pytest.mark.slow("mounts a file system; another test writes to a file that is read-only")
def test_a_file_on_a_read_only_mount(played, tmp_path):
    """Reading works, and a write is refused with a line."""
    folder, page = tmp_path / "mounted", tmp_path / "page.html"
    folder.mkdir()
    db = folder / "arena.db"
    shutil.copy(played, db)
    places = dict(folder=folder, db=db, page=page, project=PROJECT, python=sys.executable)
    script = READ_ONLY.format(**places).replace("toy.py a b", f"{TOY} sh sh")

    def run_mounted():
        command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script]
        return subprocess.run(command, capture_output=True, text=True)

    done = run_mounted()
    if done.returncode not in (0, 2):
        pytest.skip(f"no mounts here: {done.stderr.strip()}")
    table, report, failed, played_more, *_ = done.stdout.split("exit ")
    assert "bot.sh 1" in table and "kB, to open in a browser" in report
    assert played_more.startswith("2") and failed.startswith("0")
    assert done.stderr.splitlines() == [
        f"error: {db.with_suffix('.html')}: Read-only file system",
        f"error: {db}: results cannot be kept there: Read-only file system: give another --db",
    ]
    # Otherwise results that are not yet in the file would be missing without notice.
    db.with_name("arena.db-wal").write_bytes(b"x")
    first, *_ = run_mounted().stderr.splitlines()
    assert "its last results are still in arena.db-wal" in first


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("UPDATE games SET seating = 'x'", "game 1, seating: no JSON: 'x'"),
        ('UPDATE games SET seating = \'["a", "c"]\'', "game 1, seat 1: the bot 'b' is not the one"),
        ("UPDATE games SET reason = x'ff'", 'a game: "reason": expected str, got bytes'),
        ("UPDATE seats SET score = 9e999", 'game 1, seat 0: "score": expected float <= 1e+30'),
        ("UPDATE seats SET times = '{\"x\": 1}'", 'game 1, seat 0: "times": key: expected int'),
        ("UPDATE games SET turns = 'x'", 'a game: "turns": expected int, got str'),
        ("DELETE FROM seats WHERE seat = 1", "game 1: 2 bots, 1 seats"),
        ("UPDATE series SET conditions = '{}'", 'series 1: "limits" is missing'),
        (
            "UPDATE series SET conditions = json_set(conditions, '$.host_speed', 'x')",
            'series 1, conditions: "host_speed": expected float',
        ),
    ],
)
@pytest.mark.parametrize("read", [Store.games, read_together])
def test_a_damaged_row_is_named(store, query, message, read):
    """The error gives the kind of the row, its number and the column."""
    series = store.series("toy", conditions(1, LIMITS))
    store.add(series, 7, ["a", "b"], RESULT, None)
    store.connection.execute(query)
    with pytest.raises(DamagedRow) as error:
        [list(read(store, series)) for series in store.all_series()]
    assert str(error.value).startswith(f"{store.path}: damaged: {message}")


def test_times_are_of_one_seat_each(store):
    """They are read together: a text of two would be taken for those of two seats."""
    series = store.series("toy", conditions(1, LIMITS))
    for seed in (7, 8):
        store.add(series, seed, ["a", "b"], RESULT, None)
    assert store.times(series) == {"a": {-3: 8, 2: 2}, "b": {11: 10}}
    store.connection.execute('UPDATE seats SET times = \'{"1": 1}, {"2": 2}\' WHERE seat = 1')
    with pytest.raises(DamagedRow, match="game 1, seat 1, times: no JSON"):
        store.times(series)
