"""Random keys of a position's parts, whose exclusive or is the position's hash.

Sources: A. Zobrist, "A New Hashing Method with Application for Game Playing" (1970); G. Steele,
D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014), SplitMix64.

Keys must not come from `rng.py`: its numbers are exclusive ors of 32 bits of its seed, and so would
be every hash, however many bits it has: of two positions in one bucket of a large table one in
thousands would be taken for the other.
"""

from shared.core.jit import Ints

KEY_BITS = 62
MASK = (1 << 64) - 1


def write_keys(keys: Ints, first: int, seed: int) -> None:
    """Fill a buffer from the place `first` on with random keys of KEY_BITS bits."""
    for i in range(first, len(keys)):
        seed = seed + 0x9E3779B97F4A7C15 & MASK
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
        keys[i] = (mixed ^ mixed >> 31) >> 64 - KEY_BITS
