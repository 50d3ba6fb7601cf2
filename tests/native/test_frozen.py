"""What kernels keep of the variables that they read is what Python reads, in every import and at
every time; else it is an error that names the line.
"""

import pytest

from bundler.errors import BundleError
from bundler.native.embedding import machine_code_literal

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


def said(source, tmp_path):
    """(the line with the mark # HERE, the error of the bundler)."""
    with pytest.raises(BundleError) as caught:
        machine_code_literal(HEAD + source, cache=tmp_path)
    lines = (HEAD + source).splitlines()[1:]
    return next(i for i, line in enumerate(lines, 1) if "# HERE" in line), str(caught.value)


ANEW = "which kernel play, in helper, reads and keeps, is not the same in another import: let it"


@pytest.mark.parametrize(
    "binding, read",
    [
        ("Z = np.array([random.getrandbits(60) for _ in range(9)])  # HERE", "Z[n]"),
        ("Z = tuple(random.getrandbits(60) for _ in range(9))  # HERE", "Z[n]"),
        ('N = int(os.environ.get("DEPTH", "3"))  # HERE', "N + n"),
        ('N = int(os.getenv("DEPTH", 3))  # HERE', "N + n"),
        ('X = float(os.environ.get("WEIGHT", "0.5"))  # HERE', "int(X * n)"),
        ("T = time.time_ns()  # HERE", "T + n"),
        ("H = hash('abc')  # HERE", "H + n"),
        ("ORDER = np.array([ord(letter) for letter in set('abcdefgh')])  # HERE", "ORDER[n]"),
        ("N = len(os.getcwd())  # HERE", "N + n"),
        ("N = 1 if 'HOME' in os.environ else 2  # HERE", "N + n"),
        ("N = os.getpid()\nM = N + 1  # HERE", "M + n"),
    ],
)
def test_a_value_that_another_import_gives_otherwise_is_refused(
    tmp_path, binding, read, monkeypatch
):
    monkeypatch.setenv("HOME", "/somewhere")
    line, text = said(binding + PLAY.format(read), tmp_path)
    name = binding.splitlines()[-1].partition(" ")[0]
    assert text.startswith(f"bots/my_bot.py:{line}: {name}, {ANEW}")


def test_a_variable_of_the_environment_that_is_set_here_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("DEPTH", "5")
    source = 'try:\n    N = int(os.environ["DEPTH"])\nexcept KeyError:\n    N = 3  # HERE\n'
    line, text = said(source + PLAY.format("N + n"), tmp_path)
    assert text.startswith(f"bots/my_bot.py:{line}: N, {ANEW}")


def test_what_a_closure_keeps_is_the_line_in_its_factory(tmp_path):
    source = """
def make_play(depth):
    salt = random.getrandbits(60)  # HERE

    def play(n):
        return n + salt + depth

    return play


play = kernel("int64(int64)")(make_play(3))
"""
    line, text = said(source, tmp_path)
    begin = f"bots/my_bot.py:{line}: salt, which kernel make_play.play reads and keeps, is not"
    assert text.startswith(begin)


def test_what_a_factory_was_given_is_the_line_that_makes_the_kernel(tmp_path):
    source = """
class Options(NamedTuple):
    depth: int
    salt: int


def make_play(options):
    def play(n):
        return n + options.salt

    return play


play = kernel("int64(int64)")(make_play(Options(3, random.getrandbits(60))))  # HERE
"""
    line, text = said(source, tmp_path)
    assert text.startswith(
        f"bots/my_bot.py:{line}: options.salt, which kernel make_play.play reads"
    )


@pytest.mark.parametrize(
    "source, how",
    [
        ("N = 1\n{}\nN = 2  # HERE\n", "is changed after the kernel was made: make the kernel"),
        ("N = np.zeros(3, np.int64)  # HERE\n{}\nN[0] = 2\n", "is changed after the kernel"),
        (
            "N = 1\n{}\n\ndef change():\n    global N\n    N = 2  # HERE\n",
            "is changed here: pass it",
        ),
        ("N = 1\n{}\n\ndef change():\n    global N\n    N += 2  # HERE\n", "is changed here"),
        ("N = np.zeros(3)\n{}\n\ndef change(N2):\n    N[N2] = 2  # HERE\n", "is changed here"),
        (
            "N = np.zeros(3)\n{}\n\ndef f():\n    def g():\n        N[0] += 2  # HERE\n",
            "changed here",
        ),
        (
            "N = 1\n{}\nif __name__ == '__main__':\n    N = int(input())  # HERE\n",
            "is changed here",
        ),
    ],
)
def test_a_variable_that_is_changed_later_is_refused(tmp_path, source, how):
    read = "int(N[n])" if "np." in source else "N + n"
    line, text = said(source.format(PLAY.format(read)), tmp_path)
    begin = f"bots/my_bot.py:{line}: N, which kernel play, in helper, reads and keeps, "
    assert text.startswith(begin) and how in text


def test_a_bundle_that_needs_its_folder_or_environment_cannot_be_imported_elsewhere(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("NEEDED", "1")
    line, text = said('os.environ["NEEDED"]  # HERE\n' + PLAY.format("n"), tmp_path)
    assert text.startswith(
        f"bots/my_bot.py:{line}: elsewhere, importing the bot ends with KeyError: 'NEEDED': let it"
    )


def test_what_is_always_the_same_is_taken(tmp_path):
    """Seeded tables, options of the environment that no kernel reads, names that only look alike,
    tuples of which only a part is read.
    """
    source = """
class Options(NamedTuple):
    depth: int
    salt: int


random.seed(3)
TABLE = np.array([random.getrandbits(60) for _ in range(9)])
TABLE[0] = 3
NAMES = {"a", "b", "c"}
LEVELS = ("quiet", "loud")
LEVEL = LEVELS[int(os.environ.get("LEVEL", "1"))]
OPTIONS = Options(3, random.SystemRandom().getrandbits(60))
STARTED = time.time()
n = 1


def change(TABLE):
    TABLE[3] = 5
    n = 3

    def deeper():
        nonlocal n
        n = 4
        return [STARTED for STARTED in NAMES]


def count():
    global STARTED
    STARTED = 2


def fill():
    global n
    n = 2
    fill_table()


def fill_table():
    TABLE[5] = 3


fill()


if LEVEL:
    n = 2
"""
    source += PLAY.format("TABLE[n] + OPTIONS.depth + (1 if n in (1, 2, 3) else 0)")
    assert machine_code_literal(HEAD + source, cache=tmp_path).startswith('r"""\n')


def test_what_is_made_by_a_compiled_function_while_importing_is_taken(tmp_path):
    source = "SQUARES = np.zeros(9, np.int64)\n"
    source += "@njit\ndef fill(a):\n    for i in range(len(a)):\n        a[i] = i * i\n\n\nfill(SQUARES)\n"
    assert machine_code_literal(HEAD + source + PLAY.format("SQUARES[n]"), cache=tmp_path)


def test_a_line_says_that_it_takes_long_unless_the_machine_code_is_kept(tmp_path):
    lines = []
    options = {"cache": tmp_path, "path": "bots/my_bot.py", "say": lines.append}
    first = machine_code_literal(HEAD + PLAY.format("n"), **options)
    assert lines == ["compiling the kernels of bots/my_bot.py, which takes about 10 s"]
    assert machine_code_literal(HEAD + PLAY.format("n"), **options) == first and len(lines) == 1
