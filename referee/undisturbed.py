"""What must not be interrupted in its middle."""

import contextlib
import signal
from typing import Iterator


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let the signals that stop a referee wait until what is begun is done."""
    before = signal.pthread_sigmask(
        signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    )
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
