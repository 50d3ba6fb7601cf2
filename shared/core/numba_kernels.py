"""Functions compiled by numba; they stay plain Python where it is not installed."""

import os
import sys

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
    """Decorator of an entry point, compiled at once."""
    return numba.njit(signature, error_model="numpy") if COMPILED else njit
