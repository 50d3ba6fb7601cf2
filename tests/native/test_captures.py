"""The values that kernels capture equal those that Python reads, in every import and at every time;
otherwise an error names the line.
"""

import json

import pytest

from bundler.errors import BundleError
from bundler.native.machine_code import machine_code_literal
from tests.conftest import PROJECT
from tests.native.conftest import native_bundle, run

pytestmark = pytest.mark.slow("compiles a bundle for each test")

HEAD = """\
# bots/my_bot.py:1
import os, random, time
from typing import NamedTuple
import numba
import numpy as np


def njit(function):
    return numba.njit(error_model="numpy")(function)


def kernel(signature):
    return numba.njit(signature, error_model="numpy")


"""
PLAY = """

@njit
def helper(n):
    return {}


@kernel("int64(int64)")
def play(n):
    return helper(n) + n
"""


MAKE_PLAY = """
class Options(NamedTuple):
    depth: int
    salt: int


def make_play(options):
    salt = {}

    def play(n):
        return n + salt + options.{}

    return play


play = kernel("int64(int64)")(make_play(Options(3, random.getrandbits(60)))){}
"""

ANEW = "which kernel play, in helper, reads and keeps, is not the same in another import: let it"
WHOLE = "which kernel play, in helper, reads and keeps, is a module: read its names as module.name"
LATER = "which kernel play, in helper, reads and keeps, is changed after the kernel was made: make"
HERE = {
    "N": "which kernel play, in helper, reads and keeps, is changed here: pass it as an argument",
    "Z": "which kernel play, in helper, reads and keeps, is changed or passed on here: pass it as",
}
IN_FACTORY = "which kernel make_play.play reads and keeps, is not the same in another import"
SALT = "random.getrandbits(60)  # HERE"
NAMED_TWICE = 'try:\n    N = int(os.environ["SET"])\nexcept KeyError:\n    N = 3  # HERE\n'


def played(binding, read, after=""):
    """A bot whose kernel reads a bound name, and the statements below it."""
    return binding + PLAY.format(read) + after


CALLED_BY_NAME = "def turn():\n    return play(n=3)  # HERE\n"


@pytest.mark.exhaustive("starts two processes that import numba for each capture", keep=3)
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (played("Z = np.array([random.getrandbits(60)] * 9)  # HERE", "Z[n]"), f"Z, {ANEW}"),
        (MAKE_PLAY.format(SALT, "depth", ""), f"salt, {IN_FACTORY}"),
        (played("N = 1\n", "N + n", "N = 2  # HERE\n"), f"N, {LATER}"),
        (played('N = int(os.environ.get("DEPTH", "3"))  # HERE', "N + n"), f"N, {ANEW}"),
        (played("H = hash('abc')  # HERE", "H + n"), f"H, {ANEW}"),
        (played("N = len(os.getcwd())  # HERE", "N + n"), f"N, {ANEW}"),
        (played("N = os.getpid()\nM = N + 1  # HERE", "M + n"), f"M, {ANEW}"),
        (played(NAMED_TWICE, "N + n"), f"N, {ANEW}"),
        (
            played('os.environ["SET"]  # HERE\n', "n"),
            "elsewhere, importing the bot ends with KeyError: 'SET': let it depend on no folder",
        ),
        (MAKE_PLAY.format("3", "salt", "  # HERE"), f"options.salt, {IN_FACTORY}"),
        (played("Z = np.zeros(3)  # HERE\n", "int(Z[n])", "Z[0] = 2\n"), f"Z, {LATER}"),
        (played("M = type(os)('m')  # HERE", "(M if n else M).K"), f"M, {WHOLE}"),
        (played("N = 1", "N", CALLED_BY_NAME), "kernel play: called with the names of parameters"),
        *(
            (
                played("N, Z = 1, np.zeros((3, 3))\n", "int(Z[n, 0]) + N", after),
                f"{name}, {HERE[name]}",
            )
            for name, after in [
                ("N", "def change():\n    global N\n    N = 2  # HERE\n"),
                ("N", "if __name__ == '__main__':\n    N = int(input())  # HERE\n"),
                ("Z", "def change(n):\n    Z[n] = 2  # HERE\n"),
                ("Z", "def change():\n    Z.fill(4)  # HERE\n"),
                ("Z", "def change():\n    np.add(Z, 1, out=Z)  # HERE\n"),
                ("Z", "def change():\n    row = Z[1]  # HERE\n    row[0] = 2\n"),
                ("Z", "def change():\n    for row in Z:  # HERE\n        row[0] = 2\n"),
                ("Z", "class A:\n    def f(self):\n        self.z = Z  # HERE\n"),
                ("Z", "def change():\n    row = Z[..., None]  # HERE\n    row[0] = 2\n"),
                ("Z", "S = slice(1)\ndef change():\n    part = Z[S, 0]  # HERE\n    part[0] = 2\n"),
                (
                    "Z",
                    "def change():\n    for i, row in enumerate(Z):  # HERE\n        row[i] = 2\n",
                ),
                ("Z", "def put(a):\n    a[0] = 2\n\n\ndef change():\n    put(Z)  # HERE\n"),
                ("Z", "class A:\n    def f(self):\n        self.n = Z[0] = 2  # HERE\n"),
            ]
        ),
    ],
)
def test_values_captured_by_a_kernel_have_to_equal_pythons(tmp_path, source, said, monkeypatch):
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.setenv("SET", "5")
    with pytest.raises(BundleError) as caught:
        machine_code_literal(HEAD + source, cache=tmp_path)
    lines = (HEAD + source).splitlines()[1:]
    line = next(i for i, line in enumerate(lines, 1) if "# HERE" in line)
    assert str(caught.value).startswith(f"bots/my_bot.py:{line}: {said}")


