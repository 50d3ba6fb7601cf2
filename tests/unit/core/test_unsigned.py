"""Indices declared `unsigned`: copies are blocks, and plain Python refuses a negative index."""

import pytest

from shared.core.backends.numba import checked_unsigned
from shared.core.jit import Ints, copy_numbers, int_buffer, kernel, unsigned


def run(source: Ints, target: Ints, first: int) -> int:
    copy_numbers(source, first, target, 1, 200)
    return source[unsigned(first)]


def test_no_element_is_looked_up_by_itself():
    target, compiled = int_buffer(202), kernel(run)
    assert compiled(int_buffer(range(300)), target, 5) == 5
    assert list(target) == [0, *range(5, 205), 0]
    (assembly,) = compiled._numba_type_.dispatcher.inspect_asm().values()
    assert "gather" not in assembly and "cmov" not in assembly.partition("cpython")[0]


def test_plain_python_refuses_a_negative_index():
    assert checked_unsigned(3) == 3
    with pytest.raises(IndexError, match="negative"):
        checked_unsigned(-1)
