"""The folders that bots run in: locked, removed whatever a bot has put there, and cleaned up after
referees that were killed with all they had started.

A folder is locked (flock(2)) by whoever answers for it. The kernel lets go of a lock when its last
holder dies, however that dies: a folder without a lock is nobody's.

The keeper's program imports this: nothing here needs more than Python's own modules.
"""

import fcntl
import os
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

    Folders may lie in each other deeper than a path may be long or Python may recurse: each is moved
    up to the top before it is emptied.
    """
    with suppress(OSError):
        os.rmdir(folder)  # mostly it is empty
        return
    with suppress(OSError):
        top = os.open(folder, OPEN_FOLDER)
        try:
            _empty(top)
        finally:
            os.close(top)
        os.rmdir(folder)


def _empty(top: int) -> None:
    """Remove what is in an open folder."""
    # No name that a bot has given.
    token, moved = os.urandom(8).hex(), 0
    to_remove = os.listdir(top)
    while to_remove:
        name = to_remove.pop()
        with suppress(OSError):
            if not _is_folder(name, top):
                os.unlink(name, dir_fd=top)
                continue
            inner = os.open(name, OPEN_FOLDER, dir_fd=top)
            try:
                for entry in os.listdir(inner):
                    with suppress(OSError):
                        if _is_folder(entry, inner):
                            up = f"{token}-{moved}"
                            os.rename(entry, up, src_dir_fd=inner, dst_dir_fd=top)
                            to_remove.append(up)
                            moved += 1
                        else:
                            os.unlink(entry, dir_fd=inner)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=top)


def _is_folder(name: str, parent: int) -> bool:
    """Whether an entry is a folder; if so, it may be read and moved from now on."""
    mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
    if mode & 0o170000 != 0o040000:
        return False
    if mode & 0o700 != 0o700:
        os.chmod(name, 0o700, dir_fd=parent)
    return True
