"""`python -m referee replay`."""

from typing import Annotated

import typer

from referee.bots import find_bot
from referee.commands.options import LogFile, Warmup, warn
from referee.errors import UsageError
from referee.log import read_log
from referee.replay import Replayed, first_uncounted_turn, replay


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
