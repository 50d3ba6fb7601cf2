"""`python -m referee table`."""

import json
from typing import Annotated

import typer

from referee.arena.best_known import known_scores
from referee.arena.entrants import find_entrant, labels
from referee.arena.standings import standings_of
from referee.arena.store import read_store
from referee.arena.table import print_series, series_data
from referee.commands.options.arena import (
    ArenaFile,
    ArenaOption,
    ScoreOptions,
    arena_file,
    check_against,
)


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
    arena_path = arena_file(file, db)
    with read_store(arena_path) as store:
        all_series = store.all_series()
        all_entrants = [store.entrants(series) for series in all_series]
        check_against(options.against, [each for entrants in all_entrants for each in entrants])
        for series, entrants in zip(all_series, all_entrants):
            known = {}
            if store.is_solo(series):
                known = known_scores(options.best_file(arena_path), series.contest)
            if not as_json:
                print_series(store, series, known, options.against)
                continue
            names = labels(entrants)
            standings = standings_of(store, series, entrants, known)
            rows = standings.data(names, find_entrant(entrants, options.against))
            by_key = {entrant.key: name for entrant, name in zip(entrants, names)}
            print(json.dumps(series_data(store, series, by_key, rows)))