def test_constant_values_are_captured(tmp_path):
    """Seeded tables, environment options that no kernel reads, merely similar names, and tuples of
    which only a part is read are captured.
    """
    source = """
class Options(NamedTuple):
    depth: int
    salt: int


random.seed(3)
TABLE = np.array([random.getrandbits(60) for _ in range(9)])
TABLE[0] = 3
LEVEL = ("quiet", "loud")[int(os.environ.get("LEVEL", "1"))]
OPTIONS = Options(3, random.SystemRandom().getrandbits(60))
n = 1


def change(TABLE):
    TABLE[3] = 5
    TABLE.sort()
    rows = TABLE.copy()
    rows[0] = 3
    n = 3

    def deeper():
        nonlocal n
        n = 4


def read(i):
    rows = [int(x) for x in TABLE] + TABLE.tolist()
    return TABLE[i] + max(TABLE) + len(TABLE) + rows[TABLE[0] & 1] + (TABLE * 2)[3]


def fill():
    global n
    n = 2
    TABLE[5] = 3


fill()
if LEVEL:
    n = 2
"""
    source += PLAY.format("TABLE[n] + OPTIONS.depth + (1 if n in (1, 2, 3) else 0)")
    assert machine_code_literal(HEAD + source, cache=tmp_path).startswith('r"""\n')


def test_values_computed_by_kernels_at_import_are_captured(tmp_path):
    source = "SQUARES = np.zeros(9, np.int64)\n"
    source += (
        "@njit\ndef fill(a):\n    for i in range(len(a)):\n"
        "        a[i] = i * i\n\n\nfill(SQUARES)\nassert SQUARES[3] == 9\n"
    )
    assert machine_code_literal(HEAD + source + PLAY.format("SQUARES[n]"), cache=tmp_path)


