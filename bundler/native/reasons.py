"""What numba says of a kernel that it cannot compile, as the place to change and the reason alone.

numba names the outermost function first, and the reason somewhere within. Where a search fails over
a function that was passed to it, that function is named: the search is the same for all games.
"""

import ast
import dis
import linecache
import re
from pathlib import Path
from types import FunctionType

from numba.core import event

from bundler.native.frozen import closure, python_function
from bundler.native.recording import KernelError, is_foreign, shown

STEP = re.compile(r"Failed in nopython mode pipeline \(step: .*?\)\n")
END = re.compile(
    r"\s*(?:\nFile \"|\nDuring: |\nReturn of: |\nThere are \d+ candidate| Raised from )"
)
SPECIFIC = re.compile(r"^\s+(\w+Error: .*)$", re.MULTILINE)
PLACE = re.compile(r'(?:File "([^"]+)", line | (?:at|from) (\S+) \()(\d+)')

UNTYPED = re.compile(r"Untyped global name '(.+?)': .*<class 'function'>")
INTERNAL = re.compile(r" for '\$\S+'(?=,|$)|, defined at (?:None|\S+ \(\d+\))")
UNDEFINED = re.compile(r"NameError: name '(.+?)'")
UNBOUND = re.compile(r"Cannot bind .*?CPUDispatcher\((<function .+?>)\)", re.DOTALL)


class Failures(event.Listener):
    """The compilations that failed, one within the other: (function, error), innermost first."""

    def __init__(self):
        self.found = []

    def on_start(self, event):
        pass

    def on_end(self, event):
        if event._exc_details:  # in public numba tells only whether there are any
            self.found.append((event.data["dispatcher"].py_func, event._exc_details[1]))

    def innermost(self, function, error):
        """(function, its error) of the bundle's own by which `function` failed with `error`."""
        for inner, inner_error in self.found:
            # numba tries several types: not every failure was the caller's
            same = reason_of(inner_error) == reason_of(error)
            if same and not is_foreign(inner.__code__.co_filename):
                return inner, inner_error
        return function, error


def typing_error(kernel, error, failures):
    """A KernelError for what numba raised when it compiled a Kernel."""
    function, error = failures.innermost(kernel.function, error)
    message, advice = str(error), reason_of(error)
    construct = f"kernel {shown(kernel.function)}"
    if function is not kernel.function:
        construct += f", in {shown(function)}"
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
    return KernelError(place_of(blamed), construct, advice, place)


def reason_of(error):
    """What is wrong, in a line."""
    text = STEP.sub("", str(error).strip())
    reason, *specific = [END.split(text, 1)[0], *SPECIFIC.findall(text)[-1:]]
    reason = " ".join(reason.replace("found for signature:", "for").replace(">>>", "").split())
    reason = INTERNAL.sub("", reason)
    if type(error).__module__.startswith("numba"):
        reason = reason or type(error).__name__
    else:
        reason = f"{type(error).__name__}: {reason}"
    return "; ".join([reason.rstrip("."), *specific])


def line_of(function, message):
    """The line of a function that an error of it is about."""
    code = function.__code__
    for file, other_file, line in PLACE.findall(message):
        same_file = Path(file or other_file).name == Path(code.co_filename).name
        if same_file and int(line) in lines_of(code):
            return int(line)
    undefined = UNDEFINED.search(message)
    if undefined:
        for instruction in dis.get_instructions(code):
            if instruction.argval == undefined[1]:
                return instruction.positions.lineno
    return code.co_firstlineno


def lines_of(code):
    """The numbers of the lines of a function."""
    lines = [line for _, _, line in code.co_lines() if line]
    return range(code.co_firstlineno, max(lines) + 1)


def place_of(function):
    """(file, line) of a function's definition."""
    return function.__code__.co_filename, function.__code__.co_firstlineno


def passed(function, line=None):
    """The functions that were passed to the one that `function` was defined in; only those whose
    results the line uses if one is given.
    """
    used = line and names_used(function, line)
    inside = function.__qualname__.rpartition(".")[0] + "."
    for name, value in closure(function).items():
        found = python_function(value)
        if found and not found.__qualname__.startswith(inside) and (not line or name in used):
            yield found


def names_used(function, line):
    """The names in a line of a function, and those in what was assigned to these."""
    source = "".join(linecache.getlines(function.__code__.co_filename))
    within = lines_of(function.__code__)
    nodes = [node for node in ast.walk(ast.parse(source)) if getattr(node, "lineno", 0) in within]
    names = {node.id for node in nodes if isinstance(node, ast.Name) and node.lineno == line}
    for node in nodes:
        if isinstance(node, ast.Assign) and names_in(*node.targets) & names:
            names |= names_in(node.value)
    return names


def names_in(*nodes):
    """The names in parts of a syntax tree."""
    return {name.id for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name)}
