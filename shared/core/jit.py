"""One source, three ways to run: compiled by numba, embedded as machine code, or plain Python.

`njit` and `inline` mark what compiled code calls, `kernel` what Python calls. Without numba, or
with `CG_JIT=0`, they change nothing: plain Python gives the same answers to the last bit. So a
kernel must neither divide by zero nor leave a buffer: compiled code checks neither.
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
    """The function, compiled on its first call where numba is there."""
    return numba.njit(error_model="numpy")(function) if numba is not None else function


def inline(function):
    """Like `njit`, but merged into its callers: a call passes seven words for every buffer."""
    if numba is not None:
        return numba.njit(error_model="numpy", forceinline=True)(function)
    return function


def kernel(signature):
    """Decorator of an entry point, compiled at once for a signature, "void(float64[::1], int64)".

    It takes scalars and C-contiguous buffers of the caller's, by position; make it at import.
    """

    def compile_entry(function):
        if machine_code is not None:
            return machine_code.entry(function)
        if numba is not None:
            return numba.njit(signature, error_model="numpy")(function)
        return function

    return compile_entry


def float_buffer(values):
    """A flat float64 buffer: `values` zeros if that is an int, else a copy of the numbers in it.

    In plain Python it is a list, which is read three times faster.
    """
    if isinstance(values, int):
        return np.zeros(values, np.float64) if COMPILED else [0.0] * values
    return np.array(values, np.float64) if COMPILED else [float(value) for value in values]


def int_buffer(values):
    """A flat int64 buffer, made as `float_buffer` makes one."""
    if isinstance(values, int):
        return np.zeros(values, np.int64) if COMPILED else [0] * values
    return np.array(values, np.int64) if COMPILED else [int(value) for value in values]
