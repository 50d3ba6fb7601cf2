"""Writing logs: the file can be read back, and contains the given values."""

import json
import math
import os
import signal
import threading
import time
import zlib
from collections import Counter, OrderedDict
from dataclasses import replace

import numpy as np
import pytest
from msgspec.structs import replace as changed

from referee.arena.in_process import LoadedBot, play_in_process
from referee.errors import UsageError
from referee.log.file import LogWriter, read_log, write_log
from referee.log.limits import Profile
from referee.log.records import Conditions, LoggedTurn
from referee.sources.contests import ContestError
from shared.core.contest import Outcome
from tests.referee.test_log import PLAYER, small_log
from tests.referee.toy import CONTEST, Sums


@pytest.fixture(params=["over pipes", "in process"])
def play_toy(request, play, good_bot):
    """play_toy(ranks, scores) returns those of a match with this outcome."""

    def run(ranks, scores):
        class Match(Sums):
            def outcome(self):
                return super().outcome() and Outcome(ranks, scores, "over")

        contest = replace(CONTEST, new_match=Match)
        if request.param == "over pipes":
            outcome = play(good_bot, good_bot, contest=contest).outcome
            return outcome.ranks, outcome.scores
        bot = LoadedBot("ones", lambda _: (lambda: True, lambda: ["1", "word"]))
        conditions = Conditions.for_all(2, seed=1, limits=None)
        seats = play_in_process(contest, [bot] * 2, conditions).seats
        return [seat.rank for seat in seats], [seat.score for seat in seats]

    return run


def test_texts_and_numbers_come_back(tmp_path):
    """Exact to the last bit, also for Python's own JSON, and each turn is one line."""
    log, path = small_log(), tmp_path / "match.jsonl"
    odd = ["", '"\\/', "\x00\x1f\x7f\n", "ü€😀", "\u2028\x85", "</script>"]
    numbers = {"a\n": -0.0, "b": 1e-7, "c": 1e22, "d": 3.0, "": 0.1}
    late = changed(PLAYER, output=odd, lines_expected=6, values=numbers, queue_ms=None)
    log.header.n_players, log.header.bots = 10, log.header.bots * 10
    conditions = log.header.conditions
    log.header.conditions = Conditions.for_all(10, seed=1, limits=conditions.limits[0])
    log.outcome = None
    state = {"x": {"y": [None, True, odd, -0.0, 1e-7, 2**70]}}
    log.turns.append(LoggedTurn(turn=2, players={7: late, 9: PLAYER}, state=state))
    write_log(log, path)
    assert read_log(path) == log
    line = json.loads(path.read_bytes().split(b"\n")[3])
    assert line["players"]["7"]["output"] == odd
    assert line["state"] == state


@pytest.mark.parametrize("value", [math.nan, {1}, np.int64(1), "\ud800"], ids=repr)
def test_values_unknown_to_json_are_refused(tmp_path, value):
    """Values unknown to JSON are refused in every part of a contest's data, so that the file stays
    readable.
    """
    log, path = small_log(), tmp_path / "match.jsonl"
    for damaged in (
        replace(log, header=replace(log.header, setup={"x": value})),
        replace(log, header=replace(log.header, state={"x": value})),
        replace(log, turns=[LoggedTurn(turn=0, players={}, state={"x": [None, value]})]),
        replace(log, outcome=replace(log.outcome, scores=[value])),
        replace(log, outcome=replace(log.outcome, reason=5)),
    ):
        with pytest.raises(UsageError, match=r"match.jsonl: .* cannot be written: "):
            write_log(damaged, path)


@pytest.mark.parametrize("name", ["match.jsonl", "match.jsonl.gz"])
@pytest.mark.parametrize("has_ended", [True, False])
def test_turns_before_the_error_are_kept(tmp_path, name, has_ended):
    """The error names the turn of an unwritable state, and earlier turns are in the file; also if
    the fault is in the last one.
    """
    log, path = small_log(), tmp_path / name
    if not has_ended:
        log.outcome = None
    log.turns[1].state = {"x": {1, 2}}
    with pytest.raises(
        UsageError, match="turn 1 cannot be written: Object of type set is not JSON"
    ):
        write_log(log, path)
    assert read_log(path).turns == small_log().turns[:1]


