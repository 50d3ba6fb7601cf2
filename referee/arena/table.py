"""Results as tables and texts for people, and as a line of JSON for programs."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from referee.arena.run import Arena
from referee.arena.score_table import render_scores, score_data
from referee.arena.standings import AnyStandings, ScoreStandings, Standings, state_of_test
from referee.arena.statistics.elo import Estimate
from referee.arena.statistics.sprt import ScoreSprt, Sprt, Verdict
from referee.sources.bots import path_for_people
from referee.terminal import plain

# 99.7% of the points: the games of an arena tell no more.
MAX_ELO = 1000
POINTS_OF_A_PAIR = ("0", "½", "1", "1½", "2")


def standings_table(names: list[str], standings: Standings) -> Table:
    """A row a bot: two bots in their order, more by strength."""
    many, is_large = len(names) > 2, standings.most_seats > 2
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("bot", overflow="fold", min_width=11)
    place = ["place"] if is_large else []
    for title in ("won", "drawn", "lost", "errors", *place, "score", "95%", "Elo", "95%"):
        table.add_column(title, justify="right", no_wrap=True)
    rows = list(zip(names, standings.of_bots()))
    if many:
        rows.sort(key=lambda row: row[1].elo.value if row[1].elo else 0.0, reverse=True)
    for name, standing in rows:
        cells = [standing.wins, standing.draws, standing.losses]
        errors = Text(str(standing.errors), style="bold red" if standing.errors else "")
        place = [] if not is_large else ["" if standing.place is None else f"{standing.place:.2f}"]
        estimates = [*percent(standing.score), *signed(standing.elo)]
        table.add_row(Text(plain(name)), *map(str, cells), errors, *place, *estimates)
    return table


def crosstable(names: list[str], standings: Standings) -> Table:
    """The points of each bot, a row, against each other, a column, and the number of games."""
    table = Table(Column("points of", overflow="fold"), box=box.SIMPLE_HEAD, padding=0)
    for name in names:
        table.add_column(Text(plain(name)), justify="right")
    for bot, name in enumerate(names):
        pairings = [standings.pairing(bot, other) for other in range(len(names))]
        cells = [
            f"{pairing.points:g} of {pairing.n_games}" if pairing else "·" for pairing in pairings
        ]
        table.add_row(Text(plain(name)), *cells)
    return table


def render_results(
    names: list[str], standings: AnyStandings, against: int | None = None
) -> RenderableType:
    """Standings, and the crosstable for more than two bots.

    against: in a contest for one player the bot with which the others are compared.
    """
    if isinstance(standings, ScoreStandings):
        return render_scores(names, standings.scores, against)
    table = standings_table(names, standings)
    return Group(table, crosstable(names, standings)) if len(names) > 2 else table


def print_summary(
    arena: Arena, names: list[str], json_line: bool, against: int | None = None
) -> None:
    """Print the results of an arena: tables, or a line of JSON; against: see render_results."""
    if json_line:
        print(json.dumps(summary_data(arena, names, against), allow_nan=False))
        return
    console, standings = Console(), arena.standings
    console.print(render_results(names, standings, against))
    if isinstance(standings, Standings):
        pairing = standings.pairing(0, 1)
        if len(names) == 2 and standings.most_seats == 2 and pairing and pairing.pairs:
            console.print(pairs_text(pairing.pairs), highlight=False)
    if arena.sprt:
        console.print(sprt_text(arena), markup=False, highlight=False)
    for text in failure_texts(arena, names):
        console.print(plain(text), markup=False, highlight=False, soft_wrap=True)
    from_file = f", {arena.n_counted} of them found" if arena.n_counted else ""
    where = arena.store.path
    text = plain(f"{arena.standings.n_games} games{from_file} in {where}")
    console.print(text, highlight=False, soft_wrap=True)


def failure_texts(arena: Arena, names: list[str]) -> list[str]:
    """Returns a text for each bot that failed: how often, why the first time, and that game's
    log.
    """
    texts = []
    for bot, (game, fault) in sorted(arena.failures.items()):
        log = arena.log_of(game)
        where = f" (onefile view {path_for_people(log.resolve())})" if log.is_file() else ""
        n_failed = arena.n_failures[bot]
        number = f"{n_failed} game" + "s" * (n_failed > 1)
        texts.append(f"{names[bot]} failed in {number}, first in seed {game.seed}: {fault}{where}")
    return texts


def summary_data(arena: Arena, names: list[str], against: int | None = None) -> dict[str, Any]:
    """Returns the results of an arena as plain JSON data, the bots in the order given."""
    standings = arena.standings
    common = {"sprt": test_data(arena), "failures": failure_texts(arena, names)}
    if isinstance(standings, ScoreStandings):
        data = score_data(names, standings.scores, against)
        notes = arena.store.notes(arena.series)
        for entrant, bot in zip(arena.entrants, data["bots"]):
            bot["note"] = notes.get(entrant.key)
        return {"games": standings.n_games, **data, **common}
    bots = []
    for name, standing in zip(names, standings.of_bots()):
        elo = standing.elo
        bots.append(
            {
                "name": name,
                "wins": standing.wins,
                "draws": standing.draws,
                "losses": standing.losses,
                "errors": standing.errors,
                "elo": elo and round(elo.value, 1),
                "elo_low": elo and round(elo.low, 1),
                "elo_high": elo and round(elo.high, 1),
            }
        )
    return {"games": standings.n_games, "bots": bots, **common}


def test_data(arena: Arena) -> dict[str, Any] | None:
    """Returns the state of an arena's test as plain JSON data, None without a test."""
    if arena.sprt is None:
        return None
    low, high = arena.sprt.bounds
    n_samples, llr, _ = state_of_test(arena.standings, arena.sprt)
    is_solo = isinstance(arena.sprt, ScoreSprt)
    hypotheses = asdict(arena.sprt)
    hypotheses.pop("n_games", None)
    return {
        **hypotheses,
        "llr": round(llr, 3),
        "lower": round(low, 3),
        "upper": round(high, 3),
        "cases" if is_solo else "pairs": n_samples,
        "verdict": arena.verdict,
    }


