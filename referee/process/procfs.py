"""Facts about processes from /proc; empty results for processes that have ended.

The supervisor's program imports this module, so the module uses only Python's standard library.
"""

import os


def read_file(path: str) -> bytes:
    """Returns a kernel file's content; b"" if it is gone, or another user's."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return b""
    try:
        return os.read(descriptor, 65_536)
    except ProcessLookupError:
        return b""
    finally:
        os.close(descriptor)


def stat(pid: int, thread: int | None = None) -> list[bytes] | None:
    """Returns the fields of /proc/PID/stat, or of its file for a thread, that follow the command's
    name; None after the process or thread has ended.

    Field 0 is the state. Fields 11 and 12 are the CPU ticks in user and in kernel mode, fields 13
    and 14 the same ticks of the children that the process has waited for.
    """
    path = f"/proc/{pid}/stat" if thread is None else f"/proc/{pid}/task/{thread}/stat"
    text = read_file(path)
    return text.rpartition(b")")[2].split() if text else None


def threads(pid: int) -> list[int]:
    """Returns the ids of a process's threads."""
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except (FileNotFoundError, ProcessLookupError):
        return []


def children(pid: int, of_threads: list[int] | None = None) -> list[int]:
    """Returns the ids of a process's children. of_threads: the process's threads, if they are
    known.
    """
    child_pids: list[int] = []
    for thread in threads(pid) if of_threads is None else of_threads:
        child_pids += map(int, read_file(f"/proc/{pid}/task/{thread}/children").split())
    return child_pids


def descendants(pid: int) -> list[int]:
    """Returns the ids of a process's children, their children and so on; parents come first."""
    pids = children(pid)
    for child in pids:
        pids += children(child)
    return pids


def activity(pid: int) -> tuple[bool, int]:
    """Returns (True if the process or a descendant can run, the CPU ticks of all of them)."""
    busy, ticks = False, 0
    for process in [pid, *descendants(pid)]:
        if fields := stat(process):
            busy = busy or fields[0] not in (b"S", b"Z")
            ticks += int(fields[11]) + int(fields[12])
    return busy, ticks


def newest_task() -> bytes:
    """Returns the number of the newest process or thread; unchanged while none starts."""
    return read_file("/proc/loadavg").rpartition(b" ")[2]
