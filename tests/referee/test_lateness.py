"""The stopwatch of an answer, with a bot and a clock that tell given times."""

import pytest

from referee.log.limits import HANG_MS, Clock
from referee.play.lateness import (
    BUSY_FACTOR,
    GAP_S,
    IDLE_MS,
    LOOK_S,
    MEMORY_LOOK_S,
    MOMENT_S,
    PATIENCE_MS,
    START_GAP_S,
    AnswerLimits,
    OwnDelay,
    Stopwatch,
)


class Bot:
    """A bot whose times are set by the test; queue_ms: None if the kernel does not say."""

    def __init__(self, cpu_ms=0.0, queue_ms=0.0, withheld_ms=0.0, n_ready=0):
        self.cpu_ms, self.queue_ms = cpu_ms, queue_ms
        self.withheld, self.ready = withheld_ms, n_ready
        self.is_too_large = self.waits = False

    def measure(self):
        """The times since the last call."""
        cpu_ms, self.cpu_ms = self.cpu_ms, 0.0
        return cpu_ms, self.queue_ms

    def withheld_ms(self, wall_ms, cores):
        return self.withheld / cores

    def n_ready(self):
        return self.ready

    def is_ready(self):
        return self.waits

    def has_too_much_memory(self):
        return self.is_too_large


class Delay:
    """A referee that was late by some milliseconds."""

    def __init__(self, ms=0.0):
        self.late_ms = ms

    def ms(self, arrived):
        return self.late_ms


def stopwatch(bot=None, delay=None, now=10.0, **limits):
    return Stopwatch(bot or Bot(), AnswerLimits(**limits), delay or Delay(), now)


@pytest.mark.parametrize(
    ("limits", "wall_ms", "cpu_ms"),
    [
        ({"limit_ms": 100, "grace_ms": 50}, 150, float("inf")),
        ({"limit_ms": 100, "grace_ms": 50, "clock": Clock.CPU}, HANG_MS, 150),
        ({"limit_ms": 20_000, "clock": Clock.CPU}, 20_000 * BUSY_FACTOR, 20_000),
        ({"limit_ms": 100, "bank_ms": 30}, 100, 30),
        ({"limit_ms": 100, "bank_ms": 30, "clock": Clock.CPU}, HANG_MS, 30),
        ({"limit_ms": 100, "bank_ms": 300, "clock": Clock.CPU}, HANG_MS, 100),
    ],
)
def test_limits_of_wall_and_cpu_time(limits, wall_ms, cpu_ms):
    """By the CPU clock the limit is of CPU time, and a bank always is; the lower one holds."""
    watch = stopwatch(**limits)
    assert (watch.wall_limit_ms, watch.cpu_limit_ms) == (wall_ms, cpu_ms)
    assert watch.limit == watch.deadline == pytest.approx(10.0 + wall_ms / 1000)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"limit_ms": 100}, "the limit of 100 ms"),
        ({"limit_ms": 100, "clock": Clock.CPU}, "the limit of 100 ms of CPU"),
        ({"limit_ms": 100, "grace_ms": 50}, "the limit of 100 ms and 50 ms more"),
    ],
)
def test_a_limit_in_words(given, text):
    assert AnswerLimits(**given).text == text


def test_the_start_of_the_clock():
    """It is the writing of the input, or a given time; a bot that has loaded has used that time."""
    assert AnswerLimits(limit_ms=100).start(10.0) == 10.0
    assert AnswerLimits(limit_ms=100, loaded_s=0.25).start(10.0) == 9.75
    assert AnswerLimits(limit_ms=100, started=9.0, loaded_s=0.25).start(10.0) == 9.0


@pytest.mark.parametrize(("cpu_ms", "late"), [(0, None), (100, None), (101, "bot"), (199, "bot")])
def test_past_the_limit_of_cpu_time_a_bot_is_late(cpu_ms, late):
    """Exactly the limit is in time; no wall time matters, unless the bot hangs."""
    watch = stopwatch(Bot(cpu_ms), limit_ms=100, grace_ms=100, clock=Clock.CPU)
    watch.measure()
    assert watch.judge(HANG_MS, is_complete=True) == late
    assert watch.judge(HANG_MS + 1, is_complete=True) == "bot"


def test_a_hang_by_the_cpu_clock_is_excused_by_the_referees_delay():
    """An answer that was there before it was read hung for less."""
    watch = stopwatch(delay=Delay(2.0), limit_ms=100, clock=Clock.CPU)
    assert watch.judge(HANG_MS + 1, is_complete=True) is None
    assert watch.judge(HANG_MS + 1, is_complete=False) == "bot"
    assert watch.judge(HANG_MS + 3, is_complete=True) == "bot"


