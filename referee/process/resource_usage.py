"""The resources that a bot uses with all its processes and threads: CPU time, memory, and the time
that others kept it from a CPU.

The CPU clock of the bot's own process is read each time. Its threads and children are sampled at
most every LOOK_S, since a sample takes as long as some turns; their use is reported with the next
one.

Withheld time: the kernel counts for each thread i the time it ran, r, and the time it was ready to
run and waited, q (`/proc/PID/task/TID/schedstat`). A bot's own other threads made it wait while
they held all C cores that are lent to the bot, so for (R - r) / C at most, where R is the sum of
all r. The rest is withheld by others. Alone on the machine the bot would have taken R / C at least,
so in a time W no more than W - R / C was withheld:

    withheld = min(W - R / C, sum over threads of max(0, q - (R - r) / C))

Of a bot that computes in one thread (R = r) all waiting is withheld. Of eight busy threads that
have one core for themselves (R = W) none is.

A parent hears the CPU time of an ended child when it waits for the child. If the parent ignores
SIGCHLD, nobody waits, and the time is nowhere in /proc; an inherited performance counter
(perf_event_open(2)) has it all the same. It costs something at each change of threads, so only bots
that ignore SIGCHLD get one.
"""

import ctypes
import os
import platform
import re
import signal
import struct
import time
from contextlib import suppress
from functools import cache
from typing import Iterable, NamedTuple

from referee.process.procfs import children, newest_task, read_file, stat, threads

LOOK_S = 0.02
# Memory that processes share is told apart no more often than that: it takes a millisecond a
# gigabyte.
SHARED_LOOK_S = 0.1
TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
# In the mask of signals that a process ignores.
CHILD_ENDED = 1 << (signal.SIGCHLD - 1)
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PROPORTIONAL = re.compile(rb"^Pss: +(\d+) kB", re.MULTILINE)

# perf_event_open's number, by architecture.
NUMBERS = {"x86_64": 298, "aarch64": 241}
# perf_event_attr: its size in version 5, the kind of counter (nanoseconds that a thread ran), and
# bits of its flags: children count too, and time in the kernel does not.
ATTRIBUTE_BYTES = 112
SOFTWARE, TASK_CLOCK = 1, 1
INHERIT, WITHOUT_KERNEL = 1 << 1, 1 << 5
CLOSE_ON_EXEC = 8

libc = ctypes.CDLL(None)


class Times(NamedTuple):
    """Nanoseconds that a thread ran, and that it was ready to run and waited for a CPU."""

    ran: int
    waited: int


def withheld_ns(times: list[Times], used_ns: float, wall_ns: float, cores: int) -> float:
    """Returns the time that others kept a bot from its cores.

    times: of its threads, in a period of wall_ns. used_ns: its CPU time, that of ended threads
    included.
    """
    ran_ns = sum(one.ran for one in times)
    by_others_ns = sum(max(0.0, one.waited - (ran_ns - one.ran) / cores) for one in times)
    return max(0.0, min(wall_ns - used_ns / cores, by_others_ns))


