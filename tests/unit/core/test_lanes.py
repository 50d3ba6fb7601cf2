"""Lanes: what is done to many numbers at once is what is done to each."""

import random

import pytest

from shared.core.jit import Int8s, Int16s, int8_buffer, int16_buffer, kernel
from shared.core.lanes import lanes_of

SIZES = (1, 3, 16, 24, 64, 200)


def make_all(n):
    take, plus, minus, clip, dot, put = lanes_of(n)

    @kernel
    def run(small: Int8s, wide: Int16s, at: int, least: int, most: int, found: Int16s) -> int:
        sums = take(wide, at)
        for i in range(at + 1):
            sums = plus(sums, small, i)
        if at & 1:
            sums = minus(sums, wide, 0)
        put(found, at, sums)
        sums = clip(sums, least, most)
        put(found, at + n, sums)
        return dot(sums, wide, at) + 3 * dot(take(small, at), small, 0)

    return run


def expected(n, small, wide, at, least, most, found):
    """The same number by number."""
    sums = [wide[at + j] + sum(small[j : j + at + 1]) for j in range(n)]
    if at & 1:
        sums = [one - other for one, other in zip(sums, wide)]
    clipped = [min(max(one, least), most) for one in sums]
    found[at : at + 2 * n] = sums + clipped
    products = [one * other for one, other in zip(clipped, wide[at : at + n])]
    return sum(products) + 3 * sum(small[at + j] * small[j] for j in range(n))


@pytest.mark.parametrize("n", SIZES)
def test_the_lanes_are_the_numbers_one_by_one(n):
    run, rng = make_all(n), random.Random(n)
    for at in (0, 1, 2, 5):
        small = [rng.randint(-128, 127) for _ in range(n + 6)]
        wide = [rng.randint(-1500, 1500) for _ in range(n + 6)]
        least, most = -rng.randint(0, 900), rng.randint(0, 900)
        found = int16_buffer(2 * n + 9)
        there = [0] * (2 * n + 9)
        score = run(int8_buffer(small), int16_buffer(wide), at, least, most, found)
        assert score == expected(n, small, wide, at, least, most, there)
        assert list(found) == there  # and what is beside them is left alone


def test_lanes_are_one_type_for_a_number():
    """Those of one module are passed to another one's functions."""
    take, put = lanes_of(8).take, lanes_of(8).put

    @kernel
    def copy(source: Int16s, target: Int16s) -> int:
        put(target, 0, take(source, 0))
        return 0

    source, target = int16_buffer(range(8)), int16_buffer(8)
    copy(source, target)
    assert list(target) == list(range(8))
