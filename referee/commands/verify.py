"""`python -m referee verify`."""

from itertools import count, islice
from pathlib import Path
from typing import Annotated, Iterator

import typer
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table
from rich.text import Text

from referee.arena.progress import LINE_EVERY_S, Timer, pace
from referee.commands.options.common import ContestName, announce_bundling
from referee.commands.options.lineup import (
    OfficialOptions,
    official_contest,
    official_leader,
    official_options,
)
from referee.errors import UsageError
from referee.log.limits import TurnLimits
from referee.log.records import Conditions
from referee.play.fair_match import play_fair_match
from referee.replay.verify_official import verify_log, verify_random
from referee.sources.bots import find_bot
from referee.sources.contests import check_number_of_players, find_contest, own_errors
from referee.terminal import plain, say
from shared.core.contest import Contest, VerifyReport

# (subject, report)
Named = tuple[str, VerifyReport]


def verify(
    contest: ContestName,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help="Truth files of the contest: recorded games. With --official: bots that play the"
            " games, without any random players.",
        ),
    ] = None,
    *,
    official: OfficialOptions,
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of games, with --official.")
    ] = 10,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="The first game's seed, with --official.")
    ] = 1,
) -> None:
    """Check a contest's simulator against recorded games, or against the official referee.

    Exit status 1 with the first difference. The simulator runs as plain Python; with CG_JIT=1 in
    the environment it is compiled.

    Examples:

    ```sh
    onefile verify infexion tests/data/infexion.json.gz
    onefile verify my_contest --official ~/MyContest2030 --games 100
    ```
    """
    rules = find_contest(contest)
    if official.official:
        reports = [against_referee(rules, files or [], official, games, seed)]
    else:
        reports = against_files(rules, [Path(file) for file in files or []])
    counts = (Column(name, justify="right") for name in ("games", "turns", "mismatches"))
    table = Table("official referee" if official.official else "file", *counts, box=box.SIMPLE)
    for name, report in reports:
        numbers = (report.games, report.turns, report.mismatches)
        table.add_row(Text(plain(name)), *map(str, numbers))
    Console().print(table)
    first = next((f"{name}: {report.first}" for name, report in reports if report.first), None)
    if first:
        say(f"first difference: {first}")
        raise typer.Exit(1)


def against_files(rules: Contest, files: list[Path]) -> list[Named]:
    """Compare a contest's rules with truth files. Returns (file, report) of each file. Raises
    UsageError.
    """
    if not files:
        raise UsageError("nothing to compare with: name truth files, or --official CLASSPATH")
    if rules.verify is None:
        raise UsageError(f"{rules.name} reads no recorded games: its contest.py has no verify yet")
    reports = []
    for file in files:
        if not file.is_file():
            raise UsageError(f"{file}: no such file")
        with own_errors(rules.name, f"reading {file}"):
            reports.append((str(file), rules.verify(file)))
    return reports


def against_referee(
    rules: Contest, bots: list[str], official: OfficialOptions, n_games: int, seed: int
) -> Named:
    """Compare a contest's rules with the official referee, in games of bots or random players.
    Returns (class path, report). Raises UsageError.
    """
    engine = official_leader(str(official.official))
    options = official_options(engine, [*official.match_options(), "view=off"])
    seeds = show_progress(islice(count(seed), n_games), n_games)
    if not bots:
        return str(official.official), verify_random(rules, engine.build, options, seeds)
    played = official_contest(rules.name, engine, options)
    bots = bots * rules.players[0] if len(bots) == 1 else bots
    check_number_of_players(played, len(bots))
    runnable = [find_bot(bot, announce_bundling) for bot in bots]
    limits = TurnLimits.read("official", rules.limits)
    reports = []
    for number in seeds:
        conditions = Conditions.for_all(
            len(runnable), seed=number, limits=limits, referee=engine.text, options=options
        )
        reports.append(verify_log(rules, play_fair_match(played, runnable, conditions).log))
    return str(official.official), VerifyReport(
        sum(report.games for report in reports),
        sum(report.turns for report in reports),
        sum(report.mismatches for report in reports),
        next((report.first for report in reports if report.first), None),
    )


def show_progress(seeds: Iterator[int], n_games: int) -> Iterator[int]:
    """Yields the seeds. Shows the number of played games on stderr: by a bar on a terminal, else by
    a line now and then.
    """
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(seeds, "games", n_games, console=console, transient=True)
        return
    timer = Timer()
    timer.is_due(LINE_EVERY_S)  # no line before the first game
    for n_played, seed in enumerate(seeds):
        if n_played and timer.is_due(LINE_EVERY_S):
            say(pace(n_played, n_games, n_played, timer.elapsed()), error=True)
        yield seed
