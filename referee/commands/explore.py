"""`python -m referee explore` and `python -m referee review`."""

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.commands.options import (
    LogFile,
    Trust,
    describe_file,
    output_path,
    page_option,
    warn,
)
from referee.commands.replay import Player, find_player
from referee.errors import UsageError
from referee.explore.explore import explore as explored
from referee.explore.page import write_explore_page
from referee.log.file import read_log
from referee.log.records import Log
from referee.sources.trust import bot_of_log, contest_of_log
from referee.terminal import say

NODES = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)x|(\d{1,12})", re.ASCII)

OwnBot = Annotated[
    str | None,
    typer.Option(
        metavar="BOT",
        help="The source of the bot, bots/CONTEST/NAME.py; without it the logged one.",
    ),
]
NodesText = Annotated[
    str,
    typer.Option(
        metavar="N",
        help="Nodes of the search, as a multiple of the logged ones (10x) or as a number.",
    ),
]


def explore(
    log: LogFile,
    turn: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="The turn to look into; turns count from 0."),
    ],
    player: Player = None,
    bot: OwnBot = None,
    play: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ACTION",
            help="Search the position after this action for as long again, in the words of the"
            " contest; may be given several times.",
        ),
    ] = None,
    nodes: NodesText = "1x",
    page: Annotated[
        Path | None, page_option("LOG with .turnN.html for its suffix", typer.Option)
    ] = None,
    trust: Trust = False,
) -> None:
    """Repeat a turn exactly and write a page with the tree of its search.

    The page shows each node's visits, value, prior and bound, its position on the contest's board,
    the expected line, and how the values of the actions changed while the search ran. It needs a
    bot of your own that uses a search of `shared/search`: its source runs, compiled by numba.

    With --play the page shows the searches after other actions beside it, with --nodes 10x the
    choice that ten times the nodes would make.

    Examples:

    ```sh
    onefile explore match.jsonl --player 0 --turn 20
    onefile explore match.jsonl --turn 20 --play "4 4" --play "1 1"
    onefile explore match.jsonl --turn 20 --nodes 10x -o deeper.html
    ```
    """
    logged = read_log(log)
    contest = contest_of_log(logged, trust)
    player = find_player(logged, log, player)
    check_turn(logged, log, player, turn)
    named = own_bot(logged, player, bot, trust)
    page = output_path(page, log, f".turn{turn}.html", "page")
    own = dict(logged.of_player(player))[turn].nodes
    factor = read_nodes(nodes, own)
    first, *others = explored(logged, player, turn, named, factor, tuple(play or ()))
    answer = " | ".join(first["answer"])
    searches = [{"title": f"turn {turn}: {answer}", **one} for one in first["searches"]]
    searches += [{"title": f"after {one['play']}", **one} for one in others]
    notes = list(notes_on(first))
    for note in notes:
        (warn if note.startswith("turn") else say)(note)
    for one in searches:
        say(f"{one['title']}: {describe_search(one)}")
    write_explore_page(page, logged, contest, player, searches, notes)
    say(describe_file(page))


def check_turn(log: Log, path: Path, player: int, turn: int) -> None:
    """Raise UsageError unless a player was asked in a turn."""
    turns = [number for number, _ in log.of_player(player)]
    if turn not in turns:
        raise UsageError(
            f"{path}: player {player} was not asked in turn {turn}; its last turn is {turns[-1]}"
        )


def own_bot(log: Log, player: int, bot: str | None, trust: bool) -> str:
    """Returns the bot to look into. Raises UsageError for a stranger's."""
    entry = log.header.bots[player]
    if not bot and not entry.bot:
        raise UsageError(
            f"{log.source}: an imported game does not name its bots, and a stranger's search is not"
            " in its log: give a bot of your own with --bot"
        )
    return bot or bot_of_log(log, entry, trust)


def read_nodes(text: str, logged: int | None) -> float:
    """Returns `--nodes` as a multiple of the logged nodes. Raises BadParameter."""
    found = NODES.fullmatch(text)
    number = float(found[1] or found[2]) if found else 0.0
    if found is None or number <= 0.0:
        raise typer.BadParameter(
            f"{text!r}: a multiple as in 10x, or a number of nodes.", param_hint="'--nodes'"
        )
    return number if found[1] else number / max(logged or 1, 1)


def notes_on(found: dict[str, Any]) -> list[str]:
    """Returns lines about the repeated turn: whether it agrees with the log."""
    answer, logged = (" | ".join(found[key] or []) for key in ("answer", "logged"))
    nodes = round(found["nodes"] * found["factor"])
    notes = []
    if found["differs"] is not None:
        notes.append(f"turn {found['differs']} was answered differently: the bot is another one")
    if found["factor"] != 1.0:
        verdict = "plays the same" if found["same"] else f"plays {answer} instead of {logged}"
        notes.append(f"with {nodes:,} nodes instead of {found['nodes']:,} it {verdict}")
    elif found["same"]:
        notes.append(f"the answer is as logged, {answer}, after {nodes:,} nodes")
    elif found["same"] is False:
        notes.append(f"the answer is {answer}, the logged one {logged}: the bot is another one")
    return notes


def describe_search(search: dict[str, Any]) -> str:
    """Returns the value and the expected line of a search as text."""
    value = search["value"]
    shown = "no value" if value is None else f"value {value:.3g}"
    line = next(tree["line"] for tree in search["trees"] if tree["own"])
    return f"{shown}, expects {', '.join(line[:8]) or 'nothing'}"
