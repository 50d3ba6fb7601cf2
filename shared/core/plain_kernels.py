"""Kernels that stay plain Python."""

from typing import Any, Callable

COMPILED = False


def njit(function: Callable) -> Callable:
    return function


inline = njit


def kernel(signature: Any) -> Callable:
    return signature if callable(signature) else njit
