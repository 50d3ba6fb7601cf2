"""Starts official referees ahead of time.

Starting Java takes longer than many games. So while a game is played its successor's referee
starts, on the CPU time that the bots leave (SCHED_IDLE of sched(7)). It then waits for its first
message, and is scheduled as usual from the moment when a game takes it.
"""

import atexit
import math
import os
import select
from contextlib import suppress

from referee.errors import UsageError
from referee.process.bot_process import BotProcess
from referee.process.procfs import descendants, threads

# Those that wait, by their command lines.
_waiting: dict[tuple[str, ...], BotProcess] = {}
# Whether more games of the same kind will follow, as in an arena.
_more_follow = False


def expect_more() -> None:
    """Announce game after game: from now on the next game's referee is started ahead."""
    global _more_follow
    _more_follow = True


def take_process(command: list[str]) -> BotProcess:
    """A referee's process: the one that waits, or a new one. Raises UsageError."""
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
    """Start a referee for the next game, at leisure."""
    end_waiting()  # of what is played no more
    with suppress(UsageError):  # the game that needs it will say why
        process = _waiting[tuple(command)] = start(command)
        _schedule(process, os.SCHED_IDLE)


def _has_died(process: BotProcess) -> bool:
    poller = select.poll()
    poller.register(process.status, select.POLLIN)
    return bool(poller.poll(0))


def start(command: list[str]) -> BotProcess:
    """A referee's process, which no bot's limits of memory hold for. Raises UsageError."""
    return BotProcess(command, {}, allowed_bytes=math.inf)


def end_waiting() -> None:
    """End the waiting referees."""
    for process in _waiting.values():
        process.end()
    _waiting.clear()


def _schedule(process: BotProcess, policy: int) -> None:
    """Let all threads of a process run under a policy. A new thread takes after the one that starts
    it, which may happen right now: so they are looked at twice.
    """
    for _ in range(2):
        for thread in [one for pid in descendants(process.supervisor.pid) for one in threads(pid)]:
            with suppress(OSError):  # it has ended, or this user may not
                os.sched_setscheduler(thread, policy, os.sched_param(0))


atexit.register(end_waiting)
