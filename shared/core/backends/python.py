"""The backend without a compiler: plain Python."""

from typing import Any

COMPILED = False


# For tunable.py: of the bundler, while it compiles
open_number: Any = None


def njit(function: Any) -> Any:
    return function


inline = njit


def kernel(signature: Any) -> Any:
    return signature if callable(signature) else njit


def prefetch(buffer: Any, at: int) -> None:
    """Do nothing: it only loads a number early."""


def unsigned(i: int) -> int:
    """Returns i."""
    return i


def copy_numbers(source: Any, first: int, target: Any, start: int, n: int) -> None:
    """Copy n numbers."""
    target[start : start + n] = source[first : first + n]


def local_ints(n: int) -> "list[int]":
    """Returns a list of n zeros."""
    return [0] * n


def vector_operations(n: int) -> None:
    """Returns None: no vectors."""
