"""Numba's errors about a user's kernel, reduced to the line to change and the reason.

Numba names the innermost reason first, below the steps that failed, and then each function around
it. The function to change is looked up among those that the kernel reaches.
"""

import builtins
import dis
import re
from collections.abc import Iterator
from pathlib import Path
from types import CellType, FunctionType
from typing import Any, Callable, Optional

LIBRARY = str(Path(__file__).parents[1])
STEPS = re.compile(r"(?:Failed in nopython mode pipeline \(step: .*?\)\n)+")
PLACE = re.compile(r'^File "[^"]*?([^/"]+)", line (\d+)', re.MULTILINE)
CALLEE = re.compile(r"^During: resolving callee type: .*<function (?:.*\.)?(\w+) at ", re.MULTILINE)
PLAIN = re.compile(r"Untyped global name '(\w+)': .*<class 'function'>")
UNBOUND = re.compile(r"Cannot bind .* to signature '(\(.*\))' due to \"\w+: (.*)\"")
UNKNOWN = re.compile(r"NameError: name '(\w+)' is not defined")


def with_short_errors(kernel: Callable[[Any], Any]) -> Any:
    """Returns `kernel` of jit.py, raising a TypeError of one line for numba's errors."""
    from numba.core.errors import NumbaError

    def short_kernel(signature: Any) -> Any:
        made = signature if callable(signature) else kernel(signature)

        def compiled(function: FunctionType) -> Any:
            try:
                return kernel(function) if made is function else made(function)
            except NumbaError as error:
                raise TypeError(short_error(function, str(error))) from None

        return compiled(signature) if callable(signature) else compiled

    return short_kernel


def short_error(kernel: FunctionType, said: str) -> str:
    """Returns "FILE:LINE: reason" for an error of numba about a kernel."""
    text = STEPS.sub("", said.strip())
    reason = re.split(r"\n\s*(?:\n|During: )", text, maxsplit=1)[0]
    reason = " ".join(reason.replace(">>>", "").split())
    known: dict[str, FunctionType] = {}
    for function in sorted(reached(kernel), key=is_own):  # one's own hides the library's
        known[function.__name__] = function
    if plain := PLAIN.match(text):
        function = known.get(plain[1], kernel)
        return f"{place(function)}: {plain[1]} is plain Python: mark it with @njit or @inline"
    if unknown := UNKNOWN.match(text):
        for function in known.values():
            for step in dis.get_instructions(function):
                if step.argval == unknown[1] and not knows(function, unknown[1]):
                    return f"{place(function, step)}: {reason}"
    inner, callee = PLACE.search(text), CALLEE.search(text)
    if callee and callee[1] in known and not (inner and inner.start() < callee.start()):
        if unbound := UNBOUND.match(reason):
            reason = f"{callee[1]}{unbound[1]} is called with others: {unbound[2]}"
        return f"{place(known[callee[1]])}: {reason}"
    for function in known.values():
        file = function.__code__.co_filename
        if inner and file.rpartition("/")[2] == inner[1]:
            return f"{file}:{inner[2]}: {reason}"
    return f"{place(kernel)}: {reason}"


def reached(kernel: FunctionType) -> Iterator[FunctionType]:
    """Yields a kernel and then the Python functions it refers to."""
    waiting: list[Any] = [kernel]
    seen: set[FunctionType] = set()
    while waiting:
        function = python_function(waiting.pop(0))
        if function is None or function in seen:
            continue
        seen.add(function)
        yield function
        names = (function.__globals__.get(name) for name in function.__code__.co_names)
        cells = (cell for cell in function.__closure__ or () if cell != CellType())
        waiting += [*(cell.cell_contents for cell in cells), *names]


def python_function(value: Any) -> Optional[FunctionType]:
    """Returns a Python function, or the one that was compiled; None for other values."""
    value = getattr(getattr(value, "_numba_type_", None), "dispatcher", value)
    value = getattr(value, "py_func", value)
    return value if isinstance(value, FunctionType) else None


def is_own(function: FunctionType) -> bool:
    """Returns True for a function outside of the library."""
    return not function.__code__.co_filename.startswith(LIBRARY)


def knows(function: FunctionType, name: str) -> bool:
    """Returns True if a global name has a value in a function."""
    return name in function.__globals__ or hasattr(builtins, name)


def place(function: FunctionType, step: Optional[dis.Instruction] = None) -> str:
    """Returns "FILE:LINE" of a function, or of a step of it."""
    line = step.positions.lineno if step and step.positions else None
    return f"{function.__code__.co_filename}:{line or function.__code__.co_firstlineno}"
