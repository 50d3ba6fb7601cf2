"""SIMD operations agree with the same operations number by number."""

import random

import pytest

from shared.core.jit import Int8s, Int16s, int8_buffer, int16_buffer, kernel
from shared.core.simd import make_simd

SIZES = (1, 3, 16, 24, 64, 200)


def make_all(n):
    load, add, subtract, clip, square, dot, store = make_simd(n)

    @kernel
    def run(small: Int8s, wide: Int16s, at: int, least: int, most: int, found: Int16s) -> int:
        sums = load(wide, at)
        for i in range(at + 1):
            sums = add(sums, small, i)
        if at & 1:
            sums = subtract(sums, wide, 0)
        store(found, at, sums)
        sums = clip(sums, least, most)
        store(found, at + n, sums)
        sums = square(clip(sums, -181, 181), at)
        return dot(sums, wide, at) + 3 * dot(load(small, at), small, 0)

    return run


def expected(n, small, wide, at, least, most, found):
    """Returns the same result, computed number by number."""
    sums = [wide[at + j] + sum(small[j : j + at + 1]) for j in range(n)]
    if at & 1:
        sums = [one - other for one, other in zip(sums, wide)]
    clipped = [min(max(one, least), most) for one in sums]
    found[at : at + 2 * n] = sums + clipped
    squares = [min(max(one, -181), 181) ** 2 >> at for one in clipped]
    products = [one * other for one, other in zip(squares, wide[at : at + n])]
    return sum(products) + 3 * sum(small[at + j] * small[j] for j in range(n))


@pytest.mark.parametrize("n", SIZES)
def test_operations_agree_with_those_on_each_number(n):
    run, rng = make_all(n), random.Random(n)
    for at in (0, 1, 2, 5):
        small = [rng.randint(-128, 127) for _ in range(n + 6)]
        wide = [rng.randint(-1500, 1500) for _ in range(n + 6)]
        least, most = -rng.randint(0, 900), rng.randint(0, 900)
        found = int16_buffer(2 * n + 9)
        there = [0] * (2 * n + 9)
        score = run(int8_buffer(small), int16_buffer(wide), at, least, most, found)
        assert score == expected(n, small, wide, at, least, most, there)
        assert list(found) == there  # and the numbers beside them are left unchanged
