"""Defers signals until an indivisible step is done, and repeats interrupts that Python ignored."""

import _signal
import contextlib
import signal
import sys
import threading
from typing import Callable, Iterator

# Windows has no SIGHUP, and cannot block signals.
SIGNALS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
CAN_BLOCK = hasattr(signal, "pthread_sigmask")


@contextlib.contextmanager
def defer_signals() -> Iterator[None]:
    """Defer the signals that stop a referee until the block has ended; the first one is then
    raised.

    Outside the main thread it has no effect.
    """
    # Python's handlers run in the main thread.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    # A match does this ten times; `signal` makes enumerations of all numbers and handlers, in ten
    # times the time.
    mask = _signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS) if CAN_BLOCK else None
    handlers = {number: _signal.getsignal(number) for number in SIGNALS}
    try:
        # A mask applies to one thread; another thread, a progress bar's, may receive the signal.
        for number in SIGNALS:
            _signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            if handler is not None:  # set by a library in C, for example
                _signal.signal(number, handler)
        if mask is not None:
            _signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if came:
            signal.raise_signal(came[0])


# Until an interrupt comes again: what swallowed the first one has ended by then.
AGAIN_S = 0.01


def repeat_swallowed_interrupts() -> None:
    """Install a hook that interrupts the process again if Python ignored the exception of an
    interrupt.

    Python ignores exceptions in `__del__`, in callbacks of weak references and in hooks of a fork,
    so that a Ctrl-C during one of these would be lost.
    """
    if hasattr(signal, "setitimer") and not isinstance(sys.unraisablehook, _Repeat):
        sys.unraisablehook = _Repeat(sys.unraisablehook)


class _Repeat:
    def __init__(self, report: "Callable[[sys.UnraisableHookArgs], object]") -> None:
        self.report = report

    def __call__(self, ignored: "sys.UnraisableHookArgs") -> None:
        if not issubclass(ignored.exc_type, KeyboardInterrupt):
            self.report(ignored)
            return
        # By the handler of SIGINT at that time, which may defer it
        signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
