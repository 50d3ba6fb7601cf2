"""Numbers that kernels read from memory, in a bundle that is open for tuning.

While the bundle is imported to be compiled, `tunable(...)` returns a TunableNumber. It computes
like its number and writes each step on a tape. For numba it has the number's type, and its value is
read from an external symbol, so neither numba nor LLVM can fold it. At the start of the bundle
`tunable_code.py` plays the tape with the values that are given there.

Where Python needs the number itself, as for `if`, the tape keeps the result. The kernels compiled
then are valid only for numbers that give the same result.
"""

import json
import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.consts import ConstantInference
from numba.core.errors import ConstantInferenceError
from numba.extending import typeof_impl

SYMBOL = "tunable."
KINDS = {bool: types.boolean, int: types.int64, float: types.float64}
ARITHMETIC = "add sub mul truediv floordiv mod pow and_ or_ xor lshift rshift".split()
COMPARISONS = "lt le eq ne gt ge".split()
UNARY = "neg pos abs invert".split()
CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "int": int,
    "float": float,
    "hash": hash,
    "index": operator.index,
}


class Tape:
    """The steps by which a bundle computes TunableNumbers: (operation, operands). An operand is a
    number, or [index of the step that computes it]. is_closed: True while numba compiles kernels,
    which must not compute with TunableNumbers.
    """

    def __init__(self) -> None:
        self.steps: list[tuple[Any, ...]] = []
        self.is_closed = False

    def number(self, name: str, value: Any) -> "TunableNumber":
        """Returns the TunableNumber for a call `tunable(name, value, ...)`."""
        return TunableNumber(self, value, "tunable", name, value)

    def text(self) -> str:
        """Returns the steps in JSON, "" without any."""
        return json.dumps(self.steps) if self.steps else ""


class TunableNumber:
    """A number computed from tunable numbers; step: its index on the tape."""

    __array_ufunc__ = None  # numpy's numbers leave the operation to it

    def __init__(self, tape: Tape, value: Any, *step: Any) -> None:
        self.tape, self.value = tape, value
        self.step = len(tape.steps)
        tape.steps.append(step)

    def computed(self, name: str, *operands: Any) -> Any:
        """Returns the TunableNumber for an operation of the module `operator`, NotImplemented for
        operands that are no numbers. Raises TypeError if the tape is closed.
        """
        if self.tape.is_closed:
            raise TypeError("a tunable number has no value yet")
        values, places = [], []
        for operand in operands:
            is_tunable = type(operand) is TunableNumber
            value = operand.value if is_tunable else operand
            if isinstance(value, np.generic):
                value = value.item()
            if type(value) not in KINDS:
                return NotImplemented
            values.append(value)
            places.append([operand.step] if is_tunable else value)
        result = getattr(operator, name)(*values)
        if type(result) not in KINDS:
            raise TypeError(f"{name} of a tunable number is no number")
        return TunableNumber(self.tape, result, name, *places)

    def converted(self, name: str) -> Any:
        """Returns the number converted by CONVERSIONS. The tape keeps the result and the name of
        the function that asked for it. Raises TypeError if the tape is closed.
        """
        if self.tape.is_closed:
            raise TypeError("a tunable number has no value yet")
        result = CONVERSIONS[name](self.value)
        asking = sys._getframe(2).f_code.co_name
        self.tape.steps.append((name, [self.step], result, asking))
        return result

    @property  # type: ignore[misc]  # for `isinstance`
    def __class__(self) -> Any:
        return TunableNumber if self.tape.is_closed else type(self.value)

    def __repr__(self) -> str:
        return repr(self.value)

    def __round__(self, digits: Any = None) -> Any:
        return round(self.converted("float"), digits)


def binary(name: str, is_swapped: bool = False) -> Callable[..., Any]:
    def operation(self: TunableNumber, other: Any) -> Any:
        return self.computed(name, *((other, self) if is_swapped else (self, other)))

    return operation


for word in (*ARITHMETIC, *COMPARISONS):
    setattr(TunableNumber, f"__{word.strip('_')}__", binary(word))
for word in ARITHMETIC:
    setattr(TunableNumber, f"__r{word.strip('_')}__", binary(word, is_swapped=True))
for word in UNARY:
    setattr(TunableNumber, f"__{word}__", lambda self, word=word: self.computed(word, self))
for word in CONVERSIONS:
    setattr(TunableNumber, f"__{word}__", lambda self, word=word: self.converted(word))


def teach_numba(is_compiling: Callable[[], bool]) -> None:
    """Let numba know TunableNumbers; is_compiling: returns True while a kernel is compiled."""
    typeof_impl.register(TunableNumber)(lambda number, context: KINDS[type(number.value)])
    constant: Any = BaseContext.get_constant_generic

    def read_or_constant(self: BaseContext, builder: Any, type_: Any, value: Any) -> Any:
        if type(value) is not TunableNumber:
            return constant(self, builder, type_, value)
        if not is_compiling():
            raise TypeError("a tunable number has no value yet")
        wide = ir.DoubleType() if type(value.value) is float else ir.IntType(64)
        name, module = f"{SYMBOL}{value.step}", builder.module
        place = module.globals.get(name) or ir.GlobalVariable(module, wide, name)
        number = builder.load(place)
        return builder.trunc(number, ir.IntType(1)) if type(value.value) is bool else number

    BaseContext.get_constant_generic = read_or_constant  # type: ignore[method-assign]
    inferred: Any = ConstantInference.infer_constant

    def infer_constant(self: ConstantInference, name: Any, loc: Any = None) -> Any:
        value = inferred(self, name, loc=loc)
        if type(value) is TunableNumber:
            raise ConstantInferenceError("a tunable number has no value yet", loc=loc)
        return value

    ConstantInference.infer_constant = infer_constant  # type: ignore[method-assign]
