"""Where the expressions of an f-string stand in the text.

Up to Python 3.11 the syntax tree does not say: nodes inside an f-string have places that cannot be
relied on.
"""

import re
from dataclasses import dataclass

_PREFIX = re.compile(r"[A-Za-z]*")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


@dataclass(frozen=True)
class Field:
    """A replacement field: offsets of its expression; of all that stands between the braces when it
    has `=`.

    outer_start, outer_end: the whole field, braces included. debug: written `{expression=}`.
    tail: what follows the expression and `=`: conversion and format.
    """

    start: int
    end: int
    outer_start: int
    outer_end: int
    debug: bool
    tail: str


def fields_of_fstrings(text, start, end):
    """The fields of the string literals in `text[start:end]`, which may be several joined by
    juxtaposition.
    """
    fields = []
    here = start
    while here < end:
        if text[here] == "#":
            here = text.index("\n", here)
        elif text[here].isalpha() or text[here] in "'\"":
            prefix = _PREFIX.match(text, here)[0].lower()
            quote = _quote_at(text, here + len(prefix))
            here += len(prefix) + len(quote)
            if "f" in prefix:
                here = _read_body(text, here, quote, "r" in prefix, fields)
            else:
                here = _skip_string(text, here, quote)
        else:
            here += 1
    return fields


def _quote_at(text, place):
    return text[place : place + 3] if text[place : place + 3] in ("'''", '"""') else text[place]


def _skip_string(text, here, quote):
    """The place after the string whose body starts at `here`."""
    while not text.startswith(quote, here):
        here += 2 if text[here] == "\\" else 1
    return here + len(quote)


def _read_body(text, here, quote, raw, fields):
    """Read literal text and fields up to the closing quote; the place after it."""
    while not text.startswith(quote, here):
        if text.startswith(("{{", "}}"), here):
            here += 2
        elif text[here] == "{":
            here = _read_field(text, here, fields)
        elif text.startswith("\\N{", here) and not raw:
            here = text.index("}", here) + 1
        else:
            here += 2 if text[here] == "\\" and text[here + 1] not in "{}" else 1
    return here + len(quote)


def _read_field(text, brace, fields):
    """Read `{expression [=] [!conversion] [:format]}`; the place after it."""
    start = here = brace + 1
    depth = 0
    while depth or text[here] not in "}:" and not (text[here] == "!" and text[here + 1] != "="):
        if text[here] in "'\"":
            quote = _quote_at(text, here)
            here = _skip_string(text, here + len(quote), quote)
            continue
        depth += _BRACKETS.get(text[here], 0)
        here += 1
    expression = text[start:here].rstrip()
    debug = expression.endswith("=") and not expression.endswith(("==", "!=", "<=", ">="))
    place = len(fields)
    tail_start = here
    if text[here] == "!":
        while text[here] not in ":}":
            here += 1
    if text[here] == ":":
        here += 1
        while text[here] != "}":
            here = _read_field(text, here, fields) if text[here] == "{" else here + 1
    end = start + len(expression.removesuffix("=")) if debug else start + len(expression)
    fields.insert(place, Field(start, end, brace, here + 1, debug, text[tail_start:here]))
    return here + 1
