"""Starts official referees in advance.

Starting Java takes longer than many games. So the referee of the next game starts while a game is
played, with CPU time that the bots leave free (SCHED_IDLE of sched(7)). It then waits for its first
message, and is scheduled normally once a game takes it.
"""

import atexit
import math
import os
import select
from contextlib import suppress

from referee.errors import UsageError
from referee.process.bot_process import BotProcess
from referee.process.procfs import descendants, threads

# Waiting referees, by their command lines.
_waiting: dict[tuple[str, ...], BotProcess] = {}
# Set if more games of the same kind will follow, as in an arena.
_more_follow = False


def expect_more() -> None:
    """Announce a series of games: from now on the next game's referee is started in advance."""
    global _more_follow
    _more_follow = True


def take_process(command: list[str]) -> BotProcess:
    """Returns a referee's process: one started in advance, or a new one. Raises UsageError."""
    process = _waiting.pop(tuple(command), None)
    if process and _has_died(process):
        process.end()
        process = None
    if process:
        _schedule(process, os.SCHED_OTHER)
    else:
        process = start(command)
    if _more_follow:
        _prepare(command)
    return process


def _prepare(command: list[str]) -> None:
    """Start a referee for the next game, at idle priority."""
    end_waiting()  # of games no longer played
    with suppress(UsageError):  # the game that needs it will report the reason
        process = _waiting[tuple(command)] = start(command)
        _schedule(process, os.SCHED_IDLE)


def _has_died(process: BotProcess) -> bool:
    poller = select.poll()
    poller.register(process.status, select.POLLIN)
    return bool(poller.poll(0))


def start(command: list[str]) -> BotProcess:
    """Start a referee's process without the bots' memory limits. Raises UsageError."""
    return BotProcess(command, {}, allowed_bytes=math.inf)


def end_waiting() -> None:
    """End the waiting referees."""
    for process in _waiting.values():
        process.end()
    _waiting.clear()


def _schedule(process: BotProcess, policy: int) -> None:
    """Schedule all threads of a process under a policy. A thread inherits the policy of its
    creator, and may be created meanwhile: so the threads are scanned twice.
    """
    for _ in range(2):
        for thread in [
            thread_id for pid in descendants(process.supervisor.pid) for thread_id in threads(pid)
        ]:
            with suppress(OSError):  # the thread has ended, or permission is missing
                os.sched_setscheduler(thread, policy, os.sched_param(0))


atexit.register(end_waiting)
