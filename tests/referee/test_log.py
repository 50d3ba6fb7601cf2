"""Reading logs: complete, truncated, and older ones, and files that are not logs."""

import gzip
import json
import math
import tracemalloc

import pytest
from msgspec import to_builtins

from referee.log.file import read_log, write_log
from referee.log.limits import Profile, TurnLimits
from referee.log.records import (
    Bot,
    Conditions,
    Header,
    Late,
    Log,
    LogError,
    LoggedOutcome,
    LoggedTurn,
    PlayerTurn,
)

PLAYER = PlayerTurn(
    initial_input=["you 0"],
    input=["1"],
    lines_expected=1,
    output=["<script>é"],
    stderr="",
    nodes=None,
    values={"eval": 0.5},
    wall_ms=1.5,
    cpu_ms=1.0,
    queue_ms=0.25,
    late=Late.BOT,
    warnings=["near"],
    fault=None,
)
LATER = PlayerTurn(
    input=["2"], lines_expected=1, output=[], stderr="", nodes=7, wall_ms=1, cpu_ms=1.0, fault="x"
)


def small_log():
    """A log of two turns of one player."""
    header = Header(
        contest="toy",
        title="Toy",
        n_players=1,
        conditions=Conditions.for_all(1, seed=1, limits=TurnLimits(Profile.OFF, 1, 1)),
        bots=[Bot("a", "a.py", ["a"], "0")],
        versions={},
        setup={},
        state={},
    )
    turns = [
        LoggedTurn(turn=0, players={0: PLAYER}, state={}),
        LoggedTurn(turn=1, players={0: LATER}, state={"x": [1]}),
    ]
    return Log(header, turns, LoggedOutcome(ranks=[0], scores=[1.0], reason="over"))


def records():
    """The lines of that log, as plain data."""
    log = small_log()
    header, *others = [
        to_builtins(part, str_keys=True) for part in (log.header, *log.turns, log.outcome)
    ]
    header |= header.pop("conditions")
    *turns, outcome = others
    return json.loads(json.dumps([header, *turns, {"outcome": outcome}]))


@pytest.fixture
def path(tmp_path):
    """A file with that log."""
    path = tmp_path / "match.jsonl"
    write_log(small_log(), path)
    return path


def lines_of(path):
    return path.read_text().splitlines(keepends=True)


def write_records(path, records):
    lines = [json.dumps(record) for record in records]
    path.write_text("".join(line + "\n" for line in lines))


def test_a_log_is_read_back(path):
    """Header, turns and outcome are read back unchanged; optional fields may be missing."""
    assert read_log(path) == small_log()
    header, first, second, _ = records()
    assert (header["format"], header["version"]) == ("onefile-log", 4)
    assert "initial_input" in first["players"]["0"]
    assert "initial_input" not in second["players"]["0"]
    assert set(second["players"]["0"]) == {
        "input",
        "lines_expected",
        "output",
        "stderr",
        "nodes",
        "wall_ms",
        "cpu_ms",
        "fault",
    }


def test_a_mark_of_byte_order_is_passed_over(path):
    """Windows editors write a byte order mark."""
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_log(path).turns == small_log().turns


def test_a_log_cut_short_is_a_log(path):
    """A killed referee leaves a log without outcome; a partial last line is ignored."""
    path.write_text("".join(lines_of(path)[:3]) + '{"turn": 2, "pla')
    log = read_log(path)
    assert log.turns == small_log().turns
    assert log.outcome is None


@pytest.mark.parametrize("n_bytes", [1, 2])
def test_a_log_cut_anywhere_keeps_its_whole_turns(path, n_bytes):
    """A last line that only lacks its newline counts as complete."""
    path.write_bytes(path.read_bytes()[:-n_bytes])
    log = read_log(path)
    assert log.turns == small_log().turns
    assert (log.outcome is None) == (n_bytes > 1)


# Fields added by each version: (of the header, of its limits, of a player's turn, of the outcome).
NEW_IN_4 = ({"idle"}, set(), set(), set())
NEW_IN_3 = ({"clock", "think_ms"}, set(), {"values"}, set())
NEW_IN_2 = (
    {"hiccup_ms", "referee"},
    {"grace_ms", "late_turns", "bank_ms"},
    {"queue_ms", "late", "warnings"},
    {"spoiled"},
)


