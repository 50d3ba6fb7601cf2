"""The methods of `onefile tune`, and their interface."""

from enum import StrEnum
from typing import Protocol

from referee.errors import UsageError
from referee.project import install_advice
from referee.tuning.space import Point
from referee.tuning.spsa import Gains, Spsa


class Method(Protocol):
    """A method that chooses points, by ask and tell."""

    n_iterations: int
    k: int

    def ask(self) -> tuple[Point, Point]:
        """Returns the next two points to play against each other."""

    def tell(self, lead: float) -> None:
        """Report a lead: the share of the points of the first point less that of the second."""

    def best(self) -> Point:
        """Returns the best point so far."""


class MethodName(StrEnum):
    """The name of a method."""

    SPSA = "spsa"
    CMA = "cma"
    OPTUNA = "optuna"


def new_method(
    choice: MethodName, start: Point, n_trials: int, move: float, perturbation: float, seed: int
) -> Method:
    """Returns a method for n_trials. Raises UsageError if its library is not installed."""
    if choice is MethodName.SPSA:
        return Spsa(start, Gains(n_trials, move, perturbation), seed)
    if choice is MethodName.OPTUNA:
        try:
            from referee.tuning.parzen import Parzen
        except ImportError as error:
            raise UsageError(
                f"--method optuna needs Optuna ({error}): {install_advice('optuna')}"
            ) from error
        return Parzen(start, n_trials, seed)
    try:
        from referee.tuning.covariance import Covariance
    except ImportError as error:
        raise UsageError(f"--method cma needs pycma ({error}): {install_advice('tune')}") from error
    return Covariance(start, n_trials, perturbation, seed)
