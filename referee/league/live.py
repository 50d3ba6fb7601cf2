"""Follows a match that is being played, by the file of its growing log."""

import json
from pathlib import Path
from typing import Any

from referee.log.file import parse_log
from referee.log.live import WATCH
from referee.log.records import Log
from referee.page.page import GrowingPage
from referee.play.leader import leader_of


class Follower:
    """Reads a growing log and makes the data of its page.

    The file stays open: a match deletes it at its end, when the last lines have been written.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self.data = b""
        self.file: Any = None
        self.page: GrowingPage | None = None
        self.n_turns = -1
        self.has_ended = False

    def close(self) -> None:
        """Close the file."""
        if self.file:
            self.file.close()

    def more(self) -> dict[str, Any] | None:
        """Returns the data by which the page has grown, None if there are none yet. Raises
        UsageError.
        """
        if self.file is None:
            try:
                self.file = self.place.open("rb")
            except OSError:
                return None
        new = self.file.read()
        if not new:
            return None
        self.data += new
        if b"\n" not in self.data:
            return None
        log = parse_log(self.data[: self.data.rindex(b"\n") + 1], self.place)
        if len(log.turns) == self.n_turns and log.outcome is None:
            return None
        self.n_turns = len(log.turns)
        self.has_ended = log.outcome is not None
        return self.add(log)

    def add(self, log: Log) -> dict[str, Any]:
        """Returns the data by which a longer log extends the page."""
        if self.page is None:
            leader = leader_of(log.header.conditions)
            self.page = GrowingPage(leader.contest(log.header.contest))
        return self.page.add(log)


def watch(place: Path) -> None:
    """Ask the match whose log belongs at `place` to write the log."""
    place.with_suffix(WATCH).touch()


def unwatch(place: Path) -> None:
    """Withdraw the request of `watch`."""
    place.with_suffix(WATCH).unlink(missing_ok=True)


def event(name: str, data: Any) -> bytes:
    """Returns a server-sent event. data: its text, or data to be written as JSON."""
    text = data if isinstance(data, str) else json.dumps(data, separators=(",", ":"))
    return f"event: {name}\ndata: {text}\n\n".encode()
