"""One line on a terminal that reports the current activity."""

import time
from contextlib import contextmanager
from typing import Iterator

from rich.console import Console
from rich.live import Live
from rich.text import Text

from referee.terminal import plain

# The shortest interval between two drawings of the turn's number.
TURN_EVERY_S = 0.1


class StatusLine:
    """The line, drawn only on request: a thread that draws it would compete with thinking bots.

    live: the display that draws the line, None to draw nothing.
    """

    def __init__(self, live: Live | None):
        self.live = live
        self.drawn = 0.0

    def show(self, text: str) -> None:
        """Put a text on the line."""
        self.drawn = time.monotonic()
        if self.live:
            self.live.update(Text(plain(text)), refresh=True)

    def show_turn(self, turn: int) -> None:
        """Put the number of the turn on the line, unless the line was drawn less than TURN_EVERY_S
        ago.
        """
        if time.monotonic() - self.drawn >= TURN_EVERY_S:
            self.show(f"turn {turn}")


@contextmanager
def status_line() -> Iterator[StatusLine]:
    """Open the status line on stderr, and erase it at the end. Without a terminal nothing is
    shown.
    """
    console = Console(stderr=True)
    if console.is_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            yield StatusLine(live)
    else:
        yield StatusLine(None)
