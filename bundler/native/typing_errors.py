"""Errors of numba about a kernel, reduced to the place to change and the reason.

numba names the outermost function first, and the reason somewhere within. Where a search fails over
a function that was passed to it, that function is named: the search is the same for all games.
"""

import dis
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from bundler.native.captures import closure, python_function
from bundler.native.mutations import start
from bundler.native.recording import Kernel, KernelError, is_foreign, shown

STEP = re.compile(r"Failed in nopython mode pipeline \(step: .*?\)\n")
END = re.compile(r"\s*(?:\n(?:File \"|During: |Return of: |There are \d+ candidate)| Raised from )")
SPECIFIC = re.compile(r"^\s+(\w+Error: .*)$", re.MULTILINE)
PLACE = re.compile(r'(?:File "([^"]+)", line | (?:at|from) (\S+) \()(\d+)')

# Errors of numba that tell little, and what is wrong
KNOWN = (
    ("NRT required but not enabled", "a list, set, text or new array; let the caller own a buffer"),
    (r"OverloadSelector object.*\(List\(", "a captured list; make it a tuple or an array"),
    ("reflected list", "a captured list; make it a tuple or an array"),
)

UNTYPED = re.compile(r"Untyped global name '(.+?)': .*<class 'function'>")
INTERNAL = re.compile(r" for '\$\S+'(?=,|$)|, defined at (?:None|\S+ \(\d+\))")
UNDEFINED = re.compile(r"NameError: name '(.+?)'")
UNBOUND = re.compile(r"Cannot bind .*?CPUDispatcher\((<function .+?>)\)", re.DOTALL)


def typing_error(
    kernel: Kernel, error: Exception, failures: list[tuple[FunctionType, Exception]]
) -> KernelError:
    """Returns the KernelError for an error of numba; failures: innermost first."""
    reason = reason_of(error)
    # numba tries several types: not every failure was the caller's
    ours = (failure for failure in failures if not is_foreign(failure[0].__code__.co_filename))
    innermost = (failure for failure in ours if reason_of(failure[1]) == reason)
    function, error = next(innermost, (kernel.function, error))
    message, advice = str(error), reason
    construct = kernel.shown(function)
    place = function.__code__.co_filename, line_of(function, message)
    untyped, unbound = UNTYPED.search(message), UNBOUND.search(message)
    known = {**function.__globals__, **closure(function)}
    if untyped and isinstance(known.get(untyped[1]), FunctionType):
        blamed = known[untyped[1]]
        advice += "; mark it with @njit or @inline"
    elif unbound:
        blamed = next((f for f in passed(function) if repr(f) == unbound[1]), None)
    else:
        blamed = next(passed(function, place[1]), None)
    if blamed is None:
        return KernelError(place, construct, advice)
    construct += f": {shown(blamed)}, as it is used at {{}}"
    definition = blamed.__code__.co_filename, blamed.__code__.co_firstlineno
    return KernelError(definition, construct, advice, place)


def reason_of(error: Exception) -> str:
    """Returns the reason of an error, in a line."""
    for pattern, known in KNOWN:
        if re.search(pattern, str(error)):
            return known
    text = STEP.sub("", str(error).strip())
    reason, *specific = [END.split(text, 1)[0], *SPECIFIC.findall(text)[-1:]]
    reason = " ".join(reason.replace("found for signature:", "for").replace(">>>", "").split())
    reason = INTERNAL.sub("", reason)
    if type(error).__module__.startswith("numba"):
        reason = reason or type(error).__name__
    else:
        reason = f"{type(error).__name__}: {reason}"
    return "; ".join([reason.rstrip("."), *specific])


def line_of(function: FunctionType, message: str) -> int:
    """The line of a function that an error of it is about."""
    code, steps = function.__code__, list(dis.get_instructions(function.__code__))
    lines = {start(step)[0] for step in steps}
    for file, other_file, line in PLACE.findall(message):
        if Path(file or other_file).name == Path(code.co_filename).name and int(line) in lines:
            return int(line)
    undefined = UNDEFINED.search(message)
    for step in steps:
        if undefined and step.argval == undefined[1]:
            return start(step)[0] or code.co_firstlineno
    return code.co_firstlineno


def passed(function: FunctionType, line: int | None = None) -> Iterator[FunctionType]:
    """Yields the functions passed to the factory of a function; line: only those it depends on."""
    inside = function.__qualname__.rpartition(".")[0] + "."
    for name, value in closure(function).items():
        callee = python_function(value)
        is_used = line is None or name in names_used(function, line)
        if callee and is_used and not callee.__qualname__.startswith(inside):
            yield callee


def names_used(function: FunctionType, line: int) -> set[Any]:
    """The names in a line of a function, and those in the lines that give these their values."""
    steps = list(dis.get_instructions(function.__code__))
    lines: list[int | None] = [line]
    for number in lines:
        names = {step.argval for step in steps if start(step)[0] == number}
        lines += {
            start(step)[0] for step in steps if step.opname == "STORE_FAST" and step.argval in names
        }.difference(lines)
    return {step.argval for step in steps if start(step)[0] in lines}
