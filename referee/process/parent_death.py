"""Ends a process together with its parent, however that ends."""

import ctypes

libc = ctypes.CDLL(None)
prctl = libc.prctl

# prctl(2)
PR_SET_PDEATHSIG = 1


def signal_when_parent_ends(number: int) -> None:
    """The kernel sends this process the signal when its parent ends. A parent that has ended before
    sends none: compare `os.getppid()` afterwards.
    """
    prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)