class Process:
    """A process of a bot, as it was looked at last.

    own_ns: CPU time of all its threads. waited_for_ns: of the children it has waited for, and of
    those that these had. times: by its threads, also those that have ended since the bot was asked.
    ignores_children: whether it waits for no child, so that what those use is not added to its own.
    """

    __slots__ = (
        "clock",
        "ignores_children",
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
        self.ignores_children = False
        self.times: dict[int, Times] = {}
        self.threads: list[int] = []

    def read_clock(self) -> int:
        """Its CPU clock; as last read, if it is gone."""
        with suppress(OSError):
            self.own_ns = time.clock_gettime_ns(self.clock)
        return self.own_ns

    def read_waited_for(self) -> int:
        """Returns the CPU time of the children it has waited for."""
        if fields := stat(self.pid):
            self.waited_for_ns = (int(fields[13]) + int(fields[14])) * TICK_NS
            self.ignores_children = bool(int(fields[30]) & CHILD_ENDED)
        return self.waited_for_ns

    def read_times(self) -> None:
        """Read its threads' times."""
        for thread in self.threads:
            if text := read_file(f"/proc/{self.pid}/task/{thread}/schedstat"):
                ran, waited, _ = text.split()
                self.times[thread] = Times(int(ran), int(waited))

    def resident_bytes(self) -> int:
        """Returns its resident memory, shared memory included."""
        text = read_file(f"/proc/{self.pid}/statm")
        return int(text.split()[1]) * PAGE_BYTES if text else 0

    def proportional_bytes(self) -> int:
        """The same, with its part only of what it shares."""
        found = PROPORTIONAL.search(read_file(f"/proc/{self.pid}/smaps_rollup"))
        return 1024 * int(found[1]) if found else 0


@cache
def has_schedstat() -> bool:
    """Returns whether the kernel reports the waiting of threads."""
    return os.path.exists("/proc/self/schedstat")


class ResourceUsage:
    """The use of all processes below a supervisor; the first is the bot's own, which is started
    `now`.

    allowed_bytes: beyond it, what processes share is counted once. memory_bytes: of all together,
    as last looked at.
    """

    def __init__(self, supervisor: int, bot: int, allowed_bytes: float, now: float):
        self.allowed_bytes = allowed_bytes
        self.supervisor, self.bot = Process(supervisor), Process(bot)
        self.processes = {bot: self.bot}
        # It has had other bots before.
        self.before_ns = self.supervisor.read_waited_for()
        self.has_schedstat = has_schedstat()
        self.memory_bytes = 0
        # Of a bot that has just been started all is 0.
        self.looked, self.looked_at_shared = now, 0.0
        self.newest = b""
        # CPU time of all but the bot's own process; of those of them that have been seen and are
        # gone.
        self.others_ns = self.gone_ns = self.ended_ns = 0
        # From when on a process was seen to ignore the end of its children.
        self.counters: Counters | None = None
        # The waiting of all threads; of those that are gone.
        self.waited_ns = self.gone_waited_ns = 0
        self.reported_cpu_ns = self.reported_waited_ns = 0
        # The look whose waiting has been told, and what is told without a new one.
        self.reported_look = now
        self.no_waiting = 0.0 if self.has_schedstat else None
        # The state when the bot was asked, and the look that it is known from.
        self.cpu_then_ns = 0
        self.times_then: dict[int, Times] = {}
        self.look_then = 0.0
        # From when on `start` has something to do.
        self.start_due = 0.0

    def start(self, now: float) -> None:
        """The bot is asked: what is withheld counts from now, or from a look not long ago."""
        if now > self.looked + LOOK_S:
            self.look(now)
        if self.looked != self.look_then:
            self.look_then = self.looked
            self._forget_ended_threads()
            self.times_then = self._times()
            self.cpu_then_ns = self.bot.read_clock() + self.others_ns
        self.start_due = self.looked + LOOK_S

    def read(self, now: float) -> tuple[float, float | None]:
        """CPU milliseconds since the last call, and milliseconds that threads waited for a CPU,
        both to the microsecond; the second is None where the kernel does not say.
        """
        if now > self.looked + LOOK_S:
            self.look(now)
        cpu_us = (self.bot.read_clock() + self.others_ns - self.reported_cpu_ns) // 1000
        if cpu_us > 0:
            self.reported_cpu_ns += 1000 * cpu_us
        else:
            # It may have ended, and what it used then counts to others, in larger units.
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
        """CPU nanoseconds since it was last read."""
        return self.bot.read_clock() + self.others_ns - self.reported_cpu_ns

    def withheld_ms(self, wall_ms: float, cores: int) -> float:
        """Returns the time that others kept the bot from its cores since it was asked."""
        none = Times(0, 0)
        times = []
        for thread, (ran, waited) in self._times().items():
            then = self.times_then.get(thread, none)
            times.append(Times(ran - then.ran, waited - then.waited))
        used_ns = self.bot.read_clock() + self.others_ns - self.cpu_then_ns
        return withheld_ns(times, used_ns, wall_ms * 1e6, cores) / 1e6

    def n_ready(self) -> int:
        """Returns the number of threads that run or wait for a CPU."""
        ready = 0
        for process in self.processes.values():
            for thread in process.threads:
                state = stat(process.pid, thread)
                ready += state is not None and state[0] == b"R"
        return ready

    def look(self, now: float) -> None:
        """Look at all processes and their threads."""
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
        self._count_unheard()
        if resident_bytes <= self.allowed_bytes:
            self.memory_bytes = resident_bytes
        elif now > self.looked_at_shared + SHARED_LOOK_S:
            self.looked_at_shared = now
            self.memory_bytes = sum(one.proportional_bytes() for one in self.processes.values())

    def _find_processes(self) -> None:
        """Find out which processes and threads there are, and what those used that are gone."""
        waited_for_ns = self.supervisor.read_waited_for() - self.before_ns
        found = children(self.supervisor.pid, [self.supervisor.pid])
        for pid in found:
            process = self.processes.setdefault(pid, Process(pid))
            process.threads = threads(pid)
            waited_for_ns += process.read_waited_for()
            found += children(pid, process.threads)
        for pid in self.processes.keys() - {self.bot.pid, *found}:
            gone = self.processes.pop(pid)
            self.gone_ns += gone.own_ns
            self.gone_waited_ns += sum(times.waited for times in gone.times.values())
        # The parent of a process that ended unseen knows its time.
        self.ended_ns = max(self.ended_ns, self.gone_ns, waited_for_ns)

    def _count_unheard(self) -> None:
        """Add what those children use that end between two looks, and for which nobody waits."""
        found = self.processes.values()
        if self.counters is None:
            if not any(process.ignores_children for process in found):
                return
            all_threads = [thread for process in found for thread in process.threads]
            self.counters = Counters(all_threads, self.bot.read_clock() + self.others_ns)
        counted_ns = self.counters.read() - self.bot.read_clock()
        self.others_ns = max(self.others_ns, counted_ns)

    def close(self) -> None:
        """Look no more."""
        if self.counters:
            self.counters.close()

    def _times(self) -> dict[int, Times]:
        return {
            thread: times for one in self.processes.values() for thread, times in one.times.items()
        }

    def _forget_ended_threads(self) -> None:
        for process in self.processes.values():
            for thread in process.times.keys() - process.threads:
                self.gone_waited_ns += process.times.pop(thread).waited


class Counters:
    """Counters of threads; base_ns: what is to be added to what they count.

    Where the kernel allows none (perf_event_paranoid, a container) there are none, and they count
    nothing; where it allows just that, time in user mode.
    """

    def __init__(self, threads: Iterable[int], base_ns: int):
        self.base_ns = base_ns
        opened = (open_counter(thread) for thread in threads)
        self.descriptors = [descriptor for descriptor in opened if descriptor >= 0]

    def read(self) -> int:
        """Nanoseconds of all together."""
        counted = (os.read(descriptor, 8) for descriptor in self.descriptors)
        return self.base_ns + sum(int.from_bytes(text, "little") for text in counted)

    def close(self) -> None:
        """Count no longer."""
        while self.descriptors:
            os.close(self.descriptors.pop())


def open_counter(thread: int) -> int:
    """The descriptor of a counter of a thread and all that it starts, -1 where that may not be."""
    number = NUMBERS.get(platform.machine())
    if number is None:
        return -1
    for flags in (INHERIT, INHERIT | WITHOUT_KERNEL):
        # type, size, config, sample_period, sample_type, read_format, flags
        attribute = struct.pack("IIQQQQQ", SOFTWARE, ATTRIBUTE_BYTES, TASK_CLOCK, 0, 0, 0, flags)
        attribute = attribute.ljust(ATTRIBUTE_BYTES, b"\0")
        descriptor = int(libc.syscall(number, attribute, thread, -1, -1, CLOSE_ON_EXEC))
        if descriptor >= 0:
            return descriptor
    return -1
