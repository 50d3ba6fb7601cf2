"""Dataclasses as JSON, and plain JSON data as dataclasses, by their annotations.

What an annotation may be: str, int, float (a whole number is one too), bool, Any, an enumeration of
texts, another dataclass, and of those `X | None`, `int | str`, `list[X]`, `dict[str, X]` and `dict[int, X]`, whose
keys are numbers as texts in JSON.
"""

import json
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from json.encoder import encode_basestring_ascii as quote
from math import isfinite
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Callable, get_args, get_origin, get_type_hints

Read = Callable[[str, Any], Any]
Write = Callable[[Any], str]

# Plain data; to make an encoder takes longer than to use it.
encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode

KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    NoneType: "null",
    bytes: "bytes",
}

# The metadata of a field that is not written when it is None.
LEFT_OUT = {"left_out": True}
# A greater number is no time, score or count, and would overflow where it is added to others.
MAX_NUMBER = 1e30
# So deep is no board; what looks at plain data by itself would run out of stack.
MAX_DEPTH = 100


class FieldError(Exception):
    """A field of a record is missing or not as it should be; the text names the field."""


def bounds(least: float, most: float = MAX_NUMBER, **others: Any) -> dict[str, Any]:
    """The metadata of a field whose numbers, or those in its list, are within two others."""
    return {"least": least, "most": most, **others}


def write(kind: Any, value: Any) -> str:
    """A value of a kind, which is an annotation, as JSON: one line of ASCII, as json.dumps writes it.
    Fields that are LEFT_OUT are written if not None.

    json itself has to find out what each value is, and takes twice as long for a turn. Raises ValueError
    for a number that JSON does not know, and TypeError for a value that is not of its kind.
    """
    return _writer(kind)(value)


def read(kind: Any, value: Any, field: str = "") -> Any:
    """The value of a field as its kind, which is an annotation. Raises FieldError."""
    return _reader(kind)(field, value)


@cache
def _writer(kind: Any) -> Write:
    """What turns a value of a kind into JSON."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any or arguments == (str, Any):
        return encode
    if origin is UnionType and NoneType not in arguments:
        writers = {one: _writer(one) for one in arguments}
        first = writers[arguments[0]]
        return lambda value: writers.get(type(value), first)(value)
    if origin is UnionType:
        present = _writer(next(one for one in arguments if one is not NoneType))
        return lambda value: "null" if value is None else present(value)
    if origin is list:
        inner = _writer(arguments[0])
        return lambda value: f"[{','.join(map(inner, value))}]" if value else "[]"
    if origin is dict:
        return _dict_writer(_writer(arguments[1]))
    if is_dataclass(kind):
        return _object_writer(kind)
    return WRITERS.get(kind, quote)


def _write_float(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"{value} is no JSON")
    return float.__repr__(value) if isinstance(value, float) else int.__repr__(value)


# What is not listed is a text, or an enumeration of texts.
WRITERS: dict[Any, Write] = {
    bool: {True: "true", False: "false"}.__getitem__,
    int: int.__repr__,
    float: _write_float,
}


def _dict_writer(inner: Write) -> Write:
    def write_dict(value: dict) -> str:
        if not value:
            return "{}"
        texts = [f"{quote(str(key))}:{inner(one)}" for key, one in value.items()]
        return f"{{{','.join(texts)}}}"

    return write_dict


def _object_writer(kind: Any) -> Write:
    hints, writers = get_type_hints(kind), []
    values = attrgetter(*[one.name for one in fields(kind)])
    # The object with a gap for each value; the first of them is never left out.
    form = ""
    for one in fields(kind):
        inner, name = _writer(hints[one.name]), f',"{one.name}":'
        is_left_out = "left_out" in one.metadata
        writers.append(_left_out_writer(name, inner) if is_left_out else inner)
        form += "%s" if is_left_out else name + "%s"
    form = f"{{{form.removeprefix(',')}}}"
    return lambda item: form % tuple([one(value) for one, value in zip(writers, values(item))])


def _left_out_writer(name: str, inner: Write) -> Write:
    return lambda value: "" if value is None else name + inner(value)


@cache
def _reader(kind: Any) -> Read:
    """What turns a value into a kind."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return _any_reader
    if origin is UnionType and NoneType not in arguments:
        readers = {one: _reader(one) for one in arguments}
        first = readers[arguments[0]]
        return lambda field, value: readers.get(type(value), first)(field, value)
    if origin is UnionType:
        inner = _reader(next(one for one in arguments if one is not NoneType))
        return lambda field, value: None if value is None else inner(field, value)
    if origin is list:
        return _list_reader(_reader(arguments[0]))
    if origin is dict:
        return _dict_reader(arguments[0], _reader(arguments[1]))
    if is_dataclass(kind):
        return _object_reader(kind)
    if issubclass(kind, StrEnum):
        return _enumeration_reader(kind)
    return _float_reader if kind is float else _plain_reader(kind)


