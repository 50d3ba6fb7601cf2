"""`onefile new`."""

from typing import Annotated

import typer

from referee.contests import PROJECT
from referee.scaffold import write_contest


def new(
    contest: Annotated[
        str, typer.Argument(metavar="CONTEST", help="Its name, as in my_contest: a new one.")
    ],
) -> None:
    """Begin a contest of your own: rules, simulator, protocol, drawing, two bots and tests.

    What is written is a small game that can be played at once, by a bot that searches and one that
    does not. Replace it rule by rule.
    """
    for path in write_contest(contest, PROJECT):
        print(path)
    print(f"play it: make match CONTEST={contest}")
