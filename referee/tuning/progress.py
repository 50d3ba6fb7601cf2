"""Shows the progress of a tuning: on the status line or as printed lines, and as a page."""

from pathlib import Path

from referee.arena.progress import LINE_EVERY_S, Timer, pace, progress_line
from referee.arena.run import Arena
from referee.status_line import StatusLine
from referee.terminal import say
from referee.tuning.page import write_page
from referee.tuning.run import Tuning

# The intervals of drawing the page, in trials, and the terminal's line, in seconds.
PAGE_EVERY = 50
DRAW_EVERY_S = 1.0


class TuningProgress:
    """Shows a tuning, called `title` on its page, and the test at its end."""

    def __init__(self, status: StatusLine, page: Path, title: str) -> None:
        self.status, self.page, self.title = status, page, title
        self.timer = Timer()
        self.test_timer: Timer | None = None  # from the test's beginning on

    def show(self, tuning: Tuning) -> None:
        """Show the number of trials and the best values so far; write the page now and then."""
        n = len(tuning.played)
        if n == tuning.n_found:
            self.status.show(f"trials: {n} of {tuning.method.n_iterations}")
        elif self._is_due(self.timer):
            self._say(trials_line(tuning, self.timer.elapsed()))
        if n and n % PAGE_EVERY == 0:
            write_page(self.page, self.title, tuning, "")

    def show_test(self, arena: Arena) -> None:
        """Show the progress of the test; called before its first game, too."""
        self.test_timer = self.test_timer or Timer()
        text = "testing what was found: "
        if not arena.n_played:
            self.status.show(f"{text}{arena.n_found} of {arena.plan.n_games}")
        elif self._is_due(self.test_timer):
            self._say(text + progress_line(["found"], arena, self.test_timer.elapsed()))

    def _is_due(self, timer: Timer) -> bool:
        return timer.is_due(DRAW_EVERY_S if self.status.live else LINE_EVERY_S)

    def _say(self, text: str) -> None:
        if self.status.live:
            self.status.show(text)
        else:
            say(text, error=True)


def trials_line(tuning: Tuning, elapsed_s: float) -> str:
    """Returns a text for the number of trials, the time left, and the best values so far."""
    n, best, space = len(tuning.played), tuning.path[-1], tuning.space
    values = " ".join(f"{name}={value}" for name, value in space.rounded_values(best).items())
    return f"trials: {pace(n, tuning.method.n_iterations, n - tuning.n_found, elapsed_s)}; {values}"
