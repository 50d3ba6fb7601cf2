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

    Where else plain Python differs is not checked: int64 wraps around, float32 stays float32,
    division by zero raises nothing, a negative shift or an index beyond a buffer is undefined, and
    variables of modules and closures keep the values that they have here.
    """
    if not COMPILED:
        return njit
    compiled = numba.njit(signature, error_model="numpy")
    return lambda function: checked_kernel(compiled(function), signature)


# By numba's name for the type of a parameter: what reads a number of that type
READERS = {"Boolean": bool, "Float": lambda value: math.ldexp(value, 0), "Integer": operator.index}
# For numba a masked array, say, is an array as well.
KNOWN = {np.ndarray, int, float, bool, np.int64, np.float64}


def checked_kernel(compiled, signature):
    """A compiled kernel that refuses the arguments that its machine code refuses."""
    types = numba.core.sigutils.normalize_signature(signature)[0]
    names = numba.core.utils.pysignature(compiled.py_func).parameters
    exact = numba.njit(compiled.py_func)
    if compiled.overloads:  # the bundler also imports without compiling
        exact.add_overload(compiled.overloads[types])
    exact._compile_for_args = lambda *arguments: convert_and_call

    def convert_and_call(*arguments):
        return compiled(*converted(arguments))

    def converted(arguments, is_refused=False):
        values = []
        for value, type_, name in zip(arguments, types, names):
            kind, fits = type(type_).__name__, True
            if kind == "Array":
                fits = type(value) is np.ndarray
                if fits and is_refused:
                    found = exact.typeof_pyval(value)
                    fits = value.flags.aligned and found.can_convert_to(None, type_)
            elif kind in READERS:
                value = READERS[kind](value)
                fits = kind != "Integer" or type_.minval <= value <= type_.maxval
            if not fits:
                error = TypeError if kind == "Array" else OverflowError
                raise error(f"{call.__name__}: argument {name} does not fit {signature}")
            values.append(value)
        return values

    @wraps(compiled.py_func)
    def call(*arguments, **named):
        if named:
            raise TypeError(f"{call.__name__}() takes no keyword arguments")
        if len(arguments) != len(types):
            raise TypeError(f"{call.__name__} takes {len(types)} arguments, by position")
        try:
            for value in arguments:
                if type(value) not in KNOWN:
                    return convert_and_call(*arguments)
            return exact(*arguments)  # it converts nothing
        except Exception:
            converted(arguments, is_refused=True)
            raise

    call._numba_type_ = compiled._numba_type_  # for kernels that call it
    return call
