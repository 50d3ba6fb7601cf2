"""`onefile bots` and `onefile copy`: the contests with their bots, and a bot to begin with."""

import ast
import textwrap
from itertools import cycle, islice
from typing import Annotated

import typer
from rich.console import Console

from referee.errors import UsageError, did_you_mean
from referee.league.folder import is_player
from referee.sources.bots import find_file, path_for_people
from referee.sources.contests import contest_names, find_contest
from referee.sources.workspace import home_for_sources, is_source, roots
from referee.terminal import say

COLUMN = 18
# The least width of a description.
LEAST = 20


def bots(
    contest: Annotated[
        str, typer.Argument(metavar="CONTEST", help="List the bots of this one alone.")
    ] = "",
) -> None:
    """List the contests that can be played here, and the bots of each.

    Examples:

    ```sh
    onefile bots
    onefile bots infexion
    ```
    """
    width = max(Console().width - COLUMN - 3, LEAST)
    example = ""
    contests = contest_names()
    led_elsewhere = [name for name in folders_of_bots() if name not in contests]
    for name in [contest] if contest else sorted([*contests, *led_elsewhere]):
        listed = bots_of(name)
        if name in led_elsewhere:
            title, least = "", 0
            say(f"{name}: rules from --kaggle, --official or --referee, in bots/{name}")
        else:
            described = find_contest(name)
            title, (least, most) = described.title, described.players
            players = f"{least}" if least == most else f"{least} to {most}"
            say(f"{name}: {title}, {players} player{'s' * (most > 1)}, in bots/{name}")
        for bot, text in listed.items():
            shown = textwrap.shorten(text.removeprefix(f"{title} "), width, placeholder=" ...")
            say(f"  {bot:<{COLUMN}} {shown}".rstrip())
        if least and listed and not example:
            paths = [f"bots/{name}/{bot}.py" for bot in islice(cycle(listed), least)]
            example = f"onefile match {name} {' '.join(paths)} --clock cpu"
    if example:
        say(f"play: {example}", "begin with a copy: onefile copy bots/CONTEST/BOT.py")


def copy(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A source, as in bots/infexion/greedy.py.")
    ],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name of the copy, beside other bots.")
    ] = "mine",
) -> None:
    """Begin a bot with a copy of another one, in your workspace.

    The copy imports what the other one imports: modules beside it are not copied, but found in the
    installation.

    Examples:

    ```sh
    onefile copy bots/coders_strike_back/racer.py
    onefile copy bots/infexion/minimax.py deeper
    ```
    """
    source = find_file(bot)
    if source is None or not is_source(source):
        known = [
            f"bots/{folder}/{name}.py" for folder in folders_of_bots() for name in bots_of(folder)
        ]
        meant = did_you_mean(bot, known)
        raise UsageError(f"no source {bot!r} in bots/: `onefile bots` lists those there are{meant}")
    if not name.removesuffix(".py").isidentifier():
        raise UsageError(f"{name!r} is no name of a module: give letters, digits and _")
    contest = source.parent.name
    made = home_for_sources() / "bots" / contest / f"{name.removesuffix('.py')}.py"
    if made.exists():
        raise UsageError(f"{path_for_people(made)} exists: give another NAME")
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_bytes(source.read_bytes())
    path = path_for_people(made.resolve())
    say(path, f"play it: onefile match {contest} {path} {path_for_people(source)} --clock cpu")


def folders_of_bots() -> list[str]:
    """Returns the names of the folders in bots/ that have a bot, sorted."""
    names = {file.parent.name for root in roots() for file in root.glob("bots/*/*.py")}
    return sorted(name for name in names if bots_of(name))


def bots_of(contest: str) -> dict[str, str]:
    """Returns {bot: description} of a contest, sorted by name; a bot of the workspace hides a bot
    of the same name in the installation.
    """
    found: dict[str, str] = {}
    for file in [file for root in roots() for file in root.glob(f"bots/{contest}/*.py")]:
        if is_player(file):
            found.setdefault(file.stem, description(file.read_text(encoding="utf-8")))
    return dict(sorted(found.items()))


def description(text: str) -> str:
    """Returns the first paragraph of a source's docstring, "" without one, and a text for a source
    that is no Python.
    """
    try:
        docstring = ast.get_docstring(ast.parse(text)) or ""
    except (SyntaxError, ValueError):
        return "cannot be read: no Python"
    return docstring.partition("\n\n")[0]
