"""Sets of 64 bits: the same compiled and plain, and as sets of numbers."""

from random import Random

from shared.core import bits
from shared.core.jit import int_buffer, kernel
from tests.conftest import run_plain


def apply_all(mask: int, n: int, out, listed):
    out[0] = bits.shifted_up(mask, n)
    out[1] = bits.shifted_down(mask, n)
    out[2] = bits.count_bits_64(mask)
    out[3] = bits.lowest_bit_64(mask)
    out[4] = bits.without_lowest_64(mask)
    out[5] = bits.bit_of(n)
    out[6] = bits.moved_64(mask, n)
    out[7] = bits.moved_64(mask, -n)
    size = bits.list_64(mask, listed)
    out[8] = bits.nth_64(mask, n % size)
    out[9] = bits.filled_64(bits.bit_of(n), mask, 7, 3)
    out[10] = bits.filled_64(bits.bit_of(n), mask, -1, 6)
    out[11] = bits.hash_64(mask, bits.bit_of(n))


def signed(members):
    """The int64 of a set."""
    mask = sum(1 << member for member in members)
    return mask - (1 << 64) if mask >> 63 else mask


def cases():
    """Sets of all sizes, with and without 0, 62 and 63; and shifts."""
    rng = Random(1)
    sets = [{63}, {0}, {62}, {0, 63}, {62, 63}, {*range(64)}, {*range(63)}]
    sets += [{*rng.sample(range(64), size)} for size in range(1, 64)]
    for members in sets:
        for n in {0, 1, 7, 31, 32, 33, 62, 63, rng.randrange(64)}:
            yield members, n


def expected(members, n):
    up = {one + n for one in members if one + n < 64}
    down = {one - n for one in members if one >= n}
    rest = members - {min(members)}
    masks = [signed(up), signed(down), len(members), min(members), signed(rest), signed({n})]
    listed = sorted(members)
    lines = [signed(line_of(members, n, step, most)) for step, most in ((7, 3), (-1, 6))]
    hashed = hash_of(signed(members), signed({n}))
    return [*masks, signed(up), signed(down), listed[n % len(listed)], *lines, hashed, *listed]


def line_of(members, n, step, most):
    """The members that follow n, one step after the other."""
    line = [n + step * k for k in range(1, most + 1)]
    ends = [i for i, one in enumerate(line) if one not in members]
    return {*line[: ends[0] if ends else most]}


def hash_of(one, other):
    """By Python's unbounded numbers."""
    halves = [
        half for word in (one, other) for half in (word & 0xFFFFFFFF, word >> 32 & 0xFFFFFFFF)
    ]
    factors = (0x2C6F1E35, 0x3A9D7B41, 0x35B2C8D7, 0x2F14A6E9)
    mixed = 0
    for half, factor in zip(halves, factors):
        mixed ^= half * factor
    mixed ^= mixed >> 31
    return mixed ^ mixed >> 15


def lines():
    compiled = kernel("void(int64, int64, int64[::1], int64[::1])")(apply_all)
    out, listed = int_buffer(12), int_buffer(64)
    for members, n in cases():
        compiled(signed(members), n, out, listed)
        yield [*map(int, out), *map(int, listed[: len(members)])]


def test_they_are_sets_of_numbers():
    assert [*lines()] == [expected(members, n) for members, n in cases()]


def test_plain_python_has_the_same():
    """The buffers of plain Python would take numbers of any size."""
    assert run_plain("tests.unit.core.test_bits").split() == ["all", "right"]


if __name__ == "__main__":
    assert [*lines()] == [expected(members, n) for members, n in cases()]
    print("all right")
