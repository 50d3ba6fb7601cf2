"""Time limit profiles, and the attribution of late answers."""

import os
import signal
import subprocess
import sys
import time

import pytest

from referee.errors import UsageError
from referee.log.file import read_log
from referee.log.limits import Clock, Profile, TurnLimits
from referee.process.bot_process import BotProcess
from referee.process.warmup import wait_until_ready
from referee.project import PROJECT
from shared.core.clock import Limits
from tests.referee.conftest import TOY
from tests.support.waiting import wait_for

SITE = Limits(first_ms=1000, turn_ms=100)
LATE = (
    "for turn, line in enumerate(turns()):\n    time.sleep(0.41 * (turn in {turns})); say('1', 'x')"
)
# Wide enough for a bot that answers at once on a busy machine.
WIDE = TurnLimits(Profile.OWN, first_ms=10_000, turn_ms=1000)
# Twice as late as its limit is not too late here.
PATIENT = TurnLimits(Profile.SOFT3, 10_000, 500, grace_ms=5000, late_turns=3)


def test_profiles():
    """The limits of each profile for a site's limits."""
    assert TurnLimits.of(Profile.SITE, SITE) == TurnLimits(Profile.SITE, 1000, 100)
    soft3 = TurnLimits(Profile.SOFT3, 1000, 100, grace_ms=50, late_turns=3)
    assert TurnLimits.of(Profile.SOFT3, SITE) == soft3
    with pytest.raises(UsageError, match="no bank of time"):
        TurnLimits.of(Profile.BANK, SITE)
    bank = TurnLimits.of(Profile.BANK, Limits(1000, 100, bank_ms=180_000))
    assert bank == TurnLimits(Profile.BANK, 60_000, 60_000, bank_ms=180_000)


def test_soft3_the_third_late_answer_loses(play, write_bot, good_bot):
    """Two answers within the grace period count, with a warning that counts them; the third loses,
    although it came within the period, too.
    """
    late = LATE.format(turns=[1, 2, 4]).replace("0.41", "0.55")
    log = play(write_bot(late), good_bot, limits=PATIENT)
    records = [turn.players[0] for turn in log.turns]
    assert [record.late is not None for record in records] == [False, True, True, False, True]
    [warning] = records[2].warnings
    assert warning.endswith(" ms, late answer 2 of 3")
    assert log.outcome.reason.startswith("player 0, turn 4: answered after ")
    assert "late answer 3 of 3" in log.outcome.reason


SPIN = "end = time.process_time() + {seconds}\n    while time.process_time() < end: pass\n"


def test_bank_is_of_cpu_time(play, write_bot, good_bot):
    """The contest's 300 ms of CPU time are for all turns together, waiting aside; a bot that
    exhausts them is eliminated within the turn.
    """
    spin = SPIN.format(seconds=0.12)
    bot = write_bot(f"for line in turns():\n    time.sleep(0.1)\n    {spin}    say('1', 'x')")
    reason = play(bot, good_bot, profile=Profile.BANK).outcome.reason
    assert reason.startswith("player 0, turn 2: used ")
    assert "of CPU, its bank held " in reason


@pytest.mark.parametrize(("withheld_ms", "who"), [(5000.0, "machine"), (None, "bot")])
def test_lateness_is_attributed_to_bot_or_machine(
    withheld_ms, who, play, write_bot, good_bot, monkeypatch
):
    """The machine is responsible if the answer would have been in time without the time withheld by
    others; the match is then spoiled. If the kernel does not report waiting, the bot is
    responsible.
    """
    monkeypatch.setattr(BotProcess, "measure", lambda process: (1.0, withheld_ms))
    monkeypatch.setattr(BotProcess, "withheld_ms", lambda process, wall_ms, cores: withheld_ms)
    monkeypatch.setattr(BotProcess, "n_ready", lambda process: 0)  # it sleeps
    late = write_bot(LATE.format(turns=[1]).replace("0.41", "0.6"))
    # Bots that always use CPU time are never seen to be ready.
    log = play(late, good_bot, again=False, warmup_s=0.5)
    record = log.turns[-1].players[0]
    assert record.late == who
    assert (record.queue_ms is None) == (withheld_ms is None)
    assert log.outcome.spoiled == (who == "machine")
    assert ("(the machine's fault" in log.outcome.reason) == (who == "machine")


