"""The log of a running match that others may watch.

A match that nobody watches writes nothing. As soon as a file named .watch lies beside the place of
its log, the match writes all turns so far, and from then on each turn as it is played.
"""

import time
from pathlib import Path

from referee.log.file import LogWriter
from referee.log.records import LoggedOutcome

WATCH = ".watch"
# The interval at which a match looks whether someone watches.
LOOK_S = 0.2


class LiveLog(LogWriter):
    """A log that is written to `place` once a .watch file beside it requests the log."""

    def __init__(self, place: Path) -> None:
        super().__init__(None)
        self.place = place
        self.looked = time.monotonic()

    def flush(self) -> None:
        """Write the pending records if the log has been requested; the first time, write all
        records so far.
        """
        if self.path is None and time.monotonic() - self.looked > LOOK_S:
            self.looked = time.monotonic()
            if self.place.with_suffix(WATCH).exists():
                self.place.unlink(missing_ok=True)  # of an attempt before
                self.path = self.place
                self.unwritten = [self.log.header, *self.log.turns]
        super().flush()

    def outcome(self, outcome: LoggedOutcome) -> None:
        """Write the outcome, the last record, and remove the .watch file."""
        super().outcome(outcome)
        self.place.with_suffix(WATCH).unlink(missing_ok=True)
