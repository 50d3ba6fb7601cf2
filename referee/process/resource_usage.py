"""The resources that a bot uses with all its processes and threads: CPU time, memory, and the time
withheld by other programs.

The CPU clock of the bot's own process is read each time. Its threads and children are sampled at
most every LOOK_S, since a sample takes as long as some turns; their use is reported with the next
sample.

Withheld time: the kernel counts for each thread i the time it ran, r, and the time it was ready to
run and waited, q (`/proc/PID/task/TID/schedstat`). The bot's other threads made it wait while they
held all C cores lent to the bot. If R is the sum of all r, they did so for at most (R - r) / C. The
rest is withheld by other programs. Alone on the machine the bot would have taken R / C at least, so
in a time W no more than W - R / C was withheld:

    withheld = min(W - R / C, sum over threads of max(0, q - (R - r) / C))

Of a bot that computes in one thread (R = r) all waiting is withheld. Of eight busy threads that
have one core for themselves (R = W) none is.

A child's CPU time counts as last sampled, or as the kernel reports it to the parent that waits for
the child. A parent that ignores SIGCHLD gets no such report: if its child ends between two samples,
the child's time since the last sample is lost.

Memory is the resident memory of all processes; memory that they share counts once.
"""

import os
import re
import time
from functools import cache
from typing import NamedTuple

from referee.process.procfs import children, newest_task, read_file, stat, threads

LOOK_S = 0.02
# The least time between two measurements of shared memory: one takes a millisecond a gigabyte.
SHARED_LOOK_S = 0.1
TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PROPORTIONAL = re.compile(rb"^Pss: +(\d+) kB", re.MULTILINE)


class Times(NamedTuple):
    """Nanoseconds that a thread ran, and that it was ready but waited for a CPU."""

    ran: int
    waited: int


def withheld_ns(times: list[Times], used_ns: float, wall_ns: float, cores: int) -> float:
    """Returns the nanoseconds for which other processes kept a bot from its `cores` cores.

    times: the times of each thread of the bot. used_ns: the bot's CPU time. wall_ns: the time
    passed.
    """
    ran_ns = sum(thread_times.ran for thread_times in times)
    by_others_ns = sum(
        max(0.0, thread_times.waited - (ran_ns - thread_times.ran) / cores)
        for thread_times in times
    )
    return max(0.0, min(wall_ns - used_ns / cores, by_others_ns))


class Process:
    """A process of a bot, as last sampled.

    own_ns: CPU time of all threads of the process. waited_for_ns: CPU time of the children that the
    process has waited for, and of their children. times: {thread: times}, including threads that
    have ended since the bot was asked.
    """

    __slots__ = (
        "clock",
        "own_ns",
        "pid",
        "threads",
        "times",
        "waited_for_ns",
    )

    def __init__(self, pid: int):
        self.pid = pid
        # The kernel's encoding of "CPU clock of process pid" (clock_getcpuclockid(3)).
        self.clock = (~pid << 3) | 2
        self.own_ns = self.waited_for_ns = 0
        self.times: dict[int, Times] = {}
        self.threads: list[int] = []

    def read_clock(self) -> int:
        """Returns the process's CPU nanoseconds; after the process has ended, the last value."""
        try:
            self.own_ns = time.clock_gettime_ns(self.clock)
        except OSError:
            return self.own_ns
        return self.own_ns

    def read_waited_for(self) -> int:
        """Returns the CPU nanoseconds of the children that the process has waited for."""
        if fields := stat(self.pid):
            self.waited_for_ns = (int(fields[13]) + int(fields[14])) * TICK_NS
        return self.waited_for_ns

    def read_times(self) -> None:
        """Read the times of the process's threads."""
        for thread in self.threads:
            if text := read_file(f"/proc/{self.pid}/task/{thread}/schedstat"):
                ran, waited, _ = text.split()
                self.times[thread] = Times(int(ran), int(waited))

    def resident_bytes(self) -> int:
        """Returns the process's resident bytes, shared memory included."""
        text = read_file(f"/proc/{self.pid}/statm")
        return int(text.split()[1]) * PAGE_BYTES if text else 0

    def proportional_bytes(self) -> int:
        """Returns the process's resident bytes, with only a proportional part of shared memory."""
        match = PROPORTIONAL.search(read_file(f"/proc/{self.pid}/smaps_rollup"))
        return 1024 * int(match[1]) if match else 0


@cache
def has_schedstat() -> bool:
    """Returns True if the kernel reports how long threads waited."""
    return os.path.exists("/proc/self/schedstat")


