"""`python -m referee table`."""

from rich.console import Console
from rich.text import Text

from referee.arena.entrants import labels
from referee.arena.standings import standings_of
from referee.arena.store import read_store
from referee.arena.table import render_results
from referee.commands.arena_options import ArenaFile, ArenaOption, arena_file
from referee.terminal import plain


def table(file: ArenaFile = None, db: ArenaOption = None) -> None:
    """Print the results of an arena's file: standings and crosstable for each kind of game."""
    console = Console()
    with read_store(arena_file(file, db)) as store:
        for series in store.all_series():
            entrants = store.entrants(series)
            standings = standings_of(store, series, entrants)
            console.print(Text(plain(series.title()), style="bold"))
            console.print(render_results(labels(entrants), standings))
