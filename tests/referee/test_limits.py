"""Profiles of time, and who is to blame for a late answer."""

import pytest

from referee.errors import UsageError
from referee.log.limits import Clock, Profile, TurnLimits
from referee.play.lateness import OwnQueue
from referee.process.bot_process import BotProcess
from shared.core.clock import Limits

SITE = Limits(first_ms=1000, turn_ms=100)
LATE = (
    "for turn, line in enumerate(turns()):\n    time.sleep(0.41 * (turn in {turns})); say('1', 'x')"
)


def test_profiles():
    """What each profile makes of a site's limits."""
    assert TurnLimits.of(Profile.OFFICIAL, SITE) == TurnLimits(Profile.OFFICIAL, 1000, 100)
    soft3 = TurnLimits(Profile.SOFT3, 1000, 100, grace_ms=50, late_turns=3)
    assert TurnLimits.of(Profile.SOFT3, SITE) == soft3
    with pytest.raises(UsageError, match="no bank of time"):
        TurnLimits.of(Profile.BANK, SITE)
    bank = TurnLimits.of(Profile.BANK, Limits(1000, 100, bank_ms=180_000))
    assert bank == TurnLimits(Profile.BANK, 60_000, 60_000, bank_ms=180_000)


def test_soft3_bears_two_late_answers(play, write_bot, good_bot):
    """Two answers within the grace count, with a warning that counts them."""
    log = play(write_bot(LATE.format(turns=[1, 3])), good_bot, profile=Profile.SOFT3)
    assert log.outcome.reason == "5 turns are over"
    records = [turn.players[0] for turn in log.turns]
    assert [record.late is not None for record in records] == [False, True, False, True, False]
    [warning] = records[3].warnings
    assert warning.endswith(" ms, late answer 2 of 3")


def test_soft3_the_third_late_answer_loses(play, write_bot, good_bot):
    """Though each came within the grace."""
    log = play(write_bot(LATE.format(turns=[1, 2, 4])), good_bot, profile=Profile.SOFT3)
    assert log.outcome.reason.startswith("player 0, turn 4: answered after ")
    assert "late answer 3 of 3" in log.outcome.reason


def test_soft3_has_an_end(play, write_bot, good_bot):
    """An answer that is not there at the end of the grace loses at once."""
    slow = write_bot("for line in turns():\n    time.sleep(0.8); say('1', 'x')")
    reason = play(slow, good_bot, profile=Profile.SOFT3).outcome.reason
    assert "turn 1: no complete answer within the limit of 400 ms and 50 ms more" in reason


SPIN = "end = time.process_time() + {seconds}\n    while time.process_time() < end: pass\n"


@pytest.mark.parametrize(("seconds", "turn"), [(0.12, 2), (60, 0)], ids=["in sum", "at once"])
def test_bank_is_of_cpu_time(seconds, turn, play, write_bot, good_bot):
    """The contest's 300 ms of CPU are for all turns together; who uses them up is out, in
    the midst of a turn.
    """
    bot = write_bot(f"for line in turns():\n    {SPIN.format(seconds=seconds)}    say('1', 'x')")
    reason = play(bot, good_bot, profile=Profile.BANK).outcome.reason
    assert reason.startswith(f"player 0, turn {turn}: used ")
    assert "of CPU, its bank held " in reason


def test_bank_does_not_count_waiting(play, write_bot, good_bot):
    """A bot that sleeps uses nothing of it."""
    bot = write_bot("for line in turns():\n    time.sleep(0.1); say('1', 'x')")
    log = play(bot, good_bot, profile=Profile.BANK)
    assert log.outcome.reason == "5 turns are over"


