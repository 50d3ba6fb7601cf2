"""The folders that bots run in: locked, removed with all contents, and cleaned up after referees
that were killed with all their processes.

A process locks the folders it is responsible for (flock(2)). The kernel releases a lock when its
last holder dies, for any reason: a folder without a lock is abandoned.

The supervisor's program imports this module, so it uses only Python's standard modules.
"""

import ctypes
import fcntl
import os
import stat
from contextlib import suppress

PREFIX = "onefile-run-"
# umount2(2)
MNT_DETACH = 2
OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def lock(folder: str) -> int | None:
    """Returns the descriptor of a new folder's lock; None if a clean-up was faster."""
    try:
        descriptor = os.open(folder, OPEN_FOLDER)
    except FileNotFoundError:
        return None
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    if os.fstat(descriptor).st_nlink:
        return descriptor
    os.close(descriptor)
    return None


def clean_up(temporary: str) -> None:
    """Remove this user's abandoned bot folders."""
    for name in os.listdir(temporary):
        if not name.startswith(PREFIX):
            continue
        folder = os.path.join(temporary, name)
        try:
            descriptor = os.open(folder, OPEN_FOLDER)
        except OSError:
            continue  # it is already gone, not a folder, or another user's
        try:
            if os.fstat(descriptor).st_uid == os.geteuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(folder, descriptor)
        except BlockingIOError:
            pass  # its owner is alive
        finally:
            os.close(descriptor)


def remove(folder: str, descriptor: int | None = None) -> None:
    """Remove a folder with all that is in it, as far as the system lets this user.

    descriptor: of the folder, which its bot may have moved, and put something else in its place.
    Folders may lie in each other deeper than a path may be long, Python may recurse, or files may
    be open at once. Nothing is removed in other file systems, and in other parts of this one, that
    a bot of root's has mounted there.
    """
    with suppress(OSError):
        os.rmdir(folder)  # mostly it is empty
        if descriptor is None or not os.fstat(descriptor).st_nlink:
            return
    if descriptor is not None:
        with suppress(OSError):
            now = os.readlink(f"/proc/self/fd/{descriptor}")
            if now != folder and os.fstat(descriptor).st_nlink:
                _remove_whole(now)
    with suppress(OSError):
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            os.unlink(folder)
    _remove_whole(folder)


def _remove_whole(folder: str) -> None:
    with suppress(OSError):
        _unmount(folder)
        _empty(folder)
        os.rmdir(folder)


def _unmount(folder: str) -> None:
    """Unmount what is mounted below a folder; only root can have done that."""
    if os.geteuid() != 0:
        return
    with open("/proc/self/mountinfo", "rb") as file:
        points = [line.split()[4].decode("unicode_escape") for line in file]
    for point in sorted(points, key=len, reverse=True):
        if point.startswith(folder + os.sep):
            ctypes.CDLL(None).umount2(os.fsencode(point), MNT_DETACH)


def _mount(descriptor: int) -> bytes:
    """Returns the number of the mount that an open folder lies in: a part of a file system that is
    mounted twice has the same device.
    """
    with open(f"/proc/self/fdinfo/{descriptor}", "rb") as file:
        return next((line for line in file if line.startswith(b"mnt_id:")), b"")


def _empty(folder: str) -> None:
    """Empty a folder with one descriptor open at a time. Raises OSError if it fails."""
    here = os.open(folder, OPEN_FOLDER)
    try:
        own_mount = _mount(here)
        # From the top down to here: the folders that are still to be emptied, the last one first.
        left = [_remove_files(here)]
        while True:
            if left[-1]:
                here = _go(here, left[-1][-1])
                # In another mount nothing is ours.
                left.append(_remove_files(here) if _mount(here) == own_mount else [])
                continue
            left.pop()
            if not left:
                return
            here = _go(here, "..")
            with suppress(OSError):
                os.rmdir(left[-1].pop(), dir_fd=here)
    finally:
        os.close(here)


def _remove_files(here: int) -> list[str]:
    """Remove the content of an open folder; returns the names of the folders in it that are not
    empty.
    """
    left = []
    for name in os.listdir(here):
        with suppress(OSError):
            if not stat.S_ISDIR(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                os.unlink(name, dir_fd=here)
                continue
            try:
                os.rmdir(name, dir_fd=here)
            except OSError:
                os.chmod(name, 0o700, dir_fd=here)
                left.append(name)
    return left


def _go(here: int, name: str) -> int:
    """Open a folder by its name within an open one, which is closed."""
    there = os.open(name, OPEN_FOLDER, dir_fd=here)
    os.close(here)
    return there
