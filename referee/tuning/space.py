"""The tuned numbers and their ranges: a point has a coordinate from 0 to 1 for each."""

import json
import math
from dataclasses import asdict, dataclass
from typing import Any, Sequence

from referee.errors import UsageError

Point = tuple[float, ...]
# Found values are rounded to this many steps of a range, finer than games can distinguish.
ROUNDING_STEPS = 200


@dataclass(frozen=True)
class Parameter:
    """A tunable number: its own value and its range.

    step: permitted values are low plus multiples of step; 0 permits any value of a float, and any
    whole value of an integer.
    """

    name: str
    value: float
    low: float
    high: float
    step: float = 0

    @property
    def is_whole(self) -> bool:
        return isinstance(self.value, int)

    def at(self, coordinate: float) -> float:
        """Returns the value at a coordinate, rounded to the nearest permitted value."""
        value = self.low + min(max(coordinate, 0.0), 1.0) * (self.high - self.low)
        step = self.step or (1 if self.is_whole else 0)
        if step:
            value = self.low + round((value - self.low) / step) * step
            value -= step if value > self.high else 0
        return int(value) if self.is_whole else float(value)

    def coordinate(self, value: float) -> float:
        """Returns the coordinate of a value."""
        return (value - self.low) / (self.high - self.low)

    def rounded(self, coordinate: float) -> float:
        """Returns the value at a coordinate, with the decimals that ROUNDING_STEPS steps need.

        An integer, or a number with steps, is as in `at`.
        """
        value = self.at(coordinate)
        if self.is_whole or self.step:
            return value
        digits = math.ceil(-math.log10((self.high - self.low) / ROUNDING_STEPS))
        return min(max(float(round(value, digits)), self.low), self.high)


@dataclass(frozen=True)
class Space:
    """The Parameters that are tuned."""

    parameters: tuple[Parameter, ...]

    @classmethod
    def of(cls, known: dict[str, dict[str, Any]], names: Sequence[str]) -> "Space":
        """Returns the space of the known numbers with these names, or of all without names.

        known: {name: fields of its Parameter}. Raises UsageError.
        """
        if not known:
            raise UsageError(
                'the bot declares no tunable number: write one as tunable("name", 0.4, 0.1, 1.2)'
                " (shared/core/tunable.py)"
            )
        for name in names:
            if name not in known:
                raise UsageError(f"no tunable number {name!r}: there are {', '.join(known)}")
        space = cls(tuple(Parameter(**known[name]) for name in names or known))
        for parameter in space.parameters:
            if not parameter.low <= parameter.value <= parameter.high:
                bounds = f"{parameter.low} to {parameter.high}"
                raise UsageError(f"{parameter.name}={parameter.value}: its range is {bounds}")
        return space

    @property
    def start(self) -> Point:
        """The point of the bot's own values."""
        return tuple(parameter.coordinate(parameter.value) for parameter in self.parameters)

    def values(self, point: Point) -> dict[str, float]:
        """Returns {name: value} at a point."""
        return {parameter.name: parameter.at(x) for parameter, x in zip(self.parameters, point)}

    def rounded_values(self, point: Point) -> dict[str, float]:
        """Returns {name: value} at a point, rounded for people."""
        return {
            parameter.name: parameter.rounded(x) for parameter, x in zip(self.parameters, point)
        }

    def as_text(self) -> str:
        """Returns the parameters as a text in JSON."""
        return json.dumps([asdict(parameter) for parameter in self.parameters])
