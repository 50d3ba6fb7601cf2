"""Scores and Elo with their 95% intervals, by the model of `plackett_luce`."""

import math
from dataclasses import dataclass

import numpy as np

from referee.arena.statistics.plackett_luce import Strengths, fit
from referee.arena.statistics.tally import Seeds

# Elo points per unit of natural log-odds.
ELO_SCALE = 400 / math.log(10)


@dataclass(frozen=True)
class Estimate:
    """A number and its 95% interval."""

    value: float
    low: float
    high: float


def score(seeds: Seeds, bot: int) -> Estimate:
    """Returns a bot's share of the points against other bots, 0 to 1.

    The bot has played at least one game.
    """
    choices = seeds.comparisons(bot)
    points, others = choices.chosen.sum(axis=0)
    _, lows, highs = fit(choices)
    # With two players, the strength of each differs from the mean by half of their difference.
    low, high = (1 / (1 + math.exp(-2 * end)) for end in (lows[0], highs[0]))
    share = float(points / (points + others))
    # The interval of a perfect score must include 1; the prior alone excludes it.
    return Estimate(share, min(low, share), max(high, share))


def elos(seeds: Seeds) -> list[Estimate]:
    """Returns the Elo of each bot, relative to the other bot of two, or to the mean of several.

    Of bots that no games connect, each connected part has its own mean. A lead in Elo predicts a
    score by `expected_score`.
    """
    choices = seeds.choices()
    strengths = fit(choices)
    if len(strengths.values) == 2:
        # With two players, the strength of each differs from the mean by half of their difference.
        strengths = Strengths(*(2 * strength for strength in strengths))
        points = choices.chosen.sum(axis=0)
        if len(choices.sets) == 1 and points.min() > 0:
            # The usual estimate, without the prior, which serves the bounds.
            lead = math.log(points[0] / points[1])
            strengths = strengths._replace(values=np.array([lead, -lead]))
    return [Estimate(*row) for row in (ELO_SCALE * np.stack(strengths, axis=1)).tolist()]


def expected_score(elo_difference: float) -> float:
    """Returns the share of the points that a lead in Elo predicts."""
    return 1 / (1 + 10 ** (-elo_difference / 400))
