"""Formats results as tables and texts for people, and as a line of JSON for programs."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group, OverflowMethod, RenderableType
from rich.table import Column as TableColumn
from rich.table import Table
from rich.text import Text

from referee.arena.entrants import find_entrant, labels
from referee.arena.measures import (
    ERRORS,
    N_NAMED,
    OVER,
    CaseStandings,
    Column,
    Standings,
    Wins,
    number_text,
    score_text,
    state_of_test,
)
from referee.arena.series import Series
from referee.arena.standings import standings_of
from referee.arena.statistics.scores import LEAST_CASES, Scores
from referee.arena.statistics.sprt import ScoreSprt, Sprt, Verdict
from referee.arena.store import Store
from referee.sources.bots import path_for_people
from referee.terminal import plain

if TYPE_CHECKING:
    # Playing takes longer to import than a small table to print.
    from referee.arena.run import Arena

# The bots with a list of their cases at either end.
MOST_LISTED = 4
TOO_FEW = (
    f"too few cases for ±95%: of fewer than {LEAST_CASES}, none may have a rare score that decides"
    " the mean"
)
POINTS_OF_A_PAIR = ("0", "½", "1", "1½", "2")


def standings_table(
    names: Sequence[str], standings: Standings, against: int | None = None
) -> Table:
    """Returns the table of results, with a row for each bot, the best first.

    against: the bot with which the other bots are compared, in a contest for one player.
    """
    columns = standings.columns(names, against)
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("bot", overflow="fold", min_width=8 if standings.is_solo else 11)
    for column in columns:
        is_name = column.title.startswith(OVER)
        overflow: OverflowMethod = "fold" if is_name else "ellipsis"
        table.add_column(
            plain(column.title), justify="right", no_wrap=not is_name, overflow=overflow
        )
    for bot in standings.ranking():
        cells = [Text(column.cells[bot], style=style_of(column, bot)) for column in columns]
        table.add_row(Text(plain(names[bot])), *cells)
    return table


def style_of(column: Column, bot: int) -> str:
    """Returns the style of a bot's cell: "bold red" for a number of errors above 0, else ""."""
    return "bold red" if column.title == ERRORS and column.cells[bot] != "0" else ""


def crosstable(names: list[str], standings: Wins) -> Table:
    """Returns the table of points and games of each bot (row) against each other bot (column)."""
    table = Table(TableColumn("points of", overflow="fold"), box=box.SIMPLE_HEAD, padding=0)
    for name in names:
        table.add_column(Text(plain(name)), justify="right")
    for bot, name in enumerate(names):
        pairings = [standings.pairing(bot, other) for other in range(len(names))]
        cells = [
            f"{pairing.points:g} of {pairing.n_games}" if pairing else "·" for pairing in pairings
        ]
        table.add_row(Text(plain(name)), *cells)
    return table


def render_scores(
    names: Sequence[str], scores: CaseStandings, against: int | None = None
) -> RenderableType:
    """Returns the table of bots, with tables and texts about cases.

    These are a table of groups of cases, if there are several, the worst and best cases of the
    first bots, and warnings.
    """
    parts: list[RenderableType] = [standings_table(names, scores, against)]
    if 0 < len(scores.cases) < LEAST_CASES:
        parts.append(Text(TOO_FEW))
    if groups := scores.by_group():
        parts.append(group_table(names, groups))
    for bot, name in enumerate(names[:MOST_LISTED]):
        worst, best = notable_cases(scores, bot)
        ends = [f"worst {', '.join(worst)}", *([f"best {', '.join(best)}"] if best else [])]
        if worst:
            parts.append(Text(plain(f"{name}: {'; '.join(ends)}")))
    if left_out := scores.inconstant:
        shown = ", ".join(left_out[:N_NAMED])
        parts.append(
            Text(
                plain(
                    f"left out: {len(left_out)} cases whose input differs from game to game"
                    f" ({shown}{', ...' if len(left_out) > N_NAMED else ''})"
                )
            )
        )
    return Group(*parts)


def group_table(names: Sequence[str], groups: dict[str, Scores]) -> Table:
    """Returns the table of mean scores: a row for each group of cases, a column for each bot."""
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("group", overflow="fold")
    table.add_column("cases", justify="right")
    for name in names:
        table.add_column(Text(plain(name)), justify="right", overflow="fold")
    for group, scores in groups.items():
        means = [score_text(scores.mean(bot)) for bot in range(len(names))]
        table.add_row(Text(plain(group)), str(len(scores.cases)), *means)
    return table


def notable_cases(scores: Scores, bot: int) -> tuple[list[str], list[str]]:
    """Returns texts for a bot's worst and best cases by their share of the best known score."""
    share, order = scores.relative()[:, bot], scores.order(bot)
    worst = [row for row in order[:N_NAMED] if share[row] < 1.0]
    best = order[len(worst) :][::-1][:N_NAMED]
    return [case_text(scores, bot, row) for row in worst], [
        case_text(scores, bot, row) for row in best
    ]


