"""`python -m referee import`."""

from pathlib import Path
from typing import Annotated

import typer

from referee.commands.options.common import output_path, warn
from referee.log.file import LogWriter
from referee.replay.import_game import import_game as import_site_game
from referee.sources.contests import find_contest, foreign_contest
from referee.terminal import say


def import_game(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A bot's stderr or the console as text, or the site's replay as JSON.",
        ),
    ],
    contest: Annotated[
        str, typer.Option(metavar="CONTEST", help="A folder's name in shared/games.")
    ],
    is_new: Annotated[
        bool,
        typer.Option(
            "--new", help="CONTEST is not known here: the input of players is not checked."
        ),
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="LOG",
            help="The log to write; without it FILE with .jsonl for its suffix.",
        ),
    ] = None,
) -> None:
    """Make a log of a game that was played on the site, to be replayed or viewed at home.

    `replay` needs a bundle made with `onefile bundle BOT --trace`, which echoes its game to stderr.
    A replay may have several such players. Without any, the log has the players' answers
    alone, which is enough for `view`.

    Examples:

    ```sh
    onefile import game.json --contest coders_strike_back -o lost.jsonl
    ```
    """
    log = output_path(log, file, ".jsonl", "log")
    with LogWriter(log) as writer:
        rules = foreign_contest(contest) if is_new else find_contest(contest)
        traces = import_site_game(file, rules, writer, warn)
    if not traces:
        say(
            f"{log}: {len(writer.log.turns)} turns, to be viewed: no bot was traced, so what they"
            " read is missing"
        )
    if seed := writer.log.header.conditions.options.get("seed"):
        say(f"its seed is {seed}: the official referee begins the same game with --seed {seed}")
    for player, trace in traces.items():
        say(f"{log}: {len(trace.turns)} turns of player {player}")
        if len(trace.turns) < trace.n_begun:
            warn(f"player {player}: no room on stderr for turn {len(trace.turns)} and later ones")