@pytest.mark.parametrize(("withheld_ms", "who"), [(0.0, "bot"), (5000.0, "machine"), (None, "bot")])
def test_who_made_it_late(withheld_ms, who, play, write_bot, good_bot, monkeypatch):
    """The machine, if without what others withheld the answer were in time; the match then is
    spoiled. Where the kernel says nothing of waiting, the bot.
    """
    monkeypatch.setattr(BotProcess, "measure", lambda process: (1.0, withheld_ms))
    monkeypatch.setattr(BotProcess, "withheld_ms", lambda process, wall_ms, cores: withheld_ms)
    monkeypatch.setattr(BotProcess, "n_ready", lambda process: 0)  # it sleeps
    log = play(write_bot(LATE.format(turns=[1]).replace("0.41", "0.6")), good_bot)
    record = log.turns[-1].players[0]
    assert record.late == who
    assert (record.queue_ms is None) == (withheld_ms is None)
    assert log.outcome.spoiled == (who == "machine")
    assert ("(the machine's fault" in log.outcome.reason) == (who == "machine")


@pytest.mark.parametrize(("cpu_ms", "who"), [(0.0, "machine"), (1e6, "bot")])
def test_a_wait_that_is_not_over_counts(cpu_ms, who, play, write_bot, good_bot, monkeypatch):
    """The kernel adds a wait for a CPU to its sum when it ends: a bot that is ready to run at its
    limit, and uses none from look to look, is late by the machine.
    """
    monkeypatch.setattr(BotProcess, "measure", lambda process: (cpu_ms, 0.0))
    monkeypatch.setattr(BotProcess, "withheld_ms", lambda process, wall_ms, cores: 0.0)
    monkeypatch.setattr(BotProcess, "n_ready", lambda process: 1)
    log = play(write_bot(LATE.format(turns=[1]).replace("0.41", "1.5")), good_bot)
    assert log.turns[-1].players[0].late == who
    assert log.outcome.spoiled == (who == "machine")


def test_the_referee_forgets_its_own_waits_of_long_ago(monkeypatch):
    """Within a limit of a minute they add up to more than its patience, and none of them
    made an answer late.
    """
    queue, waited_ns = OwnQueue(), iter([10**6, 3 * 10**6, 900 * 10**6, 902 * 10**6])
    monkeypatch.setattr(queue, "_read", lambda: next(waited_ns))
    queue.start(0.0)
    queue.forget(0.4)
    assert queue.ms() == 2.0
    queue.forget(0.6)
    assert queue.ms() == 2.0
    monkeypatch.undo()
    queue.close()


def test_what_is_no_matter_of_time_spoils_nothing(play, write_bot, good_bot, monkeypatch):
    """A bot that dies on a busy machine has lost."""
    monkeypatch.setattr(BotProcess, "measure", lambda process: (0.0, 5000.0))
    log = play(write_bot("for line in turns():\n    sys.exit(1)"), good_bot)
    assert not log.outcome.spoiled and log.outcome.ranks == [1, 0]


MARGIN = """\
for line in turns():
    end = time.perf_counter() + {seconds}
    while time.perf_counter() < end: time.sleep(0.01)
    say("1", "x")
"""


def test_hiccups_pass_where_there_is_a_margin(play, write_bot):
    """A bot that answers 200 ms before its limit bears to be stopped for 100."""
    bot = write_bot(MARGIN.format(seconds=0.2))
    log = play(bot, bot, hiccup_ms=100.0)
    assert log.outcome.reason == "5 turns are over"
    assert log.header.conditions.hiccup_ms == 100.0


def test_hiccups_find_a_missing_margin(play, write_bot, good_bot):
    """A bot without margin is late by them, and that is not the machine's fault."""
    work = "for line in turns():\n    for _ in range(30): time.sleep(0.01)\n    say('1', 'x')"
    stopped = play(write_bot(work), good_bot, hiccup_ms=250.0)
    assert stopped.outcome.reason.startswith("player 0, turn ")
    assert "limit of " in stopped.outcome.reason and not stopped.outcome.spoiled


SPIN_ONCE = """\
for turn, line in enumerate(turns()):
    end = time.process_time() + ({seconds} if turn == 1 else 0.0)
    while time.process_time() < end: pass
    time.sleep({sleep})
    say("1", "x")
"""


