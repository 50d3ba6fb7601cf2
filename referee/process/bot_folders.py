"""The folders that bots run in: locked, removed whatever a bot has put there, and cleaned up after
referees that were killed with all they had started.

A folder is locked (flock(2)) by whoever answers for it. The kernel lets go of a lock when its last
holder dies, however that dies: a folder without a lock is nobody's.

The supervisor's program imports this: nothing here needs more than Python's own modules.
"""

import fcntl
import os
import stat
from contextlib import suppress

PREFIX = "onefile-run-"
OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def lock(folder: str) -> int | None:
    """The descriptor that holds a new folder's lock; None if who cleans up was faster."""
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
    """Remove this user's bot folders that nobody answers for any more."""
    for name in os.listdir(temporary):
        if not name.startswith(PREFIX):
            continue
        folder = os.path.join(temporary, name)
        try:
            descriptor = os.open(folder, OPEN_FOLDER)
        except OSError:
            continue  # it is gone by now, no folder, or another user's
        try:
            if os.fstat(descriptor).st_uid == os.geteuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(folder)
        except BlockingIOError:
            pass  # its owner lives
        finally:
            os.close(descriptor)


def remove(folder: str) -> None:
    """Remove a folder with all that is in it, as far as the system lets this user.

    Folders may lie in each other deeper than a path may be long, Python may recurse, or files may
    be open at once.
    """
    with suppress(OSError):
        os.rmdir(folder)  # mostly it is empty
        return
    with suppress(OSError):
        _empty(folder)
        os.rmdir(folder)


def _empty(folder: str) -> None:
    """Empty a folder with one descriptor open at a time. Raises OSError if it cannot go on."""
    here = os.open(folder, OPEN_FOLDER)
    try:
        # From the top down to here: the folders that are still to be emptied, the last one first.
        left = [_remove_files(here)]
        while True:
            if left[-1]:
                here = _go(here, left[-1][-1])
                left.append(_remove_files(here))
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
    """Remove what is in an open folder, but for the folders that are not empty: their names."""
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
    """Open the folder of a name beside an open one, which is closed."""
    there = os.open(name, OPEN_FOLDER, dir_fd=here)
    os.close(here)
    return there
