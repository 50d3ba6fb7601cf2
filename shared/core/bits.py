"""Sets as the bits of an int."""

from shared.core.jit import inline


@inline
def count_bits(mask):
    """How many bits of a mask are set: LLVM makes this loop one instruction."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inline
def lowest_bit(mask):
    """The number of the lowest bit that is set; the mask is not 0."""
    return count_bits((mask & -mask) - 1)


@inline
def highest_bit(word):
    """The number of the highest bit that is set, of 32; the word is not 0."""
    word |= word >> 1
    word |= word >> 2
    word |= word >> 4
    word |= word >> 8
    word |= word >> 16
    return count_bits(word) - 1
