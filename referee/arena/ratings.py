"""Ratings of many bots from all their games.

`bradley_terry` looks at all results at once: the strengths under which they are most likely
(Bradley and Terry, Biometrika 39, 1952), a draw being half a win. `Skills` follows the games one by
one and knows more than two players a game (Plackett-Luce, by openskill).
"""

import math

import numpy as np
from openskill.models import PlackettLuce

from referee.arena.elo import ELO_SCALE, Z95, Estimate
from referee.arena.tally import Pairing

# How far bots are apart before anything is known of them, in Elo: keeps a bot that won every game
# from being infinitely strong, and moves one of a hundred games by a fraction of a point.
PRIOR_SPREAD_ELO = 800.0

# Newton's method goes no further at once, or it might not come back, and ends below the other; both
# are differences of logarithms, of which one makes 174 Elo.
LARGEST_STEP = 1.0
CONVERGED = 1e-9


def bradley_terry(n_bots: int, pairings: dict[tuple[int, int], Pairing]) -> list[Estimate]:
    """The Elo of each bot, a difference promising a score as in `elo`.

    The mean is 0: of all, or of each part where no game connects one part with the other.

    The intervals come from the spread between the groups of games, as in `elo`: from the sandwich
    of the likelihood's curvature and the squared gradients of the groups (Huber, 1967).
    """
    precision = (ELO_SCALE / PRIOR_SPREAD_ELO) ** 2

    def expected(strengths: np.ndarray, one: int, other: int) -> float:
        return 1 / (1 + math.exp(strengths[other] - strengths[one]))

    strengths = np.zeros(n_bots)
    step = 1.0
    while step > CONVERGED:
        gradient, curvature = -precision * strengths, precision * np.eye(n_bots)
        for (one, other), pairing in pairings.items():
            share = expected(strengths, one, other)
            surplus = pairing.points - pairing.n_games * share
            gradient[[one, other]] += surplus, -surplus
            curvature += pairing.n_games * share * (1 - share) * difference(n_bots, one, other)
        steps = np.linalg.solve(curvature, gradient)
        step = np.abs(steps).max(initial=0.0)
        strengths += steps * min(1, LARGEST_STEP / max(step, CONVERGED))

    curvature, spread = precision * np.eye(n_bots), precision * np.eye(n_bots)
    for (one, other), pairing in pairings.items():
        # With one more group of which nothing is known, as in `elo.independent_games`.
        size = max(group.n_games for group in pairing.groups)
        share = expected(strengths, one, other)
        share = (share * pairing.n_games + size / 2) / (pairing.n_games + size)
        curvature += pairing.n_games * share * (1 - share) * difference(n_bots, one, other)
        squares = (size / 2 - size * share) ** 2 + size / 4
        for group, count in pairing.groups.items():
            squares += (group.half_points / 2 - group.n_games * share) ** 2 * count
        spread += squares * difference(n_bots, one, other)
    # Only differences are measured, and only between bots that games connect: the doubt about the
    # mean of those is taken out.
    together = curvature != 0
    for _ in range(n_bots.bit_length()):
        together = together @ together
    from_mean = np.eye(n_bots) - together / together.sum(axis=1)
    root = from_mean @ np.linalg.inv(curvature)
    reaches = Z95 * np.sqrt(np.diag(root @ spread @ root.T))
    return [
        Estimate(*(ELO_SCALE * value for value in (strength, strength - reach, strength + reach)))
        for strength, reach in zip(strengths.tolist(), reaches.tolist())
    ]


def difference(n_bots: int, one: int, other: int) -> np.ndarray:
    """The squared difference of two bots' strengths as a matrix, n_bots x n_bots."""
    between = np.zeros(n_bots)
    between[[one, other]] = 1, -1
    return np.outer(between, between)


class Skills:
    """A rating of each bot that every game moves: strength and doubt, 25 and 8.3 at first."""

    def __init__(self, n_bots: int):
        self.model = PlackettLuce()
        self.ratings = [self.model.rating() for _ in range(n_bots)]

    def add(self, seating: tuple[int, ...], ranks: list[int]) -> None:
        """Learn from a game: who sat in it and who came in where, 0 the best."""
        teams = [[self.ratings[bot]] for bot in seating]
        for bot, [rating] in zip(seating, self.model.rate(teams, ranks=list(map(float, ranks)))):
            self.ratings[bot] = rating

    def of(self, bot: int) -> tuple[float, float]:
        """(strength, doubt) of a bot."""
        return self.ratings[bot].mu, self.ratings[bot].sigma
