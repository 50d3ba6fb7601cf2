"""How a bundle reads: comments, docstrings, the places they name; what is dropped, what renamed."""

import ast

import pytest

from bundler.compact import compact
from bundler.flatten import flatten
from tests.bundler.differential import assert_same, outcome_of_bundle, write_project

COMMENTED = '''
--- main.py
"""The bot."""

# Tuned by hand.
LIMIT = 3  # seconds

from lib import move, LIMIT as FAR


def main():
    """Play."""
    if LIMIT > FAR:  # never
        print("far")
    # before else
    else:
        # in else
        print(
            "near",  # within parentheses
            move(LIMIT),
        )
    # at the end of main


if __name__ == "__main__":
    main()
# the last line
--- lib.py
"""Moves."""

# Section: unused
UNUSED = 1

# Section: used
LIMIT = 5


# What move does.
def move(n):
    # first
    n += LIMIT

    return n  # last


def unused():
    # goes with its function
    return UNUSED
'''
KEPT = """# Tuned by hand.
LIMIT = 3  # seconds
    # before else
    else:
        # in else
        print(
            "near",  # within parentheses
    # at the end of main
# What move does.
def move(n):
    # first
    return n  # last
\"\"\"The bot.\"\"\"
\"\"\"Moves.\"\"\"
    \"\"\"Play.\"\"\"
# the last line
# Section: used"""


def test_comments_and_docstrings_stay_with_their_code(tmp_path):
    """Every comment of kept code stays at its place, those of removed code go."""
    text = assert_same(COMMENTED, tmp_path, mode="python").text
    for line in KEPT.split("\n"):
        assert "\n" + line in "\n" + text, text
    for group in ("# before else\n    else:\n        # in else\n", "# What move does.\ndef move"):
        assert group in text
    assert "unused" not in text.lower()


def test_strip_drops_comments_and_docstrings(tmp_path):
    """Only the comments that name the sources are left."""
    text = assert_same(COMMENTED, tmp_path, mode="python", strip=True).text
    comments = [line for line in text.split("\n") if "#" in line]
    assert comments and all(line.startswith(('__name__ = "', "# lib.py:")) for line in comments)
    assert not any(
        ast.get_docstring(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Module, ast.FunctionDef))
    )


STRIPPED = '''
--- main.py
class Empty(Exception):
    """Only a docstring."""
class Both:
    """A docstring."""; x = 1
def text():
    """A docstring."""
    return """
  # no comment
""" + "#"  # a comment
def nothing():
    """Only a docstring."""
def comment_only():
    # a comment
    """Only a docstring."""
    # another
print(Empty("x"), text(), nothing(), comment_only(), Both.x)
'''


def test_strip_leaves_a_valid_program(tmp_path):
    """Bodies that consist of a docstring keep a statement; strings that look like comments stay.
    The last resort changes blank lines and indentation outside of strings only.
    """
    text = assert_same(STRIPPED, tmp_path, mode="python", strip=True).text
    assert "a comment" not in text.replace("# no comment", "")
    smaller = compact(text)
    assert ast.dump(ast.parse(smaller)) == ast.dump(ast.parse(text))
    assert len(smaller) < len(text)
    assert outcome_of_bundle(smaller, tmp_path / "a") == outcome_of_bundle(text, tmp_path / "b")


# What a bundle keeps and drops of a plain module of which only `used` is used.
PRUNED = """
--- main.py: import lib; print(lib.used())
--- never.py: X = "never"
--- lib.py
import math
import json
from typing import NamedTuple
from dataclasses import dataclass
GONE_A = 4
GONE_B = GONE_A
GONE_C = [1, GONE_B, {"x": (2,)}]
GONE_D = -1
def gone_e(): return json.dumps(GONE_C)
class GoneF(NamedTuple): x: int = GONE_A
@dataclass
class GoneG:
    y: int
    @staticmethod
    def f(): return math.pi
class GoneH:
    def f(self): return gone_e()
kept_a = 3
def kept_b(): return kept_a
def used(): return kept_b()
class KeptC: print("kept")
def kept_d(): return print("kept")
KEPT_E = kept_d()
KEPT_F = f"{kept_d()}"
KEPT_G = [n for n in "ab"]
for KEPT_H in "ab": pass
@(lambda f: f)
def kept_i(): pass
class KeptJ(KeptC): pass
"""


