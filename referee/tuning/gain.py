"""Estimates the gain of the values found, from the trials.

The strength of a point is modelled as a sum of parabolas, one for each number, and the lead of one
point over another as the difference of their strengths. Least squares with a weak prior (ridge)
give the parabolas, and with them the lead of one point over another, with an interval. The same
games found the point, so the estimate is rather too good: a test on other games proves it.
"""

import math
from typing import Sequence

import numpy as np

from referee.arena.statistics.elo import ELO_SCALE, Estimate
from referee.arena.statistics.plackett_luce import Z95
from referee.tuning.space import Point, Space
from referee.tuning.trials import Trial

# Of the coefficients, in shares of the points; a game between a best and a worst point is decided.
PRIOR_DEVIATION = 2.0
# Elo for a lead of 1 in shares of the points, where that is small
ELO_OF_LEAD = 2 * ELO_SCALE


def estimated_gain(space: Space, trials: Sequence[Trial], start: Point, end: Point) -> Estimate:
    """Returns the gain in Elo from the values at `start` to those at `end`."""
    n = 2 * len(start)
    if not trials:
        return Estimate(0.0, -math.inf, math.inf)
    rows = np.array(
        [features(space.point(one.plus)) - features(space.point(one.minus)) for one in trials]
    )
    leads = np.array([one.lead for one in trials])
    weights = np.array([float(one.games) for one in trials])
    # A game's lead is -1, 0 or 1: its variance is at most 1.
    precision = rows.T @ (rows * weights[:, None]) + np.eye(n) / PRIOR_DEVIATION**2
    mean = np.linalg.solve(precision, rows.T @ (weights * leads))
    way = features(end) - features(start)
    value = float(way @ mean)
    spread = Z95 * math.sqrt(float(way @ np.linalg.solve(precision, way)))
    return Estimate(*(ELO_OF_LEAD * part for part in (value, value - spread, value + spread)))


def features(point: Point) -> np.ndarray:
    """Returns the terms of a point's strength: its coordinates and their squares."""
    x = np.array(point)
    return np.concatenate([x, x * x])