@pytest.mark.parametrize(
    ("withheld_ms", "delay_ms", "gap_s", "wall_ms", "is_complete", "late"),
    [
        (0, 0, 0, 130, True, "bot"),
        (31, 0, 0, 130, True, "machine"),
        (29, 0, 0, 130, True, "bot"),
        (30, 0, 0, 130, True, "bot"),
        (0, 31, 0, 130, True, "machine"),
        (0, 31, 0, 130, False, "machine"),  # within the grace, which is for complete answers
        (0, 31, 0, 160, False, "bot"),
        (11, 0, 0, 160, False, "machine"),
        (0, 0, 0.031, 130, True, "machine"),
        (10, 11, 0.010, 130, True, "machine"),
        (10, 11, 0.008, 130, True, "bot"),
    ],
)
def test_an_answer_that_would_have_been_in_time(
    withheld_ms, delay_ms, gap_s, wall_ms, is_complete, late
):
    """Time withheld from the bot, the referee's delay and gaps count together; the referee's delay
    only if the answer came. Late is a complete answer past 100 ms, a missing one past 150 ms.
    """
    bot = Bot(withheld_ms=withheld_ms)
    watch = stopwatch(bot, Delay(delay_ms), limit_ms=100, grace_ms=50)
    watch.measure()
    watch.add_gap(gap_s, 10.1)
    assert watch.judge(wall_ms, is_complete) == late


def test_where_the_kernel_tells_no_waiting_the_bot_is_late():
    watch = stopwatch(Bot(queue_ms=None, withheld_ms=1000), limit_ms=100)
    watch.measure()
    assert watch.queue_ms is None
    assert watch.judge(130, is_complete=True) == "bot"


def test_only_a_bot_without_an_answer_is_excused_by_its_queue():
    watch = stopwatch(limit_ms=100)
    watch.is_queued = True
    assert watch.judge(5000, is_complete=False) == "machine"
    assert watch.judge(5000, is_complete=True) == "bot"


def test_times_are_added_up():
    bot = Bot()
    watch = stopwatch(bot, limit_ms=100)
    for cpu_ms, queue_ms in [(5.0, 2.0), (7.0, None), (1.0, 3.0)]:
        bot.cpu_ms, bot.queue_ms = cpu_ms, queue_ms
        watch.measure()
    assert (watch.cpu_ms, watch.queue_ms) == (13.0, 5.0)


@pytest.mark.parametrize(
    ("gap_s", "deadline", "limit_after", "deadline_after"),
    [
        (0.03, None, 10.13, 10.13),
        # One that has begun an hour before the question gives no hour for the answer.
        (3600.0, None, 10.15, 10.15),
        # The time withheld before it still counts.
        (0.03, 10.4, 10.13, 10.4),
    ],
)
def test_a_gap_moves_the_limit_by_no_more_than_its_length(
    gap_s, deadline, limit_after, deadline_after
):
    watch = stopwatch(limit_ms=100)
    watch.deadline = deadline or watch.deadline
    watch.add_gap(gap_s, 10.05)
    assert (watch.limit, watch.deadline) == pytest.approx((limit_after, deadline_after))
    assert watch.gaps_ms == pytest.approx(1000 * gap_s)


@pytest.mark.parametrize(
    ("before_s", "gap_ms"), [(START_GAP_S - 0.01, 0), (START_GAP_S + 0.01, 210)]
)
def test_a_long_wait_for_the_start_of_all_bots_is_a_gap(before_s, gap_ms):
    """Only where the clock runs from the bot's start."""
    watch = stopwatch(limit_ms=100, started=10.0 - before_s)
    assert watch.gaps_ms == pytest.approx(gap_ms)
    assert stopwatch(limit_ms=100, loaded_s=5.0).gaps_ms == 0


def test_the_next_check():
    """It is of the time, of CPU time where all cores may compute, or of memory."""
    assert stopwatch(limit_ms=20).next_check() == pytest.approx(10.02)
    assert stopwatch(limit_ms=900).next_check() == pytest.approx(10.0 + MEMORY_LOOK_S)
    watch = stopwatch(limit_ms=900, bank_ms=40, cores=2)
    assert watch.next_check() == pytest.approx(10.02)


def test_cpu_time_is_measured_when_it_can_be_used_up():
    """On two cores after half of the limit; then again when the rest, and a millisecond, can be."""
    bot = Bot(cpu_ms=10.0)
    watch = stopwatch(bot, limit_ms=100, clock=Clock.CPU, cores=2)
    assert not watch.is_used_up(10.049) and watch.cpu_ms == 0
    assert not watch.is_used_up(10.05) and watch.cpu_ms == 10
    assert watch.cpu_check == pytest.approx(10.05 + 0.091 / 2)
    bot.cpu_ms = 90.0
    assert not watch.is_used_up(10.1) and watch.cpu_ms == 100
    bot.cpu_ms = 0.5
    assert watch.is_used_up(10.11)


def test_memory_is_looked_at_now_and_then():
    bot = Bot(cpu_ms=5.0)
    watch = stopwatch(bot, limit_ms=900)
    assert not watch.has_too_much_memory(10.0 + MEMORY_LOOK_S - 0.001) and watch.cpu_ms == 0
    assert not watch.has_too_much_memory(10.0 + MEMORY_LOOK_S + 0.001) and watch.cpu_ms == 5
    assert watch.memory_check == pytest.approx(10.001 + 2 * MEMORY_LOOK_S)
    bot.is_too_large = True
    assert watch.has_too_much_memory(10.06)


