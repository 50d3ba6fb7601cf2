"""Marsaglia's xorshift32 (Journal of Statistical Software 8(14), 2003): period 2**32 - 1.

The state is one int64 cell of the caller's, kept within 32 bits by masks: the same stream as
machine code and as plain Python.
"""

from shared.core.jit import Ints, njit

MASK = 0xFFFFFFFF


def seed_rng(rng: Ints, seed: int) -> None:
    """Set the state `rng[0]` from any int; it is never 0, a fixed point."""
    mixed = (seed * 0x9E3779B1 + 0x7F4A7C15) & MASK
    rng[0] = mixed if mixed else 1


@njit
def random_bits(rng):
    """The next 32 random bits as an int in 1..2**32-1."""
    x = int(rng[0])
    x ^= (x << 13) & MASK
    x ^= x >> 17
    x ^= (x << 5) & MASK
    rng[0] = x
    return x


@njit
def random_below(rng, n):
    """A random int in 0..n-1 for 1 <= n < 2**31 (multiply and shift; bias below n / 2**32)."""
    return (random_bits(rng) * n) >> 32


@njit
def random_unit(rng):
    """A random float in [0, 1) with 32 bits."""
    return random_bits(rng) * (1.0 / 4294967296.0)