def test_what_nobody_names_goes_if_it_cannot_matter(tmp_path):
    """Pruning knows few kinds of statements; every other stays."""
    text = assert_same(PRUNED, tmp_path, mode="python").text.lower()
    assert "gone" not in text and "json" not in text and "never" not in text
    for letter in "abcdefghij":
        assert "kept_" + letter in text or "kept" + letter in text
    everything = assert_same(PRUNED, tmp_path, mode="python", keep_all=True).text.lower()
    for letter in "abcdefgh":
        assert "gone_" + letter in everything or "gone" + letter in everything
    assert "import json" in everything and "never" not in everything


MODES = """
--- main.py
from jit import COMPILED, njit, BUNDLE_MODE
@njit
def f(x):
    return x + 1
if __name__ == "__main__":
    print(f(1))
--- jit.py
import os
BUNDLE_MODE = "numba"
numba = None
if BUNDLE_MODE == "numba" and os.environ.get("CG_JIT") != "0":
    try:
        import numba
    except ImportError:
        pass
COMPILED = numba is not None
def njit(function):
    return numba.njit(function) if COMPILED else function
if BUNDLE_MODE == "native":
    LOADER = 1
    print("native")
elif BUNDLE_MODE == "python":
    print("python")
else:
    print("numba")
"""


def test_the_mode_is_written_into_the_program(tmp_path):
    """As the value of BUNDLE_MODE."""
    entry = write_project(MODES, tmp_path)
    for mode in ("python", "native", "numba"):
        text = flatten(entry, root=tmp_path, mode=mode).text
        assert f'BUNDLE_MODE = "{mode}"' in text and text.count("BUNDLE_MODE = ") == 1
        assert outcome_of_bundle(text, tmp_path / mode).startswith(f"{mode}\n")


def test_the_entry_keeps_its_names(tmp_path):
    """On a collision the other module's name gives way, with the module's name in front."""
    project = "--- main.py\nfrom pkg.clock import tick\nLIMIT = 1\nprint(LIMIT, tick())\n"
    project += "--- pkg/__init__.py\n--- pkg/clock.py\nLIMIT = 2\ndef tick(): return LIMIT\n"
    text = assert_same(project, tmp_path, mode="python").text
    assert "\nLIMIT = 1\n" in text and "\nclock_LIMIT = 2\n" in text


def test_same_input_gives_the_same_bytes(tmp_path):
    """Nothing in the output depends on hashing or on where the project lies."""
    texts = set()
    for name in ("first", "second"):
        entry = write_project(MODES, tmp_path / name)
        texts.add(flatten(entry, root=tmp_path / name).text)
    assert len(texts) == 1


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nprint(sys.argv[0] != '')\n",
        "def f(a, *, b=1):\n    return a + b\n\n\nprint(f(1, b=2))\n",
        "class A:\n    x = 1  # one\n\n    def f(self):\n        # why\n        return self.x\n\n\nprint(A().f())\n",
        'x = len("a")\nif x:\n    y = 2\nelse:\n    y = 3  # never\nprint(f"{x=} {y:>{x}}")\n',
        "try:\n    import numba\nexcept ImportError:\n    numba = None\nprint(numba is None)\n",
        "x = { 'not' :'as black would' }\nprint( x )\n",
    ],
)
def test_a_bot_of_one_file_is_left_alone(text, tmp_path):
    """Apart from comments that name the source."""
    (tmp_path / "main.py").write_text(text)
    bundle = flatten(tmp_path / "main.py", root=tmp_path, mode="python").text
    lines = [line for line in bundle.split("\n") if not line.startswith(("# ", "__name__ ="))]
    assert [line for line in lines if line] == [line for line in text.split("\n") if line]
