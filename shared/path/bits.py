"""Places of bits in words of 32."""

from shared.core.jit import inline


@inline
def count_bits(word):
    """How many bits of 32 are set (Warren, Hacker's Delight, section 5-1)."""
    pairs = word - (word >> 1 & 0x55555555)
    fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333)
    return ((fours + (fours >> 4) & 0x0F0F0F0F) * 0x01010101 >> 24) & 0x3F


@inline
def highest_bit(word):
    """The place of the highest bit set, of a word that is not 0."""
    word |= word >> 1
    word |= word >> 2
    word |= word >> 4
    word |= word >> 8
    word |= word >> 16
    return count_bits(word) - 1
