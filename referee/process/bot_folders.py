"""The folders that bots run in: locked, removed with all contents, and cleaned up after referees
that were killed with all their processes.

A process locks the folders it is responsible for (flock(2)). The kernel releases a lock when its
last holder dies, for any reason: a folder without a lock is abandoned.

The supervisor's program imports this module, so the module uses only Python's standard library.
"""

import fcntl
import os
from contextlib import suppress

PREFIX = "onefile-run-"
OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def lock(folder: str) -> int | None:
    """Lock a new folder. Returns the lock's descriptor, None if a clean-up removed the folder
    before.
    """
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
            continue  # a name that is gone, no folder, or another user's
        try:
            if os.fstat(descriptor).st_uid == os.geteuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(folder)
        except BlockingIOError:
            pass  # its owner is alive
        finally:
            os.close(descriptor)


def remove(folder: str) -> None:
    """Remove a folder with all its contents, as far as the system permits this user."""
    with suppress(OSError):
        os.rmdir(folder)  # mostly it is empty
        return
    # Folders may lie in each other deeper than a path may be long, or Python may recurse.
    with suppress(OSError, RecursionError):
        for here, folders, _ in os.walk(folder):
            for name in folders:
                if not os.path.islink(path := os.path.join(here, name)):
                    os.chmod(path, 0o700)
        for here, folders, files in os.walk(folder, topdown=False):
            for name in files:
                os.unlink(os.path.join(here, name))
            for name in folders:
                path = os.path.join(here, name)
                (os.unlink if os.path.islink(path) else os.rmdir)(path)
        os.rmdir(folder)
