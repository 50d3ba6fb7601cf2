"""`onefile init` and `onefile new`: a workspace, and a contest or a bot to begin with."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from bundler.modules.workspace import MARKER
from referee.errors import UsageError
from referee.scaffold.new_contest import (
    write_contest,
    write_features,
    write_first_bot,
    write_skeleton,
)
from referee.scaffold.new_workspace import make_workspace
from referee.sources.bots import find_file, path_for_people
from referee.sources.contests import contest_names
from referee.sources.workspace import home_for_sources
from referee.terminal import say

CONTEST = "coders_strike_back"
FIRST_MATCH = f"onefile match {CONTEST} bots/{CONTEST}/smitsimax.py bots/{CONTEST}/racer.py"


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder; it may have files already.")
    ],
) -> None:
    """Make a folder of your own for contests, bots and logs: a workspace.

    Commands in this folder, or below it, look for contests and bots here first, then in the
    installation. Their files are written here unless an option names another place.

    Examples:

    ```sh
    onefile init ~/bots
    ```
    """
    written = make_workspace(folder)
    say(*(map(str, written) if written else [f"{folder}: nothing is missing"]))
    is_here = folder.resolve() == Path.cwd()
    say(
        f"begin: {FIRST_MATCH}"
        if is_here
        else f"begin there: cd {shlex.quote(str(folder))}, then {FIRST_MATCH}"
    )
    say("onefile bots lists all contests and bots, onefile new my_contest begins one of your own")


def new(
    contest: Annotated[
        str, typer.Argument(metavar="CONTEST", help="The new contest's name, as in my_contest.")
    ],
    stub: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For a contest that has its own referee: write a first bot, and a board that draws"
            " the places in the input. FILE: the contest's repository, whose grammar of the input"
            " for the highest league is read, or a grammar like its config/stub.txt.",
        ),
    ] = None,
    solo: Annotated[
        bool,
        typer.Option(
            "--solo", help="A contest for one player, with a bot that plans by beam search."
        ),
    ] = False,
    simulator: Annotated[
        bool,
        typer.Option(
            "--simulator",
            help="Beside the bot that --stub wrote, after a match under the official referee: write"
            " state, protocol, rules, contest and a bot that searches. FILL IN marks each place"
            " where rules are missing.",
        ),
    ] = False,
    network: Annotated[
        bool,
        typer.Option(
            "--network",
            help="For a contest that is there, of two players in turns: write the features of a"
            " network, which `onefile train` fits.",
        ),
    ] = False,
) -> None:
    """Begin a contest of your own: rules, simulator, protocol, drawing, two bots and tests.

    The files are a small game that can be played at once, by a bot that searches and one that does
    not. Replace it rule by rule.

    Examples:

    ```sh
    onefile new my_contest
    onefile new my_puzzle --solo
    onefile new other_contest --stub ~/MyContest2030
    onefile new other_contest --simulator
    onefile new connect_four --network
    ```
    """
    folder = home_for_sources()
    if bool(stub) + solo + simulator + network > 1:
        raise UsageError(
            "--stub writes a bot, --solo a contest, --simulator rules beside a bot, --network"
            " features: give one of them"
        )
    if network:
        check_is_alternating(contest)
        print(path_for_people(folder / write_features(contest, folder)))
        print(f"train it: onefile train {contest}")
        return
    if stub:
        path, *board = write_first_bot(contest, stub, folder)
        print(*(path_for_people(folder / file) for file in (path, *board)), sep="\n")
        built = shlex.quote(str(stub)) if stub.is_dir() else "CLASSPATH"
        print(f"play it: onefile match {contest} --official {built} {path} --log first.jsonl")
        return
    if simulator:
        written = write_skeleton(contest, folder)
        print(*(path_for_people(folder / path) for path in written), sep="\n")
        print(f"the rules are missing: grep -rn 'FILL IN' shared/games/{contest} bots/{contest}")
        print(f"compare it with the referee: onefile verify {contest} --official DIR --games 1")
        print(f"play it: onefile match {contest} bots/{contest}/searcher.py")
        return
    # In a workspace it would hide a part of the installed one.
    if contest in contest_names() and not (folder / "shared" / "games" / contest).exists():
        raise UsageError(
            f"contest {contest!r} exists: there is one in the installation: choose another name;"
            f" bots of your own for it go into bots/{contest}"
        )
    for path in write_contest(contest, folder, solo):
        print(path_for_people(folder / path))
    if (folder / MARKER).exists():
        bot = f"bots/{contest}/random_player.py"
        if solo:
            print(f"play it: onefile match {contest} bots/{contest}/beam.py")
            print(f"score it: onefile arena {contest} bots/{contest}/beam.py {bot} --cases 1-100")
        else:
            print(f"play it: onefile match {contest} bots/{contest}/smitsimax.py {bot}")
        print(f"test it: onefile test -k {contest}")
    else:
        print(f"play it: make match CONTEST={contest}")


def check_is_alternating(contest: str) -> None:
    """Raise UsageError unless a contest has rules of a game of two players in turns."""
    file = find_file(f"shared/games/{contest}/game.py")
    if file is None or "AlternatingGame(" not in file.read_text(encoding="utf-8"):
        raise UsageError(
            f"shared/games/{contest}/game.py has no AlternatingGame: networks are trained for games"
            " of two players in turns"
        )
