"""Numba's errors about a kernel at home: one line with the place to change."""

import re
from pathlib import Path

import pytest

from shared.core import jit

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is compiled")


def twice(number):  # plain
    return 2 * number


@jit.njit
def by_helper(numbers):
    return twice(numbers[0])


@jit.njit
def by_typo(numbers):
    return numbers[FRIST] + len(numbers)  # noqa: F821  # typo


@jit.njit
def by_attribute(numbers):
    return numbers[0].size  # attribute


@jit.njit
def of_two(numbers, place):  # arguments
    return numbers[place]


def make(function):
    def entry(numbers: jit.Ints) -> int:
        return function(numbers)

    return entry


CASES = {
    "plain": (by_helper, "twice is plain Python: mark it with @njit or @inline"),
    "typo": (by_typo, "NameError: name 'FRIST' is not defined"),
    "attribute": (by_attribute, "Unknown attribute 'size' of type int64"),
    "arguments": (of_two, "of_two(numbers, place) is called with others: missing a required"),
}


@pytest.mark.parametrize(("word", "case"), CASES.items(), ids=CASES)
@pytest.mark.parametrize("signature", [None, "int64(int64[::1])"])
def test_an_error_is_a_line(word, case, signature):
    function, reason = case
    with pytest.raises(TypeError, match=re.escape(reason)) as raised:
        (jit.kernel(signature) if signature else jit.kernel)(make(function))
    lines = Path(__file__).read_text().splitlines()
    [line] = [n for n, text in enumerate(lines, 1) if re.search(rf"#.* {word}$", text)]
    found = int(re.match(rf"{re.escape(__file__)}:(\d+): ", str(raised.value))[1])
    # Python 3.11 has the line of a decorated function's decorator.
    assert found in (line - 1, line) and "\n" not in str(raised.value)
