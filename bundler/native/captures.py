"""The variables of modules and closures that kernels read. A compiled kernel keeps the values that
they had when it was made.

They are found in the bytecode that Python itself made of the source.
"""

import builtins
import dis
import hashlib
import inspect
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from enum import Enum, EnumType
from pathlib import Path
from types import CellType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import Signature

# Instructions between a name and an attribute of it
PADDING = ("CACHE", "EXTENDED_ARG", "PUSH_NULL")
GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "STORE_NAME", "DELETE_GLOBAL")
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR")
# The parts of a code object that decide what it does
CODE = [f"co_{name}" for name in """
    code consts exceptiontable names varnames freevars cellvars flags argcount posonlyargcount
    kwonlyargcount
    """.split()]


# Members of a class that say nothing of its instances
UNREAD = "__dict__", "__weakref__", "__module__", "__doc__", "_abc_impl"

# The folders of code that is no player's
FOREIGN = (
    str(Path(__file__).parents[1]),
    "<frozen ",
    *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
)


def is_foreign(file: str) -> bool:
    """Returns True for a file of Python, a library or this package, not of the bundle."""
    return file.startswith(FOREIGN)


def installed_name(value: Any) -> str:
    """Returns "module.name" of a class or function of Python or a library, "" for other values."""
    name = getattr(value, "__qualname__", getattr(value, "__name__", None)) or ""
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    is_there = module and is_installed(module) and getattr(module, name, None) is value
    return f"{module.__name__}.{name}" if module and is_there else ""


def is_installed(module: ModuleType) -> bool:
    """Returns True for a module of Python, a library or this package."""
    is_in_python = module.__name__ in sys.builtin_module_names
    return is_in_python or is_foreign(getattr(module, "__file__", None) or "")


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


def options_of(value: Any) -> dict[str, Any]:
    """Returns all that a compiled function or an intrinsic was made with but the function."""
    dispatcher = dispatcher_of(value)
    if dispatcher is None:
        named = getattr(value, "_ctor_kwargs", {})
        return {**named, "prefer_literal": getattr(value, "_prefer_literal", False)}
    signatures = [] if dispatcher._can_compile else dispatcher.nopython_signatures
    return {**dispatcher.targetoptions, "locals": dispatcher.locals, "signatures": signatures}


class Captures:
    """The captured variables of a kernel and the functions that it calls. values: {label: (reading
    function, Variable, digest)}. functions: {id of a function: its label}. code: a text of all code
    that the variables belong to. is_whole: False if machine code may depend on a value of which the
    digest contains the type alone.
    """

    def __init__(self, kernel: FunctionType | None) -> None:
        self.values: dict[str, tuple[FunctionType, Variable, str]] = {}
        self.functions: dict[int, str] = {}  # by their ids: the label
        self.classes: dict[type, str] = {}  # of the bundle: their texts
        self.exceptions: list[type] = []
        self.code = ""
        self.is_whole = True
        if kernel:
            self._function(kernel)

    def text(self) -> str:
        """Returns a text of all that the machine code of the kernel is made of, but the modules
        that import numba: equal texts mean equal machine code, if `is_whole`.
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
        found += variables(steps_of(code), without(vars(builtins), function.__globals__))
        positional: dict[Any, Any] = dict(enumerate(function.__defaults__ or ()))
        defaults = positional | (function.__kwdefaults__ or {})
        for name, value in defaults.items():
            found.append(Variable(f"default {name}", "", None, value, None))
        for variable in found:
            owner = variable.owner or {}
            is_fixed = is_foreign(owner.get("__file__") or "")
            name = f"{owner['__name__']}.{variable.name}" if is_fixed else ""
            digest = self.digest(variable.value, name)
            kind = "" if variable.owner is None else " of a module"
            self.values[f"{label}: {variable.shown}{kind}"] = function, variable, digest
        self.code += f"{label} {self.digest(code)}\n"
        return label

    def digest(self, value: Any, name: str = "") -> str:
        """Returns a text that identifies a value, and adds the captures of a function. name: the
        full name of a value that an installed module has, else "".
        """
        # numba's intrinsics have their function as `_defn`.
        function = python_function(value) or python_function(getattr(value, "_defn", None))
        if function:
            options = self.digest(options_of(value))
            return f"{installed_name(function) or self._function(function)} {options}"
        if type(value).__name__ == "TunableNumber":
            return f"{value!r} of step {vars(value)['step']}"
        kind = type(value)
        if isinstance(value, type) and issubclass(value, BaseException):
            self.exceptions.append(value)
        text = installed_name(value)
        if text:
            pass
        elif value is None or value is ... or kind in (bool, int, float, complex, str, range):
            text = repr(value)
        elif kind is bytes:
            text = hashlib.sha256(value).hexdigest()
        elif isinstance(value, np.dtype):
            text = repr(value)
        elif isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
            data = hashlib.sha256(value.tobytes()).hexdigest()
            text = f"{value.dtype!r} {value.shape} {value.strides} {data}"
        elif isinstance(value, (tuple, list)):
            text = ", ".join([*map(self.digest, value), str(getattr(value, "_fields", ""))])
        elif kind in (frozenset, set):
            text = ", ".join(sorted(map(self.digest, value)))
        elif kind is dict:
            text = self.digest([*value.items()])
        elif kind is slice:
            text = self.digest((value.start, value.stop, value.step))
        elif isinstance(value, Enum):
            text = f"{self.digest(kind)} {self.digest(value.value)}"
        elif isinstance(value, CodeType):
            parts = (getattr(value, name) for name in CODE)
            text = ", ".join(map(self.digest, parts))
        elif isinstance(value, type):
            text = self._class(value)
        elif isinstance(value, ir.Type):
            text = str(value)
        elif isinstance(value, types.Type):
            inner = [getattr(value, "instance_class", None), *(getattr(value, "types", None) or ())]
            text = f"{self.digest(kind)} {value} {value.key} {self.digest(inner)}"
        elif isinstance(value, Signature):
            text = self.digest((value.return_type, value.args))
        elif name or (isinstance(value, ModuleType) and is_installed(value)):
            text = name or value.__name__
        else:  # for Python's own use, or one of numba's
            self.is_whole = False
        return f"{kind.__name__}({text})"

    def _class(self, value: type) -> str:
        """Returns a text of all that a kernel and numba's extensions can read of a class."""
        if value in self.classes:
            return self.classes[value]
        self.classes[value] = name = f"{value.__module__}.{value.__qualname__}"
        members: Any
        if isinstance(value, EnumType):
            members = {key: value[key].value for key in value.__members__}
        elif issubclass(value, tuple) and hasattr(value, "_fields"):
            parameters = inspect.signature(value).parameters.values()
            members = [(one.name, int(one.kind), one.default) for one in parameters]
        else:
            members = {
                key: getattr(member, "__func__", member)
                for key, member in vars(value).items()
                if key not in UNREAD
            }
        self.classes[value] = f"{name} {self.digest(members)} {self.digest(value.__bases__)}"
        return self.classes[value]


def without(names: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in names.items() if name not in others}