def test_the_cpu_clock_counts_what_a_bot_computes(play, write_bot, good_bot):
    """Not what it waits, as on a busy machine; the log says which clock it was."""
    waits = write_bot(SPIN_ONCE.format(seconds=0.1, sleep=0.45), "waits")
    log = play(waits, good_bot, clock=Clock.CPU)
    assert log.outcome.reason == "5 turns are over"
    assert log.header.conditions.clock is Clock.CPU
    assert log.turns[1].players[0].wall_ms > 400.0 and log.turns[1].players[0].late is None


@pytest.mark.parametrize("seconds", [0.6, 60], ids=["a little", "for ever"])
def test_who_computes_too_long_is_late_by_the_cpu_clock(seconds, play, write_bot, good_bot):
    """In the midst of a turn, and with a verdict that says so."""
    log = play(write_bot(SPIN_ONCE.format(seconds=seconds, sleep=0)), good_bot, clock=Clock.CPU)
    reason = log.outcome.reason
    assert reason.startswith("player 0, turn 1: used ")
    assert "ms of CPU, past the limit of 400 ms of CPU: 0 of 2 lines" in reason
    assert log.turns[1].players[0].late == "bot" and not log.outcome.spoiled
    assert log.turns[1].players[0].cpu_ms < 1000.0


def test_the_cpu_clock_has_a_grace_too(play, write_bot, good_bot):
    """A little more than the limit is a late answer under soft3, not a fault."""
    bot = write_bot(SPIN_ONCE.format(seconds=0.42, sleep=0))
    log = play(bot, good_bot, profile=Profile.SOFT3, clock=Clock.CPU)
    assert log.outcome.reason == "5 turns are over"
    part = log.turns[1].players[0]
    assert part.late == "bot" and part.warnings[0].endswith(" ms of CPU, late answer 1 of 3")


def test_a_bot_is_told_the_clock_and_its_thinking_time(play, write_bot):
    """In its environment, each its own, and so in the log."""
    code = "said = [os.environ.get(name, '-') for name in ('CG_CLOCK', 'CG_MS', 'CG_NODES')]\n"
    bot = write_bot(code + "for line in turns():\n    say('1', ' '.join(said))")
    terms = {"clock": Clock.CPU, "think_ms": (40, None), "nodes": (None, 77)}
    log = play(bot, bot, **terms)
    said = [log.turns[0].players[player].output[1] for player in (0, 1)]
    assert said == ["cpu 40 -", "cpu - 77"]
    conditions = log.header.conditions
    assert (conditions.think_ms, conditions.nodes) == ((40, None), (None, 77))


def test_limits_by_seat(play, write_bot, toy):
    """Who has less time is late where the other is not."""
    bot = write_bot("for line in turns():\n    time.sleep(0.2); say('1', 'x')")
    short, long = (TurnLimits.read(text, toy.limits) for text in ("100,5000", "official"))
    log = play(bot, bot, limits=(long, short))
    assert log.outcome.reason.startswith(
        "player 1, turn 1: no complete answer within the limit of 100 ms"
    )
    assert log.outcome.ranks == [0, 1] and log.header.conditions.limits == (long, short)


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("official", TurnLimits(Profile.OFFICIAL, 1000, 100)),
        ("50", TurnLimits(Profile.OWN, 1000, 50)),
        ("5000", TurnLimits(Profile.OWN, 5000, 5000)),
        ("50,2000", TurnLimits(Profile.OWN, 2000, 50)),
    ],
)
def test_limits_of_ones_own(text, limits):
    """A number is for each answer; the first one has the site's time unless another is given."""
    assert TurnLimits.read(text, SITE) == limits


@pytest.mark.parametrize("text", ["fast", "own", "0", "50,0", "50,", "-5", "1e3", ""])
def test_what_is_no_limit(text):
    """It is refused with what is one."""
    with pytest.raises(UsageError, match="is no limit: official, soft3, bank or off is expected"):
        TurnLimits.read(text, SITE)