def case_text(scores: Scores, bot: int, row: int) -> str:
    """Returns a text for a bot's score on a case."""
    case, share = scores.cases[row], scores.relative()[row, bot]
    score = float(scores.matrix()[row, bot])
    shown = "failed" if math.isnan(score) else number_text(score)
    return f"{case.name} {shown} ({share:.0%})"


def render_results(
    names: list[str], standings: Standings, against: int | None = None
) -> RenderableType:
    """Returns the standings, with the crosstable for more than two bots.

    against: in a contest for one player the bot with which the other bots are compared.
    """
    if isinstance(standings, CaseStandings):
        return render_scores(names, standings, against)
    table = standings_table(names, standings)
    if isinstance(standings, Wins) and len(names) > 2:
        return Group(table, crosstable(names, standings))
    return table


def print_summary(
    arena: "Arena", names: list[str], json_line: bool, against: int | None = None
) -> None:
    """Print the results of an arena: tables, or a line of JSON; against: see render_results."""
    if json_line:
        print(json.dumps(summary_data(arena, names, against), allow_nan=False))
        return
    console, standings = Console(), arena.standings
    console.print(render_results(names, standings, against))
    if isinstance(standings, Wins):
        pairing = standings.pairing(0, 1)
        if len(names) == 2 and standings.most_seats == 2 and pairing and pairing.pairs:
            text = pairs_text(names[0], pairing.pairs)
            console.print(plain(text), markup=False, highlight=False)
    if arena.sprt:
        console.print(plain(sprt_text(arena, names)), markup=False, highlight=False)
    for text in failure_texts(arena, names):
        console.print(plain(text), markup=False, highlight=False, soft_wrap=True)
    from_file = f", {arena.n_counted} of them found" if arena.n_counted else ""
    where = arena.store.path
    text = plain(f"{arena.standings.n_games} games{from_file} in {where}")
    console.print(text, highlight=False, soft_wrap=True)


def failure_texts(arena: "Arena", names: list[str]) -> list[str]:
    """Returns a text for each bot that failed: how often, the first fault, and the game's log."""
    texts = []
    for bot, (game, fault) in sorted(arena.failures.items()):
        log = arena.log_of(game)
        where = f" (onefile view {path_for_people(log.resolve())})" if log.is_file() else ""
        n_failed = arena.n_failures[bot]
        number = f"{n_failed} game" + "s" * (n_failed > 1)
        texts.append(f"{names[bot]} failed in {number}, first in seed {game.seed}: {fault}{where}")
    return texts


def print_series(
    store: Store, series: Series, known: Mapping[str, float], against: str | None = None
) -> None:
    """Print the results and notes of a stored series, the winner first.

    known: see standings_of. against: the name or path of a bot, see render_results.
    """
    console, entrants = Console(), store.entrants(series)
    names = labels(entrants)
    standings = standings_of(store, series, entrants, known)
    console.print(Text(plain(series.title()), style="bold"))
    console.print(render_results(names, standings, find_entrant(entrants, against)))
    for key, note in store.notes(series).items():
        noted = [name for name, entrant in zip(names, entrants) if entrant.key == key]
        console.print(Text(plain(f"{', '.join(noted)}: {note}")))


def summary_data(arena: "Arena", names: list[str], against: int | None = None) -> dict[str, Any]:
    """Returns the results of an arena as plain JSON data, the bots in the order given."""
    data = arena.standings.data(names, against)
    if arena.standings.is_solo:
        notes = arena.store.notes(arena.series)
        for entrant, bot in zip(arena.entrants, data["bots"]):
            bot["note"] = notes.get(entrant.key)
    return {**data, "sprt": test_data(arena), "failures": failure_texts(arena, names)}


def series_data(
    store: Store, series: Series, names: Mapping[str, str], standings: dict[str, Any]
) -> dict[str, Any]:
    """Returns a stored series with its games as plain JSON data.

    names: the names of the bots by key. standings: the results of the series as plain JSON data.
    """
    games = [
        {
            "seed": game.seed,
            "bots": [names[key] for key in game.seating],
            "ranks": [seat.rank for seat in game.result.seats],
            "scores": [seat.score for seat in game.result.seats],
            "faults": [seat.fault for seat in game.result.seats],
            "turns": game.result.turns,
            "reason": game.result.reason,
            "log": game.log and str((store.path.parent / game.log).resolve()),
        }
        for game in store.games(series)
    ]
    return {
        "contest": series.contest,
        "title": series.title(),
        "conditions": series.conditions,
        "standings": standings["bots"],
        "games": games,
    }


def test_data(arena: "Arena") -> dict[str, Any] | None:
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


def pairs_text(name: str, pairs: Counter[int]) -> str:
    """Returns a text: the number of pairs of games by the first bot's points.

    name: the first bot's name.
    """
    counts = (f"{points}: {pairs[cell]}" for cell, points in enumerate(POINTS_OF_A_PAIR))
    return f"points of {name} in pairs: {', '.join(counts)}"


def sprt_text(arena: "Arena", names: list[str]) -> str:
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
        f"SPRT, {names[0]} {zero:g} or {first:g} {unit} {names[1]}: {texts[arena.verdict]}"
        f" (LLR {llr:.2f} in {low:.2f} to {high:.2f}, {n_samples} {sample})"
    )
