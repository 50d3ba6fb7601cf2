"""What an arena came to, for its command: a table, or a line of JSON."""

import json

from rich.console import Console

from referee.arena.run import Arena
from referee.arena.table import pairs_text, results, sprt_text
from referee.terminal import plain


def report(arena: Arena, names: list[str], json_line: bool) -> None:
    """Print what an arena came to."""
    if json_line:
        print(json.dumps(as_data(arena, names), allow_nan=False))
        return
    console = Console()
    console.print(results(names, arena.standings))
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


def as_data(arena: Arena, names: list[str]) -> dict:
    """What an arena came to, as plain JSON data; the bots in the order given."""
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
