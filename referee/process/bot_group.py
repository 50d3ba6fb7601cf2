"""A group of the kernel (cgroup v2) for a guardian and everything below it, where this user may
make one.

It knows processes that have lost all parents of ours. A bot that kills its supervisor and the
guardian leaves such processes; the referee then ends the whole group at once (`cgroup.kill`).

The group has no controllers. It limits nothing and shares no CPU time, and the pressure of its
processes is not counted: a turn takes as long as without it. A kernel that ends a bot at
`memory.max` would not tell how much memory the bot held, and controllers need a group whose parent
has no process, so the referee would have to leave its own.

A guardian locks its group as bots' folders are locked: one without a lock is abandoned, and the
next guardian ends it. A process that may write to the group above can leave: this is no isolation.

The guardian's program imports this module, so it uses only Python's standard modules.
"""

import errno
import fcntl
import os
import time
from contextlib import suppress

PREFIX = "onefile-"
# The time for ended processes to leave their group, and between two looks.
EMPTY_S, LOOK_S = 2.0, 0.002


def own_group() -> str:
    """Returns the folder of this process's group; "" without cgroup v2."""
    return find_group(_read("/proc/self/cgroup"), _read("/proc/self/mountinfo"))


def find_group(groups: str, mounts: str) -> str:
    """Returns the folder of a process's group by its `cgroup` and `mountinfo` in /proc."""
    mounted = [line.split() for line in mounts.splitlines() if " - cgroup2 " in line]
    for line in groups.splitlines():
        # A group outside of the mounted ones cannot be reached.
        if line.startswith("0::") and not line.startswith("0::/.."):
            for _, _, _, root, point, *_ in mounted:
                inner = os.path.relpath(line[3:], root)
                if inner.split(os.sep)[0] != "..":
                    return os.path.normpath(os.path.join(point, inner))
    return ""


def new_group() -> str:
    """Returns the folder of a group that may be made below this process's own; "" if none may.

    The processes of a group whose controllers are handed down would share its CPU time in another
    way.
    """
    group = own_group()
    may_write = group and os.access(group, os.W_OK) and os.access(f"{group}/cgroup.procs", os.W_OK)
    if not may_write or _read(f"{group}/cgroup.subtree_control").split():
        return ""
    return os.path.join(group, f"{PREFIX}{os.getpid()}-{os.urandom(4).hex()}")


def join(group: str) -> int | None:
    """Make a group with this process in it; returns its lock, None if the system refuses."""
    lock = None
    try:
        os.mkdir(group)
        lock = os.open(group, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        # An older kernel cannot end it.
        if os.path.exists(f"{group}/cgroup.kill"):
            with suppress(OSError):
                _write(f"{group}/cgroup.pressure", "0")
            _write(f"{group}/cgroup.procs", "0")
            return lock
    except OSError:
        pass  # Bots are contained without it as well.
    _remove(group)
    if lock is not None:
        os.close(lock)
    return None


def leave(group: str) -> None:
    """Remove a group whose last process is this one; has no effect if there is none."""
    if os.path.isdir(group):
        with suppress(OSError):
            _write(os.path.join(os.path.dirname(group), "cgroup.procs"), "0")
            _remove(group)


def end(group: str) -> None:
    """Kill all processes of a group and remove it; has no effect if it is gone, or ""."""
    if os.path.isdir(group):
        with suppress(OSError):
            _write(f"{group}/cgroup.kill", "1")
            _remove(group)


def clean_up(above: str) -> None:
    """End the abandoned groups within another one."""
    names: list[str] = []
    with suppress(OSError):  # a group that may be written, not listed
        names = os.listdir(above)
    for name in names:
        if not name.startswith(PREFIX):
            continue
        group = os.path.join(above, name)
        # It may be gone, another user's, or not a group of ours.
        with suppress(OSError):
            lock = os.open(group, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                end(group)
            except BlockingIOError:
                pass  # its owner is alive
            finally:
                os.close(lock)


def _remove(group: str) -> None:
    """Remove a group with those in it, once the processes that have just ended are gone."""
    until = time.monotonic() + EMPTY_S
    for folder in reversed(_with_inner(group)):
        while True:
            try:
                os.rmdir(folder)
                break
            except OSError as error:
                if error.errno != errno.EBUSY or time.monotonic() > until:
                    break
            time.sleep(LOOK_S)


def _with_inner(group: str) -> list[str]:
    """Returns a group and those in it, made by a bot that is a referee itself; outer ones first."""
    groups = [group]
    for folder in groups:
        with suppress(OSError), os.scandir(folder) as inner:
            groups += [entry.path for entry in inner if entry.is_dir()]
    return groups


def _read(path: str) -> str:
    with suppress(OSError), open(path) as file:
        return file.read()
    return ""


def _write(path: str, text: str) -> None:
    """Write to a file of the kernel, which is never made. Raises OSError."""
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)
