"""Bounds of time and memory for a contest's code that reads a log.

A log may contain anything: one of its numbers may be the length of a loop.
"""

import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, NoReturn

CPU_S = 5.0
AGAIN_S = 0.1
N_BYTES = 500_000_000
STATM = Path("/proc/self/statm")


class BoundsExceeded(Exception):
    """A contest's code exceeded its bounds."""


@contextmanager
def bounded() -> Iterator[None]:
    """Limit the block to CPU_S of CPU time and N_BYTES of additional memory. Raises BoundsExceeded.

    Only the main thread gets signals, and only Linux counts memory this way: elsewhere nothing is
    limited.
    """
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        yield
        return
    import resource

    before = signal.signal(signal.SIGPROF, _stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    n_bytes = int(STATM.read_text().split()[5]) * resource.getpagesize() + N_BYTES
    if soft == resource.RLIM_INFINITY or n_bytes < soft:
        resource.setrlimit(resource.RLIMIT_DATA, (n_bytes, hard))
    # Repeatedly, as Python discards exceptions raised during the disposal of an object.
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
