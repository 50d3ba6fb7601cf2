"""Runs the text of a bundle as its start does, up to where it would play, and records the kernels
that it makes.

A kernel is identified by the module in which its function was made, the function's qualified name,
and its number among the kernels of that name, as in `MachineCode.entry` of loader.py. The text that
is compiled and the text that carries the machine code need not have the same kernels.
"""

import ast
import importlib
import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import numba
from numba.core.sigutils import normalize_signature
from numba.core.typing.templates import Signature

from bundler.native.captures import Captures, is_foreign
from bundler.native.tunable_numbers import Tape

# The name of the bundle's `__main__` here, so that `if __name__ == "__main__":` does not play
ENTRY = "bundle_to_compile"

SIGNATURE_ADVICE = 'write it like "int64(float64[::1], int64)"'
NJIT = numba.njit
Place = tuple[str, int]  # (file, line)
Overload = Any  # numba's CompileResult, a tuple whose names are made when it is imported


class KernelError(Exception):
    """A kernel that cannot be compiled; its arguments are place, construct and advice."""


class ImportingError(KernelError):
    """The bundle cannot be imported."""


@dataclass
class Kernel:
    """A kernel of the bundle."""

    name: str
    function: FunctionType
    signature: str | Signature
    # numba's types of the parameters.
    types: tuple[Any, ...]
    # The statement at the top of a module that makes the kernel.
    made_at: Place
    captures: Captures
    dispatcher: Any  # typed as what it is, Dispatcher, it would be taken for a descriptor

    @property
    def takes_lists(self) -> bool:
        """True if the kernel's buffers are lists in plain Python, as those of annotated kernels
        are.
        """
        return isinstance(self.signature, Signature)

    @property
    def overload(self) -> Overload:
        """The function that numba compiled for the types of the signature. Recursion may compile it
        for other types as well.
        """
        return self.dispatcher.overloads[self.types]

    def shown(self, function: FunctionType) -> str:
        """Returns the text by which an error names the kernel, and a function that the kernel
        calls.
        """
        inside = "" if function is self.function else f", in {shown(function)}"
        return f"kernel {shown(self.function)}{inside}"


def run(path: str, tape: Tape) -> dict[str, Kernel]:
    """Run the bundle in the file `path`. Returns {name: Kernel} in the order of their making; numba
    has compiled the kernels that the bundle called. tape: records the steps of its tunable numbers.
    Raises KernelError.
    """
    kernels: dict[str, Kernel] = {}
    module = ModuleType(ENTRY)
    module.__file__ = path

    def recording_njit(*arguments: Any, **options: Any) -> Any:
        # LLVM decides what to merge once it sees the whole; numba would copy it to every place it
        # is called at.
        options.pop("forceinline", None)
        if not (arguments and isinstance(arguments[0], (str, Signature))):
            return NJIT(*arguments, **options)

        def record(function: FunctionType) -> Any:
            place = making_place(function)
            name, types = kernel_name(function, kernels), types_of(function, arguments[0])
            captures, dispatcher = Captures(function), NJIT(**options)(function)
            kernels[name] = Kernel(name, function, arguments[0], types, place, captures, dispatcher)
            return dispatcher

        return record

    main = sys.modules["__main__"]
    sys.modules["__main__"] = sys.modules[ENTRY] = module
    numba.njit = recording_njit
    numba.tunable_number = tape.number  # type: ignore[attr-defined]  # for tunable.py
    try:
        what, advice = "the bot", 'let it play only under `if __name__ == "__main__":`'
        exec(compiled_text(path), vars(module))
        advice = "import it at the top of a module, or let it need nothing but itself"
        for what in modules_with_kernels():
            importlib.import_module(what)
    except KernelError:
        raise
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        places = [(f.filename, f.lineno or 1) for f in frames if not is_foreign(f.filename)]
        construct = f"importing {what} ends with {type(error).__name__}: {error}"
        raise ImportingError([(path, 1), *places][-1], construct, advice) from error
    finally:
        numba.njit = NJIT
        del numba.tunable_number  # type: ignore[attr-defined]
        sys.modules["__main__"] = main
    return kernels


def compiled_text(path: str) -> CodeType:
    """Returns the code of a bundle in which `__name__ = "__main__"`, which may stand in front of
    the entry, assigns ENTRY instead.
    """
    tree = ast.parse(Path(path).read_bytes(), path)
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name("__name__")], ast.Constant("__main__") as value):
                value.value = ENTRY
    return compile(tree, path, "exec", dont_inherit=True)


def kernel_name(function: FunctionType, others: Iterable[str]) -> str:
    module = "__main__" if function.__module__ == ENTRY else function.__module__
    name = f"{module}.{function.__qualname__}"
    n = 1 + sum(other.partition("#")[0] == name for other in others)
    return name if n == 1 else f"{name}#{n}"


def types_of(function: FunctionType, signature: str | Signature) -> tuple[Any, ...]:
    """Returns numba's types of a kernel's parameters. Raises KernelError."""
    try:
        return tuple(normalize_signature(signature)[0])
    except Exception as error:  # the signature is evaluated, which may raise anything
        reason = getattr(error, "msg", error)
        construct = f"kernel {shown(function)}: the signature {signature!r}: {reason}"
        raise KernelError(making_place(function), construct, SIGNATURE_ADVICE) from error


def making_place(function: FunctionType) -> Place:
    """Returns (file, line) of the running statement of a module, which makes a kernel; if that is
    no module of the bundle, of the kernel's function.
    """
    frame: FrameType | None = sys._getframe()
    while frame and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    if frame is None or is_foreign(frame.f_code.co_filename):
        return function.__code__.co_filename, function.__code__.co_firstlineno
    return frame.f_code.co_filename, frame.f_lineno


def modules_with_kernels() -> Iterator[str]:
    """Yields the names of embedded modules with kernels that are first imported during play."""
    for finder in sys.meta_path:
        for name, (_, text, *_) in list(getattr(finder, "texts", {}).items()):
            if re.search(r"@kernel\b|\bkernel\(", text) and name not in sys.modules:
                yield name


def shown(function: FunctionType) -> str:
    return function.__qualname__.replace(".<locals>", "")
