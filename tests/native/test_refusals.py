"""Code that cannot be compiled is an error that gives the reason and names the line to change, in a
helper too.
"""

import linecache

import pytest

from bundler.errors import BundleError
from bundler.native.compile import compile_kernels
from bundler.native.machine_code import machine_code_literal
from bundler.native.recording import KernelError

HEAD = """\
import ctypes, math, random
import numba
import numpy as np

MACHINE_CODE = ""
D = {1: 2}
BIG = np.arange(200_000)
STRIDED = np.arange(20)[::2]
cosine = ctypes.CDLL("libm.so.6").cos
cosine.restype, cosine.argtypes = ctypes.c_double, [ctypes.c_double]


def njit(function):
    return numba.njit(error_model="numpy")(function)


def kernel(signature):
    return numba.njit(signature, error_model="numpy")


"""

# The kernel of a helper, and of a search that receives a function of the player
PLAY = '\n\n@kernel("int64(int64[::1])")\ndef play(a):\n    return helper(a)\n'
SEARCH = """
def make_search(evaluate):
    @njit
    def rate(state):
        value = evaluate(state)
        return value + 1

    def search(state):
        return rate(state)

    return search


"""
MAKE_SEARCH = '\n\nplay = kernel("int64(int64[::1])")(make_search(evaluate))\n'


def helper(*lines):
    return "@njit\ndef helper(a):\n" + "".join(f"    {line}\n" for line in lines) + PLAY


def kernel_error(source, tmp_path):
    """Returns (line with the mark # HERE, KernelError's line, its text)."""
    path = tmp_path / "bot.py"
    path.write_text(HEAD + source)
    linecache.checkcache(str(path))
    marked = [i for i, line in enumerate((HEAD + source).splitlines(), 1) if "# HERE" in line]
    with pytest.raises(KernelError) as caught:
        compile_kernels(str(path), ["x86-64-v2"], tmp_path)
    (file, line), *said = caught.value.args
    assert file == str(path)
    return marked[0], line, ": ".join(map(str, said[:2]))


further = pytest.mark.exhaustive("imports numba for each error", keep=1)


@further
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (helper("return nothing(a)  # HERE"), "helper: NameError: name 'nothing' is not defined"),
        (helper("return later(a)  # HERE") + "\nlater = helper\n", "name 'later' is not"),
        (helper("b = 1", "if a[0]:", "    return b + c  # HERE", "return 1"), "name 'c' is not"),
        (helper("return a.x  # HERE"), "Unknown attribute 'x' of type array(int64, 1d, C)"),
        (helper("b = 1", "if a[0]:", "    b = 'x'", "return b  # HERE"), "Cannot unify Literal"),
        (helper("return helper(a)  # HERE"), "runaway recursion"),
        (helper("return D[1]  # HERE"), "Untyped global name 'D': "),
        (PLAY.replace("helper(a)", "a  # HERE"), "kernel play: No conversion from array(int64"),
    ],
)
def test_errors_of_numba_name_the_line(tmp_path, source, said):
    marked, line, text = kernel_error(source, tmp_path)
    assert line == marked and said in text


def test_a_function_passed_to_a_search_is_named_not_the_search(tmp_path):
    evaluate = "@njit\ndef evaluate(state):\n    return state.x  # HERE\n"
    marked, line, text = kernel_error(SEARCH + evaluate + MAKE_SEARCH, tmp_path)
    assert line == marked and "search, in evaluate: Unk" in text


@further
@pytest.mark.parametrize(
    ("signature", "said"),
    [
        ("void(foo)", "the signature 'void(foo)': name 'foo' is not defined: write it like"),
        ("void(int64", "the signature 'void(int64': '(' was never closed"),
        ("int64(int64, int64)", "2 argument types given, but function takes 1 arguments"),
        ("int64(unicode_type)", "unsupported type in its signature: argument unicode_type"),
        ("int64(complex128[::1])", "an array of complex128; use one of int8"),
        ("int64[::1](int64)", "unsupported type"),
    ],
)
def test_a_signature_that_is_wrong_is_said_to_be(tmp_path, signature, said):
    body = {"int64[::1](int64)": "np.zeros(a, np.int64)"}
    source = f"@kernel({signature!r})  # HERE\ndef play(a):\n    return {body.get(signature, 1)}\n"
    marked, line, text = kernel_error(source, tmp_path)
    assert line == marked and said in text


@further
@pytest.mark.parametrize(
    ("source", "feature"),
    [
        (helper("d = {1: 2}  # HERE", "d[a[0]] = 1", "return len(d)"), "a dict"),
        (helper("b = 1", "d = [b]  # HERE", "d.append(b)", "return d[-1]"), "a list"),
        (helper("b = a.copy()", "b.sort()  # HERE", "return b[0]"), "array.sort"),
        (helper("b = np.zeros(3)", "return np.sort(b)[0]  # HERE"), "np.sort"),
        (helper("s = str(a[0]) + 'x'  # HERE", "return len(s)"), "a string"),
        (helper("b = a[0]", "print(b)  # HERE", "return 1"), "print"),
        (helper("return int(np.random.random())  # HERE"), "np.random"),
        (
            helper("if a[0]:", "    raise ValueError(a[0])  # HERE", "return 1"),
            "computed arguments",
        ),
        (helper("b = a.copy()", "a[:] = b  # HERE", "return 1"), "a slice as an index"),
        (helper("b = np.ones((2, 2))", "return int(np.linalg.inv(b)[0, 0])  # HERE"), "linalg.inv"),
        (helper("return BIG[a[0]]  # HERE"), "BIG, an array of more than a million bytes"),
        (helper("return STRIDED[a[0]]  # HERE"), "STRIDED, an array that is not contiguous"),
        (helper("return int(cosine(1.0))  # HERE"), "the foreign function cosine"),
        (
            'draw = numba.types.ExternalFunction("rand", numba.int32())\n\n\n'
            + helper("return draw()").replace("@njit", "@njit  # HERE", 1),
            "something beside the C library's mathematics (rand)",
        ),
    ],
)
def test_features_that_need_numbas_runtime_are_named_with_their_line(tmp_path, source, feature):
    marked, line, text = kernel_error(source, tmp_path)
    assert line == marked and feature in text


def test_an_exception_that_could_not_be_found_on_the_site_is_refused(tmp_path):
    source = """
def make_helper():
    class Wrong(Exception):
        pass

    def helper(a):
        if a[0] == 1:
            raise Wrong("one")  # HERE
        return 1

    return njit(helper)


helper = make_helper()
"""
    marked, line, text = kernel_error(source + PLAY, tmp_path)
    assert line == marked and "Wrong: its class cannot be found by its name: raise a bui" in text


def test_a_bundle_that_cannot_be_compiled_is_an_error_of_the_bundler(tmp_path):
    source = "# bots/my_bot.py:1\n" + HEAD + "def plain(a):\n    return 1\n\n\n"
    source += helper("b = 1", "return plain(a)")
    with pytest.raises(BundleError) as caught:
        machine_code_literal(source, cache=tmp_path)
    said = "bots/my_bot.py:28: kernel play, in helper: plain is plain Python; mark it with @njit"
    assert str(caught.value).startswith(said)


def test_a_bot_that_fails_when_imported_is_an_error_of_the_bundler(tmp_path):
    source = "# bots/my_bot.py:1\n" + HEAD + "def play():\n    input()\n\nplay()\n"
    with pytest.raises(
        BundleError, match=r"^bots/my_bot.py:22: importing the bot ends with EOFError"
    ):
        machine_code_literal(source, cache=tmp_path)