@pytest.mark.parametrize(
    ("limits", "idle_s"),
    [
        ({"limit_ms": 100, "clock": Clock.CPU}, IDLE_MS / 1000),
        ({"limit_ms": 5000, "clock": Clock.CPU}, 5.0),
        ({"limit_ms": HANG_MS, "bank_ms": 900}, IDLE_MS / 1000),
        ({"limit_ms": HANG_MS, "clock": Clock.CPU}, None),  # without limits
        ({"limit_ms": 100}, None),
    ],
)
def test_a_bot_that_asks_for_no_core_for_some_seconds_hangs(limits, idle_s):
    """Where CPU time is limited. Work, a wait for a core, and a gap begin that time anew."""
    for event in (None, "cpu_ms", "queue_ms", "waits", "gap"):
        bot = Bot()
        watch, end = stopwatch(bot, **limits), 10.0 + (idle_s or 20.0)
        for now in (10.05, end - 0.05, end - 0.01):
            if now > 11 and event == "gap":
                watch.add_gap(30.0, now)
            elif now > 11 and event:
                setattr(bot, event, 20.0)
            assert not watch.has_too_much_memory(now) and not watch.is_asleep(now)
            bot.queue_ms = 0.0
        assert watch.is_asleep(end + 0.01) == (event is None and idle_s is not None)


def test_the_referee_waits_for_as_long_as_others_kept_the_bot_from_a_cpu():
    """But no longer than its patience."""
    watch = stopwatch(Bot(withheld_ms=30.0), limit_ms=100)
    assert not watch.is_over(10.09)
    assert watch.deadline == watch.limit
    assert not watch.is_over(10.11)
    assert watch.deadline == pytest.approx(10.13) and watch.is_queued is None
    assert watch.is_over(10.131) and watch.is_queued is False
    patient = stopwatch(Bot(withheld_ms=60_000.0), limit_ms=100)
    assert not patient.is_over(10.11)
    assert patient.deadline == pytest.approx(10.1 + PATIENCE_MS / 1000)


def test_a_bot_that_waits_at_its_limit_is_looked_at_until_it_runs():
    """Two of its threads are ready, and have had one of two cores since the last look."""
    bot = Bot(n_ready=2)
    watch = stopwatch(bot, limit_ms=100, cores=2)
    assert not watch.is_over(10.11)
    assert (watch.is_queued, watch.deadline) == (True, pytest.approx(10.11 + LOOK_S))
    bot.cpu_ms = 10.0
    assert not watch.is_over(10.12) and watch.is_queued
    bot.cpu_ms = 16.0
    assert watch.is_over(10.13) and watch.is_queued is False


def test_more_ready_threads_than_cores_are_no_wait():
    bot = Bot(n_ready=8)
    watch = stopwatch(bot, limit_ms=100, cores=1)
    assert not watch.is_over(10.11)
    bot.cpu_ms = 10.0
    assert watch.is_over(10.12) and watch.is_queued is False


def test_patience_with_a_waiting_bot_ends():
    watch = stopwatch(Bot(n_ready=1), limit_ms=100)
    assert not watch.is_over(10.1 + PATIENCE_MS / 1000 - 0.01)
    assert watch.is_over(10.1 + PATIENCE_MS / 1000 + 0.01) and watch.is_queued


@pytest.fixture
def delay(monkeypatch):
    """An OwnDelay whose wait for a CPU is `delay.ns`."""
    made = OwnDelay()
    made.close()
    made.ns = 0
    monkeypatch.setattr(made, "_read", lambda: made.ns)
    return made


def test_a_late_look_is_a_gap_unless_the_referee_waited_for_a_cpu(delay):
    delay.start(0.0)
    delay.note_gap(0.5)
    assert delay.gap_s == 0.5
    delay.ns = 495 * 10**6
    delay.note_gap(0.5)
    assert delay.gap_s == 0.0
    delay.note_gap(0.495 + GAP_S + 0.001)
    assert delay.gap_s == pytest.approx(GAP_S + 0.001)


def test_a_wait_is_counted_from_a_moment_ago_at_most(delay):
    delay.start(1.0)
    delay.ns = 10**6
    delay.start(1.0 + MOMENT_S - 0.001)
    assert delay.waited_ms() == 1.0
    delay.start(1.0 + MOMENT_S + 0.001)
    assert delay.waited_ms() == 0.0


def test_wait_and_gap_delay_an_answer_together_since_the_last_look(delay):
    delay.start(0.0)
    assert delay.ms(1.0) == 0.0
    delay.ns, delay.gap_s, delay.looked = 2 * 10**6, 0.03, 1.0
    assert delay.ms(1.5) == 32.0
    assert delay.ms(1.01) == pytest.approx(10.0)
    assert delay.ms(0.5) == 0.0


def test_the_kernel_counts_the_referees_own_wait():
    """The number of nanoseconds never falls."""
    delay = OwnDelay()
    if delay.descriptor is None:
        pytest.skip("this kernel counts no waiting of threads")
    assert 0 <= delay._read() <= delay._read()
    delay.start(0.0)
    assert delay.start_ns > 0 and 0.0 <= delay.waited_ms() < 60_000
    delay.close()
