"""`python -m referee view`."""

from pathlib import Path
from typing import Annotated

import typer

from referee.commands.options.common import LogFile, Trust, describe_file, output_path, page_option
from referee.errors import UsageError
from referee.log.file import read_log
from referee.official.build import find_build
from referee.official.view import find_viewer
from referee.page.kaggle_pictures import kaggle_pictures
from referee.page.page import official_pictures, pictures_path, write_page
from referee.play.leader import Kaggle, leader_of
from referee.terminal import say


def view(
    log: LogFile,
    page: Annotated[Path | None, page_option("LOG with .html for its suffix")] = None,
    official: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="The build of the contest whose official referee led the match: its own pictures"
            " are shown, from a second file beside the page.",
        ),
    ] = None,
    trust: Trust = False,
) -> None:
    """Write a page that shows a match: one file, to open in a browser, no network needed.

    A game that was played elsewhere has a page of its texts and times. Beside the page of a match
    with --kaggle stands Kaggle's own.

    A bot draws on the board of its turn by lines on stderr: `#line X1 Y1 X2 Y2 [COLOUR]`,
    `#circle X Y RADIUS [COLOUR]`, `#text X Y COLOUR WORDS`, in the units of the contest's board.
    Lines as `[57] eval = 0.5` or `#value eval 0.5` are charted under the board.

    Examples:

    ```sh
    onefile view match.jsonl
    onefile view match.jsonl -o build/match.html
    onefile view match.jsonl --official ~/MyContest2030
    ```
    """
    page = output_path(page, log, ".html", "page")
    viewer = find_viewer(find_build(official)) if official is not None else None
    read = read_log(log)
    leader = leader_of(read.header.conditions)
    pictures, lack = official_pictures(read, viewer) if viewer else None, ""
    if isinstance(leader, Kaggle):
        try:
            pictures = kaggle_pictures(read, leader.environment)
        except UsageError as error:
            lack = str(error)
    write_page(read, page, trust, pictures)
    say(describe_file(page))
    if pictures:
        say(f"with the official pictures in {pictures_path(page).name}, which belongs beside it")
    elif lack:
        say(f"without Kaggle's own page: {lack}")
    elif leader.reports:
        say("its official pictures: add --official PATH, the contest's build")