def _any_reader(field: str, value: Any, depth: int = MAX_DEPTH) -> Any:
    if depth == 0:
        raise FieldError(f'"{field}" is nested too deeply')
    if type(value) is dict:
        for inner in value.values():
            if type(inner) is dict or type(inner) is list:
                _any_reader(field, inner, depth - 1)
    elif type(value) is list:
        for inner in value:
            if type(inner) is dict or type(inner) is list:
                _any_reader(field, inner, depth - 1)
    return value


def _plain_reader(kind: Any) -> Read:
    def read_plain(field: str, value: Any) -> Any:
        if type(value) is not kind or kind is int and abs(value) > MAX_NUMBER:
            raise _unlike(field, KINDS[kind], value)
        return value

    return read_plain


def _float_reader(field: str, value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= MAX_NUMBER:
        raise _unlike(field, KINDS[float], value)
    return value


def _enumeration_reader(kind: type[StrEnum]) -> Read:
    def read_word(field: str, value: Any) -> StrEnum:
        if type(value) is not str or value not in list(kind):
            raise _unlike(field, " or ".join(f'"{word}"' for word in kind), value)
        return kind(value)

    return read_word


def _list_reader(inner: Read) -> Read:
    def read_list(field: str, value: Any) -> list:
        if type(value) is not list:
            raise _unlike(field, KINDS[list], value)
        return [inner(f"{field}[{place}]", one) for place, one in enumerate(value)]

    return read_list


def _dict_reader(key_kind: type, inner: Read) -> Read:
    def read_dict(field: str, value: Any) -> dict:
        if type(value) is not dict:
            raise _unlike(field, KINDS[dict], value)
        return {_key(key_kind, field, key): inner(_join(field, key), value[key]) for key in value}

    return read_dict


def _object_reader(kind: Any) -> Read:
    hints = get_type_hints(kind)
    readers = [
        (one.name, _bounded_reader(one, _reader(hints[one.name])), _is_optional(one))
        for one in fields(kind)
    ]

    def read_object(field: str, value: Any) -> Any:
        if type(value) is not dict:
            raise _unlike(field, KINDS[dict], value)
        found = {}
        for name, inner, is_optional in readers:
            if name in value:
                found[name] = inner(_join(field, name), value[name])
            elif not is_optional:
                raise FieldError(f'"{_join(field, name)}" is missing')
        return kind(**found)

    return read_object


def _bounded_reader(one: Any, inner: Read) -> Read:
    """The reader of a field that keeps to its bounds, if it has any."""
    if "least" not in one.metadata:
        return inner
    least, most = one.metadata["least"], one.metadata["most"]

    def read_bounded(field: str, value: Any) -> Any:
        found = inner(field, value)
        for place, number in enumerate(found if type(found) is list else [found]):
            if type(number) in (int, float) and not least <= number <= most:
                name = f"{field}[{place}]" if type(found) is list else field
                wanted = f"{least:g} or more" if number < least else f"{most:g} at most"
                raise FieldError(f'"{name}" should be {wanted}, found {str(number)[:40]}')
        return found

    return read_bounded


def _is_optional(one: Any) -> bool:
    return one.default is not MISSING or one.default_factory is not MISSING


def _key(kind: type, field: str, key: str) -> Any:
    if kind is str:
        return key
    if not (key.isascii() and key.isdecimal()) or str(int(key[:9])) != key:
        raise FieldError(f'"{field}" has the key {key[:40]!r}, a number is expected')
    return int(key)


def _join(field: str, name: str) -> str:
    return f"{field}.{name[:40]}" if field else name[:40]


def _unlike(field: str, expected: str, value: Any) -> FieldError:
    found = KINDS[type(value)]
    if type(value) is str:
        found = f"the text {value[:40]!r}"
    elif type(value) is bool or type(value) in (int, float) and abs(value) <= MAX_NUMBER:
        found = str(value).lower()
    elif type(value) in (int, float):
        found = "one too large"
    named = f'"{field}" should be' if field else "the line should be"
    return FieldError(f"{named} {expected}, found {found}")
