"""Looks at the folder of a league in a thread of its own: bundles and copies what has changed."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from referee.errors import UsageError
from referee.league.folder import Stamps, find_bots, stamps_of
from referee.league.versions import Prepared, prepare

# The interval between two looks at the folder, and at files that bots of other places consist of.
LOOK_S, LOOK_AGAIN_S = 0.5, 10.0
# The share of the time that further looks at the same folder may take.
SHARE = 0.02


@dataclass
class Scan:
    """The bots of the folder that can play, and {name: problem} of the others."""

    prepared: list[Prepared] = field(default_factory=list)
    problems: dict[str, str] = field(default_factory=dict)


class Scanner(threading.Thread):
    """The thread that watches the folder, and bundles and copies its bots when files have changed.

    found: the last scan, until the league takes it. busy: the name of the bot being bundled, or "".
    """

    def __init__(
        self,
        folder: Path,
        copies: Path,
        tell: Callable[[str], None],
        python: str,
        globs: Sequence[str],
    ) -> None:
        super().__init__(daemon=True, name="scanner")
        self.folder, self.copies, self.tell, self.python = folder, copies, tell, python
        self.globs = globs
        self.found: Scan | None = None
        self.stop = threading.Event()
        self.busy = ""

    def run(self) -> None:
        before: Stamps | None = None
        looked, cost_s = 0.0, 0.0
        while not self.stop.is_set():
            try:
                stamps = stamps_of(self.folder)
            except OSError:
                stamps = {}
            look_again_s = max(LOOK_AGAIN_S, cost_s / SHARE)
            if stamps != before or time.monotonic() - looked > look_again_s:
                # A file that is being written is read only after it has stopped changing.
                if stamps != before and before is not None and self.stop.wait(LOOK_S / 2):
                    return
                with suppress(OSError):
                    stamps = stamps_of(self.folder)
                began = time.thread_time()
                self.found = self.scan()
                before, looked, cost_s = stamps, time.monotonic(), time.thread_time() - began
            self.stop.wait(LOOK_S)

    def scan(self) -> Scan:
        """Bundle and copy the bots of the folder. Returns them, with the problems of those that
        failed.
        """
        scan = Scan()
        try:
            bots = find_bots(self.folder)
        except (UsageError, OSError) as error:
            return Scan(problems={self.folder.name: str(error)})
        for bot in bots:
            self.busy = bot.name
            try:
                ready = prepare(bot, self.copies, self.tell, bots, self.python, self.globs)
                scan.prepared.append(ready)
            except (UsageError, OSError, ValueError) as error:
                scan.problems[bot.name] = str(error)
        self.busy = ""
        return scan
