"""`onefile init`."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from referee.sources.workspace import make_workspace
from referee.terminal import say


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder; it may have files already.")
    ],
) -> None:
    """Make a folder of your own for contests, bots and logs: a workspace.

    Commands that are given there, or in a folder of it, look there first and then in the installed
    onefile; what they write by themselves goes there.
    """
    say(*map(str, make_workspace(folder)))
    say(f"begin there: cd {shlex.quote(str(folder))}, then onefile new my_contest")
