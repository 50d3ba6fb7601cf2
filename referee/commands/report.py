"""`python -m referee report`."""

from pathlib import Path
from typing import Annotated

from referee.arena.best_known import read_best
from referee.arena.report import write_report
from referee.arena.store import read_store
from referee.commands.options.arena import (
    ArenaFile,
    ArenaOption,
    ScoreOptions,
    arena_file,
    check_against,
)
from referee.commands.options.common import Trust, describe_file, output_path, page_option, warn
from referee.status_line import status_line
from referee.terminal import say

# So many logs that cannot be drawn are named one by one.
MAX_TOLD = 5


def report(
    file: ArenaFile = None,
    page: Annotated[Path | None, page_option("FILE with .html for its suffix")] = None,
    db: ArenaOption = None,
    trust: Trust = False,
    *,
    options: ScoreOptions,
) -> None:
    """Write a page about an arena's file: ratings, points, times, and pages of logged games.

    Examples:

    ```sh
    onefile report build/arena.db -o arena.html
    ```
    """
    arena_path = arena_file(file, db)
    page = output_path(page, arena_path, ".html", "page")
    with read_store(arena_path) as store, status_line() as status:
        entrants = [entrant for each in store.all_series() for entrant in store.entrants(each)]
        check_against(options.against, entrants)
        known = read_best(options.best_file(arena_path))
        n_pages, problems = write_report(store, page, status.show, trust, known, options.against)
    more = f", and {n_pages} pages of games beside it" if n_pages else ""
    say(f"{describe_file(page)}{more}")
    for problem in problems[:MAX_TOLD]:
        warn(problem)
    if len(problems) > MAX_TOLD:
        warn(f"and {len(problems) - MAX_TOLD} more logs without a page: the report names them")
