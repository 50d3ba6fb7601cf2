"""`onefile init` and `onefile new`: a workspace, and a contest or a bot to begin with."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from referee.errors import UsageError
from referee.scaffold.new_contest import write_contest, write_first_bot
from referee.sources.contests import contest_names
from referee.sources.workspace import home, make_workspace
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


def new(
    contest: Annotated[
        str, typer.Argument(metavar="CONTEST", help="Its name, as in my_contest: a new one.")
    ],
    stub: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a bot alone, of a contest whose rules others have: from the grammar of its"
            " input (config/stub.txt of its folder), or from the Python code that the site's editor"
            " starts with.",
        ),
    ] = None,
) -> None:
    """Begin a contest of your own: rules, simulator, protocol, drawing, two bots and tests.

    What is written is a small game that can be played at once, by a bot that searches and one that
    does not. Replace it rule by rule.
    """
    if stub:
        path = write_first_bot(contest, stub, home())
        print(path)
        print(f"play it: onefile match --official CLASSPATH {path}")
        return
    # In a workspace it would hide a part of the installed one.
    if contest in contest_names() and not (home() / "shared" / "games" / contest).exists():
        raise UsageError(
            f"contest {contest!r} exists: there is one in the installation: choose another name;"
            f" bots of your own for it go into bots/{contest}"
        )
    for path in write_contest(contest, home()):
        print(path)
    print(f"play it: make match CONTEST={contest}")
