"""`python -m referee replay` and `python -m referee diff`."""

import json
import statistics
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.commands.options.common import (
    BOT_HELP,
    LogFile,
    Trust,
    Warmup,
    announce_bundling,
    describe_file,
    output_path,
    page_option,
    warn,
)
from referee.errors import UsageError
from referee.explore.explore import explore
from referee.explore.page import write_explore_page
from referee.log.file import read_log
from referee.log.records import Log
from referee.play.trust import bot_of_log, check_referee_of_log, contest_of_log
from referee.project import PROJECT
from referee.replay.debugger import debug
from referee.replay.replay import Replayed, first_uncounted_turn, node_budgets, replay
from referee.replay.resimulate import first_difference
from referee.sources.bots import find_bot, find_file, split_parameters
from referee.sources.site import OWN_PYTHON, python_of_log
from referee.terminal import plain, say

Player = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="P",
        help="The player whose turns are repeated; by default the first player asked, in `review`"
        " the loser.",
    ),
]
Nodes = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Let the bot search N nodes a turn, not as many as logged."
    ),
]


def replay_command(
    log: LogFile,
    player: Player = None,
    bot: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="The bot to repeat them with; without it the logged one."),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Repeat up to this turn, and show it even if it agrees. Turns count from 0, as in"
            " logs, pages and results.",
        ),
    ] = None,
    nodes: Nodes = None,
    use_pdb: Annotated[
        bool,
        typer.Option(
            "--pdb",
            help="Run the bot's source in the debugger, which stops in its function choose:"
            " compiled up to the --turn, in plain Python from there to its answer.",
        ),
    ] = False,
    warmup: Warmup = 60.0,
    trust: Trust = False,
) -> None:
    """Repeat a player's turns with a bot and compare every command, or check the log itself.

    The bot gets the logged input and, as CG_NODES, the logged node counts: a bot that counts nodes
    answers as in the match to the last bit. No time limit but a minute an answer. The logged bot
    of a match with `--site` runs with the site's Python again. Exit status 1 at the first
    difference.

    Without --player, --bot, --turn, --nodes and --pdb no bot runs: the game is simulated
    from its seed and commands, and every input and state in the log is checked.

    Examples:

    ```sh
    onefile replay match.jsonl
    onefile replay match.jsonl --player 1 --turn 57
    onefile replay match.jsonl --bot bots/infexion/mcts.py --turn 57 --pdb
    ```
    """
    logged = read_log(log)
    if (player, bot, turn, nodes, use_pdb) == (None, None, None, None, False):
        check_log(logged, log, trust)
        return
    player = find_player(logged, log, player)
    if turn is not None:
        check_turn(logged, log, player, turn)
    entry = logged.header.bots[player]
    if not bot and not entry.bot:
        raise UsageError(f"{log}: an imported game does not name its bots: give one with --bot")
    named = bot or bot_of_log(logged, entry, trust)
    budgets = None if nodes is None else str(nodes)
    if use_pdb:
        debug_turn(logged, player, named, turn, budgets)
        return
    python, difference = OWN_PYTHON, ""
    if bot is None:
        python, difference = python_of_log(logged.header.conditions.site)
    bot_now = find_bot(named, announce_bundling, python.program)
    if difference and bot_now.command[0] == python.program:
        warn(f"Python bots of this match ran with {logged.header.conditions.site}: {difference}")
    if bot is None and bot_now.sha256 != entry.sha256:
        warn(f"{entry.bot} is no longer what played this match")
    if logged.outcome is None and logged.header.conditions.seed is not None:
        warn(f"{log} is unfinished: the match was cut short")
    if budgets is None:
        warn_of_uncounted_turns(logged, player)
    replayed = replay(logged, player, bot_now, warmup, turn, budgets, turn is not None)
    if turn is not None and replayed[-1].turn == turn:
        print_turn(replayed[-1])
    first = next((step for step in replayed if step.differs), None)
    if first is None:
        compared = sum(step.agrees is not None for step in replayed)
        say(f"player {player} ({bot_now.name}): all {compared} answers agree with the log")
        return
    say(f"player {player} ({bot_now.name}): first difference in turn {first.turn}")
    if turn != first.turn:
        print_turn(first)
    raise typer.Exit(1)


