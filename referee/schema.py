"""Plain JSON data as dataclasses and msgspec's structs, checked by their annotations, with errors that
name the field.
"""

import json
from typing import Annotated, Any

from msgspec import DecodeError, Meta, ValidationError, convert, to_builtins
from msgspec.json import Encoder, decode

# A greater number is no time, score or count, and would overflow where it is added to others.
MAX_NUMBER, MAX_WHOLE = 1e30, 2**63 - 1
Whole = Annotated[int, Meta(ge=-MAX_WHOLE, le=MAX_WHOLE)]
Count = Annotated[int, Meta(ge=0, le=MAX_WHOLE)]
Positive = Annotated[int, Meta(ge=1, le=MAX_WHOLE)]
Number = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Amount = Annotated[float, Meta(ge=0, le=MAX_NUMBER)]
# Any object, which is nested no deeper than this: so deep is no board, and what looks at plain data by
# itself would run out of stack.
Plain = dict[str, Any]
MAX_DEPTH = 100

# How msgspec says so.
MISSING = "Object missing required field "

# To make one takes longer than to use it.
_encode = Encoder().encode


class FieldError(Exception):
    """A field of a record is missing or not as it should be; the text names the field."""


def encode(value: Any) -> bytes:
    """Data as JSON. Raises ValueError for a number that JSON does not know."""
    try:
        text = _encode(value)
    except UnicodeEncodeError:
        text = _encode(_as_unicode(to_builtins(value)))
    if b"null" in text:
        # That is what msgspec writes for such a number, too.
        json.dumps(to_builtins(value), allow_nan=False)
    return text


def _as_unicode(value: Any) -> Any:
    """Plain data with halves of UTF-16 pairs written out: Python has them for what is no UTF-8 in the name
    of a file.
    """
    if isinstance(value, dict):
        return {_as_unicode(key): _as_unicode(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_unicode(one) for one in value]
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def parse(text: str | bytes) -> Any:
    """The data that a JSON text stands for, with numbers that a float can hold and texts that are Unicode.
    Raises ValueError.
    """
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
    """The error for what msgspec tells of a field's value, as in "Expected `int`, got `str` - at `$.x[0]`"."""
    problem, _, place = told.replace("`", "").partition(" - at ")
    of_key = place.startswith("key in ")
    place = place.removeprefix("key in ")
    name = f"{field}{place.removeprefix('$')}".removeprefix(".")
    if problem.startswith(MISSING):
        name = f"{name}.{problem.removeprefix(MISSING)}".removeprefix(".")
        return FieldError(f'"{name}" is missing')
    problem = ("key: " if of_key else "") + problem[:1].lower() + problem[1:]
    return FieldError(f'"{name}": {problem}' if name else problem)


def _check_depth(value: Any, field: str, depth: int) -> None:
    if depth == 0:
        raise FieldError(f'"{field}" is nested too deeply')
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, (dict, list)):
            _check_depth(inner, field, depth - 1)
