"""The sequential probability ratio test: plays on only until it is clear which hypothesis holds.

Wald's test (Annals of Mathematical Statistics 16, 1945) in the generalised form for distributions
that are known only by their samples: M. Van den Bergh, "The generalized sequential probability
ratio test", 2020, as in Stockfish's testing. A sample is what a bot scored against another on one
seed. Of two in a game that is a pair of games with swapped seats: 0, 1/2, 1, 3/2 or 2 points. Of
four at a table it is the four games in which each of them has every seat once, and whoever comes in
before the other wins the point, whatever the others do: the test says which is better in this
field. The likelihood under a hypothesis is that of the distribution closest to the observed one
that has the score of the hypothesis.
"""

import math
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from referee.arena.statistics.elo import expected_score

# Shared by all scores that a sample may have, so that one not seen yet is not held for impossible.
UNSEEN = 5e-3
# Each halves the doubt about the distribution's parameter, which is of the order of 1.
BISECTIONS = 40


class Verdict(StrEnum):
    """The accepted hypothesis: H0, the first bot is elo0 above the second; H1, it is elo1."""

    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True)
class Sprt:
    """A test of elo0 against elo1, with the errors alpha (H1 accepted though H0 holds) and beta.

    n_games: between the two bots in a sample. What it is asked about is how many samples there were
    with each of 0 to 2 n_games half points of the first bot.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    n_games: int = 2

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, samples: Counter[int]) -> float:
        """The log-likelihood ratio of H1 to H0."""
        if not samples.total():
            return 0.0
        n_cells = 2 * self.n_games + 1
        cells = [samples[half_points] + UNSEEN / n_cells for half_points in range(n_cells)]
        total = sum(cells)
        observed = [cell / total for cell in cells]
        likely0 = closest_distribution(observed, expected_score(self.elo0))
        likely1 = closest_distribution(observed, expected_score(self.elo1))
        return sum(cell * math.log(one / zero) for cell, one, zero in zip(cells, likely1, likely0))

    def verdict(self, samples: Counter[int]) -> Verdict | None:
        """The hypothesis that is accepted, None while neither is."""
        low, high = self.bounds
        llr = self.llr(samples)
        return Verdict.H0 if llr <= low else Verdict.H1 if llr >= high else None


def closest_distribution(observed: list[float], mean: float) -> list[float]:
    """The most likely distribution of scores, 0 to 1 in equal steps, that has the given mean.

    By Lagrange each share is divided by 1 + x * (score - mean), with x such that the mean is right.
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


def expected_samples(sprt: Sprt, elo: float, variance: float) -> float:
    """Returns the expected number of samples of a test if the first bot is `elo` above the second.

    variance: of a sample's score, 0 to 1. The log-likelihood ratio is taken for a Brownian motion,
    as Wald does: with mean m and variance v a sample it leaves the bounds a < 0 < b after (p b + (1
    - p) a) / m samples in the mean. Here p = (1 - exp(-h a)) / (exp(-h b) - exp(-h a)) with h = -2
    m / v is the chance to leave by the upper one.
    """
    low, high = expected_score(sprt.elo0), expected_score(sprt.elo1)
    mean = (high - low) * (2 * expected_score(elo) - low - high) / (2 * variance)
    spread = (high - low) ** 2 / variance
    a, b = sprt.bounds
    if abs(mean) < 1e-9 * spread:
        return -a * b / spread
    h = 2 * mean / spread
    p = math.expm1(-h * a) / (math.exp(-h * a) - math.exp(-h * b))
    return (p * b + (1 - p) * a) / mean
