"""Ends a process together with its parent, however the parent ends."""

import ctypes
import os
from typing import Callable

libc = ctypes.CDLL(None)

# prctl(2)
PR_SET_PDEATHSIG = 1


def ended_by(number: int) -> Callable[[], None]:
    """Returns a function for `preexec_fn` of subprocess.Popen: the child then receives the signal
    `number` when this process ends. A child whose parent has already ended exits with status 1.
    """
    parent = os.getpid()

    def prepare() -> None:
        signal_when_parent_ends(number)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def signal_when_parent_ends(number: int) -> None:
    """Let the kernel send this process the signal `number` when its parent ends.

    If the parent has already ended, no signal comes: compare `os.getppid()` afterwards.
    """
    prctl(PR_SET_PDEATHSIG, number)


def prctl(option: int, value: int) -> None:
    """Set an option of this process by prctl(2); the remaining arguments, which some options check,
    are 0.
    """
    libc.prctl(option, value, 0, 0, 0)
