"""Lateness: a late answer is the bot's own fault or the machine's.

The machine is the cause if the answer would have been in time without two delays: other processes
kept the bot from a CPU (`referee/process/resource_usage.py`), or the referee was late in reading
the answer. To decide, the referee extends the wait for an answer by these delays, up to
PATIENCE_MS. The kernel adds a wait to its sum when the wait is over, so the stopwatch looks at a
bot that waits at its limit again until it runs.

Where CPU time is limited, a bot that sleeps without asking for a core is late as well, after
IDLE_MS or its limit if that is longer: else a bot that forgets to flush would take HANG_MS.

A referee that was stopped itself, or stood still with its whole machine, cannot distinguish a bot
that stood still from a bot that thought: such a gap counts for no bot, and a bot gets the time of
the gap again.
"""

import math
import os

from msgspec import Struct

from referee.log.limits import HANG_MS, Clock
from referee.log.records import Late
from referee.process.bot_process import BotProcess

PATIENCE_MS = 500.0
# A bot with a limit of CPU time may take so many times as long by wall clock on a busy machine.
BUSY_FACTOR = 20
# Seconds between two checks of a bot that waits for a CPU, and of the memory of a computing bot.
LOOK_S = 0.001
MEMORY_LOOK_S = 0.05
# A bot with a limit of CPU time hangs after this time in which it used no core, or less of it than
# this between two looks: runtimes such as Java's have threads that wake now and then.
IDLE_MS = 3000.0
IDLE_USE_MS = 2.5
# The shortest time between two readings of the referee's own waiting.
MOMENT_S = 0.005
# A look that comes later than planned by more than this, and not by waiting for a CPU, is a gap.
# Timers and a busy kernel make a millisecond or two.
GAP_S = 0.01
# A first answer that is timed from the bot's start waits for the start of all bots, some
# milliseconds each. More than this is a gap.
START_GAP_S = 0.2


# A struct: created in each turn, in half of a dataclass's time, and never part of a reference
# cycle.
class AnswerLimits(Struct, kw_only=True, frozen=True, gc=False):
    """The limits of one answer.

    limit_ms: the time for the answer, by the clock. Under a limit of CPU time, an answer may take
        HANG_MS of wall time, or BUSY_FACTOR times the limit if that is more.
    grace_ms: the time by which the answer may be later. bank_ms: the CPU time left to the bot, None
        for no limit.
    started: the start of the answer's clock (time.perf_counter), None for the moment when the input
        is written; the clock then begins at loaded_s, the seconds that the bot has taken to start.
    cores: the number of cores of the bot.
    """

    limit_ms: float
    grace_ms: float = 0.0
    bank_ms: float | None = None
    clock: Clock = Clock.WALL
    started: float | None = None
    loaded_s: float = 0.0
    cores: int = 1

    def start(self, now: float) -> float:
        """Returns the start of the answer's clock if the input is written at the time `now`."""
        return now - self.loaded_s if self.started is None else self.started

    @property
    def text(self) -> str:
        """The limit as worded in a verdict."""
        unit = " of CPU" if self.clock is Clock.CPU else ""
        grace = f" and {self.grace_ms:g} ms more" if self.grace_ms else ""
        return f"the limit of {self.limit_ms:g} ms{unit}{grace}"


UNLIMITED = AnswerLimits(limit_ms=math.inf)


