"""Who made an answer late: the bot, or the machine that it ran on.

It was the machine, if the answer would have been in time but for the time that others kept the bot
from a CPU (`referee/process/cpu_accounting.py`), and that the referee waited for one; else the bot. To tell, an answer
is waited for as much longer, up to PATIENCE_MS. The kernel adds a wait to its sum when the wait is
over, so a bot that waits at its limit is looked at again until it runs.
"""

import math
import os

from referee.log.limits import HANG_MS, Clock
from referee.log.records import Late
from referee.play.question import Question

PATIENCE_MS = 500.0
# Between two looks at a bot that waits for a CPU, and at the memory of one that thinks.
LOOK_S = 0.001
MEMORY_LOOK_S = 0.05
# The referee's own waiting is not asked for more often than that.
MOMENT_S = 0.005


class Stopwatch:
    """Times an answer.

    wall_limit_ms, cpu_limit_ms: how much may pass until it, and how much CPU time it may take.
    deadline: when to look again whether the time is over. cpu_check: when at the earliest the bot
    can have used up its CPU time. memory_check: when to look at its memory again. cpu_ms, queue_ms: what it used and how long it waited for a CPU,
    as last measured; queue_ms is None where that is not known.
    is_queued: whether it waited for a CPU, as far as can be told, when its time was over; None
    before that.
    """

    # Until they are measured.
    cpu_ms: float = 0.0
    queue_ms: float | None = None
    is_queued: bool | None = None
    looked = 0.0

    def __init__(self, question: Question, own_queue: "OwnQueue", now: float):
        self.question = question
        self.own_queue = own_queue
        self.started = now if question.started is None else question.started
        self.wall_limit_ms: float = question.limit_ms + question.grace_ms
        self.cpu_limit_ms = math.inf
        if question.clock is Clock.CPU:
            self.wall_limit_ms, self.cpu_limit_ms = HANG_MS, self.wall_limit_ms
        if question.bank_ms is not None:
            self.cpu_limit_ms = min(self.cpu_limit_ms, question.bank_ms)
        self.deadline = self.started + self.wall_limit_ms / 1000.0
        # All its cores may compute.
        self.cpu_check = now + self.cpu_limit_ms / 1000.0 / question.cores
        self.memory_check = now + MEMORY_LOOK_S

    def next_check(self) -> float:
        """When to look at the bot again though nothing has come from it."""
        return min(self.deadline, self.cpu_check, self.memory_check)

    def measure(self) -> None:
        """Add up what the bot has used since the last time."""
        cpu_ms, queue_ms = self.question.process.measure()
        self.cpu_ms += cpu_ms
        if queue_ms is not None:
            self.queue_ms = queue_ms + (self.queue_ms or 0.0)

    def is_over(self, now: float) -> bool:
        """Whether the bot has had its time, and the machine's share of it."""
        return now >= self.deadline and not self._be_patient(now)

    def is_used_up(self, now: float) -> bool:
        """Whether the bot has used more than its CPU time."""
        if now < self.cpu_check:
            return False
        self.measure()
        left_ms = self.cpu_limit_ms - self.cpu_ms
        self.cpu_check = now + (left_ms + 1.0) / 1000.0 / self.question.cores
        return left_ms < 0.0

    def has_too_much_memory(self, now: float) -> bool:
        """Whether the bot holds more memory than it may."""
        if now >= self.memory_check:
            self.memory_check = now + MEMORY_LOOK_S
            self.measure()
        return self.question.process.has_too_much_memory()

    def blame(self, wall_ms: float, is_complete: bool) -> Late | None:
        """Who made an answer late that took so long: longer than its limit, by the wall clock. None
        if by the CPU clock it is not late.
        """
        question = self.question
        if question.clock is Clock.CPU:
            is_late = self.cpu_ms > question.limit_ms or wall_ms > self.wall_limit_ms
            return Late.BOT if is_late else None
        waits = self.is_queued and not is_complete
        allowed_ms = question.limit_ms if is_complete else self.wall_limit_ms
        is_machines = waits or wall_ms - self._waited_ms(wall_ms) < allowed_ms
        return Late.MACHINE if is_machines else Late.BOT

    def _waited_ms(self, wall_ms: float) -> float:
        """How long others have kept the bot and the referee from a CPU, as far as that is known."""
        if self.queue_ms is None:
            return 0.0
        withheld_ms = self.question.process.withheld_ms(wall_ms, self.question.cores)
        return withheld_ms + self.own_queue.ms()

    def _be_patient(self, now: float) -> bool:
        """Move the deadline by the time that was waited for a CPU; whether there is time left then."""
        before_ms = self.cpu_ms
        self.measure()
        waited_ms = min(self._waited_ms((now - self.started) * 1000.0), PATIENCE_MS)
        limit = self.started + self.wall_limit_ms / 1000.0
        self.deadline = limit + waited_ms / 1000.0
        if now < self.deadline:
            return True
        # How many cores it has had since the last look, the first time none that is known of.
        had = (self.cpu_ms - before_ms) / 1000.0 / (now - self.looked) if self.looked else 0.0
        wanted = min(self.question.process.n_ready(), self.question.cores)
        self.is_queued = wanted - had > 0.5
        self.looked, self.deadline = now, now + LOOK_S
        return self.is_queued and now < limit + PATIENCE_MS / 1000.0


class OwnQueue:
    """How long the referee's own thread waited for a CPU of late; nothing where the
    kernel does not say.
    """

    def __init__(self) -> None:
        path = "/proc/thread-self/schedstat"
        self.descriptor = os.open(path, os.O_RDONLY) if os.path.exists(path) else None
        self.start_ns = 0
        # From when on to `start` with a question, and to `forget` while it is thought about.
        self.start_due = self.forget_due = -math.inf

    def start(self, now: float) -> None:
        """Count from now, or from a moment ago."""
        if now > self.start_due:
            self.start_ns = self._read()
            self.start_due, self.forget_due = now + MOMENT_S, now + PATIENCE_MS / 1000.0

    def forget(self, now: float) -> None:
        """Count from now if it began long ago: what was waited for before that keeps no
        answer from being read.
        """
        if now > self.forget_due:
            self.start(now)

    def ms(self) -> float:
        """Milliseconds since the start."""
        return (self._read() - self.start_ns) / 1e6

    def close(self) -> None:
        """Close the kernel's file."""
        if self.descriptor is not None:
            os.close(self.descriptor)

    def _read(self) -> int:
        return 0 if self.descriptor is None else int(os.pread(self.descriptor, 64, 0).split()[1])
