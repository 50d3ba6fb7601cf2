"""Waits for bots to start: before the clock of their first answer runs, or a few at a time."""

import select
import time

from referee.process.bot_process import BotProcess
from referee.process.unflushed_output import InputWatch

# A bot counts as ready once it has slept for QUIET_MS; it is checked every POLL_MS.
QUIET_MS = 50
POLL_MS = 10
# The most seconds between two looks at a bot, unless the machine is very busy.
GAP_S = 0.2
# The time until a bot that should read its input is checked again: this share of the time so far,
# at least so many seconds.
LOOK_SHARE, LOOK_S = 1 / 16, 0.0005


def wait_until_ready(processes: list[BotProcess], seconds: float) -> list[bool]:
    """Wait, at most `seconds`, until each bot waits for its input. Returns, for each bot, True if
    it is ready.

    A bot is ready when for QUIET_MS none of its processes ran or used CPU time. The bot need not
    cooperate: a bot that loads or compiles is running, a ready one sleeps in a read. A bot that has
    ended counts as ready.
    """
    end = time.perf_counter() + seconds
    watches = [Watch(process) for process in processes]
    looked = time.perf_counter()
    while not all(watch.ready for watch in watches) and looked < end:
        time.sleep(POLL_MS / 1000.0)
        before, looked = looked, time.perf_counter()
        if looked - before > GAP_S:
            # This process or its machine was stopped; activity of the bots was not observed.
            end += looked - before
            for watch in watches:
                watch.restart()
        for watch in watches:
            watch.look()
    return [watch.ready for watch in watches]


def wait_until_reading(processes: list[BotProcess], seconds: float) -> list[float | None]:
    """Wait, for each bot at most `seconds` from its start, until it reads its input or ends.

    Returns the seconds from each bot's start to its first read or its end, as last checked; None
    where the kernel does not report reads.
    """
    poller = select.poll()
    loading = {process.status: InputWatch(process) for process in processes}
    for descriptor in loading:
        poller.register(descriptor, select.POLLIN)
    took_s: dict[int, float | None] = dict.fromkeys(loading, 0.0)
    pause_s = LOOK_S
    while loading:
        ended = {descriptor for descriptor, _ in poller.poll(1000.0 * pause_s)}
        for descriptor, watch in list(loading.items()):
            watch.process.drain_stderr()
            is_reading = None if descriptor in ended else watch.look()
            now_s = time.perf_counter() - watch.process.started
            if is_reading is False:
                took_s[descriptor] = now_s
                pause_s = max(LOOK_S, LOOK_SHARE * now_s)
            elif is_reading is None and descriptor not in ended:
                took_s[descriptor] = None
            if is_reading is not False or now_s > seconds:
                poller.unregister(descriptor)
                del loading[descriptor]
    return [took_s[process.status] for process in processes]


class Watch:
    """Checks a bot's activity from time to time, and records since when it has been idle."""

    def __init__(self, process: BotProcess):
        self.process = process
        self.ready = False
        self.ticks, self.quiet_since = -1, 0.0

    def restart(self) -> None:
        """Forget how long the bot has been idle."""
        self.ticks = -1

    def look(self) -> None:
        """Record the bot's present activity."""
        # A bot that has filled its stderr pipe would sleep in a write and never reach its first
        # read.
        self.process.drain_stderr()
        now = time.perf_counter()
        busy, ticks = self.process.activity()
        if busy or ticks != self.ticks or self.process.measure()[0] > 0.0:
            self.quiet_since = now
        self.ticks = ticks
        self.ready = (now - self.quiet_since) * 1000.0 >= QUIET_MS
