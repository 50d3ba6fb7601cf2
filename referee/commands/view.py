"""`python -m referee view`."""

from pathlib import Path
from typing import Annotated

import typer

from referee.commands.options import LogFile
from referee.errors import UsageError
from referee.log import read_log
from referee.view import write_page


def view(
    log: LogFile,
    page: Annotated[
        Path, typer.Option("-o", "--output", metavar="PAGE.html", help="The page to write.")
    ],
) -> None:
    """Write a page that shows a match: one file, to open in a browser, no network needed.

    A bot draws on the board of its turn by lines on stderr: `#line X1 Y1 X2 Y2 [COLOUR]`,
    `#circle X Y RADIUS [COLOUR]`, `#text X Y COLOUR WORDS`, in the units of the contest's board.
    """
    if page.exists() and page.samefile(log):
        raise UsageError(f"{log}: would be overwritten by its page: name another with -o")
    write_page(read_log(log), page)
