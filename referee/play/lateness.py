"""Lateness: a late answer is the bot's own fault or the machine's.

It is the machine's if the answer would have been in time but for the time that other processes kept
the bot from a CPU (`referee/process/resource_usage.py`) and that the referee waited for one. To
tell, the referee waits for an answer as much longer, up to PATIENCE_MS. The kernel adds a wait to
its sum when the wait is over, so the stopwatch looks at a bot that waits at its limit again until
it runs.
"""

import math
import os

from msgspec import Struct

from referee.log.limits import HANG_MS, Clock
from referee.log.records import Late
from referee.process.bot_process import BotProcess

PATIENCE_MS = 500.0
# Between two looks at a bot that waits for a CPU, and at the memory of one that thinks.
LOOK_S = 0.001
MEMORY_LOOK_S = 0.05
# The shortest time between two readings of the referee's own waiting.
MOMENT_S = 0.005


# A struct: made in each turn, in half of a dataclass's time, and in no cycle.
class AnswerLimits(Struct, kw_only=True, gc=False):
    """The limits of one answer.

    limit_ms: the time for it, by the clock; of CPU time, an answer may take HANG_MS of wall time.
    grace_ms: the time by which it may be later. bank_ms: the CPU time left to the bot, None for
    any.
    started: the clock's start (time.perf_counter), None for the moment the input is written. cores:
    the number lent to the bot.
    """

    limit_ms: float
    grace_ms: float = 0.0
    bank_ms: float | None = None
    clock: Clock = Clock.WALL
    started: float | None = None
    cores: int = 1

    @property
    def text(self) -> str:
        """The limit as a verdict names it."""
        unit = " of CPU" if self.clock is Clock.CPU else ""
        grace = f" and {self.grace_ms:g} ms more" if self.grace_ms else ""
        return f"the limit of {self.limit_ms:g} ms{unit}{grace}"


class Stopwatch:
    """Times an answer.

    wall_limit_ms, cpu_limit_ms: the wall time until it, and the CPU time for it. deadline: the time
    to look again for a bot out of time. cpu_check: the earliest time at which the bot can have used
    up its CPU time. memory_check: the next look at its memory. cpu_ms, queue_ms: its CPU time and
    its wait for a CPU, as last measured; queue_ms is None if the kernel does not say. is_queued: it
    waited for a CPU, as far as can be told, when its time was over; None before that.
    """

    # Until they are measured.
    cpu_ms: float = 0.0
    queue_ms: float | None = None
    is_queued: bool | None = None
    looked = 0.0

    def __init__(
        self, process: BotProcess, limits: AnswerLimits, own_queue: "OwnQueue", now: float
    ):
        self.process, self.limits, self.own_queue = process, limits, own_queue
        self.started = now if limits.started is None else limits.started
        self.wall_limit_ms: float = limits.limit_ms + limits.grace_ms
        self.cpu_limit_ms = math.inf
        if limits.clock is Clock.CPU:
            self.wall_limit_ms, self.cpu_limit_ms = HANG_MS, self.wall_limit_ms
        if limits.bank_ms is not None:
            self.cpu_limit_ms = min(self.cpu_limit_ms, limits.bank_ms)
        self.deadline = self.started + self.wall_limit_ms / 1000.0
        # All its cores may compute.
        self.cpu_check = now + self.cpu_limit_ms / 1000.0 / limits.cores
        self.memory_check = now + MEMORY_LOOK_S

    def next_check(self) -> float:
        """Returns the time of the next look at a silent bot."""
        return min(self.deadline, self.cpu_check, self.memory_check)

    def measure(self) -> None:
        """Add the bot's times since the last call."""
        cpu_ms, queue_ms = self.process.measure()
        self.cpu_ms += cpu_ms
        if queue_ms is not None:
            self.queue_ms = queue_ms + (self.queue_ms or 0.0)

    def is_over(self, now: float) -> bool:
        """Returns whether the bot has had its time, and the time that the machine kept from it."""
        return now >= self.deadline and not self._be_patient(now)

    def is_used_up(self, now: float) -> bool:
        """Returns whether the bot has used more than its CPU time."""
        if now < self.cpu_check:
            return False
        self.measure()
        left_ms = self.cpu_limit_ms - self.cpu_ms
        self.cpu_check = now + (left_ms + 1.0) / 1000.0 / self.limits.cores
        return left_ms < 0.0

    def has_too_much_memory(self, now: float) -> bool:
        """Returns whether the bot holds more memory than its limit."""
        if now >= self.memory_check:
            self.memory_check = now + MEMORY_LOOK_S
            self.measure()
        return self.process.has_too_much_memory()

    def judge(self, wall_ms: float, is_complete: bool) -> Late | None:
        """Returns the cause of an answer past its wall limit; None if its CPU time is in time."""
        limits = self.limits
        if limits.clock is Clock.CPU:
            is_late = self.cpu_ms > limits.limit_ms or wall_ms > self.wall_limit_ms
            return Late.BOT if is_late else None
        waits = self.is_queued and not is_complete
        allowed_ms = limits.limit_ms if is_complete else self.wall_limit_ms
        is_machines = waits or wall_ms - self._waited_ms(wall_ms) < allowed_ms
        return Late.MACHINE if is_machines else Late.BOT

    def _waited_ms(self, wall_ms: float) -> float:
        """Returns the time that others kept the bot and the referee from a CPU, as far as known."""
        if self.queue_ms is None:
            return 0.0
        withheld_ms = self.process.withheld_ms(wall_ms, self.limits.cores)
        return withheld_ms + self.own_queue.ms()

    def _be_patient(self, now: float) -> bool:
        """Move the deadline by the wait for a CPU. Returns whether time is left then."""
        before_ms = self.cpu_ms
        self.measure()
        waited_ms = min(self._waited_ms((now - self.started) * 1000.0), PATIENCE_MS)
        limit = self.started + self.wall_limit_ms / 1000.0
        self.deadline = limit + waited_ms / 1000.0
        if now < self.deadline:
            return True
        # The cores it has had since the last look; at the first look none is known.
        had = (self.cpu_ms - before_ms) / 1000.0 / (now - self.looked) if self.looked else 0.0
        wanted = min(self.process.n_ready(), self.limits.cores)
        self.is_queued = wanted - had > 0.5
        self.looked, self.deadline = now, now + LOOK_S
        return self.is_queued and now < limit + PATIENCE_MS / 1000.0


class OwnQueue:
    """The recent wait of the referee's own thread for a CPU; 0 if the kernel does not say."""

    def __init__(self) -> None:
        path = "/proc/thread-self/schedstat"
        self.descriptor = os.open(path, os.O_RDONLY) if os.path.exists(path) else None
        self.start_ns = 0
        # The earliest times to `start` with a question, and to `forget` while a bot thinks.
        self.start_due = self.forget_due = -math.inf

    def start(self, now: float) -> None:
        """Count from now, or from a moment ago."""
        if now > self.start_due:
            self.start_ns = self._read()
            self.start_due, self.forget_due = now + MOMENT_S, now + PATIENCE_MS / 1000.0

    def forget(self, now: float) -> None:
        """Count from now if the count began long ago: an older wait delays no answer."""
        if now > self.forget_due:
            self.start(now)

    def ms(self) -> float:
        """Returns the milliseconds waited since the start."""
        return (self._read() - self.start_ns) / 1e6

    def close(self) -> None:
        """Close the kernel's file."""
        if self.descriptor is not None:
            os.close(self.descriptor)

    def _read(self) -> int:
        return 0 if self.descriptor is None else int(os.pread(self.descriptor, 64, 0).split()[1])
