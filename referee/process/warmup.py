"""Waits for bots to finish starting, before the clock of their first answer runs."""

import time

from referee.process.bot_process import BotProcess

# A bot counts as ready once it has slept for QUIET_MS; it is looked at every POLL_MS.
QUIET_MS = 50
POLL_MS = 10


def wait_until_ready(processes: list[BotProcess], seconds: float) -> list[bool]:
    """Wait, at most `seconds`, until each bot waits for its input; which of them do so.

    A bot is ready when for QUIET_MS none of its processes ran or used CPU time. That needs no help
    from the bot: one that loads or compiles runs, one that has done so sleeps in a read. A bot that
    has ended counts as ready.
    """
    end = time.perf_counter() + seconds
    watches = [Watch(process) for process in processes]
    while not all(watch.ready for watch in watches) and time.perf_counter() < end:
        time.sleep(POLL_MS / 1000.0)
        for watch in watches:
            watch.look()
    return [watch.ready for watch in watches]


class Watch:
    """Looks from time to time at what a bot does, and remembers since when it did nothing."""

    def __init__(self, process: BotProcess):
        self.process = process
        self.ready = False
        self.ticks, self.quiet_since = -1, 0.0

    def look(self) -> None:
        """Note what the bot does now."""
        # A bot that has filled its stderr would sleep in a write and never get to its first read.
        self.process.drain_stderr()
        now = time.perf_counter()
        busy, ticks = self.process.activity()
        if busy or ticks != self.ticks or self.process.measure()[0] > 0.0:
            self.quiet_since = now
        self.ticks = ticks
        self.ready = (now - self.quiet_since) * 1000.0 >= QUIET_MS