def pairs_text(pairs: Counter[int]) -> str:
    """Returns a text for the scores of pairs of games, from the view of the first bot."""
    counts = (f"{points}: {pairs[cell]}" for cell, points in enumerate(POINTS_OF_A_PAIR))
    return f"points of the first bot in pairs: {', '.join(counts)}"


def sprt_text(arena: Arena) -> str:
    """Returns a text for the state of an arena's test."""
    test = arena.sprt
    assert test
    low, high = test.bounds
    if isinstance(test, Sprt):
        zero, first, unit = test.elo0, test.elo1, "Elo above"
        sample = "pairs" if test.n_games == 2 else "seeds"
    else:
        zero, first, unit, sample = test.score0, test.score1, "points ahead of", "cases"
    texts = {
        Verdict.H0: f"H0 accepted: rather {zero:g} than {first:g}",
        Verdict.H1: f"H1 accepted: rather {first:g} than {zero:g}",
        None: "no verdict yet",
    }
    n_samples, llr, _ = state_of_test(arena.standings, test)
    return (
        f"SPRT, first bot {zero:g} or {first:g} {unit} the second: {texts[arena.verdict]}"
        f" (LLR {llr:.2f} in {low:.2f} to {high:.2f}, {n_samples} {sample})"
    )


def percent(estimate: Estimate | None) -> tuple[str, str]:
    """A share of points and its interval, in percent."""
    if estimate is None:
        return "", ""
    value, low, high = (100 * percent for percent in (estimate.value, estimate.low, estimate.high))
    return f"{value:.1f}%", f"{low:.0f} to {high:.0f}"


def signed(estimate: Estimate | None) -> tuple[str, str]:
    """A difference in Elo and its interval, for people; beyond MAX_ELO only the bound is told."""
    if estimate is None:
        return "", ""
    if estimate.low < -MAX_ELO and estimate.high > MAX_ELO:
        return "?", "too few games"
    value, low, high = map(_bounded, (estimate.value, estimate.low, estimate.high))
    return value, f"{low} to {high}"


def elo_text(estimate: Estimate | None) -> str:
    """Returns a difference in Elo with its interval as a clause, or "too few games"."""
    value, interval = signed(estimate)
    return f"{value} Elo, 95% {interval}" if value not in ("", "?") else "too few games"


def clipped(estimate: Estimate) -> Estimate:
    """Returns a difference in Elo for a chart, within MAX_ELO of 0."""
    ends = (estimate.value, estimate.low, estimate.high)
    return Estimate(*(min(max(end, -MAX_ELO), MAX_ELO) for end in ends))


def _bounded(elo: float) -> str:
    if abs(elo) <= MAX_ELO:
        return f"{round(elo):+d}"
    return f"> +{MAX_ELO}" if elo > 0 else f"< -{MAX_ELO}"
