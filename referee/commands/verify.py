"""`python -m referee verify`."""

from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from referee.commands.options import ContestName
from referee.contests import find_contest, own_errors
from referee.errors import UsageError
from referee.terminal import plain, say


def verify(
    contest: ContestName,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Truth files of the contest: recorded games."),
    ],
) -> None:
    """Check a contest's simulator against recorded games. Exit status 1 with the first difference.

    The simulator runs as plain Python; with CG_JIT=1 in the environment it is compiled.
    """
    rules = find_contest(contest)
    if rules.verify is None:
        raise UsageError(f"{contest} reads no recorded games: its contest.py has no verify yet")
    counts = (Column(name, justify="right") for name in ("games", "turns", "mismatches"))
    table = Table("file", *counts, box=box.SIMPLE)
    first = None
    for file in files:
        if not file.is_file():
            raise UsageError(f"{file}: no such file")
        with own_errors(contest, f"reading {file}"):
            report = rules.verify(file)
        table.add_row(
            Text(plain(str(file))), str(report.games), str(report.turns), str(report.mismatches)
        )
        if report.first and first is None:
            first = f"{file}: {report.first}"
    Console().print(table)
    if first:
        say(f"first difference: {first}")
        raise typer.Exit(1)
