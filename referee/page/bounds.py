"""Bounds in time and memory for a contest's code that reads a log.

A log may hold anything: a number of it may be the length of a loop.
"""

import resource
import signal
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, NoReturn

CPU_S = 5.0
AGAIN_S = 0.1
N_BYTES = 500_000_000
STATM = Path("/proc/self/statm")


class BoundsExceeded(Exception):
    """A contest's code took more than its bounds."""


@contextmanager
def bounded() -> Iterator[None]:
    """Let what runs inside have CPU_S of CPU time and N_BYTES of memory more than there is. Raises
    BoundsExceeded.

    Other threads than the main one get no signals: there it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    n_bytes = int(STATM.read_text().split()[5]) * resource.getpagesize() + N_BYTES
    if soft == resource.RLIM_INFINITY or n_bytes < soft:
        resource.setrlimit(resource.RLIMIT_DATA, (n_bytes, hard))
    # Again and again, as Python drops what is raised while it disposes of an object.
    signal.setitimer(signal.ITIMER_PROF, CPU_S, AGAIN_S)
    try:
        yield
    except MemoryError as error:
        raise BoundsExceeded(f"more than {N_BYTES / 1e6:g} MB of memory") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _stop(*_: object) -> NoReturn:
    raise BoundsExceeded(f"more than {CPU_S:g} s of CPU time")
