"""Sets as the bits of an int, of at most 63 members."""

from ..core.jit import inline


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
