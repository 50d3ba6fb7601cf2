"""Errors of numba about a kernel, reduced to the place to change and the reason.

numba names the outermost function first, and the reason somewhere within.
"""

import dis
import re
from pathlib import Path
from types import FunctionType

from bundler.native.captures import is_foreign
from bundler.native.mutations import start
from bundler.native.recording import Kernel, KernelError

STEP = re.compile(r"Failed in nopython mode pipeline \(step: .*?\)\n")
END = re.compile(r"\s*(?:\n(?:File \"|During: |Return of: |There are \d+ candidate)| Raised from )")
SPECIFIC = re.compile(r"^\s+(\w+Error: .*)$", re.MULTILINE)
PLACE = re.compile(r'(?:File "([^"]+)", line | (?:at|from) (\S+) \()(\d+)')

# Errors of numba that tell little, and what is wrong
KNOWN = (
    ("NRT required but not enabled", "a list, set, text or new array; let the caller own a buffer"),
    (r"OverloadSelector object.*\(List\(", "a captured list; make it a tuple or an array"),
    ("reflected list", "a captured list; make it a tuple or an array"),
    ("No conversion from none to", "a path without a result; return a number on every path"),
)

UNTYPED = re.compile(r"Untyped global name '(.+?)': .*<class 'function'>")
INTERNAL = re.compile(r" for '\$\S+'(?=,|$)|, defined at (?:None|\S+ \(\d+\))")
UNDEFINED = re.compile(r"NameError: name '(.+?)'")


def typing_error(
    kernel: Kernel, error: Exception, failures: list[tuple[FunctionType, Exception]]
) -> KernelError:
    """Returns the KernelError for an error of numba about a kernel. failures: [(function, error)]
    of the failed compilations, innermost first.
    """
    reason = reason_of(error)
    # numba tries several types: not every failure was the caller's
    ours = (failure for failure in failures if not is_foreign(failure[0].__code__.co_filename))
    innermost = (failure for failure in ours if reason_of(failure[1]) == reason)
    function, error = next(innermost, (kernel.function, error))
    message = str(error)
    if untyped := UNTYPED.search(message):
        reason = f"{untyped[1]} is plain Python; mark it with @njit or @inline"
    place = function.__code__.co_filename, line_of(function, message)
    return KernelError(place, kernel.shown(function), reason)


def reason_of(error: Exception) -> str:
    """Returns the reason of an error as one line of text."""
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
    """Returns the line of a function that numba's message refers to, else the function's first
    line.
    """
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
