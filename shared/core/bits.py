"""Sets as the bits of an int."""

from shared.core.jit import inline


@inline
def count_bits(bits):
    """How many of the lower 63 bits are set (Warren, Hacker's Delight, section 5-1)."""
    pairs = bits - (bits >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    eights = fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F
    return (eights * 0x0101010101010101 & 0x7FFFFFFFFFFFFFFF) >> 56


@inline
def lowest_bit(bits):
    """The number of the lowest bit that is set; `bits` is not 0."""
    return count_bits((bits & -bits) - 1)