STARTS = """\
def note(*words):
    with open({file!r}, "a") as file: print(*words, file=file)
note("starts"); time.sleep(0.5); note("reads")
for line in turns():
    say("1", "x")
"""


def test_bots_that_share_a_core_start_one_after_the_other(play, write_bot, tmp_path, monkeypatch):
    """The clock of each one's first answer shows its own start alone: up to the last look at which
    it did not read yet, which is a sixteenth earlier, and more on a busy machine.
    """
    core = min(os.sched_getaffinity(0))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {core})
    file = tmp_path / "notes"
    bot = write_bot(STARTS.format(file=str(file)))
    log = play(bot, bot, limits=WIDE, warmup_s=0.0)
    assert log.outcome.reason == "5 turns are over"
    assert file.read_text().split()[:4] == ["starts", "reads"] * 2
    assert all(part.wall_ms >= 150.0 for part in log.turns[0].players.values())
    assert all(part.late is None for part in log.turns[0].players.values())


def test_a_bot_that_starts_longer_than_its_limit_is_late(play, write_bot, good_bot, monkeypatch):
    """It is late by its own fault, and the others start in the meantime."""
    core = min(os.sched_getaffinity(0))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {core})
    slow = write_bot("time.sleep(60)")
    log = play(slow, good_bot, warmup_s=0.0)
    assert log.outcome.reason.startswith(
        "player 0, turn 0: no complete answer within the limit of 1500 ms"
    )
    first = log.turns[0].players
    assert first[0].late == "bot" and first[1].late is None and not log.outcome.spoiled


def test_a_gap_in_the_warm_up(write_bot):
    """The time to start is given again."""
    with BotProcess(write_bot("time.sleep(1.6); input(); input()").split(), {}) as process:
        slept, sleep = [], time.sleep

        def stalling(seconds):
            sleep(1.4 if len(slept) == 2 else seconds)
            slept.append(seconds)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("referee.process.warmup.time.sleep", stalling)
            assert wait_until_ready([process], 1.5) == [True]
        assert len(slept) > 5


def test_a_fault_unrelated_to_time_spoils_nothing(play, write_bot, good_bot, monkeypatch):
    """A bot that dies on a busy machine has lost."""
    monkeypatch.setattr(BotProcess, "measure", lambda process: (0.0, 5000.0))
    log = play(write_bot("for line in turns():\n    sys.exit(1)"), good_bot)
    assert not log.outcome.spoiled and log.outcome.ranks == [1, 0]


SPIN_ONCE = """\
for turn, line in enumerate(turns()):
    end = time.process_time() + ({seconds} if turn == 1 else 0.0)
    while time.process_time() < end: pass
    time.sleep({sleep} if turn == 1 else 0.0)
    say("1", "x")
"""


def test_the_cpu_clock_counts_cpu_time_alone(play, write_bot, good_bot):
    """Waiting, as on a busy machine, is not counted; the log records the clock."""
    waits = write_bot(SPIN_ONCE.format(seconds=0.1, sleep=0.45), "waits")
    log = play(waits, good_bot, clock=Clock.CPU)
    assert log.outcome.reason == "5 turns are over"
    assert log.header.conditions.clock is Clock.CPU
    assert log.turns[1].players[0].wall_ms > 400.0 and log.turns[1].players[0].late is None


def test_a_bot_that_computes_too_long_is_late_by_the_cpu_clock(play, write_bot, good_bot):
    """The bot is stopped during the turn, with a verdict that says so."""
    log = play(write_bot(SPIN_ONCE.format(seconds=60, sleep=0)), good_bot, clock=Clock.CPU)
    reason = log.outcome.reason
    assert reason.startswith("player 0, turn 1: used ")
    assert "ms of CPU, past the limit of 400 ms of CPU: 0 of 2 lines" in reason
    assert log.turns[1].players[0].late == "bot" and not log.outcome.spoiled
    assert log.turns[1].players[0].cpu_ms < 1000.0


