"""`python -m referee report`."""

from pathlib import Path
from typing import Annotated

import typer

from referee.arena.report import write_report
from referee.arena.store import open_store
from referee.commands.table import ArenaFile


def report(
    db: ArenaFile,
    page: Annotated[
        Path, typer.Option("-o", "--output", metavar="PAGE.html", help="The page to write.")
    ],
) -> None:
    """Write a page about an arena's file: ratings, points, times, and pages of the logged games."""
    with open_store(db) as store:
        write_report(store, page)
