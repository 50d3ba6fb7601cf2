"""Random numbers for play (xorshift32), random keys for Zobrist hashing (SplitMix64), and Java's
numbers, by which official referees draw.

xorshift32 (G. Marsaglia, Journal of Statistical Software 8(14), 2003) has period 2**32 - 1. Its
state is one int64 cell of the caller's, kept within 32 bits by masks: the same stream as machine
code and as plain Python.

A position's Zobrist hash is the exclusive or of its parts' keys. The keys must not come from
xorshift32: its numbers, and so every hash of any width, would be exclusive ors of 32 bits of the
seed. A large table would then confuse one in thousands of the positions in a bucket with another
one.

Sources: A. Zobrist, "A New Hashing Method with Application for Game Playing" (1970); G. Steele,
D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014), SplitMix64; the
documentation of Java's classes.
"""

from typing import Any

from ..core.jit import Ints, njit

MASK = 0xFFFFFFFF
MASK_64 = 0xFFFFFFFFFFFFFFFF
KEY_BITS = 62


def seed_rng(rng: Ints, seed: int) -> None:
    """Set the state `rng[0]` from any int; it is never 0, which is a fixed point."""
    mixed = (seed * 0x9E3779B1 + 0x7F4A7C15) & MASK
    rng[0] = mixed if mixed else 1


@njit
def random_bits(rng: Ints) -> int:
    """Returns the next 32 random bits: 1..2**32-1."""
    x = int(rng[0])
    x ^= (x << 13) & MASK
    x ^= x >> 17
    x ^= (x << 5) & MASK
    rng[0] = x
    return x


@njit
def random_below(rng: Ints, n: int) -> int:
    """Returns a random int in 0..n-1, 1 <= n < 2**31, by multiply-shift; bias < n / 2**32."""
    return (random_bits(rng) * n) >> 32


@njit
def random_unit(rng: Ints) -> float:
    """Draw a float in [0, 1) with 32 bits."""
    return random_bits(rng) * (1.0 / 4294967296.0)


def write_keys(keys: Ints, first: int, seed: int) -> None:
    """Fill a buffer from index `first` with random keys of KEY_BITS bits."""
    for i in range(first, len(keys)):
        seed = seed + 0x9E3779B97F4A7C15 & MASK_64
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK_64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK_64
        keys[i] = (mixed ^ mixed >> 31) >> 64 - KEY_BITS


class JavaRandom:
    """java.util.Random: a linear congruential generator of 48 bits, for maps alone. A subclass may
    replace `bits`, which the other methods call.
    """

    MASK = (1 << 48) - 1

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & self.MASK

    def bits(self, n: int) -> int:
        """next(n): n random bits, at most 32."""
        self.state = (self.state * 0x5DEECE66D + 0xB) & self.MASK
        return self.state >> 48 - n

    def below(self, n: int) -> int:
        """nextInt(n): a random int in 0..n-1."""
        bits = self.bits(31)
        if n & (n - 1) == 0:
            return n * bits >> 31
        while bits - bits % n + n - 1 >= 1 << 31:
            bits = self.bits(31)
        return bits % n

    def shuffled(self, values: list[Any]) -> list[Any]:
        """java.util.Collections.shuffle, in place; returns the list."""
        for i in range(len(values) - 1, 0, -1):
            k = self.below(i + 1)
            values[i], values[k] = values[k], values[i]
        return values
