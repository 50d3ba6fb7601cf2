"""Random numbers: a line for each of its kernels."""

from shared.core import jit
from shared.core.rng import random_below, random_bits, random_unit, seed_rng
from tests.parity.digests import digest


def trace():
    rng = jit.int_buffer(1)
    seed_rng(rng, 42)
    numbers = []
    for n in range(1, 500):
        numbers += [random_bits(rng), random_below(rng, n), random_unit(rng)]
    yield "xorshift32", digest(numbers)
