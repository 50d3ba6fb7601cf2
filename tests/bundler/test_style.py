"""The style that flattens: for each form a text outside of it, and a similar one within."""

import re

import pytest

from bundler.bundle import make_bundle
from tests.bundler.differential import assert_same, write_project

# (construct, text with it, text without it); the first line "# path" names the module if it is not
# lib.py.
CASES = [
    (
        "has the name of a standard module",
        "# random.py\nX = 1",
        "# randomness.py\nX = 1",
    ),
    ("a package with code", "# pkg/__init__.py\nX = 1", "# pkg/__init__.py\n"),
    (
        "TryStar is no part of the style",
        "try: f()\nexcept* OSError: pass",
        "try: f()\nexcept OSError: pass",
    ),
    ("uses __path__", "X = __path__", "X = path"),
    ("uses __size", "def f(): return __size", "def f(): return _size"),
    ("binds __slots__", "__slots__ = 1", "__version__ = 1"),
    ("uses vars()", "X = vars(object)", "def vars(x): return x\nX = vars(object)"),
    ("uses exec()", "exec('X = 1')", "def exec(text): pass\nexec('X = 1')"),
    ("a star import", "from math import *", "from math import pi"),
    ("uses __doc__", "X = __doc__", "X = object.__doc__"),
    ("uses __name__ in a function", "def f(): return __name__", "NAME = __name__"),
    ("a class in a function or a class", "def f():\n    class A: pass", "class A: pass"),
    (
        "namedtuple as a value",
        "import collections\nmake = collections.namedtuple",
        "import collections\nPair = collections.namedtuple('Pair', 'x y')",
    ),
    (
        "uses new in a function",
        "from collections import namedtuple as new\ndef f(): return new('P', 'x')",
        "from collections import namedtuple as new\nP = new('P', 'x')",
    ),
    ("type as a value", "X = [type]", "X = type(1)"),
    ("a class made by type()", "X = type(1)('A', (), {})", "X = type(1)(2)"),
    (
        "__class__ with several arguments",
        "def f(x, y): return x.__class__('A', *y)",
        "def f(x): return x.__class__('A')",
    ),
    (
        "compares x is y",
        "def f(x, y):\n    y.z[0] = 1\n    return x is y",
        "def f(x, y):\n    y[0] = 1\n    return x is y",
    ),
    ("logging is no part of the style", "import logging", "import math"),
    (
        "imported in a block or a function",
        "# pkg/lib.py\nif X:\n    from . import m",
        "# pkg/lib.py\nfrom . import m",
    ),
    (
        "a text as annotation of a field",
        "class A: x: 'int'",
        "class A: x: int",
    ),
    (
        "defines __del__",
        "class A:\n    def __del__(self): pass",
        "class A:\n    def close(self): pass",
    ),
    ("a text with __globals__", "X = '{0.__globals__}'", "X = 'the globals'"),
    ("a text with %(module)", "X = '%(module)s'", "X = '%(message)s'"),
    (
        "os.sys.modules is no part of the style",
        "import os\nX = os.sys.modules",
        "import os\nX = os.path.sep",
    ),
    ("uses tb_frame", "def f(x): return x.tb_frame", "def f(x): return x.frame"),
    (
        "getattr of a computed name",
        "def f(x, name): return getattr(x, name)",
        "def f(x): return getattr(x, 'size')",
    ),
    (
        "format of a computed text",
        "def f(x, text): return text.format(x)",
        "def f(x): return '{}'.format(x)",
    ),
    ("changes math.pi", "import math\nmath.pi = 4", "class math: pass\nmath.pi = 4"),
    ("uses math as a value", "import math\nX = [math]", "import math\nX = [math.pi]"),
    (
        "a metaclass, or an argument of a class",
        "class A(type): pass",
        "class A(Exception): pass",
    ),
    (
        "A, an Enum without members",
        "from enum import Enum\nclass A(Enum): pass",
        "from enum import Enum\nclass A(Enum): x = 1\nB = A(1)",
    ),
    (
        "compares x is NOTHING",
        "NOTHING = (-1, -1)\ndef f(x): return x is NOTHING",
        "NOTHING = (-1, -1)\ndef f(x): return x is None or x == NOTHING",
    ),
    (
        "operator.is_ is no part of the style",
        "from operator import is_ as same\nX = same",
        "from operator import eq\nX = eq",
    ),
]


def why_carried(text, folder):
    """What speaks against flattening a program with a module of this text; None for nothing."""
    first, _, rest = text.partition("\n")
    path, text = (first[2:], rest) if first.startswith("# ") else ("lib.py", text)
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    files = {"main.py": f"import {name} as module\n", path: text + "\n"}
    files = {file: body.encode() for file, body in ({"m.py": "", "pkg/m.py": ""} | files).items()}
    bundle = make_bundle(write_project(files, folder), "python", root=folder)
    assert bool(bundle.carried) == bool(bundle.reasons)
    return bundle.reasons[0] if bundle.reasons else None


@pytest.mark.parametrize(("construct", "outside", "within"), CASES, ids=[case[0] for case in CASES])
def test_one_text_is_outside_of_the_style_and_one_within(construct, outside, within, tmp_path):
    assert why_carried(outside, tmp_path / "outside").startswith(f"{construct},")
    assert why_carried(within, tmp_path / "within") is None


def test_what_nothing_names_is_left_out_of_carried_modules(tmp_path):
    """Functions, constants, and imports of them; a word in a text keeps a definition."""
    project = """\
--- main.py
from lib import used, LIMITS
print(used(), LIMITS)
--- lib.py
from other import first, second
LIMITS = "LIMIT of three"
def used(): return first()
def unused(): return second()
--- other.py
LIMIT = 3
SPARE = 4
def first(): return 1
def second(): return SPARE
"""
    pruned = assert_same(project, tmp_path / "pruned", mode="python", carry=True)
    assert pruned.carried == ["lib", "other"] and not pruned.reasons
    assert not {"unused", "second", "SPARE"} & set(re.findall(r"\w+", pruned.text))
    assert "LIMIT = 3" in pruned.text
    looks_up = project.replace("print(", "print(sorted(vars(__import__('lib')))[-2:], ")
    whole = assert_same(looks_up, tmp_path / "whole", mode="python")
    assert whole.reasons and "def unused" in whole.text and "SPARE = 4" in whole.text
