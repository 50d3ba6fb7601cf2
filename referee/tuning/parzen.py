"""The tree-structured Parzen estimator by the library Optuna: for few games, or numbers that count
in a part of their range only.

Source: J. Bergstra, R. Bardenet, Y. Bengio and B. Kegl, "Algorithms for Hyper-Parameter
Optimization" (NIPS 2011). The sampler models the better and the other trials by two densities, and
tries values where their ratio is greatest. Here each point plays against the start, on the seeds of
its trial, so that all leads are measured from one point.
"""

import optuna

from referee.tuning.space import Point

BEST_SHARE = 20  # of so many trials one is among the best


class Parzen:
    """Optuna's sampler by the ask-and-tell interface of `methods`."""

    def __init__(self, start: Point, n_trials: int, seed: int) -> None:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = optuna.samplers.TPESampler(seed=seed, multivariate=len(start) > 1)
        self.study = optuna.create_study(direction="maximize", sampler=sampler)
        self.start, self.n_iterations, self.k = start, n_trials, 0
        self.trial: optuna.trial.Trial | None = None
        self.point: Point = start

    def ask(self) -> tuple[Point, Point]:
        """Returns a point to try, and the start. The first point to try is the start itself."""
        if self.trial is None:
            if self.k == 0:
                self.study.enqueue_trial({name_of(i): x for i, x in enumerate(self.start)})
            self.trial = self.study.ask()
            names = [name_of(i) for i in range(len(self.start))]
            self.point = tuple(self.trial.suggest_float(name, 0.0, 1.0) for name in names)
        return self.point, self.start

    def tell(self, lead: float) -> None:
        """Report a lead: the share of the points of the first point less that of the second."""
        self.ask()
        assert self.trial is not None
        self.study.tell(self.trial, lead)
        self.trial = None
        self.k += 1

    def best(self) -> Point:
        """Returns the mean of the best twentieth of the points, since a single lead is luck as
        well; the start before there are so many.
        """
        if self.k < BEST_SHARE:
            return self.start
        played = sorted(self.study.trials, key=lambda trial: -(trial.value or 0.0))
        best = [trial for trial in played if trial.value is not None][: self.k // BEST_SHARE]
        names = [name_of(i) for i in range(len(self.start))]
        return tuple(sum(trial.params[name] for trial in best) / len(best) for name in names)


def name_of(place: int) -> str:
    """Returns the name of a number in the study."""
    return f"x{place}"
