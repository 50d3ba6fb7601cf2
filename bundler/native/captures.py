"""The variables of modules and closures that kernels read. A compiled kernel keeps the values that
they had when it was made.

They are found in the bytecode that Python itself made of the source.
"""

import dis
import hashlib
import sysconfig
from collections.abc import Iterator, Mapping
from enum import EnumType
from pathlib import Path
from types import CellType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np

# Instructions between a name and an attribute of it
PADDING = ("CACHE", "EXTENDED_ARG", "PUSH_NULL")
GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "STORE_NAME", "DELETE_GLOBAL")
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR")
# The parts of a code object that decide what it does
CODE = [f"co_{name}" for name in """
    code consts exceptiontable names varnames freevars cellvars flags argcount posonlyargcount
    kwonlyargcount
    """.split()]


# The folders of code that is no player's
FOREIGN = (
    str(Path(__file__).parents[1]),
    "<frozen ",
    *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
)


def is_foreign(file: str) -> bool:
    """Returns True for a file of Python, a library or this package, not of the bundle."""
    return file.startswith(FOREIGN)


class Variable(NamedTuple):
    """A variable in code. shown: its expression in the code. owner: the module's namespace, None
    for a closure's variable. step: the instruction, None for a parameter's default.
    """

    shown: str
    name: str
    owner: dict[str, Any] | None
    value: object
    step: dis.Instruction | None


def python_function(value: object) -> FunctionType | None:
    """Returns a Python function itself, or the source function of a compiled one; else None."""
    value = getattr(dispatcher_of(value), "py_func", value)
    return value if isinstance(value, FunctionType) else None


def dispatcher_of(value: object) -> Any:
    """Returns numba's Dispatcher of a compiled function, None for any other value."""
    return getattr(getattr(value, "_numba_type_", None), "dispatcher", None)


def closure(function: FunctionType) -> dict[str, Any]:
    """Returns {name: value} of a function's free variables that have a value."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    return {name: cell.cell_contents for name, cell in cells if cell != CellType()}


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yields a code object, then the code objects of the functions and classes in it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from codes_in(part)


def steps_of(code: CodeType) -> list[dis.Instruction]:
    """Returns the instructions of a code object and of the code objects nested in it, without
    PADDING.
    """
    found = (step for part in codes_in(code) for step in dis.get_instructions(part))
    return [step for step in found if step.opname not in PADDING]


def variables(
    steps: list[dis.Instruction],
    names: dict[str, Any],
    cells: Mapping[str, object] = MappingProxyType({}),
) -> Iterator[Variable]:
    """Yields the Variables in some code: those of the namespace `names` of its module, and of
    `cells`.
    """
    for i, step in enumerate(steps):
        if step.opname in GLOBALS and step.argval in names:
            owner = names
        elif step.opname == "LOAD_DEREF" and step.argval in cells:
            owner = None
        else:
            continue
        shown = name = step.argval
        value = cells[name] if owner is None else owner[name]
        # A module or a named tuple is captured only by the attribute that the code reads
        for attribute in steps[i + 1 :]:
            is_module = isinstance(value, ModuleType)
            if attribute.opname not in ATTRIBUTES or not (is_module or hasattr(value, "_fields")):
                break
            if not hasattr(value, attribute.argval):
                break
            if is_module:
                owner, name = vars(value), attribute.argval
            shown, value = f"{shown}.{attribute.argval}", getattr(value, attribute.argval)
        yield Variable(shown, name, owner, value, step)


def class_text(value: type) -> str:
    """Returns a text of all that a kernel can read of a named tuple's or an enumeration's class."""
    members = [*value] if isinstance(value, EnumType) else getattr(value, "_field_defaults", "")
    return f"{value.__module__}.{value.__qualname__} {members} {getattr(value, '_fields', '')}"


class Captures:
    """The captured variables of a kernel and the functions that it calls. values: {label: (reading
    function, Variable, digest)}. functions: {id of a function: its label}. code: a text of all code
    that the variables belong to.
    """

    def __init__(self, kernel: FunctionType) -> None:
        self.values: dict[str, tuple[FunctionType, Variable, str]] = {}
        self.functions: dict[int, str] = {}  # by their ids: the label
        self.code = ""
        self._function(kernel)

    def text(self) -> str:
        """Returns a text of all that the machine code of the kernel is made of, but the modules
        that import numba: equal texts mean equal machine code.
        """
        digests = (f"{label} = {digest}" for label, (_, _, digest) in self.values.items())
        return "\n".join([self.code, *digests])

    def _function(self, function: FunctionType) -> str:
        if id(function) in self.functions:
            return self.functions[id(function)]
        label = f"{len(self.functions)} {function.__qualname__}"
        self.functions[id(function)] = label
        code = function.__code__
        found = list(variables(steps_of(code), function.__globals__, closure(function)))
        for i, value in enumerate(function.__defaults__ or ()):
            found.append(Variable(f"default {i}", "", None, value, None))
        for variable in found:
            owner = variable.owner or {}
            is_fixed = is_foreign(owner.get("__file__") or "")
            name = f"{owner['__name__']}.{variable.name}" if is_fixed else ""
            digest = self._digest(variable.value, name)
            self.values[f"{label}: {variable.shown}"] = function, variable, digest
        self.code += f"{label} {self._digest(code)} {function.__kwdefaults__}\n"
        return label

    def _digest(self, value: object, name: str = "") -> str:
        """Returns a text that identifies a value, and adds the captures of a function. name: the
        full name of a value that an installed module has, else "".
        """
        # numba's intrinsics have their function as `_defn`.
        function = python_function(value) or python_function(getattr(value, "_defn", None))
        if function:
            options = getattr(dispatcher_of(value), "targetoptions", {})
            return f"{self._function(function)} {sorted(options.items())}"
        if type(value).__name__ == "TunableNumber":
            return f"{value!r} of step {vars(value)['step']}"
        text = ""
        if value is None or isinstance(value, (bool, int, float, complex, str)):
            text = repr(value)
        elif isinstance(value, bytes):
            text = hashlib.sha256(value).hexdigest()
        elif isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
            data = hashlib.sha256(value.tobytes()).hexdigest()
            text = f"{value.dtype} {value.shape} {value.strides} {data}"
        elif isinstance(value, (tuple, list)):
            text = ", ".join([*map(self._digest, value), str(getattr(value, "_fields", ""))])
        elif isinstance(value, frozenset):
            text = ", ".join(sorted(map(self._digest, value)))
        elif isinstance(value, CodeType):
            parts = (getattr(value, name) for name in CODE)
            text = ", ".join(map(self._digest, parts))
        elif isinstance(value, ModuleType):
            text = value.__name__
        elif isinstance(value, type):
            text = class_text(value)
        else:  # for Python's own use, or one of numba's; its text may have an address
            self.code += f"{name or repr(value)}\n"
        return f"{type(value).__name__}({text})"
