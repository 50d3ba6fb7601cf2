"""One source, three ways to run: compiled by numba, embedded as machine code, or plain Python.

    njit               marks functions called by compiled code
    inline             the same, inlined, since each buffer passed costs seven words
    kernel             marks an entry point for Python, called by position. Its annotations are its
                       signature: int, float, bool, None; Ints, Floats, Int32s, Int16s, Int8s, Bytes
                       for the caller's buffers; and a NamedTuple of buffers, in which a search
                       keeps its state. Make it at import. It cannot allocate.
    kernel(signature)  the same with a signature in numba's words, "void(float32[:, ::1], int64)",
                       which may allocate. Functions called by both kinds must not return a buffer.

    prefetch           in compiled functions, prefetch(buffer, at) begins to load a number from
                       memory, to be read soon; it changes nothing.
    local_ints         in compiled functions, local_ints(n) is a buffer of n zeros, a constant, on
                       the stack; it must not outlive the function. Numbers whose indices are
                       constants stay in the processor's registers.
    copy_numbers       copy_numbers(source, first, target, start, n) copies n numbers.
    unsigned           the index unsigned(i), i >= 0, saves compiled functions the sign test, a
                       third of some loops' time; below 0 it is undefined.

Floats and Ints are flat buffers of 64 bits a number, Int32s, Int16s and Int8s of fewer, Bytes of 8
without sign: arrays, or lists in plain Python, which are read three times faster there. Values
must fit. A Function is for compiled code, or makes a function for it. In a search over
games of Ints or Floats, Numbers is the type of the states. Tree[Ints] is the type of a tree for
games of Ints if the class Tree, a NamedTuple, has `__class_getitem__ = of_numbers`.

No function here has a name as common as `copy`: in a bundle with another function of that name, the
whole module would have to be embedded.

Without a compiler, or with `CG_JIT=0`, the decorators change nothing: plain Python gives the same
answers to the last bit. So a kernel must not divide by zero or index beyond a buffer; neither is
checked.
"""

from collections.abc import Iterable, MutableSequence
from types import GenericAlias
from typing import Annotated, Any, Callable, TypeVar, Union

import numpy as np

__all__ = [
    "AT_HOME",
    "BUNDLE_MODE",
    "COMPILED",
    "Bytes",
    "Floats",
    "Function",
    "Int8s",
    "Int16s",
    "Int32s",
    "Ints",
    "Numbers",
    "buffer_of",
    "byte_buffer",
    "copy_numbers",
    "float_buffer",
    "inline",
    "int8_buffer",
    "int16_buffer",
    "int32_buffer",
    "int_buffer",
    "kernel",
    "local_ints",
    "make_copy",
    "njit",
    "of_numbers",
    "open_number",
    "prefetch",
    "unsigned",
    "vector_operations",
]

# The bundler writes the mode of the bundle here: "numba", "native" or "python".
BUNDLE_MODE = "numba"

# Bundles leave out the statements under `if AT_HOME:`.
AT_HOME = True

# For the bundler: unused results of these functions may be pruned.
EFFECT_FREE = ("njit", "inline", "kernel", "float_buffer", "int_buffer", "byte_buffer")

if BUNDLE_MODE == "numba":
    from ..core.backends.numba import (
        COMPILED,
        copy_numbers,
        inline,
        kernel,
        local_ints,
        njit,
        open_number,
        prefetch,
        unsigned,
        vector_operations,
    )
elif BUNDLE_MODE == "native":
    from ..core.backends.native import (
        COMPILED,
        copy_numbers,
        inline,
        kernel,
        local_ints,
        njit,
        open_number,
        prefetch,
        unsigned,
        vector_operations,
    )
else:
    from ..core.backends.python import (
        COMPILED,
        copy_numbers,
        inline,
        kernel,
        local_ints,
        njit,
        open_number,
        prefetch,
        unsigned,
        vector_operations,
    )


Function = Callable[..., Any]
Floats = MutableSequence[float]
Ints = MutableSequence[int]
Numbers = TypeVar("Numbers", Floats, Ints)
of_numbers: Any = classmethod(GenericAlias)


def float_buffer(values: Union[int, Iterable[float]]) -> Floats:
    """Returns a float64 buffer: `values` zeros for an int, else a copy of the numbers."""
    return _make_buffer(values, np.float64, float)


def int_buffer(values: Union[int, Iterable[int]]) -> Ints:
    """Make an int64 buffer as `float_buffer` does."""
    return _make_buffer(values, np.int64, int)


def buffer_of(numbers: Any, values: Any) -> Any:
    """Make a buffer of `numbers`, Floats or Ints, as `float_buffer` does."""
    return float_buffer(values) if numbers == Floats else int_buffer(values)


def _make_buffer(values: Any, dtype: Any, number: Any) -> Any:
    if isinstance(values, int):
        return np.zeros(values, dtype) if COMPILED else [number()] * values
    return np.array(values, dtype) if COMPILED else list(map(number, values))


# Read one combined with an int, as in `cells[i] & 255`: two unsigned numbers never become an int64.
Bytes = Annotated[Ints, np.uint8]
Int32s = Annotated[Ints, np.int32]
Int16s = Annotated[Ints, np.int16]
Int8s = Annotated[Ints, np.int8]


def byte_buffer(values: Union[int, Iterable[int]]) -> Bytes:
    """Make a buffer of numbers 0..255, as `float_buffer` does."""
    # A bytearray accepts a number as its length as well, and refuses values that do not fit a byte.
    buffer = bytearray(values)
    return _make_buffer(buffer, np.uint8, int) if COMPILED else buffer


def int32_buffer(values: Union[int, Iterable[int]]) -> Int32s:
    """Make an int32 buffer as `float_buffer` does."""
    return _make_buffer(values, np.int32, int)


def int16_buffer(values: Union[int, Iterable[int]]) -> Int16s:
    """Make a buffer of 16 bits a number, as `float_buffer` does."""
    return _make_buffer(values, np.int16, int)


def int8_buffer(values: Union[int, Iterable[int]]) -> Int8s:
    """Make a buffer of 8 bits a number, as `float_buffer` does."""
    return _make_buffer(values, np.int8, int)


def make_copy(n: int) -> Function:
    """Make a `copy_numbers` for a fixed n: `local_ints` buffers then stay in registers."""

    @inline
    def copy(source: Numbers, first: int, target: Numbers, start: int) -> None:
        for i in range(n):
            target[unsigned(start + i)] = source[unsigned(first + i)]

    return copy if COMPILED else lambda *at: copy_numbers(*at, n)  # type: ignore[call-arg]


if AT_HOME:
    from ..core.compile_errors import with_short_errors

    kernel = with_short_errors(kernel) if COMPILED else kernel
