"""The resources that a bot uses with all its processes and threads: CPU time, memory, and the time
withheld by others.

The CPU clock of the bot's own process is read each time. Its threads and children are sampled at
most every LOOK_S, since a sample takes as long as some turns; their use is reported with the next
one.

Withheld time: the kernel counts for each thread i the time it ran, r, and the time it was ready to
run and waited, q (`/proc/PID/task/TID/schedstat`). The bot's other threads made it wait while they
held all C cores lent to the bot. If R is the sum of all r, they did so for at most (R - r) / C. The
rest is withheld by others. Alone on the machine the bot would have taken R / C at least, so in a
time W no more than W - R / C was withheld:

    withheld = min(W - R / C, sum over threads of max(0, q - (R - r) / C))

Of a bot that computes in one thread (R = r) all waiting is withheld. Of eight busy threads that
have one core for themselves (R = W) none is.

A parent hears the CPU time of an ended child when it waits for the child. If the parent ignores
SIGCHLD, nobody waits, and the time is nowhere in /proc; an inherited performance counter
(perf_event_open(2)) has it all the same. It costs something at each change of threads, so only bots
that ignore SIGCHLD get one.

Memory is the resident memory of all processes, and the files in memory that they hold open
(memfd_create(2), /dev/shm), which need not be in any process; a part that is both counts once.
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

from referee.process.procfs import children, newest_task, read_file, read_whole, stat, threads

LOOK_S = 0.02
# The least time between two measurements of shared memory: one takes a millisecond a gigabyte.
SHARED_LOOK_S = 0.1
TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
# The bit of SIGCHLD in the mask of ignored signals.
CHILD_ENDED = 1 << (signal.SIGCHLD - 1)
BLOCK_BYTES = 512
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
# Files in memory, as the links of open descriptors and the mappings of a process name them.
IN_MEMORY = ("/memfd:", "/dev/shm/")
SHARED_FOLDER = "/dev/shm"
MAPPING = re.compile(rb"^[0-9a-f]+-[0-9a-f]+ .{4} \S+ \S+ \d+ +(.*)$")
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


# A file's device and number.
FileId = tuple[int, int]


class Times(NamedTuple):
    """Nanoseconds that a thread ran, and that it was ready but waited for a CPU."""

    ran: int
    waited: int


def withheld_ns(times: list[Times], used_ns: float, wall_ns: float, cores: int) -> float:
    """Returns the time withheld by others from a bot's cores."""
    ran_ns = sum(thread_times.ran for thread_times in times)
    by_others_ns = sum(
        max(0.0, thread_times.waited - (ran_ns - thread_times.ran) / cores)
        for thread_times in times
    )
    return max(0.0, min(wall_ns - used_ns / cores, by_others_ns))


