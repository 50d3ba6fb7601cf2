"""Functions compiled by numba; they stay plain Python where it is not installed."""

import math
import operator
import os
import sys
from functools import wraps

import numpy as np

numba = None
if os.environ.get("CG_JIT") != "0":
    try:
        import numba
    except ImportError as error:
        print(f"kernels run as plain Python: {error}", file=sys.stderr)

COMPILED = numba is not None


def njit(function):
    """The function, compiled on its first call."""
    return numba.njit(error_model="numpy")(function) if COMPILED else function


def inline(function):
    """The function, compiled on its first call, and merged into its callers."""
    return numba.njit(error_model="numpy", forceinline=True)(function) if COMPILED else function


def kernel(signature):
    """Decorator of an entry point, compiled at once; of wrong arguments it raises what its machine
    code raises.

    Where else plain Python differs, nothing is checked: int64 wraps around, float32 stays float32,
    division by zero raises nothing, and what a negative shift or an index beyond a buffer gives is
    undefined. Variables of modules and closures keep the values that they have here.
    """
    if not COMPILED:
        return njit
    compiled = numba.njit(signature, error_model="numpy")
    return lambda function: checked_kernel(compiled(function), signature)


# By numba's name for the type of a parameter: what it takes as it is, what makes that of the rest
PARAMETERS = {
    "Array": (np.ndarray, lambda value: value),
    "Boolean": (bool, bool),
    "Float": (float, lambda value: math.ldexp(value, 0)),
    "Integer": (int, lambda value: int(operator.index(value))),
}


def checked_kernel(compiled, signature):
    """A compiled kernel that refuses the arguments that its machine code refuses."""
    types = numba.core.sigutils.normalize_signature(signature)[0]
    other = object, lambda value: value
    parameters = [PARAMETERS.get(type(type_).__name__, other) for type_ in types]
    kinds = [kind for kind, _ in parameters]
    limits = [(i, type_.minval, type_.maxval) for i, type_ in enumerate(types) if kinds[i] is int]
    name = compiled.__name__
    names = list(numba.core.utils.pysignature(compiled.py_func).parameters)

    def refuse(i, error=TypeError):
        raise error(f"{name}: argument {names[i]} does not fit {signature}") from None

    def check_arrays(arguments):
        for i, array in enumerate(arguments):
            if kinds[i] is np.ndarray and not fits_array_type(array, types[i]):
                refuse(i)

    @wraps(compiled.py_func)
    def call(*arguments, **named):
        if named:
            raise TypeError(f"{name}() takes no keyword arguments")
        if [type(value) for value in arguments] != kinds:
            if len(arguments) != len(kinds):
                raise TypeError(f"{name} takes {len(kinds)} arguments, by position")
            check_arrays(arguments)
            arguments = [convert(value) for (_, convert), value in zip(parameters, arguments)]
        for i, lowest, highest in limits:
            if not lowest <= arguments[i] <= highest:
                refuse(i, OverflowError)
        try:
            return compiled(*arguments)
        except Exception:
            check_arrays(arguments)  # numba does not say which
            raise

    call._numba_type_ = compiled._numba_type_  # for kernels that call it
    return call


def fits_array_type(value, type_):
    """Whether a value is an array of numba's type."""
    if type(value) is not np.ndarray or value.dtype != np.dtype(str(type_.dtype)):
        return False
    flags = value.flags
    layout = {"C": flags.c_contiguous, "F": flags.f_contiguous, "A": True}[type_.layout]
    return (
        layout and value.ndim == type_.ndim and flags.aligned and flags.writeable >= type_.mutable
    )
