"""Shows a running arena: on a terminal a table that is redrawn, elsewhere an occasional line."""

import time
from contextlib import contextmanager
from typing import Callable, Iterator

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee.arena.measures import score_text, signed, state_of_test
from referee.arena.run import Arena
from referee.arena.table import standings_table
from referee.terminal import plain, say

# The least interval between drawings of the table, and between printed lines.
DRAW_EVERY_S = 0.25
LINE_EVERY_S = 10.0
BAR_WIDTH = 24
# A series that will take longer than this is announced.
LONG_S = 120.0


@contextmanager
def show_progress(title: str, names: list[str]) -> Iterator[Callable[[Arena], None]]:
    """Yields a function that shows the state of an arena on stderr.

    On a terminal, the table is erased at the end. names: the names of the bots.
    """
    console = Console(stderr=True)
    timer = Timer()
    is_told = False

    def announce(arena: Arena, print_line: Callable[[str], None]) -> None:
        nonlocal is_told
        if arena.n_played and not is_told:
            is_told = True
            if text := announcement(arena, timer.elapsed()):
                print_line(text)

    if console.is_terminal:
        # Drawn only on request: a thread of its own would compete with thinking bots.
        with Live(console=console, auto_refresh=False, transient=True) as live:

            def draw(arena: Arena) -> None:
                announce(arena, lambda text: live.console.print(text, highlight=False))
                if timer.is_due(DRAW_EVERY_S):
                    live.update(render_arena(title, names, arena, timer.elapsed()), refresh=True)

            yield draw
    else:

        def tell(arena: Arena) -> None:
            announce(arena, lambda text: say(text, error=True))
            if timer.is_due(LINE_EVERY_S) and arena.n_played:
                say(progress_line(names, arena, timer.elapsed()), error=True)

        yield tell


class Timer:
    """Decides when to show something again, and measures the elapsed time."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.last = -float("inf")

    def is_due(self, every_s: float) -> bool:
        """Returns True if every_s seconds have passed since the last call that returned True."""
        now = time.monotonic()
        if now - self.last < every_s:
            return False
        self.last = now
        return True

    def elapsed(self) -> float:
        """Returns the seconds since the timer was created."""
        return time.monotonic() - self.began


def render_arena(title: str, names: list[str], arena: Arena, elapsed_s: float) -> Group:
    """Returns the title, the standings, the progress, and the state of the test if there is one."""
    grid = Table.grid(padding=(0, 2))
    for _ in range(3):
        grid.add_column(no_wrap=True)
    done, total = arena.n_found + arena.n_played, arena.plan.n_games
    grid.add_row("games", ProgressBar(total, done, width=BAR_WIDTH), progress(arena, elapsed_s))
    if arena.n_repeated:
        grid.add_row("", "", repeated_text(arena))
    if arena.sprt:
        _, llr, _ = state_of_test(arena.standings, arena.sprt)
        low, high = arena.sprt.bounds
        grid.add_row("LLR", gauge(llr, low, high), f"{llr:+.2f}  (H0 {low:.2f}, H1 {high:+.2f})")
    table = standings_table(names, arena.standings)
    return Group(Text(plain(title), style="bold"), table, grid)


def gauge(value: float, low: float, high: float) -> Text:
    """Returns a line of BAR_WIDTH characters that marks a value between its bounds."""
    place = round((min(max(value, low), high) - low) / (high - low) * (BAR_WIDTH - 1))
    track = ["─"] * BAR_WIDTH
    track[BAR_WIDTH // 2] = "┼"
    track[place] = "●"
    return Text("".join(track))


def progress(arena: Arena, elapsed_s: float) -> str:
    """Returns a text for the games played, their rate, and the time left."""
    done, at_most = arena.n_found + arena.n_played, "at most " if arena.sprt else ""
    return pace(done, arena.plan.n_games, arena.n_played, elapsed_s, at_most)


def pace(done: int, total: int, n_played: int, elapsed_s: float, at_most: str = "") -> str:
    """Returns a text: the number done of the total, then the rate and the time left.

    Rate and time are left out before the first game. n_played: the number done in elapsed_s.
    at_most: a text before the time left.
    """
    parts = [f"{done} of {total}"]
    if n_played:
        rate = n_played / elapsed_s
        parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min")
        parts.append(f"{at_most}{duration((total - done) / rate)} left")
    return ", ".join(parts)


def announcement(arena: Arena, elapsed_s: float) -> str:
    """Returns a text about the duration of a series, "" for a short series.

    The duration is estimated by the first games.
    """
    n_left = arena.plan.n_games - arena.n_found - arena.n_played
    # The first of several games at once has just ended.
    at_once = max(len(arena.running), arena.n_played)
    left_s = n_left * elapsed_s / at_once
    if left_s < LONG_S:
        return ""
    at_most = "at most " if arena.sprt else ""
    return (
        f"{n_left} more games take {at_most}about {duration(left_s)}, {at_once} at once. Faster:"
        " --jobs N plays more at once, --think MS or --limits MS lets bots think for less, --games"
        " N plays fewer"
    )


def repeated_text(arena: Arena) -> str:
    """Returns a text about the games spoiled by the machine, "" without any."""
    n = arena.n_repeated
    return f"{n} played again, spoiled by the machine" if n else ""


def progress_line(names: list[str], arena: Arena, elapsed_s: float) -> str:
    """Returns the state of an arena as one line of text."""
    parts = [progress(arena, elapsed_s)]
    if arena.n_repeated:
        parts.append(repeated_text(arena))
    standings = arena.standings
    for name, value in zip(names, standings.values()):
        if standings.is_solo:
            parts.append(f"{name} {score_text(value)}")
        elif value:
            parts.append(f"{name} {' ('.join(signed(value))})")
    if arena.sprt:
        _, llr, _ = state_of_test(standings, arena.sprt)
        parts.append(f"LLR {llr:+.2f}")
    return "; ".join(parts)


def duration(seconds: float) -> str:
    """Returns a text of a duration: "50 s", "12 min", "3 h 20 min"."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
