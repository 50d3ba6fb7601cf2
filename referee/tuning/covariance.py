"""CMA-ES by the library pycma: for few numbers, or correlated ones.

Source: N. Hansen, "The CMA evolution strategy: a tutorial", arXiv 1604.00772. A population of
points is drawn from a normal distribution, which moves to the better half of them. Here each point
plays against the distribution's mean, so that a trial costs as many games as one of SPSA.
"""

from collections.abc import Iterable
from typing import Any

import cma

from referee.tuning.space import Point


class Covariance:
    """CMA-ES by the ask-and-tell interface of `methods`."""

    def __init__(self, start: Point, n_trials: int, deviation: float, seed: int) -> None:
        options = {"bounds": [0.0, 1.0], "seed": seed + 1, "verbose": -9, "verb_log": 0}
        self.strategy = cma.CMAEvolutionStrategy(list(start), deviation, options)
        self.n_iterations, self.k, self.start = n_trials, 0, start
        self.population: list[Any] = []
        self.leads: list[float] = []

    def ask(self) -> tuple[Point, Point]:
        """Returns a point of the population, and the mean."""
        if not self.population:
            self.population = self.strategy.ask()
        return as_point(self.population[len(self.leads)]), self.best()

    def tell(self, lead: float) -> None:
        """Report a lead: the share of the points of the first point less that of the second."""
        self.ask()
        self.leads.append(lead)
        self.k += 1
        if len(self.leads) == len(self.population):
            self.strategy.tell(self.population, [-lead for lead in self.leads])
            self.population, self.leads = [], []

    def best(self) -> Point:
        """Returns the distribution's mean, which is the start until a population has played."""
        if self.k < self.strategy.popsize:
            return self.start
        return as_point(self.strategy.result.xfavorite)


def as_point(values: Iterable[float]) -> Point:
    return tuple(float(min(max(x, 0.0), 1.0)) for x in values)