def diff(
    log: LogFile,
    bot_a: Annotated[str, typer.Argument(metavar="A", help=BOT_HELP)],
    bot_b: Annotated[str, typer.Argument(metavar="B", help="The bot to compare it with.")],
    player: Player = None,
    turn: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Write a page with the trees of both bots' searches in this turn, side by side,"
            " instead: as `explore` does.",
        ),
    ] = None,
    nodes: Nodes = None,
    page: Annotated[
        Path | None, page_option("LOG with .turnN.diff.html for its suffix", typer.Option)
    ] = None,
    warmup: Warmup = 60.0,
    trust: Trust = False,
) -> None:
    """Give two bots the same logged input; compare their answers and CPU time.

    For a bot's source in bots/ its bundle runs; "source:FILE" runs the source itself, compiled by
    numba at its start. Exit status 1 when they differ.

    Examples:

    ```sh
    onefile diff match.jsonl bots/infexion/mcts.py bots/infexion/minimax.py
    onefile diff match.jsonl bots/infexion/mcts.py bots/infexion/minimax.py --turn 12
    ```
    """
    logged = read_log(log)
    player = find_player(logged, log, player)
    if turn is not None:
        page = output_path(page, log, f".turn{turn}.diff.html", "page")
        diff_searches(logged, log, player, turn, (bot_a, bot_b), nodes, page, trust)
        return
    bots = [find_bot(bot_a, announce_bundling), find_bot(bot_b, announce_bundling)]
    budgets = None if nodes is None else str(nodes)
    if budgets is None:
        warn_of_uncounted_turns(logged, player)
    runs = [replay(logged, player, bot, warmup, None, budgets, True) for bot in bots]
    table = new_table("bot", "turns", "as logged", "median ms", "worst ms", "CPU ms")
    for letter, bot, run in zip("AB", bots, runs):
        table.add_row(f"{letter}: {escape(plain(bot.name))}", str(len(run)), *times(run))
    Console().print(table)
    cpu_a, cpu_b = (sum(step.answer.cpu_ms for step in run) for run in runs)
    if cpu_a and cpu_b:
        say(f"CPU time of B to A: {cpu_b / cpu_a:.3f}")
    for a, b in zip(*runs):
        if a.answer.output != b.answer.output or a.answer.fault != b.answer.fault:
            say(f"first difference in turn {a.turn}")
            print_sections(a, [("answer of A", a), ("answer of B", b)])
            raise typer.Exit(1)
    say(f"all {min(map(len, runs))} answers are the same")


def diff_searches(
    log: Log,
    path: Path,
    player: int,
    turn: int,
    bots: tuple[str, str],
    nodes: int | None,
    page: Path,
    trust: bool,
) -> None:
    """Write a page with two bots' searches of a turn. nodes: the number of nodes of each search,
    None for the logged number.
    """
    contest = contest_of_log(log, trust)
    check_turn(log, path, player, turn)
    logged_nodes = dict(log.of_player(player))[turn].nodes
    factor = 1.0 if nodes is None else nodes / max(logged_nodes or 1, 1)
    searches = []
    for letter, bot in zip("AB", bots):
        [explored] = explore(log, player, turn, bot, factor)
        answer = " | ".join(explored["answer"])
        searches += [{"title": f"{letter}: {answer}", **search} for search in explored["searches"]]
        say(f"{letter} ({bot}): {answer}")
    notes = [f"turn {turn}: A is {bots[0]}, B is {bots[1]}"]
    write_explore_page(page, log, contest, player, turn, searches, notes)
    say(describe_file(page))


def check_turn(log: Log, path: Path, player: int, turn: int) -> None:
    """Raise UsageError unless a player was asked in a turn."""
    turns = [number for number, _ in log.of_player(player)]
    if turn not in turns:
        raise UsageError(
            f"{path}: player {player} was not asked in turn {turn}; its last turn is {turns[-1]}"
        )


def check_log(logged: Log, path: Path, trust: bool) -> None:
    """Simulate a log's game, and print that the log agrees; or print the first difference, and exit
    with status 1.
    """
    contest = contest_of_log(logged, trust)
    check_referee_of_log(logged, trust)
    difference = first_difference(logged, contest)
    if difference:
        say(f"first difference: {difference}")
        raise typer.Exit(1)
    ending = "" if logged.outcome else "; the match was cut short there"
    say(f"{path}: {len(logged.turns)} turns agree with the rules{ending}")


