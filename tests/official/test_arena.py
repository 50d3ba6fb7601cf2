"""Arenas of official matches: all plans, interrupted and resumed, referees started in advance and
killed.
"""

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from referee.arena.cluster.packaging import Packer, write_tree
from referee.arena.plan import Game
from referee.arena.play import Setting, play
from referee.log.file import read_log
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Conditions
from referee.official import prestart
from referee.play.leader import OfficialEngine, leader_of
from referee.sources.bots import find_bot
from shared.core.clock import Limits
from tests.support.waiting import wait_for


@pytest.fixture
def arena(run, build, tmp_path):
    """arena(folder, bots, *words) runs an arena; returns its result."""

    def play(folder, bots, *words, expected=0):
        db = tmp_path / "arena.db"
        status, out, err = run(
            "arena", "--official", folder, *bots, "--db", db, "--json", "--jobs", 2, *words
        )
        assert status == expected, err
        return json.loads(out.splitlines()[-1])

    return play


@pytest.mark.slow("the other tests play single matches of the engine")
def test_an_arena(arena, build, adder, tmp_path, processes_naming):
    """Results are found again, but not for another league; a changed build starts anew."""
    folder = build()
    bots = [adder(1), adder(2)]
    result = arena(folder, bots, "--games", 4, "--all-logs")
    assert [bot["wins"] for bot in result["bots"]] == [0, 4]
    assert len(list((tmp_path / "arena-logs").glob("*.jsonl"))) == 4
    arena(folder, bots, "--games", 4)
    arena(folder, bots, "--games", 2, "--league", 2)
    (folder / "target" / "classes" / "more.class").touch()
    arena(folder, bots, "--games", 2)
    assert processes_naming(folder) == []


@pytest.mark.slow("plays one arena more")
def test_one_player_each(arena, run, build, adder, tmp_path):
    """Each bot plays each test case once, by itself."""
    folder = build(type="solo")
    for number, title in enumerate(("Two", "Five"), 1):
        case = {"testIn": "1\n2", "title": {"1": "-", "2": title}}
        (folder / "config" / f"test{number}.json").write_text(json.dumps(case))
    result = arena(folder, [adder(1), adder(2), adder(3)], "--games", 60, "--all-logs")
    assert (result["games"], result["cases"]) == (6, 2)
    assert [bot["wins"] for bot in result["bots"]] == [0, 2, 4]
    logs = [read_log(log) for log in (tmp_path / "arena-logs").glob("*.jsonl")]
    played = [(log.header.setup["case"], log.outcome.scores) for log in logs]
    assert sorted(played) == [(case, [n]) for case in ("Five", "Two") for n in (2.0, 4.0, 6.0)]


@pytest.mark.slow("plays an arena of two bots")
def test_an_official_failure_counts_as_an_error_and_debts_do_not(arena, build, adder):
    result = arena(build(), [adder("'no'", "bad"), adder(2)], "--games", 2, expected=3)
    assert [bot["errors"] for bot in result["bots"]] == [2, 0]
    result = arena(build("debts"), [adder(1), adder(2)], "--games", 2)
    assert [(bot["errors"], bot["wins"]) for bot in result["bots"]] == [(0, 0), (0, 2)]


def setting_of(folder, bots):
    limits = TurnLimits.of(Profile.SITE, Limits(first_ms=1000, turn_ms=100))
    conditions = Conditions.for_all(
        len(bots), seed=0, limits=limits, referee=OfficialEngine(str(folder)).text
    )
    return Setting("adding_up", tuple(find_bot(bot) for bot in bots), conditions)


def test_the_next_referee_is_started_ahead(build, adder, monkeypatch):
    """Its start uses only cores that the bots leave free; once it runs a match, it runs as
    usual.
    """
    monkeypatch.setattr(prestart, "_more_follow", False)
    setting = setting_of(build(), [adder(1), adder(2)])
    play(setting, Game(5, (0, 1), 0))
    [waiting] = prestart._waiting.values()
    assert os.sched_getscheduler(waiting.pid) == os.SCHED_IDLE
    [command] = prestart._waiting
    taken = prestart.take_process(list(command))
    assert taken.pid == waiting.pid and os.sched_getscheduler(taken.pid) == os.SCHED_OTHER
    taken.end()
    [waiting] = prestart._waiting.values()
    os.kill(waiting.pid, signal.SIGKILL)
    time.sleep(0.1)
    result, _ = play(setting, Game(5, (1, 0), 0))
    assert [seat.score for seat in result.seats] == [8.0, 4.0]


def test_a_referee_that_is_killed_is_no_result(build, adder, monkeypatch, processes_naming):
    """The game is played again; a busy machine may spoil further attempts."""
    monkeypatch.setattr(prestart, "_more_follow", False)
    folder = build()
    setting = setting_of(folder, [adder("__import__('time').sleep(0.05) or 1", "slow"), adder(2)])

    def kill():
        for pid in wait_for(lambda: processes_naming(folder)):
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    result, _ = play(setting, Game(5, (0, 1), 0))
    killer.join()
    assert [seat.score for seat in result.seats] == [4.0, 8.0]
    assert result.attempts >= 2


def test_a_build_travels_to_a_cluster(build, adder, monkeypatch, tmp_path):
    """The cluster's workers receive its classes and configuration at other paths."""
    monkeypatch.setattr("referee.arena.cluster.packaging.TREES_FOLDER", tmp_path / "shipped")
    folder = build(min_players=2, max_players=2)
    packer = Packer()
    package = packer.pack(setting_of(folder, [adder(1), adder(2)]))
    for name, tree in packer.trees.items():
        write_tree(name, tree)
    unpacked = package.unpack()
    there = Path(leader_of(unpacked.conditions).classpath)
    assert there.is_relative_to(tmp_path / "shipped")
    result, _ = play(unpacked, Game(5, (0, 1), 0))
    assert [seat.score for seat in result.seats] == [4.0, 8.0]