def aged(records, version):
    """The records as an older version wrote them."""
    news = [NEW_IN_4, NEW_IN_3, NEW_IN_2][: 4 - version]
    header, *turns, end = records
    header["version"] = version
    if version < 3:
        header["limits"], header["nodes"] = header["limits"][0], header["nodes"][0]
    for of_header, of_limits, of_player, of_outcome in news:
        parts = [part for turn in turns for part in turn["players"].values()]
        for record, keys in (
            (header, of_header),
            (header["limits"], of_limits),
            *((part, of_player) for part in parts),
            (end["outcome"], of_outcome),
        ):
            for key in keys:
                record.pop(key, None)
    return [header, *turns, end]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_log_of_an_older_version_is_read(path, version):
    """Missing fields get the values that were in effect; common values are copied to each
    player.
    """
    write_records(path, aged(records(), version))
    expected = small_log()
    expected.header.version = version
    if version == 3:
        assert read_log(path) == expected
        return
    expected.turns[0].players[0] = PlayerTurn(
        initial_input=PLAYER.initial_input,
        input=PLAYER.input,
        lines_expected=1,
        output=PLAYER.output,
        stderr="",
        nodes=None,
        wall_ms=1.5,
        cpu_ms=1.0,
        queue_ms=None if version == 1 else 0.25,
        late=None if version == 1 else Late.BOT,
        warnings=[] if version == 1 else ["near"],
        fault=None,
    )
    assert read_log(path) == expected


NO_LOGS = [
    ("", "no log of a match"),
    ("[" * 100_000 + "\n", "no log of a match"),
    ('{"format": "other"}\n', "no log of a match"),
    (
        '{"format": "onefile-log", "version": true}\n',
        "line 1: log version True, this referee reads 1 to 4",
    ),
    ('{"format": "onefile-log", "version": 3}\n', 'line 1: "seed" is missing'),
]


@pytest.mark.parametrize(("text", "message"), NO_LOGS)
def test_no_log(path, text, message):
    """The error names the file and the expected first line of a log."""
    path.write_text(text)
    with pytest.raises(LogError, match=message) as error:
        read_log(path)
    assert str(error.value).startswith(str(path))


def nested(depth):
    return [nested(depth - 1)] if depth else 0


def part_of(turn):
    return turn["players"]["0"]


DAMAGES = [
    (2, lambda turn: turn.pop("state"), '"state" is missing'),
    (2, lambda turn: turn.update(turn=4), "turn 4 where turn 0 is expected"),
    (2, lambda turn: turn["players"].update({"7": part_of(turn)}), "there is no player 7"),
    (
        2,
        lambda turn: turn["players"].update({"-0": part_of(turn)}),
        '"players": key: -0 is no number of a player',
    ),
    (
        2,
        lambda turn: part_of(turn).update(late="A" * 10_000),
        f'"players.0.late": invalid enum value \'{"A" * 80}...',
    ),
    (
        2,
        lambda turn: part_of(turn).update(late="x` - at `$.nodes"),
        "\"players.0.late\": invalid enum value 'x - at $.nodes'",
    ),
    (
        2,
        lambda turn: part_of(turn).update(output=["a", "b"]),
        '"players.0.output" has 2 lines, 1 were expected',
    ),
    (
        2,
        lambda turn: part_of(turn).update(wall_ms=10**400),
        '"players.0.wall_ms": number out of range',
    ),
    (2, lambda turn: part_of(turn).update(wall_ms=math.nan), "a JSON object is expected"),
    (
        2,
        lambda turn: part_of(turn).update(lines_expected=7),
        '"players.0.fault" is null, though lines are missing',
    ),
    (2, lambda turn: turn["state"].update(x=nested(101)), '"state" is nested too deeply'),
    (4, lambda end: end["outcome"].update(ranks=[]), '"outcome.ranks" has 0 values for 1 players'),
    (1, lambda header: header.update(limits=[{}]), '"limits[0].profile" is missing'),
]


@pytest.mark.parametrize(("number", "damage", "message"), DAMAGES, ids=[row[2] for row in DAMAGES])
def test_damaged_line(path, number, damage, message):
    """The error names the file, the line, and the field with its fault."""
    damaged = records()
    damage(damaged[number - 1])
    write_records(path, damaged)
    with pytest.raises(LogError) as error:
        read_log(path)
    assert str(error.value).startswith(f"{path}, line {number}: {message}")


def test_text_after_the_outcome(path):
    """Nothing may follow the outcome."""
    write_records(path, [*records(), records()[1]])
    with pytest.raises(LogError, match="line 5: nothing may follow the outcome"):
        read_log(path)


def test_a_packed_log_that_is_too_large_takes_no_memory(tmp_path, monkeypatch):
    """It is counted in pieces and refused; one that is packed as well, but not too large, is read
    as far as it goes.
    """
    monkeypatch.setattr("referee.log.file.MAX_BYTES", 40 * 2**20)
    path = tmp_path / "large.gz"
    path.write_bytes(gzip.compress(bytes(41 * 2**20)))
    tracemalloc.start()
    with pytest.raises(LogError, match="no log of a match: it is larger than"):
        read_log(path)
    assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    tracemalloc.stop()
    path.write_bytes(gzip.compress(bytes(39 * 2**20)))
    with pytest.raises(LogError, match="line 1 should be a JSON object"):
        read_log(path)
