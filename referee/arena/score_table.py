"""Scores of a contest for one player as tables for people, and as plain data for programs."""

import math
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from referee.arena.statistics.elo import Estimate
from referee.arena.statistics.scores import LEAST_CASES, Scores, mean_of, present
from referee.terminal import plain

# The cases listed of each bot at either end, and the bots with such a list.
N_LISTED, MOST_LISTED = 3, 4
TOO_FEW = (
    f"too few cases for ±95%: of fewer than {LEAST_CASES}, none may have a rare score that decides"
    " the mean"
)


def render_scores(
    names: Sequence[str], scores: Scores, against: int | None = None
) -> RenderableType:
    """The table of bots, that of the groups of cases if there are several, and notable cases."""
    parts: list[RenderableType] = [score_table(names, scores, against)]
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
        shown = ", ".join(left_out[:N_LISTED])
        parts.append(
            Text(
                plain(
                    f"left out: {len(left_out)} cases whose input differs from game to game"
                    f" ({shown}{', ...' if len(left_out) > N_LISTED else ''})"
                )
            )
        )
    return Group(*parts)


def score_table(names: Sequence[str], scores: Scores, against: int | None = None) -> Table:
    """A row a bot, in their order; against: the bot with which the others are compared, without it
    each of two with the other, and of more with the first.
    """
    is_compared = len(names) > 1
    reference = None if against is None and len(names) == 2 else names[against or 0]
    lead = "lead" if reference is None else f"over {plain(reference)}"
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("bot", overflow="fold", min_width=8)
    for title in ("cases", "errors", "mean", "±95%"):
        table.add_column(title, justify="right", no_wrap=True)
    if is_compared:
        table.add_column(lead, justify="right", overflow="fold")
        table.add_column("±95%", justify="right", no_wrap=True)
    for title in ("of best", *(["ranks", "won"] if is_compared else [])):
        table.add_column(title, justify="right", no_wrap=True)
    played = scores.has_played()
    for bot, name in enumerate(names):
        n_errors = scores.failures(bot)
        errors = Text(str(n_errors), style="bold red" if n_errors else "")
        cells: list[Text | str] = [Text(plain(name)), str(int(played[:, bot].sum())), errors]
        cells += value_and_reach(scores.mean(bot))
        if is_compared:
            cells += value_and_reach(lead_of(scores, bot, against), "+")
        best, ranks = relative_score(scores, bot), scores.rank_sum(bot)
        cells.append("" if best is None else f"{best.value:.1%}")
        if is_compared:
            cells += ["" if ranks is None else f"{ranks:g}", str(scores.results(bot)[0])]
        table.add_row(*cells)
    return table


def group_table(names: Sequence[str], groups: dict[str, Scores]) -> Table:
    """The mean scores of bots, a row a group of cases."""
    table = Table(box=box.SIMPLE_HEAD, padding=0)
    table.add_column("group", overflow="fold")
    table.add_column("cases", justify="right")
    for name in names:
        table.add_column(Text(plain(name)), justify="right", overflow="fold")
    for group, scores in groups.items():
        means = [score_text(scores.mean(bot)) for bot in range(len(names))]
        table.add_row(Text(plain(group)), str(len(scores.cases)), *means)
    return table


def lead_of(scores: Scores, bot: int, against: int | None) -> Estimate | None:
    """Returns the mean lead of a bot over the one it is compared with, None for that one itself."""
    other = against or 0
    if against is None and scores.n_bots == 2:
        other = 1 - bot
    return None if bot == other else scores.difference(bot, other)


def relative_score(scores: Scores, bot: int) -> Estimate | None:
    """Returns the mean share of the best known scores, None without a game."""
    return mean_of(present(scores.relative()[:, bot]))


def notable_cases(scores: Scores, bot: int) -> tuple[list[str], list[str]]:
    """Returns texts for a bot's worst and best cases by their share of the best known score."""
    share, order = scores.relative()[:, bot], scores.order(bot)
    worst = [row for row in order[:N_LISTED] if share[row] < 1.0]
    best = order[len(worst) :][::-1][:N_LISTED]
    return [case_text(scores, bot, row) for row in worst], [
        case_text(scores, bot, row) for row in best
    ]


def case_text(scores: Scores, bot: int, row: int) -> str:
    """Returns a text for a bot's score on a case."""
    case, share = scores.cases[row], scores.relative()[row, bot]
    score = float(scores.matrix()[row, bot])
    shown = "failed" if math.isnan(score) else number_text(score)
    return f"{case.name} {shown} ({share:.0%})"


def score_data(names: Sequence[str], scores: Scores, against: int | None = None) -> dict[str, Any]:
    """Returns the scores as plain JSON data: bots in their order, groups, cases left out."""
    return {
        "cases": len(scores.cases),
        "lowest_wins": scores.lowest,
        "bots": [bot_data(name, scores, bot, against) for bot, name in enumerate(names)],
        "groups": [
            {
                "group": group,
                "cases": len(group_scores.cases),
                "means": [estimate_data(group_scores.mean(bot)) for bot in range(len(names))],
            }
            for group, group_scores in scores.by_group().items()
        ],
        "left_out": scores.inconstant,
    }


def bot_data(name: str, scores: Scores, bot: int, against: int | None) -> dict[str, Any]:
    """Returns the scores of a bot as plain JSON data."""
    wins, draws, losses = scores.results(bot)
    order = scores.order(bot)
    return {
        "name": name,
        "cases": int(scores.has_played()[:, bot].sum()),
        "errors": scores.failures(bot),
        "mean": estimate_data(scores.mean(bot)),
        "lead": estimate_data(lead_of(scores, bot, against)),
        "relative": estimate_data(relative_score(scores, bot)),
        "rank_sum": scores.rank_sum(bot),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "worst": [scores.cases[row].name for row in order[:N_LISTED]],
        "best": [scores.cases[row].name for row in order[::-1][:N_LISTED]],
    }


def estimate_data(estimate: Estimate | None) -> dict[str, float | None] | None:
    """Returns an estimate as plain JSON data; an unbounded end is null."""
    if estimate is None:
        return None
    ends = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: round(end, 6) if math.isfinite(end) else None for name, end in ends.items()}


def value_and_reach(estimate: Estimate | None, sign: str = "") -> tuple[str, str]:
    """Returns a mean and the reach of its interval on the wider side as texts, "?" if there are too
    few cases for one; sign: "+" shows a plus.
    """
    if estimate is None:
        return "", ""
    reach = max(estimate.high - estimate.value, estimate.value - estimate.low)
    return number_text(estimate.value, sign), number_text(reach) if math.isfinite(reach) else "?"


def score_text(estimate: Estimate | None) -> str:
    """Returns a mean with its interval, if it has one, as one text, "" for None."""
    value, reach = value_and_reach(estimate)
    return f"{value} ±{reach}" if reach.strip("?") else value


def number_text(value: float, sign: str = "") -> str:
    """Returns a score for people: with decimals only where it has few digits before the point."""
    magnitude = abs(value)
    decimals = 0 if magnitude >= 1000 else 1 if magnitude >= 10 else 3
    text = f"{value:{sign},.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
