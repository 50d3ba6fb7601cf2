"""`python -m referee match`."""

import json
import os
import re
import webbrowser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from referee.commands.options.common import (
    BOT_FAILED,
    BOT_HELP,
    ContestName,
    JsonLine,
    SiteName,
    TimeOptions,
    announce,
    announce_bundling,
    game_option,
    run_option,
    storage_option,
    warn,
    within,
)
from referee.commands.options.lineup import GameOptions, OfficialOptions, read_lineup
from referee.errors import UsageError
from referee.log.file import LogWriter
from referee.log.records import Log
from referee.page.summary import print_summary, summarise
from referee.play.fair_match import spoiled_players
from referee.play.match import play_match
from referee.project import install_advice
from referee.replay.import_game import FALLBACK
from referee.sources.bots import SOURCE, distinct_names, find_bot, find_file
from referee.sources.contests import check_number_of_players
from referee.sources.site import site_python
from referee.status_line import status_line
from referee.terminal import say

# The site's seeds are Java's long numbers.
MAX_SEED = 2**63
# The limits in a bot's source.
LIMITS = re.compile(r"\bLimits\(\s*(?:first_ms=)?(\d+),\s*(?:turn_ms=)?(\d+)")
# The exit status of a match that was played without a result.
NO_RESULT = 4


def match(
    contest: ContestName = "",
    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT", help=BOT_HELP)] = None,
    *,
    seed: Annotated[
        int | None,
        game_option(
            metavar="N",
            callback=within(-MAX_SEED, MAX_SEED - 1),
            help="The number of the game; by default a random one, which is printed. Negative seeds"
            " are for --official.",
        ),
    ] = None,
    log: Annotated[
        Path | None, storage_option(metavar="FILE", help="Write the log of the match here.")
    ] = None,
    json_line: JsonLine = False,
    time: TimeOptions,
    turns: Annotated[
        int | None, game_option(min=1, metavar="N", help="Stop after N turns, with no outcome.")
    ] = None,
    live: Annotated[
        bool,
        run_option("--live", help="Show the match on a page while it is played, in your browser."),
    ] = False,
    live_port: Annotated[
        int,
        run_option(
            hidden=True, min=0, max=65535, metavar="N", help="The port of --live; 0 for any."
        ),
    ] = 0,
    site: SiteName = None,
    game: GameOptions,
    official: OfficialOptions,
) -> None:
    """Play one match. A BOT given alone plays against itself.

    All bots of a turn are asked at once, each with its own clock: from the writing of its input to
    the arrival of its last line. A bot that is late, dead or illegal is out; the result names
    player, turn, limit and text.

    Exit status: 3 if a bot failed so, or an official referee or Kaggle says so, 4 if the machine
    was too busy for a result, else 0. A match without a result is not repeated: a line on stderr
    tells how to get one.

    Examples:

    ```sh
    onefile match infexion bots/infexion/minimax.py bots/infexion/greedy.py
    onefile match infexion bots/infexion/mcts.py --seed 7 --log match.jsonl
    onefile match infexion bots/infexion/mcts.py "java -jar bot.jar" --clock cpu
    onefile match infexion bots/infexion/minimax.py bots/infexion/greedy.py --live
    ```
    """
    lineup = read_lineup(contest, bots, game, official)
    rules, leader = lineup.rules, lineup.leader
    if len(lineup.bots) == 1:
        lineup = replace(lineup, bots=lineup.bots * rules.players[0])
    check_number_of_players(rules, len(lineup.bots))
    if seed is None:
        leader, seed = leader.choose_seed()
        lineup = replace(lineup, leader=leader)
    elif seed < leader.least_seed:
        raise UsageError(f"--seed {seed}: seeds begin at 0, but those of official referees")
    conditions = lineup.conditions(seed, time)
    with ExitStack() as stack:
        if log is not None and not log.absolute().parent.is_dir():
            raise UsageError(f"{log}: its folder does not exist")  # bundling may take a minute
        status = stack.enter_context(status_line())
        status.show("preparing the bots")
        python = site_python(site, announce)
        conditions = replace(conditions, site=python.text)
        players = [find_bot(bot, announce_bundling, python.program) for bot in lineup.bots]
        status.show("starting the bots")
        written = log
        if live:
            written = written or Path(stack.enter_context(TemporaryDirectory())) / "match.jsonl"
            show_live(stack, written, live_port)
        with LogWriter(written) as writer:
            played = play_match(rules, players, conditions, writer, status.show_turn, turns)
        if live:
            status.show("the page is shown to the end")
    result = summarise(played)
    if json_line:
        print(json.dumps({**result, "log": log and str(log)}))
    else:
        print_summary(result, rules.title, Console())
    if leader.reports:
        for text in limit_warnings(lineup.bots, played):
            warn(text)
    for player, reason in plain_players(played):
        warn(f"player {player} ran as plain Python: {reason}")
    if result["spoiled"]:
        say(f"error: no result: {advice(played)}", error=True)
        raise typer.Exit(NO_RESULT)
    faults = [part.fault for turn in played.turns for part in turn.players.values() if part.fault]
    if faults or leader.failures(played):
        raise typer.Exit(BOT_FAILED)


