"""The variables of modules and closures that kernels read: compiled, they keep the values that they
have when the kernel is made.

So a value that is another one at every start (a random table, a clock, a variable of the
environment), or that Python changes later, would be one thing in the kernel and another in Python.
"""

import dis
import hashlib
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType, ModuleType

import numpy as np
from numba.core import types

# What stands between a name and an attribute of it
PADDING = ("CACHE", "EXTENDED_ARG", "PUSH_NULL")


@dataclass(frozen=True)
class Read:
    """A variable that a function reads. shown: what it is called there; name, owner: its name in
    the namespace of a module, which is None for a variable of a closure.
    """

    function: FunctionType
    shown: str
    name: str
    owner: dict | None
    value: object


def python_function(value):
    """The function of Python that a value is, or was compiled from; None of anything else."""
    type_ = getattr(value, "_numba_type_", None)
    if isinstance(type_, types.Dispatcher):
        value = type_.dispatcher.py_func
    return value if isinstance(value, FunctionType) else None


def closure(function):
    """{name: value} of what a function reads of those that it was defined in."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    return {name: cell.cell_contents for name, cell in cells if cell != CellType()}


def reads(function):
    """The Reads of a function and of those defined in it, in the order of its code."""
    cells = closure(function)
    codes = [function.__code__]
    for code in codes:
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
        steps = [step for step in dis.get_instructions(code) if step.opname not in PADDING]
        for i, step in enumerate(steps):
            if step.opname == "LOAD_GLOBAL" and step.argval in function.__globals__:
                owner = function.__globals__
            elif step.opname == "LOAD_DEREF" and step.argval in cells:
                owner = None
            else:
                continue
            shown = name = step.argval
            value = cells[name] if owner is None else owner[name]
            # Of a module, or a tuple with names, only the attribute that is read
            for attribute in steps[i + 1 :]:
                if attribute.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
                    break
                if not (isinstance(value, ModuleType) or hasattr(value, "_fields")):
                    break
                if not hasattr(value, attribute.argval):
                    break
                if isinstance(value, ModuleType):
                    owner, name = vars(value), attribute.argval
                shown, value = f"{shown}.{attribute.argval}", getattr(value, attribute.argval)
            yield Read(function, shown, name, owner, value)


class Frozen:
    """What a kernel keeps. values: {label of a variable: (Read, digest of its value)}."""

    def __init__(self, kernel):
        self.values = {}
        self.functions = {}  # by their ids: the label
        self._function(kernel)

    def digests(self):
        """{label: digest}."""
        return {label: digest for label, (_, digest) in self.values.items()}

    def _function(self, function):
        """The label of a function, all of whose variables are taken along."""
        if id(function) in self.functions:
            return self.functions[id(function)]
        label = f"{len(self.functions)} {function.__qualname__}"
        self.functions[id(function)] = label
        for read in reads(function):
            self.values[f"{label}: {read.shown}"] = read, self._digest(read.value)
        for i, value in enumerate(function.__defaults__ or ()):
            read = Read(function, f"default {i}", "", None, value)
            self.values[f"{label}: {read.shown}"] = read, self._digest(value)
        code = function.__code__
        return f"{label} {self._digest((code.co_code, code.co_consts))}"

    def _digest(self, value):
        function = python_function(value)
        if function:
            return self._function(function)
        match value:
            case None | bool() | int() | float() | complex() | str():
                text = repr(value)
            case bytes():
                text = hashlib.sha256(value).hexdigest()
            case np.ndarray() | np.generic() if not value.dtype.hasobject:
                data = hashlib.sha256(value.tobytes()).hexdigest()
                text = f"{value.dtype} {value.shape} {data}"
            case tuple() | list():
                text = ", ".join(map(self._digest, value))
            case frozenset():
                text = ", ".join(sorted(map(self._digest, value)))
            case ModuleType() | type():
                text = value.__name__
            case _:  # no kernel can read anything of it
                text = ""
        return f"{type(value).__name__}({text})"
