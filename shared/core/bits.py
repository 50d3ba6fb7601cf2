"""Sets as the bits of an int."""

from shared.core.jit import inline


@inline
def count_bits(mask):
    """The number of bits set in a mask: LLVM turns this loop into one instruction."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inline
def lowest_bit(mask):
    """The index of the lowest set bit; the mask is not 0."""
    return count_bits((mask & -mask) - 1)


@inline
def highest_bit(word):
    """The index of the highest set bit, of 32; the word is not 0."""
    word |= word >> 1
    word |= word >> 2
    word |= word >> 4
    word |= word >> 8
    word |= word >> 16
    return count_bits(word) - 1
