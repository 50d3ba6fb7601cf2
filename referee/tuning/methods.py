"""The methods that `onefile tune` knows."""

from enum import StrEnum

from referee.errors import UsageError
from referee.tuning.run import Method
from referee.tuning.space import Point
from referee.tuning.spsa import Gains, Spsa


class Choice(StrEnum):
    """Which method."""

    SPSA = "spsa"
    CMA = "cma"


def new_method(
    choice: Choice, start: Point, n_trials: int, move: float, perturbation: float, seed: int
) -> Method:
    """A method that has n_trials to go. Raises UsageError where its library is not installed."""
    if choice is Choice.SPSA:
        return Spsa(start, Gains(n_trials, move, perturbation), seed)
    try:
        from referee.tuning.covariance import Covariance
    except ImportError as error:
        raise UsageError(f"--method cma needs pycma ({error}): pip install -e '.[tune]'") from error
    return Covariance(start, n_trials, perturbation, seed)
