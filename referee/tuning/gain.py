"""Estimates the gain of the values found, from the trials.

The strength of a point is modelled as a sum of parabolas, one for each number, and the lead of one
point over another as the difference of their strengths. Least squares with a weak prior (ridge) fit
the parabolas, which give the lead of one point over another, with an interval. The same games found
the point, so the estimate is biased upwards: a test on other games confirms it.

In a contest for one player the lead is a difference of mean scores. Its unit is then the deviation
of a case's difference, which the trials tell.
"""

import math
from typing import Sequence

import numpy as np

from referee.arena.measures import elo_text, number_text
from referee.arena.statistics.elo import ELO_SCALE, Estimate
from referee.arena.statistics.plackett_luce import Z95
from referee.tuning.space import Point, Space
from referee.tuning.trials import Trial

# Standard deviation of the coefficients, in shares of the points; the best point wins every game
# against the worst.
PRIOR_DEVIATION = 2.0
# Elo for a lead of 1 in shares of the points, for small leads
ELO_OF_LEAD = 2 * ELO_SCALE


def estimated_gain(
    space: Space, trials: Sequence[Trial], start: Point, end: Point, is_solo: bool = False
) -> Estimate:
    """Returns the gain from the values at `start` to those at `end`: in Elo, or if is_solo in
    points of the score.
    """
    n = 2 * len(start)
    if not trials:
        return Estimate(0.0, -math.inf, math.inf)
    rows = np.array(
        [features(space.point(trial.plus)) - features(space.point(trial.minus)) for trial in trials]
    )
    leads = np.array([trial.lead for trial in trials])
    weights = np.array([float(trial.games) for trial in trials])
    unit = ELO_OF_LEAD
    if is_solo:
        leads, weights = np.array([trial.mean_gain for trial in trials]), weights / 2
        unit = math.sqrt(float(np.mean(weights * leads**2))) or 1.0
        leads = leads / unit
    # A game's lead is -1, 0 or 1: its variance is at most 1.
    precision = rows.T @ (rows * weights[:, None]) + np.eye(n) / PRIOR_DEVIATION**2
    mean = np.linalg.solve(precision, rows.T @ (weights * leads))
    way = features(end) - features(start)
    value = float(way @ mean)
    spread = Z95 * math.sqrt(float(way @ np.linalg.solve(precision, way)))
    return Estimate(*(unit * bound for bound in (value, value - spread, value + spread)))


def gain_text(gain: Estimate, is_solo: bool) -> str:
    """Returns a gain with its interval as a clause."""
    if not is_solo:
        return elo_text(gain)
    value, low, high = (number_text(end, "+") for end in (gain.value, gain.low, gain.high))
    return f"{value} points, 95% {low} to {high}" if math.isfinite(gain.low) else "too few games"


def features(point: Point) -> np.ndarray:
    """Returns the terms of a point's strength: its coordinates and their squares."""
    x = np.array(point)
    return np.concatenate([x, x * x])
