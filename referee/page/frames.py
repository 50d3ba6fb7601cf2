"""The frames of a match as plain JSON data in which nothing is stored twice.

A frame, shape, event or fact is a row: `[schema, value, ...]`, where `schemas[schema]` holds the
kind and the names of the values that follow; values left out are the defaults of
`shared/core/drawing/shapes.py`. A value that contains other shapes, events or facts contains the
indices of their rows, which precede its own. Equal rows are stored once, so a static shape costs
one number.
"""

import json
from dataclasses import MISSING, fields, is_dataclass
from itertools import islice
from typing import Any

DIGITS = 3  # decimals of fractions

# Making an encoder takes longer than encoding a row.
encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class FrameTable:
    """Collects drawn objects; `schemas` and `rows` then contain all of them."""

    def __init__(self) -> None:
        self._schemas: dict[tuple[str, ...], int] = {}
        self._rows: dict[str, int] = {}
        # Objects already added, by id, so that the ground of every frame is processed once.
        self._known: dict[int, tuple[Any, int]] = {}

    def add(self, item: Any) -> int:
        """Add a shape or another part of a frame, and its parts, as rows; returns its index."""
        if id(item) in self._known:
            return self._known[id(item)][1]
        names, values = [], []
        for field in fields(item):
            value = getattr(item, field.name)
            if field.default is MISSING or value != field.default:
                names.append(field.name)
                values.append(self._plain(value))
        schema = (type(item).__name__.lower(), *names)
        number = self._schemas.setdefault(schema, len(self._schemas))
        row = encode([number, *values])
        index = self._rows.setdefault(row, len(self._rows))
        self._known[id(item)] = item, index
        return index

    def _plain(self, value: Any) -> Any:
        if is_dataclass(value):
            return self.add(value)
        if isinstance(value, (tuple, list)):
            return [self._plain(item) for item in value]
        return rounded(value)

    def __len__(self) -> int:
        """Returns the number of rows."""
        return len(self._rows)

    @property
    def schemas(self) -> list[list[str]]:
        return [list(schema) for schema in self._schemas]

    @property
    def rows(self) -> list[list[Any]]:
        return self.rows_from(0)

    def rows_from(self, first: int) -> list[list[Any]]:
        """Returns the rows from index `first` on."""
        return [json.loads(row) for row in islice(self._rows, first, None)]


def rounded(number: Any) -> Any:
    """Returns a fraction rounded to three digits, as an integer if it is whole; other values
    unchanged.
    """
    if not isinstance(number, float):
        return number
    number = round(number, DIGITS)
    return int(number) if number.is_integer() else number
