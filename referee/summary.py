"""What a match came to, from its log: as data for programs, as a table for people."""

import statistics

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.log import Log, Record


def summarise(log: Log) -> Record:
    """The result of a match as plain data; one that was cut short is a draw without scores.

    winner: the player who alone has rank 0, or None for a draw. Times are wall milliseconds; cpu_ms
    is the sum.
    """
    nobody = [0] * log.header["n_players"]
    cut_short = {
        "ranks": nobody,
        "scores": nobody,
        "reason": f"stopped after {len(log.turns)} turns",
    }
    outcome = log.outcome or cut_short
    ranks = outcome["ranks"]
    players = []
    for player, bot in enumerate(log.header["bots"]):
        turns = [record for _, record in log.of_player(player)]
        wall_ms = [record["wall_ms"] for record in turns] or [0.0]
        players.append(
            {
                "name": bot["name"],
                "bot": bot["bot"],
                "sha256": bot["sha256"],
                "rank": ranks[player],
                "score": outcome["scores"][player],
                "worst_ms": max(wall_ms),
                "median_ms": round(statistics.median(wall_ms), 3),
                "mean_ms": round(statistics.fmean(wall_ms), 3),
                "cpu_ms": round(sum(record["cpu_ms"] for record in turns), 3),
                "fault": turns[-1]["fault"] if turns else None,
            }
        )
    return {
        "contest": log.header["contest"],
        "seed": log.header["seed"],
        "turns": len(log.turns),
        "winner": ranks.index(0) if ranks.count(0) == 1 else None,
        "reason": outcome["reason"],
        "players": players,
    }


def print_summary(summary: Record, title: str, console: Console) -> None:
    """Print a match's result as a table and a sentence."""
    table = Table(
        title=f"{escape(title)}, seed {summary['seed']}, {summary['turns']} turns",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
    table.add_column("player", no_wrap=True)
    table.add_column("bot", overflow="fold")
    for column in ("place", "score", "worst ms", "median ms", "mean ms", "CPU s"):
        table.add_column(column, justify="right", no_wrap=True)
    for player, row in enumerate(summary["players"]):
        score = row["score"]
        table.add_row(
            str(player),
            escape(row["name"]),
            str(row["rank"] + 1),
            f"{score:,.0f}" if abs(score) >= 1000 else f"{score:g}",
            f"{row['worst_ms']:.1f}",
            f"{row['median_ms']:.1f}",
            f"{row['mean_ms']:.1f}",
            f"{row['cpu_ms'] / 1000:.1f}",
        )
    console.print(table)
    winner = summary["winner"]
    verdict = (
        "draw" if winner is None else f"player {winner} ({summary['players'][winner]['name']}) wins"
    )
    console.print(f"{verdict}: {summary['reason']}", markup=False, highlight=False)
