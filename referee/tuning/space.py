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
    """A tunable number: its own value and its range. step: values are multiples of it, counted from
    low; 0 for any, 1 for an integer.
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
        """The value at a coordinate, rounded to the nearest permitted one."""
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
        """The value at a coordinate, rounded to its significant digits."""
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
        """Returns the space of the known numbers with these names, or of all. Raises UsageError."""
        if not known:
            raise UsageError(
                'the bot declares no tunable number: write one as tunable("name", 0.4, 0.1, 1.2)'
                " (shared/core/tunable.py)"
            )
        for name in names:
            if name not in known:
                raise UsageError(f"no tunable number {name!r}: there are {', '.join(known)}")
        space = cls(tuple(Parameter(**known[name]) for name in names or known))
        for one in space.parameters:
            if not one.low <= one.value <= one.high:
                raise UsageError(f"{one.name}={one.value}: its range is {one.low} to {one.high}")
        return space

    @property
    def start(self) -> Point:
        """The point of the bot's own values."""
        return tuple(one.coordinate(one.value) for one in self.parameters)

    def values(self, point: Point) -> dict[str, float]:
        """{name: value} at a point."""
        return {one.name: one.at(x) for one, x in zip(self.parameters, point)}

    def rounded_values(self, point: Point) -> dict[str, float]:
        """{name: value} at a point, rounded for people."""
        return {one.name: one.rounded(x) for one, x in zip(self.parameters, point)}

    def point(self, values: dict[str, float]) -> Point:
        """Returns the point of {name: value}."""
        return tuple(one.coordinate(values[one.name]) for one in self.parameters)

    def as_text(self) -> str:
        """The numbers as JSON."""
        return json.dumps([asdict(one) for one in self.parameters])