def plain_players(log: Log) -> list[tuple[int, str]]:
    """Returns (player, reason) of each player whose kernels ran as plain Python."""
    texts = [
        (player, "\n".join(player_turn.stderr for _, player_turn in log.of_player(player)))
        for player in range(log.header.n_players)
    ]
    told = [(player, FALLBACK.search(text)) for player, text in texts]
    return [(player, line[2].strip()) for player, line in told if line]


def limit_warnings(bots: list[str], log: Log) -> list[str]:
    """Returns a warning for each bot whose source has other limits than the official referee
    states.
    """
    texts = {}
    for player, bot in enumerate(bots):
        file = find_file(bot.removeprefix(SOURCE))
        stated = LIMITS.search(file.read_text("utf-8", "replace")) if file else None
        told = [turn.limit_ms for _, turn in log.of_player(player) if turn.limit_ms]
        if not stated or not told:
            continue
        given = [told[0], min(told[1:], default=int(stated[2]))]
        if given != [int(stated[1]), int(stated[2])]:
            texts[bot] = (
                f"{bot} has the limits {stated[1]} and {stated[2]} ms, the official referee gives"
                f" {given[0]} and {given[1]}: change its LIMITS"
            )
    return list(texts.values())


def advice(log: Log) -> str:
    """Returns a text that names the players eliminated by the machine, and the options that
    help.
    """
    names, seed = distinct_names(log.header.bots), log.header.conditions.seed
    kept = ", ".join(f"player {player} ({names[player]})" for player in spoiled_players(log))
    n_bots, n_cores = len(names), len(os.sched_getaffinity(0))
    text = f"the machine kept {kept or 'the referee'} waiting"
    if n_bots > n_cores:
        text += f" ({n_bots} bots on {n_cores} core{'s'[: n_cores != 1]})"
    again = "" if seed is None else f" by --seed {seed}"
    return f"{text}: let CPU time count by --clock cpu, or play the same game{again} once more"


def show_live(stack: ExitStack, log: Path, port: int) -> None:
    """Serve the page of a match, print its address, and open it. Raises UsageError."""
    try:
        from referee.league.server import one_match
    except ImportError as error:
        raise UsageError(
            f"--live needs Starlette and uvicorn ({error}): {install_advice('league')}"
        ) from error
    if log.suffix == ".gz":
        raise UsageError(f"--live cannot follow {log}, which is compressed: leave out .gz")
    log.unlink(missing_ok=True)
    url = stack.enter_context(one_match(log, "127.0.0.1", port))
    say(f"live: {url}", error=True)
    webbrowser.open(url)
