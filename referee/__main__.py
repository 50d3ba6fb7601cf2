"""The command line: `python -m referee --help`.

Exit status: 0 when the command did what was asked, whoever won; 1 when a comparison
found a difference; 2, with one line on stderr, when the arguments or a file cannot be used.
"""

import errno
import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from referee.bots import find_bot
from referee.contests import find_contest
from referee.errors import UsageError
from referee.import_trace import import_trace
from referee.limits import Profile, TurnLimits
from referee.log import LogWriter, read_log
from referee.match import Conditions, play_match
from referee.progress import status_line
from referee.replay import Replayed, first_uncounted_turn, replay
from referee.summary import print_summary, summarise
from referee.view import write_page
from shared.core.errors import TruthError

app = typer.Typer(
    help="Plays bots against each other over pipes, logs the games, replays and shows them.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

ContestName = Annotated[
    str, typer.Argument(metavar="CONTEST", help="A folder's name in shared/games.")
]
LogFile = Annotated[
    Path, typer.Argument(metavar="LOG", help="A log that `match --log` or `import` wrote.")
]
BOT_HELP = (
    "A bot's source (bots/CONTEST/NAME.py: its bundle is what runs), another Python file "
    '(run as it is), or a command line in quotes ("java -jar bot.jar", "./a.out").'
)
WARMUP_HELP = (
    "How long a bot may take to start before the first answer's clock runs: it waits until the "
    "bot sleeps, which a bot that compiles or loads does not. "
    "0 is the site's rule: the first answer is timed from the start of the process."
)
Warmup = Annotated[float, typer.Option(metavar="SECONDS", min=0.0, help=WARMUP_HELP)]


@app.command()
def match(
    contest: ContestName,
    bots: Annotated[list[str], typer.Argument(metavar="BOT", help=BOT_HELP)],
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Which game to play; without it one at random, which is printed."),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the log of the match here.")
    ] = None,
    json_line: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON instead of the table.")
    ] = False,
    limits: Annotated[
        Profile,
        typer.Option(help="official: the site's time for an answer. off: a minute for each."),
    ] = Profile.OFFICIAL,
    nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Let each bot search N nodes a turn (CG_NODES), whatever the time: repeatable.",
        ),
    ] = None,
    turns: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Stop after N turns, with no outcome.")
    ] = None,
    warmup: Warmup = 0.0,
) -> None:
    """Play one match. A BOT given alone plays against itself.

    All bots of a turn are asked at once, each with its own clock: from the writing of its input to
    the arrival of its last line. A bot that is late, dead or illegal is out; the result names
    player, turn, limit and text.
    """
    rules = find_contest(contest)
    least, most = rules.players
    if len(bots) == 1:
        bots *= least
    if not least <= len(bots) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        raise UsageError(f"{contest} is a game of {count} players, {len(bots)} bots are given")
    if seed is None:
        seed = random.randrange(2**31)
    conditions = Conditions(seed, TurnLimits.of(limits, rules.limits), nodes, warmup)
    with status_line() as status:
        status.show("preparing the bots")
        players = [find_bot(bot) for bot in bots]
        status.show("starting the bots")
        with LogWriter(log) as writer:
            played = play_match(rules, players, conditions, writer, status.show_turn, turns)
    result = summarise(played)
    if json_line:
        print(json.dumps({**result, "log": log and str(log)}))
    else:
        print_summary(result, rules.title, Console())


@app.command("replay")
def replay_command(
    log: LogFile,
    player: Annotated[
        int | None,
        typer.Option(
            min=0, help="Whose turns to repeat; without it the first player's that was asked."
        ),
    ] = None,
    bot: Annotated[
        str | None, typer.Option(help="The bot to repeat them with; without it the logged one.")
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(min=0, help="Repeat up to this turn, and show it whether or not it differs."),
    ] = None,
    warmup: Warmup = 60.0,
) -> None:
    """Repeat a player's turns with a bot and compare every command.

    The bot gets the logged input and, as CG_NODES, the logged node counts: a bot that counts nodes
    answers as in the match to the last bit. No time limit but a minute an answer. Exit status 1 at
    the first difference.
    """
    logged = read_log(log)
    if player is None:
        asked = [int(player) for turn in logged.turns[:1] for player in turn["players"]]
        player = min(asked, default=0)
    if player >= logged.header["n_players"]:
        raise UsageError(f"{log}: no player {player}, the match had {logged.header['n_players']}")
    if not logged.of_player(player):
        raise UsageError(f"{log}: player {player} was never asked")
    last = max(number for number, _ in logged.of_player(player))
    if turn is not None and turn not in dict(logged.of_player(player)):
        raise UsageError(
            f"{log}: player {player} was not asked in turn {turn}; its last turn is {last}"
        )
    entry = logged.header["bots"][player]
    if not bot and not entry["bot"]:
        raise UsageError(f"{log}: an imported game does not name its bots: give one with --bot")
    found = find_bot(bot or entry["bot"])
    if bot is None and found.sha256 != entry["sha256"]:
        warn(f"{entry['bot']} is no longer what played this match")
    if logged.outcome is None and logged.header["seed"] is not None:
        warn(f"{log} is unfinished: the match was cut short")
    uncounted = first_uncounted_turn(logged, player)
    if uncounted is not None:
        warn(
            f"turn {uncounted} has no node count, so the replay may differ: "
            "a bot has to write nodes=N before its answer"
        )
    replayed = replay(logged, player, found, warmup, turn)
    if turn is not None and replayed[-1].turn == turn:
        print_turn(replayed[-1])
    different = [one for one in replayed if one.answer.fault or one.agrees is False]
    compared = sum(one.agrees is not None for one in replayed)
    if not different:
        print(f"player {player} ({found.name}): all {compared} answers agree with the log")
        return
    first = different[0]
    print(f"player {player} ({found.name}): first difference in turn {first.turn}")
    if turn != first.turn:
        print_turn(first)
    raise typer.Exit(1)


