"""The sequential probability ratio test: plays until one of two hypotheses is accepted.

Wald's test (Annals of Mathematical Statistics 16, 1945) in the generalised form for distributions
known only by samples: M. Van den Bergh, "The generalized sequential probability ratio test", 2020,
as in Stockfish's testing. A sample is a bot's score against another on one seed. For two players it
is a pair of games with swapped seats: 0, 1/2, 1, 3/2 or 2 points. At a table of four it is the four
games in which each bot has every seat once; the bot that finishes before the other wins the point:
the test decides which bot is better in this field. The likelihood under a hypothesis is the
likelihood of the distribution that has the score of the hypothesis and is closest to the observed
one.

`ScoreSprt` is the same test for paired differences of scores, which may be any numbers. The closest
distribution is then Owen's empirical likelihood (Biometrika 75, 1988), with the two balanced
pseudo-values of Emerson and Owen (Electronic Journal of Statistics 3, 2009), by which the
distribution exists for any mean.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from referee.arena.statistics.elo import expected_score

# Shared by all possible scores of a sample, so that one not seen yet is not considered impossible.
UNSEEN = 5e-3
# Steps of bisection for the distribution's parameter, whose magnitude is about 1.
BISECTIONS = 40
# The first verdict about scores comes after so many cases: with 20 up to 10% of the verdicts about
# skewed leads were wrong, where 5% are allowed.
LEAST_CASES = 40
# The distance of a pseudo-value, in standard deviations: Emerson and Owen's for one dimension. And
# the least deviation, in shares of the distance between the hypotheses.
PSEUDO_REACH, LEAST_SPREAD = 1.9, 0.01


class Verdict(StrEnum):
    """The accepted hypothesis about the first bot's lead over the second.

    H0: the lead is elo0 or score0. H1: the lead is elo1 or score1.
    """

    H0 = "H0"
    H1 = "H1"


class _Test:
    """A sequential test of H0 against H1, with two probabilities of an error.

    alpha: H1 is accepted though H0 holds. beta: H0 is accepted though H1 holds.
    """

    alpha: float
    beta: float

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return wald_bounds(self.alpha, self.beta)


@dataclass(frozen=True)
class Sprt(_Test):
    """A test of the hypotheses that the first bot leads the second by elo0 (H0) or by elo1 (H1).

    alpha, beta: see _Test. n_games: the number of games between the two bots in a sample. The
    methods take the number of samples by the first bot's half points, 0 to 2 * n_games.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    n_games: int = 2

    def count(self, samples: Counter[int]) -> int:
        """Returns the number of samples."""
        return samples.total()

    def llr(self, samples: Counter[int]) -> float:
        """Returns the log-likelihood ratio of H1 to H0, 0.0 without samples."""
        if not samples.total():
            return 0.0
        n_cells = 2 * self.n_games + 1
        cells = [samples[half_points] + UNSEEN / n_cells for half_points in range(n_cells)]
        total = sum(cells)
        observed = [cell / total for cell in cells]
        likely0 = closest_distribution(observed, expected_score(self.elo0))
        likely1 = closest_distribution(observed, expected_score(self.elo1))
        return sum(
            cell * math.log(first / zero) for cell, first, zero in zip(cells, likely1, likely0)
        )

    def verdict(self, samples: Counter[int]) -> Verdict | None:
        """Returns the accepted hypothesis, None while neither is accepted."""
        return verdict_of(self.llr(samples), self.bounds)


@dataclass(frozen=True)
class ScoreSprt(_Test):
    """A test of the hypotheses that the first bot's mean lead is score0 (H0) or score1 (H1).

    alpha, beta: see _Test. The methods take the leads of the first bot over the second, one for
    each case.
    """

    score0: float
    score1: float
    alpha: float = 0.05
    beta: float = 0.05

    def count(self, leads: Sequence[float] | np.ndarray) -> int:
        """Returns the number of samples."""
        return len(leads)

    def llr(self, leads: Sequence[float] | np.ndarray) -> float:
        """Returns the log-likelihood ratio of H1 to H0, 0.0 for fewer than two leads."""
        if len(leads) < 2:
            return 0.0
        values = np.asarray(leads, dtype=float)
        spread = LEAST_SPREAD * (self.score1 - self.score0)
        zero, one_values = (values - score for score in (self.score0, self.score1))
        return empirical_distance(zero, spread) - empirical_distance(one_values, spread)

    def verdict(self, leads: Sequence[float] | np.ndarray) -> Verdict | None:
        """Returns the accepted hypothesis, None without one and before LEAST_CASES cases."""
        return None if len(leads) < LEAST_CASES else verdict_of(self.llr(leads), self.bounds)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Returns the log-likelihood ratios at which H0 and H1 are accepted; alpha, beta: see _Test."""
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def verdict_of(llr: float, bounds: tuple[float, float]) -> Verdict | None:
    """Returns the hypothesis accepted at a log-likelihood ratio, or None."""
    return Verdict.H0 if llr <= bounds[0] else Verdict.H1 if llr >= bounds[1] else None


def empirical_distance(deviations: np.ndarray, least_spread: float) -> float:
    """Returns the log-likelihood that deviations lose if their mean has to be 0.

    It is 0 for a mean of 0, and grows with the mean's distance from 0. least_spread: the least
    spread of the pseudo-values, above 0, for deviations that are almost equal.
    """
    mean = float(deviations.mean())
    reach = math.copysign(PSEUDO_REACH * max(float(deviations.std()), least_spread), mean)
    a = np.append(deviations, [-reach, 2 * mean + reach])
    low, high = -1 / float(a.max()), -1 / float(a.min())
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        if float((a / (1 + x * a)).sum()) > 0:
            low = x
        else:
            high = x
    return float(np.log1p((low + high) / 2 * a).sum())


def closest_distribution(observed: list[float], mean: float) -> list[float]:
    """Returns the most likely distribution of scores that has the given mean.

    The scores are 0 to 1 in equal steps. observed: the observed distribution, without a share of 0.
    By Lagrange multipliers, each share is divided by 1 + x * (score - mean), with the x that gives
    the mean.
    """
    last = len(observed) - 1
    deviations = [half_points / last - mean for half_points in range(len(observed))]

    def miss(x: float) -> float:
        return sum(share * a / (1 + x * a) for share, a in zip(observed, deviations))

    # All shares stay positive between the poles, where the sum falls from plus to minus infinity.
    low, high = -1 / deviations[-1], -1 / deviations[0]
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        if miss(x) > 0:
            low = x
        else:
            high = x
    return [share / (1 + x * a) for share, a in zip(observed, deviations)]
