"""One source, three ways to run: compiled by numba, embedded as machine code, or plain Python.

`njit` marks a function that compiled code calls, `kernel` an entry point with an explicit signature that Python calls.
Where numba is absent, or `CG_JIT=0` is set, both leave the function as it is: the same source then runs as plain Python
and gives the same answers to the last bit. Buffers come from `float_buffer` and `int_buffer`, because plain Python reads
a list about three times faster than it reads an array of numpy, while compiled code needs the array.

A native bundle carries the kernels' machine code and never imports numba, unless `CG_JIT=1` asks for it.

What the compiled code leaves out, so that all three ways agree: a division by zero is not an error there
(`error_model="numpy"`), so no kernel may divide by zero; indices are not checked unless `NUMBA_BOUNDSCHECK=1`.
"""

import os

import numpy as np

# The bundler writes the mode of the bundle here: "numba", "native" or "python".
BUNDLE_MODE = "numba"
WANTED = {"0": "python", "1": "numba"}.get(os.environ.get("CG_JIT"), BUNDLE_MODE)

numba = None
if BUNDLE_MODE != "python" and WANTED == "numba":
    try:
        import numba
    except ImportError:
        pass

machine_code = None
if BUNDLE_MODE == "native":
    from shared.core.machine_code import load

    machine_code = load(WANTED)

COMPILED = numba is not None or machine_code is not None


def njit(function):
    """The function compiled on its first call, or the function itself in plain Python."""
    return numba.njit(error_model="numpy")(function) if numba is not None else function


def inline(function):
    """Like `njit`, and merged into its callers: for small functions of a hot loop.

    A call passes every buffer as seven words, which costs more than such a function's work.
    """
    if numba is not None:
        return numba.njit(error_model="numpy", forceinline=True)(function)
    return function


def kernel(signature):
    """Decorator of an entry point: compiled at once for `signature`, numba's notation in a string.

    Example: `@kernel("int64(float64[::1], int64)")`. Entry points are what a native bundle carries: keep them few and
    coarse, make them while their module is imported, pass C-contiguous buffers and scalars by position, and let the
    caller own every buffer.
    """

    def compile_entry(function):
        if machine_code is not None:
            return machine_code.entry(function)
        if numba is not None:
            return numba.njit(signature, error_model="numpy")(function)
        return function

    return compile_entry


def float_buffer(values):
    """A flat float64 buffer: `values` zeros when it is an int, a copy of the numbers when it is a sequence."""
    if isinstance(values, int):
        return np.zeros(values, np.float64) if COMPILED else [0.0] * values
    return np.array(values, np.float64) if COMPILED else [float(value) for value in values]


def int_buffer(values):
    """A flat int64 buffer: `values` zeros when it is an int, a copy of the numbers when it is a sequence."""
    if isinstance(values, int):
        return np.zeros(values, np.int64) if COMPILED else [0] * values
    return np.array(values, np.int64) if COMPILED else [int(value) for value in values]
