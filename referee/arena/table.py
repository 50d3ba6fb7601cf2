"""Results as tables and texts for people, and as a line of JSON for programs."""

import json
from collections import Counter
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from referee.arena.run import Arena
from referee.arena.standings import Standings
from referee.arena.statistics.elo import Estimate
from referee.arena.statistics.sprt import Sprt, Verdict
from referee.terminal import plain

POINTS_OF_A_PAIR = ("0", "½", "1", "1½", "2")


def standings_table(names: list[str], standings: Standings) -> Table:
    """A row a bot: of two bots in their order, of more the strongest first."""
    many, is_large = len(names) > 2, standings.tally.most_seats > 2
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("bot", overflow="fold", min_width=11)
    place = ["place"] if is_large else []
    for title in ("won", "drawn", "lost", "errors", *place, "score", "95%", "Elo", "95%"):
        table.add_column(title, justify="right", no_wrap=True)
    rows = list(zip(names, standings.of_bots()))
    if many:
        rows.sort(key=lambda row: row[1].elo.value if row[1].elo else 0.0, reverse=True)
    for name, one in rows:
        cells = [one.wins, one.draws, one.losses]
        errors = Text(str(one.errors), style="bold red" if one.errors else "")
        place = [] if not is_large else ["" if one.place is None else f"{one.place:.2f}"]
        estimates = [*percent(one.score), *signed(one.elo)]
        table.add_row(Text(plain(name)), *map(str, cells), errors, *place, *estimates)
    return table


def crosstable(names: list[str], standings: Standings) -> Table:
    """The points of each bot, a row, against each other, a column, of how many."""
    table = Table(Column("points of", overflow="fold"), box=box.SIMPLE_HEAD, padding=0)
    for name in names:
        table.add_column(Text(plain(name)), justify="right")
    for bot, name in enumerate(names):
        pairings = [standings.tally.pairing(bot, other) for other in range(len(names))]
        cells = [f"{one.points:g} of {one.n_games}" if one else "·" for one in pairings]
        table.add_row(Text(plain(name)), *cells)
    return table


def render_results(names: list[str], standings: Standings) -> RenderableType:
    """Standings, and the crosstable where there are more than two bots."""
    table = standings_table(names, standings)
    return Group(table, crosstable(names, standings)) if len(names) > 2 else table


def print_summary(arena: Arena, names: list[str], json_line: bool) -> None:
    """Print the results of an arena: tables, or a line of JSON."""
    if json_line:
        print(json.dumps(summary_data(arena, names), allow_nan=False))
        return
    console = Console()
    console.print(render_results(names, arena.standings))
    pairing = arena.standings.tally.pairing(0, 1)
    if len(names) == 2 and arena.standings.tally.most_seats == 2 and pairing and pairing.pairs:
        console.print(pairs_text(pairing.pairs), highlight=False)
    if arena.sprt:
        text = sprt_text(arena.sprt, arena.samples(), arena.verdict)
        console.print(text, markup=False, highlight=False)
    found = f", {arena.n_found} of them found" if arena.n_found else ""
    where = arena.store.path
    text = plain(f"{arena.standings.n_games} games{found} in {where}")
    console.print(text, highlight=False, soft_wrap=True)


def summary_data(arena: Arena, names: list[str]) -> dict[str, Any]:
    """Returns the results of an arena as plain JSON data, the bots in the order given."""
    bots = []
    for name, one in zip(names, arena.standings.of_bots()):
        elo = one.elo
        bots.append(
            {
                "name": name,
                "wins": one.wins,
                "draws": one.draws,
                "losses": one.losses,
                "errors": one.errors,
                "elo": elo and round(elo.value, 1),
                "elo_low": elo and round(elo.low, 1),
                "elo_high": elo and round(elo.high, 1),
            }
        )
    test = None
    if arena.sprt:
        low, high = arena.sprt.bounds
        test = {
            "elo0": arena.sprt.elo0,
            "elo1": arena.sprt.elo1,
            "alpha": arena.sprt.alpha,
            "beta": arena.sprt.beta,
            "llr": round(arena.sprt.llr(arena.samples()), 3),
            "lower": round(low, 3),
            "upper": round(high, 3),
            "pairs": arena.samples().total(),
            "verdict": arena.verdict,
        }
    return {"games": arena.standings.n_games, "bots": bots, "sprt": test}


def pairs_text(pairs: Counter[int]) -> str:
    """Returns a text for the scores of pairs of games, as the first bot sees them."""
    counts = (f"{points}: {pairs[cell]}" for cell, points in enumerate(POINTS_OF_A_PAIR))
    return f"points of the first bot in pairs: {', '.join(counts)}"


def sprt_text(sprt: Sprt, samples: Counter[int], verdict: Verdict | None) -> str:
    """Returns a text for the state of a test."""
    low, high = sprt.bounds
    texts = {
        Verdict.H0: f"H0 accepted: rather {sprt.elo0:g} than {sprt.elo1:g}",
        Verdict.H1: f"H1 accepted: rather {sprt.elo1:g} than {sprt.elo0:g}",
        None: "no verdict yet",
    }
    return (
        f"SPRT, first bot {sprt.elo0:g} or {sprt.elo1:g} Elo above the second: {texts[verdict]}"
        f" (LLR {sprt.llr(samples):.2f} in {low:.2f} to {high:.2f},"
        f" {samples.total()} {'pairs' if sprt.n_games == 2 else 'seeds'})"
    )


def percent(estimate: Estimate | None) -> tuple[str, str]:
    """A share of points and its interval, in percent."""
    if estimate is None:
        return "", ""
    value, low, high = (100 * part for part in (estimate.value, estimate.low, estimate.high))
    return f"{value:.1f}%", f"{low:.0f} to {high:.0f}"


def signed(estimate: Estimate | None) -> tuple[str, str]:
    """A difference in Elo and its interval."""
    if estimate is None:
        return "", ""
    value, low, high = (round(part) for part in (estimate.value, estimate.low, estimate.high))
    return f"{value:+d}", f"{low:+d} to {high:+d}"
