"""Memory that outlives its processes: files in /dev/shm and System V segments, removed after a bot.

Only those go that the bot was seen to use and that were not there before it: other programs of the
same user keep theirs. A file that a bot makes and closes between two looks stays.
"""

import ctypes
import os
from contextlib import suppress

from referee.process.procfs import read_whole
from referee.process.resource_usage import SHARED_FOLDER

# shmctl(2)
IPC_RMID = 0

libc = ctypes.CDLL(None)


def shared_files() -> set[str]:
    """Returns the names in the folder of shared memory."""
    try:
        return set(os.listdir(SHARED_FOLDER))
    except OSError:
        return set()


def remove_files(paths: set[str], before: set[str]) -> None:
    """Remove files that were seen, but for those that were there before."""
    for path in paths:
        if os.path.basename(path) not in before:
            with suppress(OSError):
                os.unlink(path)


def remove_segments(creators: set[int]) -> None:
    """Remove the System V segments that processes of these numbers have created."""
    for line in read_whole("/proc/sysvipc/shm").splitlines()[1:]:
        fields = line.split()
        # key, shmid, perms, size, cpid, ...
        if int(fields[4]) in creators:
            libc.shmctl(int(fields[1]), IPC_RMID, None)
