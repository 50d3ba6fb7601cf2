"""How a bundle reads: comments and docstrings, the places they name, black's format, and what
`--strip` drops.
"""

import ast

import black

from bundler.compact import compact
from bundler.flatten import flatten
LINE_LENGTH=100
from bundler.where import SourceMap
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


def test_comments_and_docstrings_stay_with_their_code(tmp_path):
    """Every comment of kept code stays at its place, those of removed code go."""
    text = assert_same(COMMENTED, tmp_path)
    kept = ["# Tuned by hand.\nLIMIT = 3  # seconds", "    if LIMIT > lib_LIMIT:  # never\n"]
    kept += [
        '    # before else\n    else:\n        # in else\n        print(\n            "near",  # within'
    ]
    kept += [
        "    # at the end of main\n",
        "# What move does.\ndef move(n):\n    # first\n",
        "n  # last",
    ]
    kept += [
        '"""The bot."""',
        '"""Moves."""',
        '    """Play."""',
        "# the last line",
        "# Section: used\n",
    ]
    for part in kept:
        assert part in text, text
    assert "unused" not in text.lower()


def test_each_piece_names_its_source(tmp_path):
    """A comment `# file:line` opens each piece, and the bot's docstring comes first."""
    text = assert_same(COMMENTED, tmp_path)
    assert text.startswith('# main.py:1\n"""The bot."""\n')
    assert '\n# lib.py:1\n"""Moves."""\n' in text
    assert "\n# lib.py:6\n# Section: used\nlib_LIMIT = 5\n" in text
    assert "\n# main.py:9\ndef main():\n" in text


FOLDERS = """
--- main.py
from far.moves import step
from far.away.other import jump
from near.moves import turn
print(step, jump, turn)
--- far/moves.py
A = 1

unused = 0

step = [A]
--- far/away/other.py
B = 1

unused = 0

jump = [B]
--- near/moves.py
C = 1

unused = 0

turn = [C]
"""


def test_a_folder_is_told_once(tmp_path):
    """But always where two files have one name."""
    text = assert_same(FOLDERS, tmp_path)
    marks = [line for line in text.split("\n") if line.startswith("# ") and ".py:" in line]
    assert marks == [
        "# far/moves.py:1",
        "# far/moves.py:5",
        "# far/away/other.py:1",
        "# .../other.py:5",
        "# near/moves.py:1",
        "# near/moves.py:5",
        "# main.py:4",
    ]
    source_map = SourceMap(text)
    places = [source_map.locate(text.split("\n").index(mark) + 2) for mark in marks]
    assert places[3] == ("far/away/other.py", 5)
    assert [f"# {path}:{line}" for path, line in places[:3] + places[4:]] == marks[:3] + marks[4:]


def test_output_is_formatted_by_black(tmp_path):
    """Formatting a bundle again changes nothing."""
    text = assert_same(COMMENTED, tmp_path)
    assert black.format_str(text, mode=black.Mode(line_length=LINE_LENGTH)) == text


def test_strip_drops_comments_and_docstrings(tmp_path):
    """Only the comments that name the sources are left."""
    text = assert_same(COMMENTED, tmp_path, strip=True)
    comments = [line for line in text.split("\n") if "#" in line]
    assert comments and all(line.startswith(("# main.py:", "# lib.py:")) for line in comments)
    assert not any(
        ast.get_docstring(node)
        for node in ast.walk(ast.parse(text))
        if hasattr(node, "body") and isinstance(node, (ast.Module, ast.FunctionDef))
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
    """Bodies that consist of a docstring keep a statement; strings that look like comments stay."""
    text = assert_same(STRIPPED, tmp_path, strip=True)
    assert "a comment" not in text.replace("# no comment", "")


def test_compact_keeps_the_program(tmp_path):
    """The last resort of `--strip` changes blank lines and indentation outside of strings only."""
    text = flatten(write_project(STRIPPED, tmp_path), root=tmp_path, strip=True).text
    smaller = compact(text)
    assert ast.dump(ast.parse(smaller)) == ast.dump(ast.parse(text))
    assert len(smaller) < len(text)
    assert outcome_of_bundle(smaller, tmp_path / "a") == outcome_of_bundle(text, tmp_path / "b")


def test_external_imports_are_merged(tmp_path):
    """One import for all modules, under one name; a line a module for names."""
    text = assert_same(
        "--- main.py\nimport numpy\nfrom math import pi\nfrom lib import f\nprint(f(), pi, numpy.int64(1))\n"
        "--- lib.py\nimport numpy as np\nfrom math import sqrt, pi as PI\n"
        "def f():\n    return np.int64(sqrt(4)), PI, np.abs(-1)\n",
        tmp_path,
    )
    assert text.count("import") == 3  # the comment above them included
    assert "import numpy as np\n" in text and "from math import pi, sqrt\n" in text
