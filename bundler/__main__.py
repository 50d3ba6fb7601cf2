"""Command line: `python -m bundler BOT -o OUT.py`."""

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from bundler.errors import BundleError
from bundler.flatten import flatten, utf16_units


class Mode(str, Enum):
    numba = "numba"
    native = "native"
    python = "python"


def bundle(
    bot: Annotated[str, typer.Argument(help="The bot: a Python file, or the name of a module.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")],
    mode: Annotated[Mode, typer.Option(help="How compiled functions are to run.")] = Mode.numba,
    root: Annotated[Path | None, typer.Option(help="The project's folder.")] = None,
    keep_all: Annotated[bool, typer.Option("--keep-all", help="Keep what is unused.")] = False,
    strip: Annotated[bool, typer.Option("--strip", help="Drop comments and docstrings.")] = False,
    limit: Annotated[int, typer.Option(help="The site's limit in UTF-16 units.")] = 100_000,
):
    """Flatten a bot and all it imports into one file."""
    try:
        bundled = flatten(bot, root=root, mode=mode.value, keep_all=keep_all, strip=strip)
    except BundleError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from error
    out.write_text(bundled.text, encoding="utf-8")
    size = utf16_units(bundled.text)
    print(f"{out}: {size} of {limit} characters, {len(bundled.modules)} modules", file=sys.stderr)


if __name__ == "__main__":
    typer.run(bundle)
