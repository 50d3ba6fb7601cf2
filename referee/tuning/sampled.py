"""CMA-ES and the tree-structured Parzen estimator, by the samplers of the library Optuna.

Sources: N. Hansen, "The CMA evolution strategy: a tutorial", arXiv 1604.00772: points are drawn
from a normal distribution, which moves to the better half of them. J. Bergstra, R. Bardenet,
Y. Bengio and B. Kegl, "Algorithms for Hyper-Parameter Optimization" (NIPS 2011): the sampler models
the better and the other trials by two densities, and tries values where their ratio is greatest.

Each point plays against the start, on the seeds of its trial, so that all leads are measured from
one point.
"""

import math
import warnings

import optuna

from referee.tuning.space import Point

# One trial in BEST_SHARE is among the best; the last one in LAST_SHARE describe CMA-ES's
# present distribution.
BEST_SHARE, LAST_SHARE = 20, 4
# The number of generations of CMA-ES. In simulations of 250 trials of 16 games, 240 Elo from the
# optimum, ten generations ended 1 to 18 Elo below it; forty, of few points each, 1 to 150, misled
# by the noise of games.
N_GENERATIONS = 10


class Sampled:
    """A sampler of Optuna by the ask-and-tell interface of `methods`.

    deviation: the spread of CMA-ES's first points, None for the Parzen estimator.
    """

    def __init__(self, start: Point, n_trials: int, seed: int, deviation: float | None) -> None:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.names = [f"x{place}" for place in range(len(start))]
        self.start, self.n_iterations, self.k = start, n_trials, 0
        self.is_cma = deviation is not None
        first = dict(zip(self.names, start))
        sampler: optuna.samplers.BaseSampler
        if deviation is None:
            sampler = optuna.samplers.TPESampler(seed=seed, multivariate=len(start) > 1)
        else:
            n_points = max(4 + int(3 * math.log(len(start))), n_trials // N_GENERATIONS)
            sampler = optuna.samplers.CmaEsSampler(
                x0=first, sigma0=deviation, seed=seed, popsize=n_points
            )
        with warnings.catch_warnings(action="ignore"):  # `multivariate` is called experimental
            self.study = optuna.create_study(direction="maximize", sampler=sampler)
        self.study.enqueue_trial(first)
        self.trial: optuna.trial.Trial | None = None
        self.point: Point = start

    def ask(self) -> tuple[Point, Point]:
        """Returns a point to try, and the start. The first point to try is the start itself."""
        if self.trial is None:
            self.trial = self.study.ask()
            self.point = tuple(self.trial.suggest_float(name, 0.0, 1.0) for name in self.names)
        return self.point, self.start

    def tell(self, lead: float) -> None:
        """Report a result: the score share of the first point less the share of the second."""
        self.ask()
        assert self.trial is not None
        self.study.tell(self.trial, lead)
        self.trial = None
        self.k += 1

    def best(self) -> Point:
        """Returns the mean of the best twentieth of the points, as a single lead may be luck.

        For CMA-ES it is the mean of the last quarter of the points, which lie around the centre of
        its distribution. Before BEST_SHARE trials it is the start.
        """
        if self.k < BEST_SHARE:
            return self.start
        told = [trial for trial in self.study.trials if trial.value is not None]
        if self.is_cma:
            chosen = told[-(self.k // LAST_SHARE) :]
        else:
            chosen = sorted(told, key=lambda trial: -(trial.value or 0.0))[: self.k // BEST_SHARE]
        return tuple(
            sum(trial.params[name] for trial in chosen) / len(chosen) for name in self.names
        )
