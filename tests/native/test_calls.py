"""A call with wrong arguments raises the same descriptive error with numba and with machine code;
it never crashes or returns another number.
"""

import sys
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest

from bundler.bundle import make_bundle
from tests.conftest import PROJECT
from tests.native.conftest import ZOO


def executed(path):
    """A bundle that is executed in this process, with the modules that it carries."""
    module = ModuleType("__main__")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.delenv("CG_JIT", raising=False)
        monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
        for name in list(sys.modules):
            if name.startswith(("shared", "tests")):
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "__main__", module)
        # Without its calls: of two classes of tuples of one name, numba takes calls of one alone.
        text = path.read_text(encoding="utf-8").replace('if __name__ == "__main__":', "if False:")
        exec(compile(text, path, "exec"), vars(module))
    return module


# Once in a process, and kept: numba identifies classes of tuples by their addresses, even of
# deleted ones.
@pytest.fixture(scope="session")
def native(zoo):
    """The zoo, its kernels running as machine code."""
    module = executed(zoo)
    assert type(module.fill) is type(len)
    return module


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The zoo, its kernels compiled by numba."""
    path = tmp_path_factory.mktemp("numba") / "zoo.py"
    path.write_text(make_bundle(ZOO, root=PROJECT, mode="numba").text)
    return executed(path)


by_numba = pytest.mark.slow("compiles the zoo by numba; machine code checks alike")


@pytest.fixture(params=["native", pytest.param("compiled", marks=by_numba)])
def kernels(request):
    """The zoo in both forms."""
    return request.getfixturevalue(request.param)


def read_only(values):
    values.flags.writeable = False
    return values


@pytest.mark.parametrize(
    "wrong",
    [
        [0.0, 1.0],
        None,
        np.float64(1.0),
        np.zeros(3, np.float32),
        np.zeros((3, 3)),
        np.zeros(6)[::2],
        np.zeros(3, ">f8"),
        np.zeros(3, object),
        read_only(np.zeros(3)),
        np.ma.zeros(3),
        np.zeros(3).view(np.matrix),
        np.frombuffer(bytearray(25), np.uint8)[1:].view(np.float64),
    ],
    ids=lambda value: f"{type(value).__name__}-{getattr(value, 'dtype', '')}",
)
def test_only_the_array_of_the_signature_is_taken(kernels, wrong):
    with pytest.raises(
        TypeError, match=r"^fill: argument a does not fit void\(float64\[::1\], float64\)$"
    ):
        kernels.fill(wrong, 1.0)


@by_numba
def test_misaligned_buffers_in_a_tuple_are_refused_after_any_other(compiled):
    """Numba would reuse the code of the first misaligned or read-only array for any other."""

    class Fresh(NamedTuple):
        xs: compiled.Floats

    @compiled.kernel
    def first_of(fresh: Fresh) -> float:
        return fresh.xs[0]

    wrong = np.frombuffer(bytearray(25), np.uint8)[1:].view(np.float64)
    with pytest.raises(
        TypeError, match=r"^first_of: argument fresh.xs does not fit its annotation$"
    ):
        first_of(Fresh(wrong))
    assert first_of(Fresh(np.ones(3))) == 1.0


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


NOT_AN_INTEGER = "cannot be interpreted as an integer"
ONE, ZERO = np.zeros(3), np.zeros(1, np.uint64)


@pytest.mark.parametrize(
    ("name", "arguments", "error", "said"),
    [
        *(
            ("fill", arguments, TypeError, "^fill takes 2 arguments, by position$")
            for arguments in [(), (ONE,), (ONE, 1.0, 2.0)]
        ),
        *(
            ("collatz", (wrong,), TypeError, NOT_AN_INTEGER)
            for wrong in [2.0, np.float64(2.0), None, "7"]
        ),
        *(("fill", (ONE, wrong), TypeError, "must be real") for wrong in [None, "7", 1j]),
        ("collatz", (np.zeros(3, np.int64),), TypeError, None),
        ("fill", (ONE, ONE), TypeError, None),
        ("first_unsigned", (ZERO, 1.0), TypeError, NOT_AN_INTEGER),
        *(
            ("first_unsigned", (ZERO, n), OverflowError, "^first_unsigned: argument other does")
            for n in [-1, 2**64, -(2**63), 10**30, np.int64(-3)]
        ),
        ("pair", (10**400,), OverflowError, "int too large to convert to float"),
        ("fill", ([], "7"), TypeError, "^fill: argument a"),
        ("sum_scalars", (1000, 10**9, 0, 0, 0, 0, 0, False), OverflowError, "argument a "),
    ],
)
def test_a_wrong_argument_is_told_the_first_one_where_several_are(
    kernels, name, arguments, error, said
):
    with pytest.raises(error, match=said):
        getattr(kernels, name)(*arguments)


def test_arguments_have_no_names(kernels):
    with pytest.raises(TypeError, match=r"fill\(\) takes no keyword arguments$"):
        kernels.fill(np.zeros(3), value=1.0)


def moved(kernels, points, *others):
    return kernels.move(points, *(others or (0.5, True, np.zeros(3, np.int64))))


def test_a_tuple_of_buffers_is_one_argument(kernels):
    """A kernel accepts an instance of the tuple's class and a plain tuple."""
    for points in (kernels.Points(np.ones(3), np.ones(3)), (np.ones(3), np.ones(3))):
        assert moved(kernels, points) == 3 * 1.5 * 2.5
        assert points[1].tolist() == [2.5] * 3


