"""A call of machine code with wrong arguments is a TypeError that says what is wrong, never a
crash.
"""

import importlib.util

import numpy as np
import pytest


@pytest.fixture(scope="module")
def kernels(zoo):
    """The zoo as a module, its kernels running as machine code."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.delenv("CG_JIT", raising=False)
        specification = importlib.util.spec_from_file_location("native_zoo", zoo)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
    assert module.COMPILED
    return module


def read_only(values):
    values.flags.writeable = False
    return values


@pytest.mark.parametrize(
    "wrong",
    [
        [0.0, 1.0],
        None,
        7,
        "text",
        np.float64(1.0),
        np.zeros(3, np.float32),
        np.zeros(3, np.int64),
        np.zeros((3, 3)),
        np.zeros(6)[::2],
        np.zeros(3, ">f8"),
        np.zeros(3, object),
        read_only(np.zeros(3)),
        np.ma.zeros(3),
    ],
    ids=lambda value: f"{type(value).__name__}-{getattr(value, 'dtype', '')}",
)
def test_only_the_array_of_the_signature_is_taken(kernels, wrong):
    with pytest.raises(
        TypeError, match=r"^fill: argument 1 must be a float64\[::1\] array of numpy$"
    ):
        kernels.fill(wrong, 1.0)


def test_arrays_of_the_same_type_are_taken_however_they_were_made(kernels):
    for array in (
        np.zeros(3, "<f8"),
        np.zeros(3, np.dtype("f8", metadata={"unit": "px"})),
        np.zeros((2, 3))[1],
        np.frombuffer(bytearray(24), np.float64),
    ):
        kernels.fill(array, 2.0)
        assert array.tolist() == [2.0, 2.0, 2.0]
    assert kernels.strided(np.array([4, 2], np.longlong)) == 42


@pytest.mark.parametrize("arguments", [(), (np.zeros(3),), (np.zeros(3), 1.0, 2.0)])
def test_the_number_of_arguments_counts(kernels, arguments):
    with pytest.raises(TypeError, match="^fill takes 2 arguments, by position$"):
        kernels.fill(*arguments)


@pytest.mark.parametrize("wrong", [1.5, None, "7"])
def test_an_integer_is_not_made_of_something_else(kernels, wrong):
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        kernels.collatz(wrong)
    with pytest.raises(TypeError, match="must be real number"):
        kernels.fill(np.zeros(3), "7")


def test_numbers_of_numpy_are_numbers(kernels):
    assert kernels.collatz(np.int32(27)) == 111
    assert kernels.pair(np.float32(0.5)) == (1.5, -0.5)
    assert kernels.pair(3) == (4.0, 2.0)


def test_results_have_the_types_of_python(kernels):
    assert type(kernels.is_odd(3)) is bool
    assert type(kernels.small(3)) is int
    assert type(kernels.narrowed(3.0)) is float
    assert [type(item) for item in kernels.mixed_tuple(7)] == [int, float, type(None), bool]
    assert kernels.fill(np.zeros(1), 1.0) is None


def test_an_exception_of_the_bots_own_is_that_class(kernels):
    with pytest.raises(kernels.OutOfTurn) as caught:
        kernels.careful(3)
    assert caught.value.args == ("turn", 3)


def test_a_kernel_keeps_its_name(kernels):
    assert kernels.headings.__name__ == "headings"


def test_a_kernel_made_after_the_import_stays_python_and_says_so(kernels, capsys):
    def late(n):
        return n + 1

    assert kernels.kernel("int64(int64)")(late) is late
    assert "late has no machine code: it runs as plain Python" in capsys.readouterr().err


def test_allocation_gives_its_memory_back(kernels):
    """A million arrays of 8 kB in all are made; kept, they would show as gigabytes."""
    with open("/proc/self/statm") as before:
        pages = int(before.read().split()[1])
    for _ in range(20_000):
        kernels.allocating(1000)
    with open("/proc/self/statm") as after:
        assert int(after.read().split()[1]) - pages < 10_000
