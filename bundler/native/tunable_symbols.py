"""Numbers that kernels keep as numbers in memory, in a bundle that is open for tuning.

While a kernel is compiled, a variable that depends on a tunable number holds a TunableSymbol in
place of its number. For numba that has the number's type, and its value is read from memory: from
the 64 bits of an external symbol, which `tunable_code.py` provides. So neither numba nor LLVM can
fold the number.
"""

import contextlib
import ctypes
from collections.abc import Iterator
from types import CellType
from typing import Any, NoReturn

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.consts import ConstantInference
from numba.core.errors import ConstantInferenceError
from numba.extending import typeof_impl

from bundler.native.captures import Variable, python_function
from bundler.native.recording import Kernel, KernelError

SYMBOL = "tunable."
KINDS = {bool: types.boolean, int: types.int64, float: types.float64}
ADVICE = "a number alone can be open for tuning: give it one value, or bundle it anew for each"

Holder = CellType | dict[str, Any]  # of a variable: a cell of a closure, or a namespace


class TunableSymbol:
    """A number in memory; its comparison and its truth are errors, so numba folds nothing."""

    def __init__(self, name: str, kind: type) -> None:
        self.name, self.kind = name, kind

    __hash__ = object.__hash__

    def __eq__(self, *other: object) -> NoReturn:
        raise TypeError(f"{self.name} has no value yet")

    __ne__ = __bool__ = __eq__


class TunableSymbols:
    """labels: {kernel: labels of the captures that depend on tunable numbers}. places: {kernel:
    {label: (symbol, kind)}} of the numbers that are read from memory.
    """

    def __init__(self, labels: dict[str, list[str]]) -> None:
        self.labels = labels
        self.places: dict[str, dict[str, tuple[str, str]]] = {}
        self.known: dict[tuple[Any, ...], TunableSymbol] = {}
        self.room = ctypes.c_int64()
        self.compiled: set[int] = set()  # ids of dispatchers that were compiled here
        if labels:
            teach_numba()

    @contextlib.contextmanager
    def within(self, kernel: Kernel) -> Iterator[None]:
        """Let a kernel's variables that depend on tunable numbers hold TunableSymbols."""
        places = self.places.setdefault(kernel.name, {})
        self._check_dispatchers(kernel)
        with contextlib.ExitStack() as stack:
            for label in self.labels.get(kernel.name, ()):
                function, variable, _ = kernel.captures.values[label]
                if type(variable.value) not in KINDS or not variable.name:
                    construct = f"{variable.shown}, which {kernel.shown(function)} reads and keeps,"
                    what = f"depends on a tunable number and is {type(variable.value).__name__}"
                    raise KernelError(kernel.made_at, f"{construct} {what}", ADVICE)
                parts = variable.shown.split(".")
                path = parts[parts.index(variable.name) + 1 :]
                holder: Holder | None = variable.owner
                if holder is None:
                    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
                    holder = dict(cells)[variable.name]
                symbol = self._symbol((id(holder), variable.name, *path), variable)
                places[label] = symbol.name, symbol.kind.__name__
                whole = holder[variable.name] if isinstance(holder, dict) else holder.cell_contents
                stack.callback(hold, holder, variable.name, whole)
                hold(holder, variable.name, replaced(whole, path, symbol))
            yield

    def _symbol(self, key: tuple[Any, ...], variable: Variable) -> TunableSymbol:
        if key not in self.known:
            name = f"{SYMBOL}{len(self.known)}"
            symbol = self.known[key] = TunableSymbol(name, type(variable.value))
            # numba loads what it compiles; nothing is run here.
            llvm.add_symbol(symbol.name, ctypes.addressof(self.room))
        return self.known[key]

    def _check_dispatchers(self, kernel: Kernel) -> None:
        """Raise KernelError for a called function that was compiled before."""
        read = {id(kernel.captures.values[label][0]) for label in self.labels.get(kernel.name, ())}
        calls = [
            (function, variable, called)
            for function, variable, _ in kernel.captures.values.values()
            if (called := python_function(variable.value)) is not None
        ]
        before = -1
        while len(read) > before:
            before = len(read)
            read |= {id(function) for function, _, called in calls if id(called) in read}
        for function, variable, called in calls:
            if id(called) not in read or not hasattr(variable.value, "_numba_type_"):
                continue
            dispatcher = variable.value._numba_type_.dispatcher
            if dispatcher.overloads and id(dispatcher) not in self.compiled:
                what = f"{variable.shown}, which {kernel.shown(function)} calls, has run before"
                advice = "call it after the kernel was made, in a bot that is open for tuning"
                raise KernelError(kernel.made_at, what, advice)
            self.compiled.add(id(dispatcher))


def hold(holder: Holder, name: str, value: object) -> None:
    if isinstance(holder, dict):
        holder[name] = value
    else:
        holder.cell_contents = value


def replaced(whole: Any, path: list[str], symbol: TunableSymbol) -> Any:
    """Replace the value, or the one at a path in a NamedTuple, by a symbol."""
    if not path:
        return symbol
    return whole._replace(**{path[0]: replaced(getattr(whole, path[0]), path[1:], symbol)})


def teach_numba() -> None:
    """Let numba know TunableSymbols."""
    typeof_impl.register(TunableSymbol)(lambda symbol, context: KINDS[symbol.kind])
    constant: Any = BaseContext.get_constant_generic

    def read_or_constant(self: BaseContext, builder: Any, type_: Any, value: Any) -> Any:
        if not isinstance(value, TunableSymbol):
            return constant(self, builder, type_, value)
        wide = ir.DoubleType() if value.kind is float else ir.IntType(64)
        module = builder.module
        place = module.globals.get(value.name) or ir.GlobalVariable(module, wide, value.name)
        number = builder.load(place)
        return builder.trunc(number, ir.IntType(1)) if value.kind is bool else number

    BaseContext.get_constant_generic = read_or_constant  # type: ignore[method-assign]
    inferred: Any = ConstantInference.infer_constant

    def infer_constant(self: ConstantInference, name: Any, loc: Any = None) -> Any:
        value = inferred(self, name, loc=loc)
        if isinstance(value, TunableSymbol):
            raise ConstantInferenceError(f"{value.name} has no value yet", loc=loc)
        return value

    ConstantInference.infer_constant = infer_constant  # type: ignore[method-assign]
