"""Summarises a match from its log: as data for programs, as tables for people."""

import statistics
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from referee.log.limits import Clock
from referee.log.records import Log, LoggedOutcome
from referee.sources.bots import distinct_names
from referee.terminal import plain

# Upper bounds of the histogram's classes, in shares of a turn's limit; the last class has none.
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
N_WORST = 3
BARS = " ▁▂▃▄▅▆▇█"


Record = dict[str, Any]


def count_turns(number: int) -> str:
    """Returns a number of turns in words."""
    return "1 turn" if number == 1 else f"{number} turns"


def summarise(log: Log) -> Record:
    """Returns the result of a match as plain data.

    winner: the only player with rank 0, or None for a draw. spoiled: True if the machine eliminated
    a player, so that the match does not count. limits: the profiles of the time limits. site: the
    site whose Python runs Python bots, "" for the referee's own.

    A match that was cut short has no outcome: rank and score are None as well. Times are wall
    milliseconds; cpu_ms and queue_ms are sums, queue_ms None if unknown.

    histogram: pairs [share, number of turns] for the turns that took at most this share of their
    limit, and more than the previous share; the last pair's share is None. A turn without a limit
    counts by the site's limit. worst_turns: the slowest turns, by their share of the limit.
    """
    header = log.header
    unknown: list[Any] = [None] * header.n_players
    reason = f"stopped after {count_turns(len(log.turns))}"
    outcome = log.outcome or LoggedOutcome(ranks=unknown, scores=unknown, reason=reason)
    ranks = outcome.ranks
    players, names = [], distinct_names(header.bots)
    for player, bot in enumerate(header.bots):
        result: Record = {"name": names[player], "bot": bot.bot, "sha256": bot.sha256}
        result |= {"rank": ranks[player], "score": outcome.scores[player]}
        players.append(result | _times(log, player))
    return {
        "contest": header.contest,
        "seed": header.conditions.seed,
        "turns": len(log.turns),
        "winner": ranks.index(0) if ranks.count(0) == 1 else None,
        "reason": outcome.reason,
        "spoiled": outcome.spoiled,
        "limits": sorted({str(limits.profile) for limits in header.conditions.limits}),
        "clock": header.conditions.clock,
        "site": header.conditions.site,
        "players": players,
    }


def _times(log: Log, player: int) -> Record:
    """Returns a player's times, number of warnings, first warning and fault."""
    turns = log.of_player(player)
    parts = [player_turn for _, player_turn in turns]
    wall_ms = [player_turn.wall_ms for player_turn in parts] or [0.0]
    queue_ms = [player_turn.queue_ms for player_turn in parts if player_turn.queue_ms is not None]
    used: list[Record] = []
    for number, (turn, player_turn) in enumerate(turns):
        share = log.used_ms(player_turn) / log.header.limit_ms(
            player, number == 0, player_turn.limit_ms
        )
        times = {
            key: getattr(player_turn, key) for key in ("wall_ms", "cpu_ms", "queue_ms", "late")
        }
        used.append({"turn": turn, "share": round(share, 3), **times})
    counts = [0] * (len(SHARES) + 1)
    for use in used:
        counts[sum(use["share"] > share for share in SHARES)] += 1
    return {
        "worst_ms": max(wall_ms),
        "median_ms": round(statistics.median(wall_ms), 3),
        "mean_ms": round(statistics.fmean(wall_ms), 3),
        "cpu_ms": round(sum(player_turn.cpu_ms for player_turn in parts), 3),
        "queue_ms": round(sum(queue_ms), 3) if queue_ms else None,
        "late": sum(player_turn.late is not None for player_turn in parts),
        "histogram": [list(pair) for pair in zip((*SHARES, None), counts)],
        "worst_turns": sorted(used, key=lambda use: -use["share"])[:N_WORST],
        "warnings": sum(len(player_turn.warnings) for player_turn in parts),
        "first_warning": next(
            (
                f"turn {turn}: {text}"
                for turn, player_turn in turns
                for text in player_turn.warnings
            ),
            None,
        ),
        "fault": parts[-1].fault if parts else None,
    }


def print_summary(summary: Record, title: str, console: Console) -> None:
    """Print a match's result: a table of places and times, a table of the shares of limits,
    warnings, and the verdict in a sentence.
    """
    seed = "no seed" if summary["seed"] is None else f"seed {summary['seed']}"
    table = _table(f"{title}, {seed}, {count_turns(summary['turns'])}")
    table.add_column("player", no_wrap=True)
    table.add_column("bot", overflow="fold")
    for column in ("place", "score", "worst ms", "median ms", "CPU s", "queue s"):
        table.add_column(column, justify="right", no_wrap=True)
    for player, row in enumerate(summary["players"]):
        rank, score, queue_ms = row["rank"], row["score"], row["queue_ms"]
        table.add_row(
            str(player),
            escape(plain(row["name"])),
            "-" if rank is None else str(rank + 1),
            "-" if score is None else f"{score:,.0f}" if abs(score) >= 1000 else f"{score:g}",
            f"{row['worst_ms']:.1f}",
            f"{row['median_ms']:.1f}",
            f"{row['cpu_ms'] / 1000:.1f}",
            "-" if queue_ms is None else f"{queue_ms / 1000:.2f}",
        )
    console.print(table)
    if summary["turns"]:
        console.print(_histogram(summary))
    if summary["site"]:
        console.print(plain(f"site {summary['site']}"), markup=False, highlight=False)
    for player, row in enumerate(summary["players"]):
        if row["warnings"]:
            more = f" (and {row['warnings'] - 1} more)" if row["warnings"] > 1 else ""
            text = f"warning: player {player}, {row['first_warning']}{more}"
            console.print(plain(text), markup=False, highlight=False)
    text = f"{_verdict(summary)}: {summary['reason']}"
    console.print(plain(text), markup=False, highlight=False)


def _verdict(summary: Record) -> str:
    winner, players = summary["winner"], summary["players"]
    if summary["spoiled"]:
        return "no result, the machine was too busy: play it again, or with --clock cpu"
    if players[0]["rank"] is None:
        return "no outcome"
    if winner is None:
        return "draw"
    named = f"player {winner} ({players[winner]['name']})"
    if len(players) > 1:
        return f"{named} wins"
    return f"{named} failed" if players[0]["fault"] else named


def _histogram(summary: Record) -> Table:
    """Returns a table of the number of turns by their share of the limit, with each player's
    slowest turns.
    """
    site = "site's " if {"off", "bank"} & set(summary["limits"]) else ""
    clock = " in CPU time" if summary["clock"] == Clock.CPU else ""
    table = _table(
        f"turns by their share of the {site}limit{clock}, and the slowest (wall/CPU/queue ms)"
    )
    table.add_column("player", no_wrap=True)
    for share in SHARES:
        table.add_column(f"{share:.0%}", justify="right", no_wrap=True)
    table.add_column("over", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("slowest", overflow="fold")
    for player, row in enumerate(summary["players"]):
        counts = [count for _, count in row["histogram"]]
        bars = "".join(BARS[-(-8 * count // (max(counts) or 1))] for count in counts)
        slowest = "\n".join(
            f"turn {turn['turn']}:"
            f" {turn['wall_ms']:.0f}/{turn['cpu_ms']:.0f}/{_or_dash(turn['queue_ms'])}"
            for turn in row["worst_turns"]
        )
        table.add_row(str(player), *(str(count or "") for count in counts), Text(bars), slowest)
    return table


def _or_dash(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def _table(title: str) -> Table:
    return Table(
        title=escape(plain(title)),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