@pytest.mark.parametrize("wrong", [None, (), [np.ones(3)] * 2, (np.ones(3),), (np.ones(3),) * 3])
def test_only_a_tuple_of_the_right_length_is_taken(kernels, wrong):
    with pytest.raises(TypeError, match=r"^move: argument points does not fit its annotation$"):
        moved(kernels, wrong)


@pytest.mark.parametrize("wrong", [None, np.zeros(3, np.int64), read_only(np.zeros(3))], ids=str)
def test_a_field_of_a_tuple_is_checked_as_an_argument_is(kernels, wrong):
    """The error names the field, for an instance of the class or a plain tuple."""
    for make in (kernels.Points._make, tuple):
        for i, name in enumerate(("xs", "ys")):
            fields = [np.ones(3), np.ones(3)]
            fields[i] = wrong
            text = f"^move: argument points.{name} does not fit its annotation$"
            with pytest.raises(TypeError, match=text):
                moved(kernels, make(fields))


def test_arguments_beside_a_tuple_keep_their_names(kernels):
    points = kernels.Points(np.ones(3), np.ones(3))
    with pytest.raises(TypeError, match=r"argument moved does not fit its annotation$"):
        moved(kernels, points, 0.5, True, np.zeros(3))
    cells = kernels.Cells(np.zeros(1, np.int64), np.zeros(3))
    for n in (1 << 63, -(1 << 63) - 1):
        with pytest.raises(OverflowError, match=r"^add: argument n does not fit its annotation$"):
            kernels.add_floats(np.ones(1), cells, points, n)
    with pytest.raises(TypeError, match=r"^add: argument cells.values does not fit"):
        kernels.add_ints(np.ones(1, np.int64), cells, points, 1)


BITS = dict(zip("abcd", (7, 15, 31, 63))), dict(zip("efg", (8, 16, 32)))
RANGES = {name: (-(2**bits), 2**bits - 1) for name, bits in BITS[0].items()}
RANGES |= {name: (0, 2**bits - 1) for name, bits in BITS[1].items()}


@pytest.mark.parametrize("name", RANGES)
def test_an_integer_has_to_fit_its_type(kernels, name):
    arguments = dict.fromkeys(RANGES, 0) | {"negative": False}
    lowest, highest = RANGES[name]
    for value in (lowest, highest):
        assert kernels.sum_scalars(*(arguments | {name: value}).values()) == value
    for value in (lowest - 1, highest + 1, 2**64, 2**64 + 1, -(2**64), 10**30):
        with pytest.raises(
            OverflowError, match=f"^sum_scalars: argument {name} does not fit int64"
        ):
            kernels.sum_scalars(*(arguments | {name: value}).values())


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        *(
            ("first_unsigned", (ZERO, value), value)
            for value in [0, 5, 2**63, 2**64 - 1, np.uint64(2**64 - 1), True]
        ),
        ("pair", (2**60,), (2.0**60 + 1.0, 2.0**60 - 1.0)),
        ("collatz", (np.int32(27),), 111),
        ("collatz", (True,), 0),
        ("pair", (np.float32(0.5),), (1.5, -0.5)),
        ("pair", (3,), (4.0, 2.0)),
        *(
            ("sum_scalars", (1, 0, 0, 0, 0, 0, 0, value), -1 if value else 1)
            for value in [0, 0.0, "", None, np.False_, 2, 0.5, "no", [0], np.True_]
        ),
        ("twice", (20,), 42),
    ],
)
def test_numbers_of_all_kinds_are_taken_and_anything_is_true_or_false(
    kernels, name, arguments, result
):
    assert getattr(kernels, name)(*arguments) == result


def test_results_have_the_types_of_python(kernels):
    assert type(kernels.is_odd(3)) is bool
    assert type(kernels.small(3)) is int
    assert type(kernels.narrowed(3.0)) is float
    assert [type(item) for item in kernels.mixed_tuple(7)] == [int, float, type(None), bool]
    assert kernels.fill(np.zeros(1), 1.0) is None
    assert kernels.fill.__name__ == "fill"


def test_a_kernel_made_after_the_import_stays_python_and_says_so(native, capsys):
    def late(n):
        return n + 1

    assert native.kernel("int64(int64)")(late) is late
    said = capsys.readouterr().err
    assert said.endswith("late has no machine code: it runs as plain Python\n")


def test_allocation_gives_its_memory_back(native):
    """A million arrays of 8 kB are made in total; if kept, they would take gigabytes."""
    with open("/proc/self/statm") as before:
        pages = int(before.read().split()[1])
    for _ in range(20_000):
        native.allocating(1000)
    with open("/proc/self/statm") as after:
        assert int(after.read().split()[1]) - pages < 10_000
