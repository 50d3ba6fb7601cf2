"""Signals deferred until an indivisible step is done."""

import contextlib
import signal
import threading
from typing import Iterator

# Windows has no SIGHUP, and cannot block signals.
SIGNALS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
CAN_BLOCK = hasattr(signal, "pthread_sigmask")


@contextlib.contextmanager
def defer_signals() -> Iterator[None]:
    """Defer the signals that stop a referee until the block has ended."""
    # Python's handlers run in the main thread.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS) if CAN_BLOCK else None
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        # A mask applies to one thread; another thread, a progress bar's, may receive the signal.
        for number in SIGNALS:
            signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            if handler is not None:  # set by a library in C, for example
                signal.signal(number, handler)
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if came:
            signal.raise_signal(came[0])
