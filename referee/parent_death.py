"""Ends a process together with its parent, however that ends."""

import ctypes
import os
from typing import Callable

libc = ctypes.CDLL(None)

# prctl(2)
PR_SET_PDEATHSIG = 1


def ended_by(number: int) -> Callable[[], None]:
    """Returns what a child of this process does before its program starts, `preexec_fn` of
    subprocess.Popen: it gets the signal when this process ends.
    """
    parent = os.getpid()

    def prepare() -> None:
        signal_when_parent_ends(number)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def signal_when_parent_ends(number: int) -> None:
    """The kernel sends this process the signal when its parent ends. A parent that has ended before
    sends none: compare `os.getppid()` afterwards.
    """
    prctl(PR_SET_PDEATHSIG, number)


def prctl(option: int, value: int) -> None:
    """Sets an option of this process (prctl(2)); some options want zeros after it."""
    libc.prctl(option, value, 0, 0, 0)
