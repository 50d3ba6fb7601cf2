"""A match between good bots: their input, the log, the limits and budgets in force."""

import os
import signal
import subprocess
import sys
import time

import pytest

from referee.log.limits import Profile, TurnLimits
from referee.log.records import LoggedOutcome
from referee.process.bot_process import BotProcess
from referee.process.unflushed_output import InputWatch
from referee.process.warmup import wait_until_reading, wait_until_ready
from referee.project import PROJECT
from tests.support.waiting import wait_for


def test_log_of_a_match(toy, play, good_bot):
    """The log contains conditions, all input and answers, states and outcome."""
    log = play(good_bot, good_bot, seed=11)
    header = log.header
    assert (header.format, header.version) == ("onefile-log", 4)
    assert (header.contest, header.conditions.seed, header.n_players) == (toy.name, 11, 2)
    assert header.conditions.limits == (TurnLimits(Profile.SITE, first_ms=1500, turn_ms=400),) * 2
    assert header.setup == {"turns": 5}
    assert header.state == {"turn": 0, "sums": [0, 0]}
    assert set(header.versions) == {"onefile", "python", "numpy", "numba"}
    assert [bot.bot for bot in header.bots] == [good_bot, good_bot]
    assert len(log.turns) == 5
    first, second = (turn.players[1] for turn in log.turns[:2])
    assert first.initial_input == ["you 1", "seed 11"]
    assert first.input == ["0 0"]
    assert second.initial_input is None
    assert second.input == ["1 1"]
    assert second.output == ["2", "word"]
    assert second.lines_expected == 2
    assert second.fault is None
    assert 0.0 < second.wall_ms < 400.0
    assert second.cpu_ms > 0.0
    assert log.turns[1].state == {"turn": 2, "sums": [3, 3]}
    assert log.outcome == LoggedOutcome(
        ranks=[0, 0], scores=[15.0, 15.0], reason="5 turns are over", spoiled=False
    )


def test_node_counts_are_kept_apart_from_stderr(play, good_bot):
    """The line nodes=N becomes a number of its turn; the rest of stderr stays text."""
    turns = play(good_bot, good_bot).turns
    assert [turn.players[0].nodes for turn in turns] == [100, 101, 102, 103, 104]
    assert [turn.players[0].stderr for turn in turns] == [f"debug {n}\n" for n in range(5)]


def test_stderr_is_cut_and_its_node_count_survives(play, write_bot, good_bot):
    """A turn keeps 4,096 characters of stderr, of any length, and the number of those left out."""
    code = "for line in turns():\n    os.write(2, ('é' * 5000 + '\\nnodes=9\\n').encode())"
    code += "; say('1', 'x')"
    record = play(write_bot(code), good_bot).turns[0].players[0]
    assert record.stderr == "é" * 4096 + "\n[905 characters more]"
    assert record.nodes == 9


def test_a_bot_has_its_three_pipes_and_nothing_else(play, write_bot, good_bot):
    """No descriptor of the referee, of its supervisor or of another bot is inherited."""
    # The list's own descriptor is the fourth.
    bot = write_bot(
        "n = len(os.listdir('/proc/self/fd'))\nfor line in turns():\n    say(str(n), 'x')"
    )
    assert play(good_bot, bot).outcome.scores == [15.0, 5 * 4.0]


def test_environment_and_folder(play, write_bot, good_bot, monkeypatch):
    """A bot's folder is its own and empty, and the referee's environment is hidden."""
    monkeypatch.setenv("SECRET", "1")
    checks = "len(os.listdir('.')) + ('SECRET' in os.environ)"
    code = f"for line in turns():\n    say(str({checks}), 'x')\n    open('left', 'w').close()"
    log = play(write_bot(code), good_bot)
    assert log.outcome.scores[0] == 4.0  # 0 at first, then 1 for its own file


def test_large_input_and_output(toy, play, write_bot, good_bot, monkeypatch):
    """An input larger than a pipe's capacity arrives complete."""
    monkeypatch.setattr(toy.new_match, "turn_input", lambda match, player: ["y" * 300_000])
    bot = write_bot("for line in turns():\n    say(str(len(line)), 'x')")
    assert play(bot, bot).outcome.scores == [5 * 300_001.0] * 2


STARTS_SLOWLY = """\
end = time.perf_counter() + 1.0
while time.perf_counter() < end: pass
for line in turns():
    say("1", "x")
"""