class ResourceUsage:
    """The resources used by all processes below a supervisor.

    supervisor, bot: the ids of the supervisor and of the bot's own process. allowed_bytes: the
    resident memory from which on shared memory is counted only once. now: the time at which the bot
    was started. memory_bytes: the memory of all processes together, as last sampled.
    """

    def __init__(self, supervisor: int, bot: int, allowed_bytes: float, now: float):
        self.allowed_bytes = allowed_bytes
        self.supervisor, self.bot = Process(supervisor), Process(bot)
        self.processes = {bot: self.bot}
        # A supervisor runs several bots in turn; times of earlier ones are subtracted.
        self.before_ns = self.supervisor.read_waited_for()
        self.has_schedstat = has_schedstat()
        self.memory_bytes = 0
        # Of a bot that has just been started all is 0.
        self.looked, self.looked_at_shared = now, 0.0
        self.newest = b""
        # CPU time of all processes except the bot's own; of those among them that have ended.
        self.others_ns = self.gone_ns = self.ended_ns = 0
        # The time that all threads have waited; the part of threads that have ended.
        self.waited_ns = self.gone_waited_ns = 0
        self.reported_cpu_ns = self.reported_waited_ns = 0
        # The sample whose waiting has been reported, and the value reported without a newer one.
        self.reported_look = now
        self.no_waiting = 0.0 if self.has_schedstat else None
        # The state when the bot was asked, and the sample it comes from.
        self.cpu_then_ns = 0
        self.times_then: dict[int, Times] = {}
        self.look_then = 0.0
        # The earliest time at which `start` has an effect.
        self.start_due = 0.0

    def start(self, now: float) -> None:
        """Begin to count withheld time; called when the bot is asked.

        The count begins now, or at the last sample if that is at most LOOK_S old.
        """
        if now > self.looked + LOOK_S:
            self.look(now)
        if self.looked != self.look_then:
            self.look_then = self.looked
            self._forget_ended_threads()
            self.times_then = self._times()
            self.cpu_then_ns = self.bot.read_clock() + self.others_ns
        self.start_due = self.looked + LOOK_S

    def read(self, now: float) -> tuple[float, float | None]:
        """Returns the CPU milliseconds since the last call, and the milliseconds that threads
        waited for a CPU, both to the microsecond. The second is 0 without a new sample, None if the
        kernel does not report it.
        """
        if now > self.looked + LOOK_S:
            self.look(now)
        cpu_us = (self.bot.read_clock() + self.others_ns - self.reported_cpu_ns) // 1000
        if cpu_us > 0:
            self.reported_cpu_ns += 1000 * cpu_us
        else:
            # It may have ended; its use is then counted among that of others, in coarser units.
            cpu_us = 0
        if self.looked == self.reported_look:
            return cpu_us / 1000.0, self.no_waiting
        self.reported_look = self.looked
        if not self.has_schedstat:
            return cpu_us / 1000.0, None
        waited_us = (self.waited_ns - self.reported_waited_ns) // 1000
        self.reported_waited_ns += 1000 * waited_us
        return cpu_us / 1000.0, waited_us / 1000.0

    def used_ns(self) -> int:
        """Returns the CPU nanoseconds since the last `read`."""
        return self.bot.read_clock() + self.others_ns - self.reported_cpu_ns

    def withheld_ms(self, wall_ms: float, cores: int) -> float:
        """Returns the milliseconds for which other processes kept a CPU from the bot since `start`.

        wall_ms: the time since `start`. cores: the number of the bot's cores.
        """
        none = Times(0, 0)
        times = []
        for thread, (ran, waited) in self._times().items():
            then = self.times_then.get(thread, none)
            times.append(Times(ran - then.ran, waited - then.waited))
        used_ns = self.bot.read_clock() + self.others_ns - self.cpu_then_ns
        return withheld_ns(times, used_ns, wall_ms * 1e6, cores) / 1e6

    def n_ready(self, states: bytes = b"R") -> int:
        """Returns the number of the bot's threads in one of the `states`, by default running or
        waiting for a CPU.
        """
        ready = 0
        for process in self.processes.values():
            for thread in process.threads:
                state = stat(process.pid, thread)
                ready += state is not None and state[0] in states
        return ready

    def look(self, now: float) -> None:
        """Sample all processes and their threads."""
        self.looked = now
        self.start_due = 0.0
        newest = newest_task()
        if newest != self.newest or len(self.processes) > 1:
            self.newest = newest
            self._find_processes()
        self.others_ns, self.waited_ns = self.ended_ns, self.gone_waited_ns
        resident_bytes = 0
        for process in self.processes.values():
            if process is not self.bot:
                self.others_ns += process.read_clock()
            resident_bytes += process.resident_bytes()
            if self.has_schedstat:
                process.read_times()
                for times in process.times.values():
                    self.waited_ns += times.waited
        if resident_bytes <= self.allowed_bytes:
            self.memory_bytes = resident_bytes
        elif now > self.looked_at_shared + SHARED_LOOK_S:
            self.looked_at_shared = now
            self.memory_bytes = sum(
                process.proportional_bytes() for process in self.processes.values()
            )

    def _find_processes(self) -> None:
        """Find the present processes and threads, and add up the use of the processes that have
        ended.
        """
        waited_for_ns = self.supervisor.read_waited_for() - self.before_ns
        pids = children(self.supervisor.pid, [self.supervisor.pid])
        for pid in pids:
            process = self.processes.setdefault(pid, Process(pid))
            process.threads = threads(pid)
            waited_for_ns += process.read_waited_for()
            pids += children(pid, process.threads)
        for pid in self.processes.keys() - {self.bot.pid, *pids}:
            gone = self.processes.pop(pid)
            self.gone_ns += gone.own_ns
            self.gone_waited_ns += sum(times.waited for times in gone.times.values())
        # The parent of a process that ended unseen knows its time.
        self.ended_ns = max(self.ended_ns, self.gone_ns, waited_for_ns)

    def _times(self) -> dict[int, Times]:
        return {
            thread: times
            for process in self.processes.values()
            for thread, times in process.times.items()
        }

    def _forget_ended_threads(self) -> None:
        for process in self.processes.values():
            for thread in process.times.keys() - process.threads:
                self.gone_waited_ns += process.times.pop(thread).waited
