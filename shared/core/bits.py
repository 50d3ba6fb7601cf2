"""Sets as the bits of an int.

A set of 64 is an int64, negative if it contains 63; the operators &, | ^ and ~ are right as they
are. The functions named for 64 give the same numbers compiled and in plain Python, where `<<` would
leave 64 bits and `>>` keeps the sign. The others take sets of at most 63.
"""

from shared.core.jit import Ints, inline


@inline
def count_bits(mask: int) -> int:
    """The number of bits set in a mask: LLVM turns this loop into one instruction."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inline
def lowest_bit(mask: int) -> int:
    """The index of the lowest set bit; the mask is not 0."""
    return count_bits((mask & -mask) - 1)


MOST = (1 << 63) - 1


@inline
def shifted_up(mask: int, n: int) -> int:
    """A set of 64, each moved up by n = 0..63; those beyond 63 are lost."""
    return ((mask & MOST >> n) << n) - ((mask >> 63 - n & 1) << 63)


@inline
def shifted_down(mask: int, n: int) -> int:
    """A set of 64, each moved down by n = 0..63; those below 0 are lost."""
    return mask if n == 0 else (mask >> 1 & MOST) >> n - 1


@inline
def moved_64(mask: int, n: int) -> int:
    """A set of 64, each moved up by n, or down by -n; those beyond 0..63 are lost."""
    return shifted_up(mask, n) if n > 0 else shifted_down(mask, -n)


@inline
def bit_of(n: int) -> int:
    """The set of n = 0..63 alone."""
    return shifted_up(1, n)


@inline
def count_bits_64(mask: int) -> int:
    """The size of a set of 64."""
    return count_bits(mask & MOST) + (mask >> 63 & 1)


@inline
def lowest_bit_64(mask: int) -> int:
    """The least of a set of 64 that is not empty."""
    return lowest_bit(mask & MOST) if mask & MOST != 0 else 63


@inline
def without_lowest_64(mask: int) -> int:
    """A set of 64 without its least."""
    return mask & mask - 1 if mask & MOST != 0 else 0


@inline
def nth_64(mask: int, n: int) -> int:
    """Member number n of a set of 64, counted from 0, the least."""
    for _ in range(n):
        mask = without_lowest_64(mask)
    return lowest_bit_64(mask)


@inline
def list_64(mask: int, buffer: Ints) -> int:
    """Write a set of 64 into a buffer in ascending order; returns its size."""
    n = 0
    while mask != 0:
        buffer[n] = lowest_bit_64(mask)
        mask = without_lowest_64(mask)
        n += 1
    return n


@inline
def filled_64(start: int, through: int, step: int, n: int) -> int:
    """The cells of `through` within n steps from `start` in unbroken lines; see `moved_64`."""
    line = through & moved_64(start, step)
    for _ in range(n - 1):
        line |= through & moved_64(line, step)
    return line


@inline
def hash_64(one: int, other: int) -> int:
    """A hash of 62 bits of two sets of 64: their halves by four factors, spread to the low bits."""
    mixed = (one & 0xFFFFFFFF) * 0x2C6F1E35 ^ moved_64(one, -32) * 0x3A9D7B41
    mixed ^= (other & 0xFFFFFFFF) * 0x35B2C8D7 ^ moved_64(other, -32) * 0x2F14A6E9
    mixed ^= mixed >> 31
    return mixed ^ mixed >> 15