@app.command("import")
def import_command(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A bot's stderr as text, or the site's replay as JSON."
        ),
    ],
    contest: Annotated[
        str, typer.Option(metavar="CONTEST", help="A folder's name in shared/games.")
    ],
    log: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="LOG", help="The log to write; FILE.jsonl without."),
    ] = None,
) -> None:
    """Make a log for `replay` of a game that was played on the site.

    The bot has to be a bundle made with `python -m bundler BOT --trace`: what it echoes to stderr
    is its game. From a replay with several such players all are taken.
    """
    log = log or file.with_suffix(".jsonl")
    if log == file:
        raise UsageError(f"{file}: would be overwritten by its log: name another with -o")
    with LogWriter(log) as writer:
        traces = import_trace(file, find_contest(contest), writer)
    for player, trace in traces.items():
        print(f"{log}: {len(trace.turns)} turns of player {player}")
        if len(trace.turns) < trace.n_begun:
            warn(f"player {player}: no room on stderr for turn {len(trace.turns)} and later ones")


@app.command()
def verify(
    contest: ContestName,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Truth files of the contest: recorded games."),
    ],
) -> None:
    """Check a contest's simulator against recorded games. Exit status 1 with the first difference.

    The simulator runs as plain Python; with CG_JIT=1 in the environment it is compiled.
    """
    rules = find_contest(contest)
    counts = (Column(name, justify="right") for name in ("games", "turns", "mismatches"))
    table = Table("file", *counts, box=box.SIMPLE)
    first = None
    for file in files:
        if not file.is_file():
            raise UsageError(f"{file}: no such file")
        report = rules.verify(file)
        table.add_row(Text(str(file)), str(report.games), str(report.turns), str(report.mismatches))
        if report.first and first is None:
            first = f"{file}: {report.first}"
    Console().print(table)
    if first:
        print(f"first difference: {first}")
        raise typer.Exit(1)


@app.command()
def view(
    log: LogFile,
    page: Annotated[
        Path, typer.Option("-o", "--output", metavar="PAGE.html", help="The page to write.")
    ],
) -> None:
    """Write a page that shows a match: one file, to open in a browser, no network needed."""
    if page.exists() and page.samefile(log):
        raise UsageError(f"{log}: would be overwritten by its page: name another with -o")
    write_page(read_log(log), page)


def warn(text: str) -> None:
    """Print a warning as one line on stderr."""
    print(f"warning: {text}", file=sys.stderr)


def print_turn(replayed: Replayed) -> None:
    """Print what a bot read in a turn, what it answered in the match and now, and the times."""
    record, answer = replayed.record, replayed.answer
    sections = [
        ("input", record.get("initial_input", []) + record["input"]),
        ("logged answer", record["output"]),
        ("logged fault", [record["fault"]] if record["fault"] else []),
        ("new answer", answer.lines),
        ("new fault", [answer.fault] if answer.fault else []),
        ("new stderr", answer.stderr.splitlines()),
    ]
    print(f"turn {replayed.turn}")
    for title, lines in sections:
        if lines:
            print(f"  {title}:", *lines, sep="\n    ")
    for name, wall_ms, cpu_ms, nodes in (
        ("logged", record["wall_ms"], record["cpu_ms"], record["nodes"]),
        ("new", answer.wall_ms, answer.cpu_ms, answer.nodes),
    ):
        searched = "" if nodes is None else f", {nodes} nodes"
        print(f"  {name}: {wall_ms:.1f} ms, CPU {cpu_ms:.1f} ms{searched}")


def main() -> None:
    """Run the command line."""
    # A match calls the simulator a few hundred times: plain Python is done before numba has begun.
    os.environ.setdefault("CG_JIT", "0")
    # These end it as Ctrl-C does: the bots' processes are ended with it.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        sys.exit(app(prog_name="python -m referee", standalone_mode=False))
    except (UsageError, TruthError) as error:
        sys.exit(complain(str(error)))
    except typer.TyperException as error:
        sys.exit(complain(f"{error.format_message()} See python -m referee --help."))
    except OSError as error:
        # A file that cannot be read or written. A full disk is noticed when no name is at hand; any
        # other error without one is a defect: its traceback.
        if error.filename is None and error.errno != errno.ENOSPC:
            raise
        sys.exit(complain(f"{error.filename or 'cannot write'}: {error.strerror}"))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


def complain(text: str) -> int:
    """Print an error as one line on stderr; the exit status."""
    print(f"referee: {' '.join(text.split())}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
