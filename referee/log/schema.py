"""Conversion of plain JSON data into dataclasses and msgspec's structs, validated by their
annotations, with errors that name the field.
"""

import json
import re
from dataclasses import fields, is_dataclass
from typing import Annotated, Any

from msgspec import DecodeError, Meta, ValidationError, convert
from msgspec.json import decode

# A greater number is not a time, score or count, and would overflow in sums.
MAX_NUMBER, MAX_WHOLE = 1e30, 2**63 - 1
Whole = Annotated[int, Meta(ge=-(2**63), le=MAX_WHOLE)]
Count = Annotated[int, Meta(ge=0, le=MAX_WHOLE)]
Positive = Annotated[int, Meta(ge=1, le=MAX_WHOLE)]
Number = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Amount = Annotated[float, Meta(ge=0, le=MAX_NUMBER)]
# Any object with at most this depth: no board is nested deeper, and recursive code would exhaust
# the stack.
Plain = dict[str, Any]
MAX_DEPTH = 100

# A message of msgspec, such as "Expected `int`, got `str` - at `$.x[0]`"; it may contain text of
# the file.
TOLD = re.compile(r"(.*) - at (`key` in )?`\$(.*)`", re.DOTALL)
MISSING = "Object missing required field "
MAX_TOLD = 100


class FieldError(Exception):
    """A field of a record is missing or invalid; the text names the field."""


def _plain(value: Any) -> Any:
    """Returns {field: value} of a dataclass, with the values unchanged: `asdict` would copy a
    contest's own containers, which not all of them support. Raises TypeError.
    """
    if is_dataclass(value):
        return {item.name: getattr(value, item.name) for item in fields(value)}
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


# Dataclasses and plain data as JSON. Raises ValueError or TypeError for values unknown to JSON, for
# which msgspec would write null or a list. Creating an encoder takes longer than using it.
encode = json.JSONEncoder(
    separators=(",", ":"),
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,
    default=_plain,
).encode


def parse(text: str | bytes) -> Any:
    """Returns the data of a JSON text, with finite floats and Unicode texts. Raises ValueError."""
    try:
        return decode(text)
    except (DecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def read(kind: Any, value: Any, field: str = "") -> Any:
    """Convert the value of a field to the type `kind`. `field` names the field in errors. Raises
    FieldError.
    """
    try:
        converted = convert(value, kind, str_keys=True)
    except ValidationError as error:
        raise _named(str(error), field) from None
    if kind == Plain:
        _check_depth(converted, field, MAX_DEPTH)
    return converted


def _named(told: str, field: str) -> FieldError:
    """Returns the error for msgspec's message about a field's value."""
    problem, of_key, place = match.groups() if (match := TOLD.fullmatch(told)) else (told, None, "")
    name = (field + place).removeprefix(".")
    if problem.startswith(MISSING):
        name = f"{name}.{problem.removeprefix(MISSING).strip('`')}".removeprefix(".")
        return FieldError(f'"{name}" is missing')
    if len(problem) > MAX_TOLD:
        problem = problem[:MAX_TOLD] + "..."
    problem = ("key: " if of_key else "") + problem[:1].lower() + problem[1:].replace("`", "")
    return FieldError(f'"{name}": {problem}' if name else problem)


def _check_depth(value: Any, field: str, depth: int) -> None:
    if depth == 0:
        raise FieldError(f'"{field}" is nested too deeply')
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, (dict, list)):
            _check_depth(inner, field, depth - 1)
