"""SIMD vectors of n 16-bit numbers, for sums that stay in the processor's registers.

    make_simd(n) -> Simd, the operations on n numbers at once:

    load(buffer, at)           the numbers of a buffer from an index on
    add(sums, buffer, at)      adds the buffer's numbers
    subtract(sums, buffer, at) subtracts them
    clip(sums, least, most)    clamps each to these bounds
    square(sums, shift)        squares each and shifts it right by this many bits
    dot(sums, buffer, at)      the sum of the products with the buffer's numbers; it has 32 bits
    store(buffer, at, sums)    writes them into a buffer, an Int16s

Buffers are Int16s or Int8s. A result beyond 16 bits, or 32, is undefined, as is an index below 0 or
beyond the buffer. In plain Python the numbers are a list; compiled they are one of LLVM's vectors
(`vector_operations` of the backend): LLVM would not keep the sums of a loop over a buffer's rows in
registers.
"""

from functools import cache
from typing import NamedTuple

from ..core.jit import Function, Ints, vector_operations


class Simd(NamedTuple):
    """The vector operations listed in the module's docstring."""

    load: Function
    add: Function
    subtract: Function
    clip: Function
    square: Function
    dot: Function
    store: Function


@cache
def make_simd(n: int) -> Simd:
    """Returns the operations on vectors of n numbers."""
    if vectors := vector_operations(n):
        return Simd(*vectors)

    def load(buffer: Ints, at: int) -> Ints:
        return buffer[at : at + n]

    def add(sums: Ints, buffer: Ints, at: int) -> Ints:
        return [one + other for one, other in zip(sums, buffer[at : at + n])]

    def subtract(sums: Ints, buffer: Ints, at: int) -> Ints:
        return [one - other for one, other in zip(sums, buffer[at : at + n])]

    def clip(sums: Ints, least: int, most: int) -> Ints:
        return [min(max(one, least), most) for one in sums]

    def square(sums: Ints, shift: int) -> Ints:
        return [one * one >> shift for one in sums]

    def dot(sums: Ints, buffer: Ints, at: int) -> int:
        return sum([one * other for one, other in zip(sums, buffer[at : at + n])])

    def store(buffer: Ints, at: int, sums: Ints) -> None:
        buffer[at : at + n] = sums

    return Simd(load, add, subtract, clip, square, dot, store)
