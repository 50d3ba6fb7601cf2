"""`python -m referee table`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from referee.arena.entrants import labels
from referee.arena.standings import standings_of
from referee.arena.store import read_store
from referee.arena.table import render_results
from referee.commands.arena import DEFAULT_DB
from referee.terminal import plain

ArenaFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]", help="A file that `arena` has written.", show_default="build/arena.db"
    ),
]
ArenaOption = Annotated[
    Path | None, typer.Option("--db", metavar="FILE", help="The same, as `arena` takes it.")
]


def arena_file(file: Path | None, db: Path | None) -> Path:
    """The arena's file that is meant. Raises BadParameter where two are."""
    if file and db and file != db:
        raise typer.BadParameter("FILE and --db name two files.")
    return file or db or DEFAULT_DB


def table(file: ArenaFile = None, db: ArenaOption = None) -> None:
    """Print the results of an arena's file: standings and crosstable for each kind of game."""
    console = Console()
    with read_store(arena_file(file, db)) as store:
        for series in store.all_series():
            entrants = store.entrants(series)
            standings = standings_of(store, series, entrants)
            console.print(Text(plain(series.title()), style="bold"))
            console.print(render_results(labels(entrants), standings))
