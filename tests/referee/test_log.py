"""Reading logs: whole ones, ones cut short, and everything that is none."""

import json
import math

import pytest
from referee.log import (
    HEADER_OF_1,
    LIMITS_OF_1,
    OUTCOME_OF_1,
    PLAYER_OF_1,
    LogError,
    LogWriter,
    read_log,
)

HEADER = {
    "contest": "toy",
    "title": "Toy",
    "seed": 1,
    "n_players": 1,
    "limits": {"profile": "off", "first_ms": 1, "turn_ms": 1, **LIMITS_OF_1},
    "warmup_s": 0.0,
    **HEADER_OF_1,
    "nodes": None,
    "bots": [{"name": "a", "bot": "a.py", "command": ["a"], "sha256": "0"}],
    "versions": {},
    "setup": {},
    "state": {},
}
PLAYER = {
    "input": ["1"],
    "lines_expected": 1,
    "output": ["<script>é"],
    "stderr": "",
    "nodes": None,
    "wall_ms": 1.5,
    "cpu_ms": 1.0,
    **PLAYER_OF_1,
    "fault": None,
}
TURN = {"turn": 0, "players": {"0": PLAYER}, "state": {}}
OUTCOME = {"ranks": [0], "scores": [1.0], "reason": "over", **OUTCOME_OF_1}


@pytest.fixture
def path(tmp_path):
    """A file with a log of one turn."""
    path = tmp_path / "match.jsonl"
    with LogWriter(path) as writer:
        writer.header(HEADER)
        writer.turn(TURN)
        writer.outcome(OUTCOME)
    return path


def lines_of(path):
    return path.read_text().splitlines(keepends=True)


def test_what_was_written_is_read(path):
    """Header, turns and outcome come back as they were."""
    log = read_log(path)
    assert log.header == {"format": "onefile-log", "version": 2, **HEADER}
    assert log.turns == [TURN]
    assert log.outcome == OUTCOME


@pytest.mark.parametrize(
    "rest", ["", '{"outc', '{"turn": 1, "pla'], ids=["no line", "outcome", "turn"]
)
def test_a_log_cut_short_is_a_log(path, rest):
    """A killed referee leaves a log without outcome; half a line at its end is left out."""
    path.write_text("".join(lines_of(path)[:2]) + rest)
    log = read_log(path)
    assert log.turns == [TURN]
    assert log.outcome is None


def without(record, keys):
    return {key: value for key, value in record.items() if key not in keys}


def test_a_log_of_version_1_is_read(path):
    """What version 1 did not have gets the values that were in effect."""
    limits = without(HEADER["limits"], LIMITS_OF_1)
    header = {**without(HEADER, HEADER_OF_1), "limits": limits}
    turn = {**TURN, "players": {"0": without(PLAYER, PLAYER_OF_1)}}
    records = [
        {"format": "onefile-log", "version": 1, **header},
        turn,
        {"outcome": without(OUTCOME, OUTCOME_OF_1)},
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    log = read_log(path)
    assert log.header == {"format": "onefile-log", "version": 1, **HEADER}
    assert (log.turns, log.outcome) == ([TURN], OUTCOME)


NO_LOGS = [
    ("", "no log of a match"),
    ("\n", "no log of a match"),
    ("some text\n", "no log of a match"),
    ("[1]\n", "no log of a match"),
    ("[" * 100_000 + "\n", "no log of a match"),
    ('{"format": "other"}\n', "no log of a match"),
    (
        '{"format": "onefile-log", "version": 3}\n',
        "line 1: log version 3, this referee reads 1 to 2",
    ),
    ('{"format": "onefile-log", "version": 2}\n', 'line 1: "contest" is missing'),
]


@pytest.mark.parametrize("text, message", NO_LOGS)
def test_no_log(path, text, message):
    """The error names the file and what a log begins with."""
    path.write_text(text)
    with pytest.raises(LogError, match=message) as error:
        read_log(path)
    assert str(error.value).startswith(str(path))


DAMAGES = [
    (2, lambda turn: turn.pop("state"), 'line 2: "state" is missing'),
    (2, lambda turn: turn.update(turn=4), "line 2: turn 4 where turn 0 is expected"),
    (2, lambda turn: turn.update(players=[]), 'line 2: "players" is a list'),
    (2, lambda turn: turn["players"].update({"7": PLAYER}), "line 2: there is no player '7'"),
    (
        2,
        lambda turn: turn["players"].update({"0": 3}),
        "line 2, player 0: a JSON object is expected",
    ),
    (
        2,
        lambda turn: turn["players"]["0"].update(output=[1]),
        'player 0: "output" should be a list of texts',
    ),
    (
        2,
        lambda turn: turn["players"]["0"].update(initial_input=5),
        'player 0: "initial_input" should be a list of texts',
    ),
    (2, lambda turn: turn["players"]["0"].update(wall_ms=math.nan), "a JSON object is expected"),
    (2, lambda turn: turn["players"]["0"].pop("nodes"), 'player 0: "nodes" is missing'),
    (3, lambda end: end["outcome"].pop("ranks"), 'line 3: "ranks" is missing'),
    (1, lambda header: header.pop("nodes"), 'line 1: "nodes" is missing'),
    (1, lambda header: header.update(limits={}), 'line 1: "profile" is missing'),
    (1, lambda header: header.update(bots=[]), "line 1: 0 bots for 1 players"),
]


@pytest.mark.parametrize("number, damage, message", DAMAGES, ids=[row[2] for row in DAMAGES])
def test_damaged_line(path, number, damage, message):
    """The error names the file, the line, and what is wrong with it."""
    lines = lines_of(path)
    record = json.loads(lines[number - 1])
    damage(record)
    lines[number - 1] = json.dumps(record) + "\n"
    path.write_text("".join(lines))
    with pytest.raises(LogError) as error:
        read_log(path)
    assert str(error.value).startswith(f"{path}, line {number}")
    assert message in str(error.value)


def test_text_after_the_outcome(path):
    """Nothing may follow the outcome."""
    path.write_text("".join(lines_of(path)) + json.dumps(TURN) + "\n")
    with pytest.raises(LogError, match="line 4: nothing may follow the outcome"):
        read_log(path)