class Stopwatch:
    """Measures the time of an answer.

    wall_limit_ms, cpu_limit_ms: the wall time and the CPU time allowed for the answer. limit: the
    end of the wall time. deadline: the time of the next check of a bot whose time is over.
    cpu_check: the earliest time at which the bot can have used up its CPU time. memory_check: the
    time of the next check of its memory. cpu_ms, queue_ms: the bot's CPU time and its wait for a
    CPU, as last measured; queue_ms is None if the kernel does not count the wait. is_queued: True
    if the bot waited for a CPU, as far as known, when its time was over; None before that. gaps_ms:
    the time of gaps, which count for no bot.
    """

    # Until the first measurement.
    cpu_ms: float = 0.0
    queue_ms: float | None = None
    is_queued: bool | None = None
    looked = 0.0
    busy_ms = 0.0
    has_hung = False

    def __init__(
        self, process: BotProcess, limits: AnswerLimits, own_delay: "OwnDelay", now: float
    ):
        self.process, self.limits, self.own_delay = process, limits, own_delay
        self.gaps_ms = 0.0
        self.started = limits.start(now)
        self.wall_limit_ms: float = limits.limit_ms + limits.grace_ms
        self.cpu_limit_ms = math.inf
        if limits.clock is Clock.CPU:
            self.cpu_limit_ms = self.wall_limit_ms
            self.wall_limit_ms = max(HANG_MS, BUSY_FACTOR * self.cpu_limit_ms)
        # With `--limits off` a bot may stand in a debugger.
        self.idle_ms = max(IDLE_MS, self.cpu_limit_ms) if self.cpu_limit_ms < HANG_MS else math.inf
        self.active = now
        if limits.bank_ms is not None:
            self.idle_ms = IDLE_MS
            self.cpu_limit_ms = min(self.cpu_limit_ms, limits.bank_ms)
        self.limit = self.deadline = self.started + self.wall_limit_ms / 1000.0
        # All its cores may compute.
        self.cpu_check = now + self.cpu_limit_ms / 1000.0 / limits.cores
        self.memory_check = now + MEMORY_LOOK_S
        if limits.started is not None and now - self.started > START_GAP_S:
            self.add_gap(now - self.started, now)

    def add_gap(self, seconds: float, now: float) -> None:
        """Extend the bot's time by a gap in the referee's clock, at most by the bot's limit: the
        gap may have begun before the bot was asked.
        """
        self.gaps_ms += seconds * 1000.0
        self.active = now
        self.limit = min(self.limit + seconds, now + self.wall_limit_ms / 1000.0)
        self.deadline = max(self.deadline, self.limit)

    def next_check(self) -> float:
        """Returns the time of the next check of a silent bot."""
        return min(self.deadline, self.cpu_check, self.memory_check)

    def measure(self) -> None:
        """Add the bot's CPU time and its wait for a CPU since the last call."""
        cpu_ms, queue_ms = self.process.measure()
        self.cpu_ms += cpu_ms
        if queue_ms is not None:
            self.queue_ms = queue_ms + (self.queue_ms or 0.0)

    def is_over(self, now: float) -> bool:
        """Returns True if the bot's wall time is over, extended by the time that the machine
        withheld.
        """
        return now >= self.deadline and not self._be_patient(now)

    def is_used_up(self, now: float) -> bool:
        """Returns True if the bot has used more than its CPU time."""
        if now < self.cpu_check:
            return False
        self.measure()
        left_ms = self.cpu_limit_ms - self.cpu_ms
        self.cpu_check = now + (left_ms + 1.0) / 1000.0 / self.limits.cores
        return left_ms < 0.0

    def has_too_much_memory(self, now: float) -> bool:
        """Returns True if the bot held more memory than its limit at the last check. A check also
        records if the bot has been active.
        """
        if now >= self.memory_check:
            self.memory_check = now + MEMORY_LOOK_S
            self.measure()
            busy_ms = self.cpu_ms + (self.queue_ms or 0.0)
            if busy_ms - self.busy_ms > IDLE_USE_MS:
                self.active = now
            self.busy_ms = busy_ms
        return self.process.has_too_much_memory()

    def is_asleep(self, now: float) -> bool:
        """Returns True if the bot hangs: for `idle_ms` the checks of its memory saw no CPU time
        used, and it waits for no core now.

        The kernel counts a wait for a core, or for a disk, only after the wait has ended.
        """
        if (now - self.active) * 1000.0 < self.idle_ms:
            return False
        self.has_hung = not self.process.is_ready()
        self.active = now
        return self.has_hung

    def judge(self, wall_ms: float, is_complete: bool) -> Late | None:
        """Returns the cause of the lateness of an answer past its wall limit. Under a limit of CPU
        time every answer is judged, and the result is None for an answer in time.
        """
        limits = self.limits
        excused_ms = self.gaps_ms
        if is_complete:
            excused_ms += self.own_delay.ms(self.started + wall_ms / 1000.0)
        if limits.clock is Clock.CPU:
            is_late = self.cpu_ms > limits.limit_ms or wall_ms - excused_ms > self.wall_limit_ms
            return Late.BOT if is_late else None
        waits = self.is_queued and not is_complete
        allowed_ms = limits.limit_ms if is_complete else self.wall_limit_ms
        excused_ms += self._withheld_ms(wall_ms)
        is_machines = waits or wall_ms - excused_ms < allowed_ms
        return Late.MACHINE if is_machines else Late.BOT

    def _withheld_ms(self, wall_ms: float) -> float:
        """Returns the milliseconds for which others kept the bot from a CPU, 0 if unknown."""
        if self.queue_ms is None:
            return 0.0
        return self.process.withheld_ms(wall_ms, self.limits.cores)

    def _be_patient(self, now: float) -> bool:
        """Extend the deadline by the time that others withheld from the bot. Returns True if time
        is left then, or if the bot still waits for a CPU, within PATIENCE_MS.
        """
        before_ms = self.cpu_ms
        self.measure()
        waited_ms = min(self._withheld_ms((now - self.started) * 1000.0), PATIENCE_MS)
        self.deadline = self.limit + waited_ms / 1000.0
        if now < self.deadline:
            return True
        # The cores it had since the last check; at the first check the number is unknown.
        had = (self.cpu_ms - before_ms) / 1000.0 / (now - self.looked) if self.looked else 0.0
        wanted = min(self.process.n_ready(), self.limits.cores)
        self.is_queued = wanted - had > 0.5
        self.looked, self.deadline = now, now + LOOK_S
        return self.is_queued and now < self.limit + PATIENCE_MS / 1000.0


