"""The text of a bundle: comments, docstrings, its head; pruned and renamed parts."""

from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from tests.bundler.differential import assert_same, read_programs, write_project

PROJECTS = {p.name: p.files for p in read_programs(Path(__file__).with_name("projects.txt"))}
READS = PROJECTS["commented"].pop("expected").decode()


def test_a_bundle_reads_like_its_sources(tmp_path):
    """Kept code is copied unchanged, with every comment; comments of removed code are dropped."""
    assert assert_same(PROJECTS["commented"], tmp_path, mode="python").text == READS


def test_a_stripped_program_does_the_same(tmp_path):
    """A body that consists of a docstring keeps a statement, and strings keep every character;
    other indentation shrinks to a column a level.
    """
    text = assert_same(PROJECTS["stripped"], tmp_path, mode="python", strip=True).text
    assert "a comment" not in text.replace("# no comment", "")
    assert "\n  return" in text and "\n2, {\n3: 4},\n]" in text and "\n    return f" in text


def test_what_reads_sources_finds_them(tmp_path):
    """Then nothing is stripped, and a warning says so."""
    code = "import inspect\ndef f():\n\n    return 1  # one\nprint(inspect.getsource(f))"
    made = assert_same(f"--- main.py\n{code}", tmp_path, mode="python", strip=True)
    stays = "--strip leaves all comments and docstrings in: main.py:1 uses inspect"
    assert "# one" in made.text and made.warnings == [stays]


# Names of the bot itself, which are no readers of docstrings
@pytest.mark.parametrize(
    "code",
    [
        "class Options:\n    help: float = 0.3\n    cmd = 2\n",
        "class Options:\n    help = 1\n    def f(self): return self.help\n",
        "def f(help): return [help, *(help for help in 'a')]\n",
        "def f():\n    help = 3\n    return lambda: help\n",
        "help: int = 4\nX = help\n",
        "import help\nfrom lib.inspect import linecache\nX = help.X\n",
        "def f(g): return g(help=1).help\n",
    ],
)
def test_a_name_of_the_bots_own_reads_no_docstring(tmp_path, code):
    """Fields, locals and modules may have the names of Python's readers."""
    own = "--- help.py: X = 1\n--- lib/__init__.py\n--- lib/inspect.py: linecache = 3\n"
    project = f"--- main.py\n{code}def described():\n    'Text.'\nprint(described)\n{own}"
    made = make_bundle(write_project(project, tmp_path), root=tmp_path, mode="python", strip=True)
    assert "Text" not in made.text and made.warnings == []


@pytest.mark.parametrize(
    "code",
    [
        "def f(): return help\n",
        "class Options:\n    told = help\n    help = 3\n",
        "def g(help): return help\ndef f(): help(f)\n",
    ],
)
def test_pythons_own_help_is_a_reader(tmp_path, code):
    """In a function, and in the body of a class before the class binds the name."""
    project = f"--- main.py\n{code}def described():\n    'Text.'\nprint(described)"
    made = make_bundle(write_project(project, tmp_path), root=tmp_path, mode="python", strip=True)
    assert "Text" in made.text and "uses help" in made.warnings[0]


def test_what_nobody_names_goes_if_it_cannot_matter(tmp_path):
    """Only a few kinds of statements can be pruned; all others stay."""
    text = assert_same(PROJECTS["pruned"], tmp_path, mode="python").text.lower()
    assert "gone" not in text and "json" not in text and "never" not in text
    for letter in "abcdefghij":
        assert "kept_" + letter in text or "kept" + letter in text


DOCUMENTED = "--strip leaves the docstrings in: main.py:1 uses __doc__"


@pytest.mark.parametrize(
    ("code", "warnings"),
    [
        ("def f(x): return x.__doc__", [DOCUMENTED]),
        ("def f(x): return x.__dict__", [DOCUMENTED.replace("__doc__", "__dict__")]),
        ("def f(self): return self.__dict__", []),
        ("X = 'its __doc__'", [DOCUMENTED]),
        ("def help(x): help(x)", []),
        ("help(1)", [DOCUMENTED.replace("__doc__", "help")]),
    ],
)
def test_what_may_read_docstrings_keeps_them(code, warnings, tmp_path):
    entry = write_project(f"--- main.py\n{code}", tmp_path)
    assert make_bundle(entry, root=tmp_path, mode="python", strip=True).warnings == warnings


CARRIED = '''
--- main.py
"""Bot."""
import pkg.longer
print(pkg.longer.X > 0)
--- pkg/__init__.py
--- pkg/longer.py
from pkg import short
X = len(globals())  # of what there is
--- pkg/short.py: Y = 2
'''
REASONS = """
#   pkg.longer  uses globals, pkg/longer.py:2
"""


def test_what_is_carried_is_said_in_the_head(tmp_path):
    """The reason is given, and the carried text is that of the file."""
    text = assert_same(CARRIED, tmp_path, mode="python").text
    assert REASONS in text.partition("def carry(")[0], text
    assert "\nfrom pkg import short\nX = len(globals())  # of what there is\n" in text


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nprint(sys.argv[0] != '')\n",
        (
            "class A:\n    x = 1  # one\n\n    def f(self):\n        # why\n"
            "        return self.x\n\n\nprint(A().f())\n"
        ),
    ],
)
def test_a_bot_of_one_file_is_left_alone(text, tmp_path):
    """Apart from the name of the source."""
    (tmp_path / "main.py").write_text(text)
    bundle = make_bundle(tmp_path / "main.py", root=tmp_path, mode="python").text
    assert bundle == f'__name__ = "__main__"  # main.py:1\n{text}'


def test_an_unused_import_goes_if_nothing_can_need_it(tmp_path):
    lib = "from random import randint\nfrom csv import reader"
    text = assert_same(f"--- main.py: import lib\n--- lib.py\n{lib}", tmp_path, mode="python").text
    assert "randint" not in text and "csv" in text


def test_long_expressions(tmp_path):
    """Sums and chains of calls that Python compiles."""
    long = " + ".join(f"STEP * {n}" for n in range(2400))
    chain = "Chain()" + ".add(STEP)" * 1200
    lib = f"class Chain:\n    def add(self, n): return self\nTABLE = {long}\nIT = {chain}\n"
    main = "import lib\nSTEP = 4\nprint(lib.TABLE, type(lib.IT).__name__, STEP)\n"
    files = {"main.py": main.encode(), "lib.py": f"STEP = 3\n{lib}".encode()}
    assert not assert_same(files, tmp_path, mode="python").carried


ANNOTATED = """
--- main.py
from m import used
print(used)
--- m.py
from collections.abc import Callable
from typing import Any
from dataclasses import dataclass
class GoneCell: pass
class GoneText:
    "A text."
@dataclass
class Record: pass
gone_kind = bool
used = 5
gone_a: Any = 1
gone_b: Callable = None
gone_c: GoneCell | None = None
gone_d: list[GoneCell | None] | None
gone_e: Record | gone_kind | None
gone_f = set(tuple([(1, 2)])), dict({1: 2}), 100 + (1 + 0), 1 << 64
"""


def test_annotations_and_values_keep_no_unused_name(tmp_path):
    """Types of the standard library, the bot's own classes, and constants have no effect."""
    assert "gone" not in assert_same(ANNOTATED, tmp_path, mode="python").text
