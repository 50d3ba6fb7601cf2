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


def checked_kernel(compiled, signature):
    """A compiled kernel that refuses the arguments that its machine code refuses."""
    function, (types, _) = compiled.py_func, numba.core.sigutils.normalize_signature(signature)
    name, kinds = function.__name__, tuple(map(kind_of_argument, types))
    ints = [(i, type_.minval, type_.maxval) for i, type_ in enumerate(types) if kinds[i] is int]

    def refuse(i, error=TypeError):
        parameter = function.__code__.co_varnames[i]
        raise error(f"{name}: argument {parameter} does not fit {signature}") from None

    def converted(arguments):
        if len(arguments) != len(kinds):
            raise TypeError(f"{name} takes {len(kinds)} arguments, by position")
        for i, kind in enumerate(kinds):
            if kind is np.ndarray and type(arguments[i]) is not kind:
                refuse(i)
        return [CONVERSIONS[kind](value) for kind, value in zip(kinds, arguments)]

    @wraps(function)
    def call(*arguments, **named):
        if named:
            raise TypeError(f"{name}() takes no keyword arguments")
        if tuple(map(type, arguments)) != kinds:
            arguments = converted(arguments)
        for i, lowest, highest in ints:
            if not lowest <= arguments[i] <= highest:
                refuse(i, OverflowError)
        try:
            return compiled(*arguments)
        except Exception:
            # numba names no argument; where it refused none, the kernel itself raised.
            for i, kind in enumerate(kinds):
                if kind is np.ndarray and not is_array_of(types[i], arguments[i]):
                    refuse(i)
            raise

    call._numba_type_ = compiled._numba_type_  # other kernels call what was compiled
    return call


def kind_of_argument(type_):
    """The type of Python that a parameter takes as it is."""
    kinds = {"Array": np.ndarray, "Integer": int, "Float": float, "Boolean": bool}
    fitting = (
        kind for name, kind in kinds.items() if isinstance(type_, getattr(numba.types, name))
    )
    return next(fitting, object)


def is_array_of(type_, array):
    """Whether an array is one that a parameter of numba's type takes."""
    try:
        found = numba.typeof(array)
        return array.flags.aligned and found.can_convert_to(None, type_) is not None
    except (ValueError, numba.core.errors.NumbaError):  # of no type that numba knows
        return False


# What makes the type that a parameter takes of something else
CONVERSIONS = {
    int: lambda value: int(operator.index(value)),
    float: lambda value: math.ldexp(value, 0),
    bool: bool,
    np.ndarray: lambda array: array,
    object: lambda value: value,
}
