"""The data of a report's part about a contest for one player."""

import math
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from referee.arena.charts import interval_chart
from referee.arena.score_table import (
    lead_of,
    number_text,
    relative_score,
    score_text,
    value_and_reach,
)
from referee.arena.statistics.elo import Estimate
from referee.arena.statistics.scores import LEAST_CASES, Scores

# The cases listed at most; of more, as many of the worst and of the best ones.
MOST_CASES = 300


def bots_data(names: list[str], scores: Scores, against: int | None) -> dict[str, Any]:
    """Returns the table of bots and the chart of their means, in the order of their first games."""
    heads = ["bot", "cases", "errors", "mean", "±95%", "lead", "±95%", "of best", "ranks"]
    rows, drawn = [], []
    for bot in range(len(names)):
        mean, best = scores.mean(bot), relative_score(scores, bot)
        ranks, results = scores.rank_sum(bot), scores.results(bot)
        cells = [str(int(scores.has_played()[:, bot].sum())), str(scores.failures(bot))]
        cells += [*value_and_reach(mean), *value_and_reach(lead_of(scores, bot, against), "+")]
        cells += ["" if best is None else f"{best.value:.1%}", f"{ranks:g}" if ranks else ""]
        rows.append([*cells, *map(str, results)])
        if mean is not None:
            is_bounded = math.isfinite(mean.high - mean.low)
            ends = (mean.low, mean.high) if is_bounded else (mean.value, mean.value)
            drawn.append((bot, Estimate(mean.value, *ends)))
    chart = interval_chart(names, drawn, "mean score", "{:,g}") if drawn else ""
    reference = "the other bot" if against is None and len(names) == 2 else names[against or 0]
    return {
        "rating_heads": [*heads, "won", "drawn", "lost"],
        "ratings": rows,
        "intervals": Markup(chart),
        "reference": reference,
        "least_cases": LEAST_CASES,
    }


def groups_data(n_bots: int, scores: Scores) -> list[tuple[str, int, list[str]]]:
    """Returns the name, the number of cases and the bots' means of each group of cases."""
    return [
        (
            name,
            len(group_scores.cases),
            [score_text(group_scores.mean(bot)) for bot in range(n_bots)],
        )
        for name, group_scores in scores.by_group().items()
    ]


def case_rows(scores: Scores) -> tuple[Sequence[dict[str, Any]], int]:
    """Returns the cases from the worst of the last bot to its best, and the number left out.

    A cell has the bot, its score, and the share of the best known one.
    """
    order = scores.order(scores.n_bots - 1)
    order += sorted(set(range(len(scores.cases))) - set(order))
    n_unlisted = max(0, len(order) - MOST_CASES)
    if n_unlisted:
        order = order[: MOST_CASES // 2] + order[-MOST_CASES // 2 :]
    best, matrix, share = scores.best(), scores.matrix(), scores.relative()
    played = scores.has_played()
    rows = []
    for row in order:
        cells = []
        for bot in range(scores.n_bots):
            score = float(matrix[row, bot])
            shown = "failed" if math.isnan(score) else number_text(score)
            is_there = bool(played[row, bot])
            cells.append((bot, shown if is_there else "", f"{share[row, bot]:.0%}" * is_there))
        known = float(best[row])
        rows.append(
            {
                "name": scores.cases[row].name,
                "group": scores.cases[row].group,
                "best": "" if math.isnan(known) else number_text(known),
                "cells": cells,
            }
        )
    return rows, n_unlisted
