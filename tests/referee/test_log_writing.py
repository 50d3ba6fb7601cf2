"""Writing logs: what is written can be read, and is what was given."""

import json
import math
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace as changed

from referee.errors import UsageError
from referee.limits import Profile
from referee.log import Turn, read_log, write_log
from tests.referee.test_log import PLAYER, small_log


def test_texts_and_numbers_come_back(tmp_path):
    """To the last bit, also by Python's own JSON, and lines end where turns do."""
    log, path = small_log(), tmp_path / "match.jsonl"
    odd = ["", '"\\/', "\x00\x1f\x7f\n", "ü€😀", "\u2028\x85", "</script>"]
    numbers = {"a\n": -0.0, "b": 1e-7, "c": 1e22, "d": 3.0, "": 0.1}
    late = changed(PLAYER, output=odd, lines_expected=6, values=numbers, queue_ms=None)
    log.header.n_players, log.header.bots = 10, log.header.bots * 10
    log.header.limits, log.header.nodes = log.header.limits * 10, log.header.nodes * 10
    log.header.think_ms = [None] * 10
    log.outcome = None
    state = {"x": {"y": [None, True, odd, -0.0, 1e-7, 2**70]}}
    log.turns.append(Turn(turn=2, players={7: late, 9: PLAYER}, state=state))
    write_log(log, path)
    assert read_log(path) == log
    line = json.loads(path.read_bytes().split(b"\n")[3])
    assert line["players"]["7"]["output"] == odd
    assert line["state"] == state


@pytest.mark.parametrize(
    "value", [math.inf, -math.inf, math.nan, {1}, b"x", Path(), np.int64(1), "\ud800"], ids=repr
)
def test_what_json_does_not_know_is_not_written(tmp_path, value):
    """Wherever a contest may have it: what is written can be read."""
    log, path = small_log(), tmp_path / "match.jsonl"
    for damaged in (
        replace(log, header=replace(log.header, setup={"x": value})),
        replace(log, header=replace(log.header, state={"x": value})),
        replace(log, turns=[Turn(turn=0, players={}, state={"x": [None, value]})]),
        replace(log, outcome=replace(log.outcome, scores=[value])),
        replace(log, outcome=replace(log.outcome, reason=5)),
    ):
        with pytest.raises(UsageError, match="match.jsonl: .* cannot be written: "):
            write_log(damaged, path)


def test_what_was_played_before_is_kept(tmp_path):
    """Of a state that cannot be written the turn is told, and those before it are in the file."""
    log, path = small_log(), tmp_path / "match.jsonl"
    log.turns[1].state = {"x": {1, 2}}
    with pytest.raises(
        UsageError, match="turn 1 cannot be written: Object of type set is not JSON"
    ):
        write_log(log, path)
    assert read_log(path).turns == small_log().turns[:1]


def test_kinds_of_numbers_and_texts_are_written_as_such(tmp_path):
    """As Python's own JSON does it: a contest may compute with NumPy, or have texts of its own kind."""
    log, path = small_log(), tmp_path / "match.jsonl"
    text = type("Line", (str,), {})("a line")
    state = {
        "x": np.float64(0.5),
        "y": [text, Profile.OFF],
        "z": OrderedDict(a=(1, 2)),
        "n": {3: 4},
    }
    log.turns[1].state = state
    log.turns[1].players[0] = changed(PLAYER, input=[text])
    log.outcome.scores = [np.float64(2.5)]
    write_log(log, path)
    read = read_log(path)
    assert read.turns[1].state == json.loads(json.dumps(state))
    assert (read.turns[1].players[0].input, read.outcome.scores) == (["a line"], [2.5])


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1])
def test_a_seed_may_be_any_of_64_bits(tmp_path, number):
    """Java's are."""
    log, path = small_log(), tmp_path / "match.jsonl"
    log.header.seed = number
    log.outcome.scores = [2**53 + 1]
    write_log(log, path)
    assert read_log(path) == log
