"""The methods of `onefile tune`, and their interface."""

from enum import StrEnum
from typing import Protocol

from referee.errors import UsageError
from referee.project import install_advice
from referee.tuning.space import Point
from referee.tuning.spsa import PERTURBATION, Gains, Spsa


class Method(Protocol):
    """A method that chooses points, by ask and tell.

    n_iterations: the number of trials. k: the number of leads reported so far.
    """

    n_iterations: int
    k: int

    def ask(self) -> tuple[Point, Point]:
        """Returns the next two points to play against each other."""

    def tell(self, lead: float) -> None:
        """Report a result: the score share of the first point less the share of the second."""

    def best(self) -> Point:
        """Returns the best point so far."""


class MethodName(StrEnum):
    """The name of a method."""

    SPSA = "spsa"
    CMA = "cma"
    OPTUNA = "optuna"


def new_method(choice: MethodName, start: Point, n_trials: int, seed: int) -> Method:
    """Returns a method for n_trials.

    Raises UsageError if its library is not installed, or if it needs more numbers than `start` has.
    """
    if choice is MethodName.SPSA:
        return Spsa(start, Gains(n_trials), seed)
    try:
        from referee.tuning.sampled import Sampled
    except ImportError as error:
        advice = install_advice("tune")
        raise UsageError(f"--method {choice} needs Optuna ({error}): {advice}") from error
    if choice is MethodName.CMA and len(start) < 2:
        raise UsageError("--method cma is for two numbers or more: take spsa or optuna")
    return Sampled(start, n_trials, seed, PERTURBATION if choice is MethodName.CMA else None)
