"""What the kernel says of processes: in /proc, and by the CPU clocks of other processes."""

import os
import time
from functools import cache
from pathlib import Path


class Meter:
    """What a process has used: CPU time of all its threads, and how long its first thread was ready
    to run and waited for a CPU.
    """

    def __init__(self, pid: int):
        self.pid = pid
        path = f"/proc/{pid}/schedstat"
        exists = os.path.exists(path)
        self.schedstat = os.open(path, os.O_RDONLY | os.O_CLOEXEC) if exists else None
        self.cpu_ns, self.queue_ns = 0, 0

    def read(self) -> tuple[float, float | None]:
        """CPU and run-queue milliseconds since the last call, of a process that has ended (0, None).

        The second is None where the kernel does not say.
        """
        try:
            # The kernel's encoding of "CPU clock of process pid" (clock_getcpuclockid(3)).
            cpu_ns = time.clock_gettime_ns((~self.pid << 3) | 2)
            queue_ns = int(os.pread(self.schedstat, 64, 0).split()[1]) if self.schedstat else None
        except OSError:
            return 0.0, None  # it has ended, and its numbers with it
        cpu_ms, self.cpu_ns = (cpu_ns - self.cpu_ns) / 1e6, cpu_ns
        if queue_ns is None:
            return cpu_ms, None
        queue_ms, self.queue_ns = (queue_ns - self.queue_ns) / 1e6, queue_ns
        return cpu_ms, queue_ms

    def close(self) -> None:
        """Close the kernel's file."""
        if self.schedstat is not None:
            os.close(self.schedstat)


def stat(pid: int) -> list[str] | None:
    """What /proc/PID/stat says after the command's name: the state first, utime and stime 11 and
    12 fields after it.

    None for a process that has ended.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return text.rpartition(")")[2].split()


def children(pid: int) -> list[int]:
    """The numbers of a process's children; none for one that has ended."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            text = Path(f"/proc/{pid}/task/{thread}/children").read_text()
            found += map(int, text.split())
    except (FileNotFoundError, ProcessLookupError):
        return []
    return found


def activity(pid: int) -> tuple[bool, int]:
    """Whether a process or one it has started runs or is about to, and the CPU ticks used by all."""
    busy, ticks = False, 0
    to_look_at = [pid]
    while to_look_at:
        pid = to_look_at.pop()
        fields = stat(pid)
        if fields is None:
            continue
        to_look_at += children(pid)
        busy = busy or fields[0] not in "SZ"
        ticks += int(fields[11]) + int(fields[12])
    return busy, ticks


@cache
def n_tasks() -> int:
    """How many processes and threads the system ran when the first bot was started."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