class OwnDelay:
    """The delay that the referee itself may have added to the answers of its last look.

    A look reads all that the bots have written before it. The referee plans each look, and may be
    late for three reasons: it waited for a CPU, it was stopped (Ctrl-Z), or its whole machine was.
    The kernel counts the wait for a CPU (`/proc/thread-self/schedstat`); a gap in the referee's own
    clock shows the rest. Only a delay between the last look and this one can have delayed an
    answer.
    """

    def __init__(self) -> None:
        path = "/proc/thread-self/schedstat"
        self.descriptor = os.open(path, os.O_RDONLY) if os.path.exists(path) else None
        self.start_ns = 0
        # The earliest time to `start` again.
        self.start_due = -math.inf
        # The time of the look before the last one, and the length of a gap between the two.
        self.looked, self.gap_s = -math.inf, 0.0

    def start(self, now: float) -> None:
        """Count the referee's wait for a CPU from `now`, unless the last count began less than
        MOMENT_S ago.
        """
        if now > self.start_due:
            self.start_ns = self._read()
            self.start_due = now + MOMENT_S

    def note_gap(self, late_s: float) -> None:
        """Record that the last look came `late_s` seconds later than planned. The part that no wait
        for a CPU explains is a gap if it is longer than GAP_S.
        """
        gap_s = late_s - self.waited_ms() / 1000.0
        self.gap_s = gap_s if gap_s > GAP_S else 0.0

    def ms(self, arrived: float) -> float:
        """Returns the most milliseconds that may lie between the writing of an answer and its
        reading, which was at the time `arrived`.
        """
        at_most_ms = max(0.0, arrived - self.looked) * 1000.0
        return min(at_most_ms, self.waited_ms() + self.gap_s * 1000.0)

    def waited_ms(self) -> float:
        """Returns the milliseconds that the referee has waited for a CPU since the count began; 0
        where the kernel does not count.
        """
        return (self._read() - self.start_ns) / 1e6

    def close(self) -> None:
        """Close the kernel's file."""
        if self.descriptor is not None:
            os.close(self.descriptor)

    def _read(self) -> int:
        return 0 if self.descriptor is None else int(os.pread(self.descriptor, 64, 0).split()[1])
