"""The methods that `onefile tune` knows."""

from enum import StrEnum
from typing import Protocol

from referee.errors import UsageError
from referee.tuning.space import Point
from referee.tuning.spsa import Gains, Spsa


class Method(Protocol):
    """What says which points to try."""

    n_iterations: int
    k: int

    def ask(self) -> tuple[Point, Point]:
        """The two points that are to play against each other next."""

    def tell(self, lead: float) -> None:
        """What that came to: the share of the points of the first less that of the second."""

    def best(self) -> Point:
        """The point that is thought best."""


class MethodName(StrEnum):
    """Which method."""

    SPSA = "spsa"
    CMA = "cma"


def new_method(
    choice: MethodName, start: Point, n_trials: int, move: float, perturbation: float, seed: int
) -> Method:
    """A method that has n_trials to go. Raises UsageError where its library is not installed."""
    if choice is MethodName.SPSA:
        return Spsa(start, Gains(n_trials, move, perturbation), seed)
    try:
        from referee.tuning.covariance import Covariance
    except ImportError as error:
        raise UsageError(f"--method cma needs pycma ({error}): pip install -e '.[tune]'") from error
    return Covariance(start, n_trials, perturbation, seed)
