"""`python -m referee table`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from referee.arena.entrants import labels
from referee.arena.standings import standings_of
from referee.arena.store import open_store
from referee.arena.table import results

ArenaFile = Annotated[
    Path, typer.Option("--db", metavar="FILE", help="A file that `arena` has written.")
]


def table(db: ArenaFile) -> None:
    """Print the results of an arena's file: standings and crosstable for each kind of game."""
    console = Console()
    with open_store(db) as store:
        for series in store.all_series():
            entrants = store.entrants(series)
            standings = standings_of(store, series, entrants)
            console.print(Text(series.title(), style="bold"))
            console.print(results(labels(entrants), standings))
