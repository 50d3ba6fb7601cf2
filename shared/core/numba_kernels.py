"""Functions compiled by numba; they stay plain Python where it is not installed."""

import math
import operator
import os
import sys
from functools import wraps
from typing import TypeVar, get_args, get_origin

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
    """The function, compiled on its first call, and merged into its callers.

    For Python it is compiled only where that calls it: it seldom does, and to take the arguments
    apart takes a third of the compiler's time.
    """
    if not COMPILED:
        return function
    options = {"error_model": "numpy", "forceinline": True}
    for_python = numba.njit(**options)(function)
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    @wraps(function)
    def call(*arguments):
        return for_python(*arguments)

    call.for_kernels = numba.njit(**options)(function)
    call._numba_type_ = call.for_kernels._numba_type_  # which does not keep it alive
    return call


def kernel(signature):
    """Decorator of an entry point, compiled at once: plain, or with numba's signature. Of wrong
    arguments it raises what its machine code raises.

    Where else plain Python differs, nothing is checked: int64 wraps around, float32 stays float32,
    division by zero raises nothing, and what a negative shift or an index beyond a buffer gives is
    undefined. Variables of modules and closures keep the values that they have here.
    """
    if not COMPILED:
        return signature if callable(signature) else njit
    if callable(signature):
        types = signature_of(signature)
        # Counting references to the caller's buffers takes longer than most searches: without,
        # Smitsimax is four times as fast.
        compiled = numba.njit(types, error_model="numpy", _nrt=False)(signature)
        return checked_kernel(compiled, types, "its annotation")
    compiled = numba.njit(signature, error_model="numpy")
    return lambda function: checked_kernel(compiled(function), signature, signature)


def signature_of(function):
    """numba's signature of a function, by its annotations. Raises TypeError."""
    signature = numba.core.utils.pysignature(function)
    annotations = {name: one.annotation for name, one in signature.parameters.items()}
    annotations["the result"] = signature.return_annotation
    missing = ", ".join(name for name, one in annotations.items() if one is signature.empty)
    if missing:
        raise TypeError(f"kernel {function.__qualname__} has no annotation of {missing}")
    *arguments, result = map(numba_type, annotations.values())
    return result(*arguments)


SCALARS = {int: "int64", float: "float64", bool: "boolean", None: "void"}


def numba_type(annotation, numbers=None):
    """numba's type for an annotation; `numbers` stands for the type variable of a NamedTuple.
    Raises TypeError.
    """
    if isinstance(annotation, TypeVar):
        annotation = numbers
    origin, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if origin in SCALARS:
        return getattr(numba.types, SCALARS[origin])
    if origin is np.ndarray:
        (number,) = get_args(arguments[1])
        return numba.types.Array(numba.from_dtype(np.dtype(number)), 1, "C")
    if hasattr(origin, "_fields"):
        fields = numba.core.utils.pysignature(origin).parameters.values()
        fields = [numba_type(field.annotation, *arguments) for field in fields]
        if all(isinstance(field, numba.types.Array) for field in fields):
            return numba.types.BaseTuple.from_types(fields, origin)
    raise TypeError(
        f"no kernel takes {annotation}: int, float, bool, Ints, Floats or NamedTuples of buffers"
    )


# By numba's name for the type of a parameter: what it takes as it is, what makes that of the rest
PARAMETERS = {
    "Array": (np.ndarray, lambda value: value),
    "Boolean": (bool, bool),
    "Float": (float, lambda value: math.ldexp(value, 0)),
    "Integer": (int, lambda value: int(operator.index(value))),
}


def parameter_of(type_):
    """What a parameter of numba's type takes as it is, and what makes that of the rest."""
    if isinstance(type_, numba.types.BaseNamedTuple):
        return type_.instance_class, type_.instance_class._make
    return PARAMETERS.get(type(type_).__name__, (object, lambda value: value))


def checked_kernel(compiled, signature, shown):
    """A compiled kernel that refuses the arguments that its machine code refuses; `shown`: what
    they do not fit.
    """
    types = numba.core.sigutils.normalize_signature(signature)[0]
    parameters = [parameter_of(type_) for type_ in types]
    kinds = [kind for kind, _ in parameters]
    limits = [(i, type_.minval, type_.maxval) for i, type_ in enumerate(types) if kinds[i] is int]
    name = compiled.__name__
    names = list(numba.core.utils.pysignature(compiled.py_func).parameters)

    def refuse(wrong, error=TypeError):
        raise error(f"{name}: argument {wrong} does not fit {shown}") from None

    def check_arrays(names, values, types):
        for wrong, value, type_ in zip(names, values, types):
            if isinstance(type_, numba.types.BaseNamedTuple):
                fields = type_.instance_class._fields
                if not isinstance(value, tuple) or len(value) != len(fields):
                    refuse(wrong)
                check_arrays([f"{wrong}.{field}" for field in fields], value, type_)
            elif isinstance(type_, numba.types.Array) and not fits_array_type(value, type_):
                refuse(wrong)

    @wraps(compiled.py_func)
    def call(*arguments, **named):
        if named:
            raise TypeError(f"{name}() takes no keyword arguments")
        if [type(value) for value in arguments] != kinds:
            if len(arguments) != len(kinds):
                raise TypeError(f"{name} takes {len(kinds)} arguments, by position")
            check_arrays(names, arguments, types)
            arguments = [convert(value) for (_, convert), value in zip(parameters, arguments)]
        for i, lowest, highest in limits:
            if not lowest <= arguments[i] <= highest:
                refuse(names[i], OverflowError)
        try:
            return compiled(*arguments)
        except Exception:
            check_arrays(names, arguments, types)  # numba does not say which
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
