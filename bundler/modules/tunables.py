"""The numbers that a bot declares tunable. shared/core/tunable.py reads them while the bot runs.

The arguments of a call `tunable("name", value, low, high)` have to be literals, because the bundle
has a number in place of the call.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bundler.errors import BundleError
from bundler.modules.source import Edit, Source

MODULE, FUNCTION = "shared.core.tunable", "tunable"
ADVICE_TO_SET = "change what --set says"
ADVICE = 'write it like tunable("name", 0.4, 0.1, 1.2), in literals'


class Tunable(NamedTuple):
    """A number that tuning may change, from low to high; step: see shared/core/tunable.py."""

    name: str
    value: float
    low: float
    high: float
    step: float = 0


def tunables_of(source: Source) -> Iterator[tuple[ast.Call, Tunable]]:
    """Yields (call, Tunable) of each call in a module that declares a tunable number. Raises
    BundleError for arguments other than literals, and for wrong bounds.
    """
    if not any(
        isinstance(node, ast.ImportFrom)
        and node.module == MODULE
        and any(alias.name == FUNCTION and not alias.asname for alias in node.names)
        for node in source.tree.body
    ):
        return
    for node in source.nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == FUNCTION:
            try:
                named = {word.arg or "": ast.literal_eval(word.value) for word in node.keywords}
                tunable = Tunable(*map(ast.literal_eval, node.args), **named)
                fits = (
                    tunable.low <= tunable.value <= tunable.high
                    and tunable.low < tunable.high
                    and tunable.step >= 0
                )
            except (TypeError, ValueError):
                raise BundleError(source.shown, node.lineno, "a tunable number", ADVICE) from None
            if not fits or not isinstance(tunable.name, str):
                bounds = f"{tunable.low} to {tunable.high}"
                wrong = f"tunable {tunable.name!r}: {tunable.value} is not within {bounds}"
                raise BundleError(source.shown, node.lineno, wrong, "give other bounds")
            yield node, tunable


def write_values(source: Source, values: Mapping[str, float]) -> str:
    """Returns a module's text with a number in place of each Tunable's call: its value in `values`,
    else its default. Raises BundleError.
    """
    edits = []
    for node, tunable in tunables_of(source):
        start, end = source.start(node), source.end(node)
        number = repr(type(tunable.value)(values.get(tunable.name, tunable.value)))
        lines = source.text[start:end].count("\n")
        # -2.5 ** 2 would be another number.
        around = source.parents[node]
        is_bare = isinstance(around, (ast.Assign, ast.AnnAssign, ast.Call, ast.keyword))
        if lines or (number[0] == "-" and not is_bare):
            number = f"({number}{chr(10) * lines})"
        edits.append(Edit(start, end, number))
    return source.edited(0, len(source.text), edits) if edits else source.text


def check_values(shown: str, tunables: Mapping[str, Tunable], values: Mapping[str, float]) -> None:
    """Raise BundleError for an unknown name, a value of the wrong type or a value out of range.
    shown: the bot's path.
    """
    for name, value in values.items():
        if name not in tunables:
            wrong = f"no tunable number {name!r}: there are {', '.join(tunables) or 'none'}"
            raise BundleError(shown, 1, wrong, ADVICE_TO_SET)
        tunable = tunables[name]
        kind = int if type(tunable.value) is int else float
        if type(value) not in (int, kind) or not tunable.low <= value <= tunable.high:
            what = "a whole number" if kind is int else "a number"
            wrong = f"{name} is {what} from {tunable.low} to {tunable.high}, got {value!r}"
            raise BundleError(shown, 1, wrong, ADVICE_TO_SET)