READ = """\
# helpers.py:1
import numba
from numba import config, int64, types
from numba.core.extending import intrinsic, overload_attribute
njit, jit = numba.njit, numba.jit
__name__ = "bot"
import builtins, math
from math import sin as bend
import numpy as np
from enum import IntEnum
from typing import NamedTuple
class Inner(NamedTuple): a: int; b: int
class Outer(NamedTuple): inner: Inner
class Options(NamedTuple): depth: int = 2
class Way(IntEnum): UP = 0; DOWN = 1; LOW = 0
class Shown(IntEnum):
    ONE = 1
    __repr__ = lambda self: "Shown"
class Constants: ONE = 1
class Lost(Exception): pass
OUTER = types.NamedTuple([types.NamedTuple([int64, int64], Inner)], Outer)
builtins.DEPTH, math.fabs, config.BOUNDSCHECK, constants = 1, math.sin, 0, math
@intrinsic(prefer_literal=False)
def one(typing, x): return int64(int64), lambda *_: Constants.ONE
def lose(lost):
    @jit("int64(int64)", nopython=True)
    def lose(x):
        if x: raise lost
        return x
    return lose
def attribute(): overload_attribute(types.Array, "half")(lambda array: lambda array: array[0])
lost = lose(Lost)
N, TABLE, STEPS = 3, np.arange(3), range(5)
@njit
def helper(x, n=1, *, m=2): return lost(x) * n + N
@njit(int64(OUTER), locals={"y": int64})
def play(outer):
    module = constants
    for step in STEPS: x = sum(y.size + 1 for y in outer) + TABLE[0] + bend(Options().depth)
    return helper(one(DEPTH) + math.fabs(Way.LOW) + Shown.ONE)
def unread(): return 0
"""
KEYS = """
import json, sys
from pathlib import Path
from bundler.native.compile import extensions, kernels_key, registered, run, Tape
keys = []
for text in json.load(sys.stdin):
    before = registered()
    Path("text").write_text(text)
    keys.append(kernels_key("text", run("text", Tape()), extensions(before), []))
print(json.dumps(keys))
"""
CHANGES = """
=False -> =True
sin as -> cos as
= 3, np -> = 4, np
arange(3) -> arange(3.0)
arange(3) -> repeat(np.arange(3), 2)[::2]
depth: int = 2 -> depth: int = 3
range(5) -> range(6)
n=1, -> n=2,
m=2 -> m=3
helper(x, n -> helper(x, /, n
y.size -> y.ndim
+ 1 for -> + 2 for
x) * n -> x) / n
UP = 0 -> UP = 1
a: int; b: int -> b: int; a: int
LOW = 0 -> LOW = 1
ONE = 1~    _ -> ONE = 2~    _
Constants: ONE = 1 -> Constants: ONE = 2
= 1, math.sin -> = 2, math.sin
math.sin, -> math.cos,
sin, 0 -> sin, 1
("int64(int64)" -> ("int64(int32)"
"y": int64 -> "y": types.int32
lost = lose(Lost) -> lost = lose(Lost); del Lost
"""
UNKNOWN = """
constants = 1, math.sin, 0, math -> constants = 1, math.sin, 0, type(math)("mine")
lost = lose(Lost) -> lost = lose(Lost); attribute()
range(5) -> object()
"""


def test_machine_code_is_known_by_all_that_it_is_made_of(tmp_path):
    """By no more; if it is made of values that cannot be known, it has no key."""
    rows = [row.replace("~", "\n").split(" -> ") for row in (CHANGES + UNKNOWN).split("\n") if row]
    assert all(READ.count(old) == 1 for old, _ in rows)
    texts = [
        READ,
        READ.replace("return 0", "return 1"),
        READ.replace("class Lost", "# words\nclass Lost"),
    ]
    texts += [READ.replace(old, new) for old, new in rows]
    (script := tmp_path / "keys.py").write_text(KEYS)
    before = f"import sys; sys.path.insert(0, {str(PROJECT)!r})"
    first, *keys = json.loads(run(script, before=before, given=json.dumps(texts))[0])
    assert keys[:2] == [first] * 2 and keys[-3:] == [""] * 3
    assert len({first, *keys[2:]}) == len(rows) - 1


READING = """
from shared.core.jit import kernel
@kernel
def play(n: int) -> int: return {}
print(play({}))
"""


@pytest.mark.slow("compiles a bot's kernels")
def test_an_edit_outside_of_kernels_compiles_nothing(tmp_path):
    (tmp_path / "shared").symlink_to(PROJECT / "shared")
    bot, codes = tmp_path / "bot.py", []
    for words in ["n 3", "n 4", "-n 3"]:
        bot.write_text(READING.format(*words.split()))
        text = native_bundle(bot, tmp_path, cache=tmp_path)
        kept = len([*tmp_path.glob("*.json")])
        codes.append((kept, text.partition('MACHINE_CODE = r"""')[2].partition('"""')[0]))
    assert codes[0] == codes[1] and codes[2][0] == 2 and codes[2][1] != codes[0][1]


@pytest.mark.slow("compiles a bot's kernels twice")
def test_machine_code_of_a_file_read_at_import_is_not_kept(tmp_path):
    codes = []
    for depth in "34":
        (tmp_path / "depth").write_text(depth)
        binding = f"N = int(open({str(tmp_path / 'depth')!r}).read())"
        source = HEAD + played(binding, "N + n")
        codes.append(machine_code_literal(source, cache=tmp_path / "cache"))
    assert codes[0] != codes[1]
