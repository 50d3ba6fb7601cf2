"""The backend of `jit.py` and `simd.py` without a compiler: plain Python."""

from typing import Any, Callable, NamedTuple

COMPILED = False


def njit(function: Callable) -> Callable:
    return function


inline = njit


def kernel(signature: Any) -> Callable:
    return signature if callable(signature) else njit


class Simd(NamedTuple):
    """The operations, as `simd.py` lists them."""

    load: Callable
    add: Callable
    subtract: Callable
    clip: Callable
    dot: Callable
    store: Callable


def make_python_simd(n: int) -> Simd:
    """The operations on n numbers at once, each a list."""

    def load(buffer, at):
        return buffer[at : at + n]

    def add(sums, buffer, at):
        return [one + other for one, other in zip(sums, buffer[at : at + n])]

    def subtract(sums, buffer, at):
        return [one - other for one, other in zip(sums, buffer[at : at + n])]

    def clip(sums, least, most):
        return [min(max(one, least), most) for one in sums]

    def dot(sums, buffer, at):
        return sum([one * other for one, other in zip(sums, buffer[at : at + n])])

    def store(buffer, at, sums):
        buffer[at : at + n] = sums

    return Simd(load, add, subtract, clip, dot, store)
