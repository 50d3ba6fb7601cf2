"""Plain JSON data as dataclasses and msgspec's structs, checked by their annotations, with errors
that name the field.
"""

import json
import re
from dataclasses import fields, is_dataclass
from typing import Annotated, Any

from msgspec import DecodeError, Meta, ValidationError, convert
from msgspec.json import decode

# A greater number is no time, score or count, and would overflow where it is added to others.
MAX_NUMBER, MAX_WHOLE = 1e30, 2**63 - 1
Whole = Annotated[int, Meta(ge=-(2**63), le=MAX_WHOLE)]
Count = Annotated[int, Meta(ge=0, le=MAX_WHOLE)]
Positive = Annotated[int, Meta(ge=1, le=MAX_WHOLE)]
Number = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Amount = Annotated[float, Meta(ge=0, le=MAX_NUMBER)]
# Any object, which is nested no deeper than this: so deep is no board, and what looks at plain data
# by itself would run out of stack.
Plain = dict[str, Any]
MAX_DEPTH = 100

# An error of msgspec, as in "Expected `int`, got `str` - at `$.x[0]`"; the file's own text may be
# in it.
TOLD = re.compile(r"(.*) - at (`key` in )?`\$(.*)`", re.DOTALL)
MISSING = "Object missing required field "
MAX_TOLD = 100


class FieldError(Exception):
    """A field of a record is missing or not as it should be; the text names the field."""


def _plain(value: Any) -> Any:
    """A dataclass as plain data, with what it holds as it is: `asdict` would make a contest's own
    containers anew, which not all of them bear. Raises TypeError.
    """
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


# Dataclasses and plain data as JSON. Raises ValueError or TypeError for what JSON does not know,
# where msgspec would write null for a number and a list for a set. To make an encoder takes longer
# than to use it.
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
    """The value of a field as its kind, which is an annotation. Raises FieldError."""
    try:
        found = convert(value, kind, str_keys=True)
    except ValidationError as error:
        raise _named(str(error), field) from None
    if kind == Plain:
        _check_depth(found, field, MAX_DEPTH)
    return found


def _named(told: str, field: str) -> FieldError:
    """The error for what msgspec tells of a field's value."""
    problem, of_key, place = found.groups() if (found := TOLD.fullmatch(told)) else (told, None, "")
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
