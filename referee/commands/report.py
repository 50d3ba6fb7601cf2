"""`python -m referee report`."""

from pathlib import Path
from typing import Annotated

import typer

from referee.arena.report import write_report
from referee.arena.store import open_store
from referee.commands.arena import parse_sprt
from referee.commands.table import ArenaFile, ArenaOption, arena_file
from referee.commands.view import describe_file
from referee.progress import status_line


def report(
    file: ArenaFile = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="PAGE.html",
            help="The page to write.",
            show_default="FILE with .html for its suffix",
        ),
    ] = None,
    db: ArenaOption = None,
    sprt: Annotated[
        str, typer.Option(metavar="ELO0,ELO1", help="The test whose way is drawn for two bots.")
    ] = "0,10",
) -> None:
    """Write a page about an arena's file: ratings and how they came about, points, times, and pages
    of the logged games.
    """
    found = arena_file(file, db)
    page = page or found.with_suffix(".html")
    test = parse_sprt(sprt)
    with open_store(found) as store, status_line() as status:
        n_pages = write_report(store, page, test, status.show)
    more = f", and {n_pages} pages of games beside it" if n_pages else ""
    print(f"{describe_file(page)}{more}")
