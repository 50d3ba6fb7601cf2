"""Signals deferred until a step that must be whole is done."""

import contextlib
import signal
import threading
from typing import Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def defer_signals() -> Iterator[None]:
    """Defer the signals that stop a referee until the block has ended."""
    # Python's handlers run in the main thread.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        # A mask is for one thread; another thread, a progress bar's, may get the signal.
        for number in SIGNALS:
            signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            if handler is not None:  # as of a library in C
                signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if came:
            signal.raise_signal(came[0])
