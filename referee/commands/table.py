"""`python -m referee table`."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from referee.arena.best_known import known_scores
from referee.arena.entrants import find_entrant, labels
from referee.arena.standings import standings_of
from referee.arena.store import read_store
from referee.arena.table import render_results, series_data
from referee.commands.arena_options import (
    ArenaFile,
    ArenaOption,
    ScoreOptions,
    arena_file,
    check_against,
)
from referee.terminal import plain


def table(
    file: ArenaFile = None,
    db: ArenaOption = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print a line of JSON for each kind, with all its games."),
    ] = False,
    *,
    options: ScoreOptions,
) -> None:
    """Print the results of an arena's file: standings and crosstable for each kind of game.

    Examples:

    ```sh
    onefile table build/arena.db
    ```
    """
    console = Console()
    arena_path = arena_file(file, db)
    with read_store(arena_path) as store:
        all_series = store.all_series()
        all_entrants = [store.entrants(series) for series in all_series]
        check_against(options.against, [each for entrants in all_entrants for each in entrants])
        for series, entrants in zip(all_series, all_entrants):
            names = labels(entrants)
            known = {}
            if store.is_solo(series):
                known = known_scores(options.best_file(arena_path), series.contest)
            standings = standings_of(store, series, entrants, known)
            against = find_entrant(entrants, options.against)
            if as_json:
                keys = [entrant.key for entrant in entrants]
                rows = standings.data(names, against)
                print(json.dumps(series_data(store, series, dict(zip(keys, names)), rows)))
                continue
            console.print(Text(plain(series.title()), style="bold"))
            console.print(render_results(names, standings, against))
            for key, note in store.notes(series).items():
                noted = [name for name, entrant in zip(names, entrants) if entrant.key == key]
                console.print(Text(plain(f"{', '.join(noted)}: {note}")))
