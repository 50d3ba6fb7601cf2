"""The backend without a compiler: plain Python."""

from typing import Any, Callable, Optional

COMPILED = False


def njit(function: Callable) -> Callable:
    return function


inline = njit


def kernel(signature: Any) -> Callable:
    return signature if callable(signature) else njit


def prefetch(buffer: Any, at: int) -> None:
    """Nothing: it would only load a number early."""


def vector_operations(n: int) -> Optional[tuple]:
    """None: there are no vectors."""
    return None