def find_player(logged: Log, path: Path, player: int | None) -> int:
    """Returns the player to repeat, by default the first one asked. Raises UsageError for a player
    that does not exist, was never asked, or whose input is unknown.
    """
    if player is None:
        player = min([player for turn in logged.turns[:1] for player in turn.players], default=0)
    if player >= logged.header.n_players:
        raise UsageError(f"{path}: no player {player}, the match had {logged.header.n_players}")
    if not logged.of_player(player):
        raise UsageError(f"{path}: player {player} was never asked")
    if not any(player_turn.sent for _, player_turn in logged.of_player(player)):
        raise UsageError(
            f"{path}: what player {player} read is not known: it was no bundle made with --trace"
        )
    return player


def warn_of_uncounted_turns(logged: Log, player: int) -> None:
    """Warn where the logged node counts do not cover all turns."""
    uncounted = first_uncounted_turn(logged, player)
    if uncounted is not None:
        warn(
            f"turn {uncounted} has no node count, so the replay may differ: "
            "a bot has to write nodes=N before its answer"
        )


def debug_turn(logged: Log, player: int, bot: str, turn: int | None, nodes: str | None) -> None:
    """Run a bot's source in the debugger up to a turn, by default the first turn in which the
    player was asked. Raises UsageError without a Python source.
    """
    file, values = split_parameters(bot)
    source = find_file(file)
    if source is None or source.suffix != ".py":
        raise UsageError(f"--pdb needs a bot's Python source, give it with --bot: {bot!r} is none")
    turns = logged.of_player(player)
    stop = 0 if turn is None else [number for number, _ in turns].index(turn)
    lines = [(number, part.sent) for number, part in turns[: stop + 1]]
    budgets = node_budgets(logged, player) if nodes is None else nodes
    say(f"turn {turns[stop][0]}, the logged answer is {turns[stop][1].output}")
    debug(source, PROJECT, lines, budgets, json.dumps(values))


def times(run: list[Replayed]) -> list[str]:
    """Returns cells of a table: agreeing answers, median and worst wall time, CPU time."""
    compared = [step for step in run if step.agrees is not None]
    wall_ms = [step.answer.wall_ms for step in run] or [0.0]
    return [
        f"{sum(not step.differs for step in compared)} of {len(compared)}",
        f"{statistics.median(wall_ms):.2f}",
        f"{max(wall_ms):.2f}",
        f"{sum(step.answer.cpu_ms for step in run):.1f}",
    ]


def new_table(first: str, *others: str) -> Table:
    """Returns an empty table of figures: a column for names, then a right-aligned column for each
    title.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(first, overflow="fold")
    for title in others:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def print_turn(replayed: Replayed) -> None:
    """Print a turn's input, the logged answer and the new one, and their times."""
    say(f"turn {replayed.turn}")
    print_sections(replayed, [("new answer", replayed)])
    player_turn = replayed.part
    print_times("logged", player_turn.wall_ms, player_turn.cpu_ms, player_turn.nodes)
    answer = replayed.answer
    print_times("new", answer.wall_ms, answer.cpu_ms, answer.nodes)


def print_sections(turn: Replayed, answers: list[tuple[str, Replayed]]) -> None:
    """Print a turn's input, its logged answer and new ones, each with its fault and stderr."""
    player_turn = turn.part
    sections = [
        ("input", player_turn.sent),
        ("logged answer", player_turn.output),
        ("logged fault", [player_turn.fault] if player_turn.fault else []),
    ]
    for title, replayed in answers:
        answer = replayed.answer
        sections += [
            (title, answer.output),
            (f"fault of the {title}", [answer.fault] if answer.fault else []),
            (f"stderr of the {title}", answer.stderr.splitlines()),
        ]
    for title, lines in sections:
        if lines:
            say(f"  {title}:", *lines, sep="\n    ")


def print_times(title: str, wall_ms: float, cpu_ms: float, nodes: int | None) -> None:
    """Print the times and nodes of a turn."""
    searched = "" if nodes is None else f", {nodes} nodes"
    say(f"  {title}: {wall_ms:.1f} ms, CPU {cpu_ms:.1f} ms{searched}")