@pytest.mark.slow("waits for a bot that sleeps")
def test_a_bot_that_sleeps_is_late_by_the_cpu_clock(play, write_bot, good_bot):
    """After IDLE_MS, not HANG_MS: its answer stays in its buffer, and it waits for input."""
    code = "for line in turns():\n    sys.stdout.write('1\\nx\\n')"
    log = play(write_bot(code), good_bot, clock=Clock.CPU)
    reason, answer = log.outcome.reason, log.turns[0].players[0]
    assert reason.startswith("player 0, turn 0: slept for 3000 ms before its answer: ")
    assert "flush it after each answer" in reason
    assert answer.late == "bot" and 3000.0 <= answer.wall_ms < 30_000.0


def test_a_bot_is_told_the_clock_and_its_thinking_time(play, write_bot):
    """Each bot finds its own values in its environment, and the log records them."""
    code = "said = [os.environ.get(name, '-') for name in ('CG_CLOCK', 'CG_MS', 'CG_NODES')]\n"
    bot = write_bot(code + "for line in turns():\n    say('1', ' '.join(said))")
    terms = {"clock": Clock.CPU, "think_ms": (40, None), "nodes": (None, 77)}
    log = play(bot, bot, **terms)
    said = [log.turns[0].players[player].output[1] for player in (0, 1)]
    assert said == ["cpu 40 -", "cpu - 77"]
    conditions = log.header.conditions
    assert (conditions.think_ms, conditions.nodes) == ((40, None), (None, 77))


def test_limits_by_seat(play, write_bot, toy):
    """The player with less time is late while the other is not."""
    bot = write_bot("for line in turns():\n    time.sleep(0.2); say('1', 'x')")
    short, long = (TurnLimits.read(text, toy.limits) for text in ("100,5000", "3000,5000"))
    log = play(bot, bot, limits=(long, short))
    assert log.outcome.reason.startswith(
        "player 1, turn 1: no complete answer within the limit of 100 ms"
    )
    assert log.outcome.ranks == [0, 1] and log.header.conditions.limits == (long, short)


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("official", TurnLimits(Profile.SITE, 1000, 100)),
        ("50", TurnLimits(Profile.OWN, 1000, 50)),
        ("5000", TurnLimits(Profile.OWN, 5000, 5000)),
        ("50,2000", TurnLimits(Profile.OWN, 2000, 50)),
    ],
)
def test_limits_of_ones_own(text, limits):
    """One number is the limit of each answer; the first keeps the site's time unless given."""
    assert TurnLimits.read(text, SITE) == limits


@pytest.mark.parametrize("text", ["fast", "0", "50,", "1e3"])
def test_invalid_limits(text):
    """The error describes a valid limit."""
    with pytest.raises(UsageError, match="is no limit: official, soft3, bank or off is expected"):
        TurnLimits.read(text, SITE)


@pytest.mark.slow("waits")
def test_ctrl_z_and_fg(write_bot, good_bot, tmp_path):
    """The referee's group is stopped before a bot answers, and goes on past its limit: the bot gets
    the time again. The match is spoiled, and no bot has lost.
    """
    asked, stopped = tmp_path / "asked", tmp_path / "stopped"
    code = f"""\
for turn, line in enumerate(turns()):
    if turn == 1:
        open({str(asked)!r}, "w").close()
        while not os.path.exists({str(stopped)!r}): time.sleep(0.01)
        time.sleep(3.0)
    say("1", "x")
"""
    log = tmp_path / "match.jsonl"
    words = [sys.executable, "-m", "referee", "match", TOY, write_bot(code), good_bot]
    words += ["--log", log, "--limits", "2000,20000"]
    with subprocess.Popen(list(map(str, words)), cwd=PROJECT, process_group=0) as match:
        wait_for(asked.exists)
        os.killpg(match.pid, signal.SIGSTOP)
        stopped.touch()
        time.sleep(2.5)
        os.killpg(match.pid, signal.SIGCONT)
    played = read_log(log)
    assert played.turns[-1].turn == 1 and played.turns[1].players[0].output == ["1", "x"]
    assert played.outcome.spoiled, played.outcome.reason