def test_kinds_of_numbers_and_texts_are_written_as_such(tmp_path):
    """As Python's own JSON does: a contest may compute with NumPy, or use subclasses of str."""
    log, path = small_log(), tmp_path / "match.jsonl"
    text = type("Line", (str,), {})("a line")
    state = {
        "x": np.float64(0.5),
        "y": [text, Profile.OFF],
        "z": OrderedDict(a=(1, 2)),
        "n": {3: 4, True: 1, None: 2},
        "c": Counter("aab"),
        "o": type("Word", (str,), {"__str__": lambda self: "another"})("a word"),
    }
    log.header.state = state
    log.turns[1].state = state
    log.turns[1].players[0] = changed(PLAYER, input=[text])
    log.outcome.scores = [np.float64(2.5)]
    write_log(log, path)
    read = read_log(path)
    assert read.turns[1].state == read.header.state == json.loads(json.dumps(state))
    assert (read.turns[1].players[0].input, read.outcome.scores) == (["a line"], [2.5])


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1])
def test_a_seed_may_be_any_of_64_bits(tmp_path, number):
    """Java's seeds have 64 bits."""
    log, path = small_log(), tmp_path / "match.jsonl"
    log.header.conditions = replace(log.header.conditions, seed=number)
    log.outcome.scores = [2**53 + 1]
    write_log(log, path)
    assert read_log(path) == log


def test_a_header_that_cannot_be_written_leaves_an_older_log_alone(tmp_path):
    """The file is created when its first line is ready."""
    path = tmp_path / "match.jsonl"
    write_log(small_log(), path)
    before = path.read_bytes()
    deep: list = []
    for _ in range(150):
        deep = [deep]
    for state in ({"x": {1}}, {"x": deep}):
        with pytest.raises(UsageError, match="header cannot be written: "):
            write_log(replace(small_log(), header=replace(small_log().header, state=state)), path)
    assert path.read_bytes() == before


def test_packed_bytes_are_written_before_an_interruption(tmp_path):
    """Otherwise bytes would be missing in the middle, and the rest could not be unpacked."""
    log, path = small_log(), tmp_path / "match.jsonl.gz"

    class Packer:
        def __init__(self, packer):
            self.packer = packer

        def compress(self, data):
            packed = self.packer.compress(data) + self.packer.flush(zlib.Z_SYNC_FLUSH)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            return packed

        def flush(self):
            return self.packer.flush()

    # The system may deliver the signal to it.
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        with pytest.raises(KeyboardInterrupt), LogWriter(path) as writer:
            writer.header(log.header)
            writer.packer = Packer(writer.packer)
            for turn in log.turns:
                writer.turn(turn)
            writer.outcome(log.outcome)
    finally:
        done.set()
        other.join()
    assert read_log(path) == log
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_numbers_of_an_outcome_are_pythons(play_toy):
    """Numbers become Python's own, whatever library the contest uses."""
    ranks, scores = play_toy((np.bool_(False), True), (np.float32(3), True))
    assert (ranks, scores) == ([0, 1], [3.0, 1])
    assert {type(number) for number in (*ranks, *scores)} <= {int, float}


def test_an_outcome_without_numbers_is_the_contests_fault(play_toy):
    """The error names the contest; a file with such a result could not be read again."""
    wrong = [((0, 1), (score, 0)) for score in ("many", 10**400, float("nan"), 1e31)]
    for outcome in [*wrong, ((0, 10), (1, 0)), ((0,), (1, 0)), ((0, 1), (1, 0, 0))]:
        with pytest.raises(ContestError, match="its ranks and scores should be numbers"):
            play_toy(*outcome)
