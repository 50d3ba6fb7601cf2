"""Sets as the bits of an int, of at most 63 members."""

from ..core.jit import inline


@inline
def count_bits(mask: int) -> int:
    """Returns the number of bits set in a mask: LLVM makes this one instruction."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inline
def lowest_bit(mask: int) -> int:
    """Returns the lowest set bit's index, for mask != 0."""
    return count_bits((mask & -mask) - 1)