class Process:
    """A process of a bot, as last sampled.

    own_ns: CPU time of all its threads. waited_for_ns: of the children it has waited for, and of
    their children. times: by its threads, including those that have ended since the bot was asked.
    ignores_children: it waits for no child, so that the children's use is not added to its own.
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
        """Its CPU clock; the last value if it has ended."""
        try:  # in a third of the time of `suppress`
            self.own_ns = time.clock_gettime_ns(self.clock)
        except OSError:
            pass
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

    def open_files(self) -> dict[FileId, tuple[str, int]]:
        """Returns the files in memory that it holds open: their names, and their bytes."""
        files = {}
        folder = f"/proc/{self.pid}/fd"
        with suppress(OSError):
            for name in os.listdir(folder):
                with suppress(OSError):
                    path = os.readlink(f"{folder}/{name}")
                    if path.startswith(IN_MEMORY):
                        known = os.stat(f"{folder}/{name}")
                        files[known.st_dev, known.st_ino] = path, known.st_blocks * BLOCK_BYTES
        return files

    def mapped_files(self) -> dict[str, int]:
        """Returns its part of the files in memory that it maps, in bytes by their names."""
        parts: dict[str, int] = {}
        path = ""
        for line in read_whole(f"/proc/{self.pid}/smaps").splitlines():
            if line.startswith(b"Pss:") and path:
                parts[path] = parts.get(path, 0) + 1024 * int(line.split()[1])
            elif mapping := MAPPING.match(line):
                name = os.fsdecode(mapping[1])
                path = name if name.startswith(IN_MEMORY) else ""
        return parts

    def proportional_bytes(self) -> int:
        """The same, but only its share of shared memory."""
        match = PROPORTIONAL.search(read_file(f"/proc/{self.pid}/smaps_rollup"))
        return 1024 * int(match[1]) if match else 0


@cache
def has_schedstat() -> bool:
    """Returns True if the kernel reports the waiting of threads."""
    return os.path.exists("/proc/self/schedstat")


class ResourceUsage:
    """The use of all processes below a supervisor; the first is the bot's own, which is started
    `now`.

    allowed_bytes: beyond it, shared memory is counted only once. memory_bytes: of all together, as
    last sampled.
    """

    def __init__(self, supervisor: int, bot: int, allowed_bytes: float, now: float):
        self.allowed_bytes = allowed_bytes
        self.supervisor, self.bot = Process(supervisor), Process(bot)
        self.processes = {bot: self.bot}
        self.seen = {bot}
        # A supervisor runs several bots in turn; times of earlier ones are subtracted.
        self.before_ns = self.supervisor.read_waited_for()
        self.has_schedstat = has_schedstat()
        self.memory_bytes = 0
        # Of files in memory: the bytes of those that are open, the last look at them, and the paths
        # of those in the shared folder that the bot has used.
        self.file_bytes, self.looked_at_files = 0, 0.0
        self.shared_paths: set[str] = set()
        # Of a bot that has just been started all is 0.
        self.looked, self.looked_at_shared = now, 0.0
        self.newest = b""
        # CPU time of all processes except the bot's own; of those among them that have ended.
        self.others_ns = self.gone_ns = self.ended_ns = 0
        # The time at which a process was first seen to ignore the end of its children.
        self.counters: Counters | None = None
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
        """The bot is asked: withheld time counts from now, or from a recent sample."""
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
        both to the microsecond; the second is None if the kernel does not report it.
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
        """CPU nanoseconds since it was last read."""
        return self.bot.read_clock() + self.others_ns - self.reported_cpu_ns

    def withheld_ms(self, wall_ms: float, cores: int) -> float:
        """Returns the time withheld by others from the bot since it was asked."""
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
        self._count_unheard()
        if now > self.looked_at_files + SHARED_LOOK_S:
            self.looked_at_files = now
            self._look_at_files()
        if resident_bytes + self.file_bytes <= self.allowed_bytes:
            self.memory_bytes = resident_bytes + self.file_bytes
        elif now > self.looked_at_shared + SHARED_LOOK_S:
            self.looked_at_shared = now
            processes = self.processes.values()
            self.memory_bytes = self.file_bytes
            self.memory_bytes += sum(process.proportional_bytes() for process in processes)
            if self.file_bytes:
                self.memory_bytes -= sum(
                    sum(process.mapped_files().values()) for process in processes
                )

    def _look_at_files(self) -> None:
        """Look at the files in memory that the processes hold open."""
        files: dict[FileId, tuple[str, int]] = {}
        for process in self.processes.values():
            files |= process.open_files()
        self.file_bytes = sum(n_bytes for _, n_bytes in files.values())
        self._remember(path for path, _ in files.values())

    def _remember(self, paths: Iterable[str]) -> None:
        self.shared_paths.update(path for path in paths if path.startswith(SHARED_FOLDER))

    def used_shared_paths(self, now: float) -> set[str]:
        """Returns the paths of the files in the shared folder that the bot was seen to use."""
        self.look(now)
        self._look_at_files()
        for process in self.processes.values():
            if b" /dev/shm/" in (text := read_whole(f"/proc/{process.pid}/maps")):
                lines = os.fsdecode(text).splitlines()
                self._remember(
                    line.split(maxsplit=5)[-1] for line in lines if SHARED_FOLDER in line
                )
        return self.shared_paths

    def _find_processes(self) -> None:
        """Find the present processes and threads, and the use of those that have ended."""
        waited_for_ns = self.supervisor.read_waited_for() - self.before_ns
        pids = children(self.supervisor.pid, [self.supervisor.pid])
        for pid in pids:
            process = self.processes.setdefault(pid, Process(pid))
            process.threads = threads(pid)
            waited_for_ns += process.read_waited_for()
            pids += children(pid, process.threads)
        self.seen.update(pids)
        for pid in self.processes.keys() - {self.bot.pid, *pids}:
            gone = self.processes.pop(pid)
            self.gone_ns += gone.own_ns
            self.gone_waited_ns += sum(times.waited for times in gone.times.values())
        # The parent of a process that ended unseen knows its time.
        self.ended_ns = max(self.ended_ns, self.gone_ns, waited_for_ns)

    def _count_unheard(self) -> None:
        """Add the use of children that end between two samples and are never waited for."""
        processes = self.processes.values()
        if self.counters is None:
            if not any(process.ignores_children for process in processes):
                return
            all_threads = [thread for process in processes for thread in process.threads]
            self.counters = Counters(all_threads, self.bot.read_clock() + self.others_ns)
        counted_ns = self.counters.read() - self.bot.read_clock()
        self.others_ns = max(self.others_ns, counted_ns)

    def close(self) -> None:
        """Stop sampling."""
        if self.counters:
            self.counters.close()

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


class Counters:
    """Counters of threads; base_ns: a constant added to their counts.

    If the kernel permits none (perf_event_paranoid, a container), they count nothing; if it permits
    only that, they count time in user mode.
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
        """Stop counting."""
        while self.descriptors:
            os.close(self.descriptors.pop())


def open_counter(thread: int) -> int:
    """Returns the descriptor of a counter of a thread and all it starts, -1 if not permitted."""
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