# Less than it takes to start
BRIEF = TurnLimits(Profile.OWN, first_ms=500, turn_ms=500)


def test_warm_up_is_not_timed(play, write_bot, good_bot):
    """A bot may compute for longer than the first limit before it reads."""
    log = play(write_bot(STARTS_SLOWLY), good_bot, limits=BRIEF)
    assert log.outcome.scores == [5.0, 15.0]


def test_without_warm_up_the_start_is_timed(play, write_bot, good_bot):
    """As on the site, the first answer's limit includes the start of the process."""
    slow = write_bot(STARTS_SLOWLY.replace("1.0", "60.0"))
    reason = play(slow, good_bot, limits=BRIEF, warmup_s=0.0).outcome.reason
    assert reason.startswith("player 0, turn 0: no complete answer within the limit of 500 ms")


def test_a_warm_up_too_short_is_named(play, write_bot, good_bot):
    """The verdict says that the bot was still starting."""
    slow = write_bot(STARTS_SLOWLY.replace("1.0", "60.0"))
    reason = play(slow, good_bot, limits=BRIEF, warmup_s=0.2).outcome.reason
    assert "still starting after 0.2 s" in reason


def test_warm_up_waits_for_children(write_bot):
    """A bot with a computing child is not ready; one that sleeps in a read is."""
    child = write_bot("if os.fork(): os.wait()\nelse:\n    while True: pass", "child")
    with BotProcess(child.split(), {}) as busy:
        assert wait_until_ready([busy], 0.4) == [False]
    with BotProcess(write_bot("input()").split(), {}) as reading:
        assert wait_until_ready([reading], 5.0) == [True]


def test_limits_off(play, write_bot, good_bot):
    """Without limits a bot may take longer than the site's."""
    code = "for turn, line in enumerate(turns()):\n    time.sleep(0.5 * (turn == 1)); say('1', 'x')"
    assert play(write_bot(code), good_bot, profile=Profile.OFF).outcome.scores == [5.0, 15.0]


def test_interrupted_referee_ends_its_bots(write_bot, tmp_path, processes_naming, toy):
    """An interrupted match leaves a readable log and no process, and exits with 130."""
    bot, log = write_bot("for line in turns():\n    time.sleep(60)"), tmp_path / "log"
    command = [sys.executable, "-m", "referee", "match", toy.name, bot, bot, "--limits", "off"]
    with subprocess.Popen([*command, "--log", log], cwd=PROJECT, stderr=subprocess.PIPE) as running:
        # The header is written once both bots run.
        while running.poll() is None and not log.exists():
            time.sleep(0.02)
        time.sleep(0.3)
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=20) == 130
        assert running.stderr.read() == b""
    assert processes_naming(tmp_path) == []


def test_killed_referee_leaves_nothing(write_bot, tmp_path, processes_naming, toy):
    """After SIGKILL no bot that spins without reading is left, nor its folder."""
    bot, folders = write_bot("input()\nwhile True: pass"), tmp_path / "folders"
    folders.mkdir()
    command = [sys.executable, "-m", "referee", "match", toy.name, bot, bot, "--limits", "off"]
    command += ["--warmup", "30"]
    environment = {**os.environ, "TMPDIR": str(folders)}

    with subprocess.Popen(command, cwd=PROJECT, env=environment) as running:
        # The referee and the bots.
        wait_for(lambda: len(processes_naming(bot.split()[-1])) == 3)
        running.kill()
    wait_for(lambda: processes_naming(tmp_path) == [] and list(folders.iterdir()) == [])


READS_LATE = """\
import subprocess, sys, threading, time
time.sleep(0.2)
{}
"""


@pytest.mark.parametrize(
    "reads",
    [
        "threading.Thread(target=sys.stdin.readline).start()",
        "subprocess.run([sys.executable, '-c', 'input()'])",
    ],
)
def test_a_start_ends_when_any_thread_reads(reads):
    """The thread that reads may begin after the first look at the bot's threads."""
    command = [sys.executable, "-S", "-c", READS_LATE.format(reads)]
    with BotProcess(command, {}) as process:
        (took_s,) = wait_until_reading([process], 20.0)
        assert 0.1 < took_s < 20.0  # counted from a little after the bot's start
        assert InputWatch(process).look()
