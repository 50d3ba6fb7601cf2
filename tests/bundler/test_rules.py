"""Eligibility rules: for each a text that it rejects, and one that it accepts."""

import pytest

from bundler.bundle import make_bundle
from bundler.flattening.rules import RULES
from tests.bundler.differential import write_project

# rule: (construct, text with it, text without it); the first line "# path" names the module if it
# is not lib.py.
CASES = {
    "takes_special_name": (
        "has the name of a standard module",
        "# random.py\nX = 1",
        "# randomness.py\nX = 1",
    ),
    "package_with_code": ("a package with code", "# pkg/__init__.py\nX = 1", "# pkg/__init__.py\n"),
    "unknown_syntax": (
        "TryStar is not known to be safe",
        "try: f()\nexcept* OSError: pass",
        "try: f()\nexcept OSError: pass",
    ),
    "uses_special_name": ("uses __path__", "X = __path__", "X = path"),
    "lists_names": ("uses vars()", "X = vars()", "X = vars(object)"),
    "imports_star": ("a star import", "from math import *", "from math import pi"),
    "reads_own_name": ("uses __doc__", "X = __doc__", "X = object.__doc__"),
    "makes_class": (
        "namedtuple as a value",
        "make = collections.namedtuple",
        "Pair = collections.namedtuple('Pair', 'x y')",
    ),
    "uses_type_as_value": ("type as a value", "X = [type]", "X = type(1)"),
    "imports_frame_reader": ("uses import logging", "import logging", "import math"),
    "imports_relatively_in_block": (
        "a relative import in a block or a line with others",
        "# pkg/lib.py\nif X:\n    from . import m",
        "# pkg/lib.py\nfrom . import m",
    ),
    "annotates_field_by_text": (
        "a text as annotation in the class A",
        "@frozen\nclass A: x: 'int'",
        "@frozen\nclass A: x: int",
    ),
    "runs_at_exit": (
        "defines __del__",
        "class A:\n    def __del__(self): pass",
        "class A:\n    def close(self): pass",
    ),
    "reveals_any_module": ("uses __globals__", "X = '{0.__globals__}'", "X = 'the __globals__'"),
    "shows_places_in_log": ("a log with %(module)", "X = '%(module)s'", "X = '%(message)s'"),
    "uses_unknown": (
        "os.sys.modules is not known to be safe",
        "import os\nX = os.sys.modules",
        "import os\nX = os.path.sep",
    ),
    "computes_attribute": (
        "getattr with a computed text",
        "def f(x, name): return getattr(x, name)",
        "def f(x, name): return getattr(x, f'do_{name}')",
    ),
    "may_change_library": (
        "changes math.pi",
        "import math\nmath.pi = 4",
        "class math: pass\nmath.pi = 4",
    ),
    "derives_metaclass": ("a metaclass", "class A(type): pass", "class A(Exception): pass"),
    "derives_empty_enum": (
        "A, an Enum without members",
        "from enum import Enum\nclass A(Enum): pass\nB = A('B', 'x y')",
        "from enum import Enum\nclass A(Enum): x = 1\nB = A(1)",
    ),
    "compares_identity": (
        "compares x is NOTHING",
        "NOTHING = (-1, -1)\ndef f(x): return x is NOTHING",
        "NOTHING = object()\ndef f(x): return x is NOTHING",
    ),
}

# Further texts that rules reject, and texts that they accept
MORE = [
    (
        "makes a class in a function",
        "def f():\n    class A: pass",
        "class A: pass",
    ),
    ("binds __slots__", "__slots__ = 1", "__version__ = 1"),
    ("uses __size", "def f(): return __size", "def f(): return _size"),
    (
        "uses __name__ in a function",
        "def f(): return __name__",
        "NAME = __name__",
    ),
    ("Enum by another name", "from enum import Enum as E", "from enum import Enum"),
    ("pickle is not known to be safe", "import pickle", "import json"),
    ("exec is not known to be safe", "exec('X = 1')", "def exec(text): pass\nexec('X = 1')"),
    ("uses is_", "from operator import is_", "from operator import eq"),
    ("uses object.__eq__", "X = object.__eq__", "X = int.__eq__"),
    (
        "a text as annotation in the class B",
        "class B(A): x: 'int'",
        "from typing import NamedTuple\nclass B(NamedTuple): x: 'int'",
    ),
    (
        "makes a class in a function",
        "def f(x, y): return x.__class__('A', *y)\ndef g(x): return x.__class__('A', ())",
        "def f(x, y): return x.__class__('A', *y)\ndef g(x): return x.__class__('A')",
    ),
    (
        "compares x is y",
        "def f(x, y):\n    y.z[0] = 1\n    return x is y",
        "def f(x, y):\n    y[0] = 1\n    return x is y",
    ),
    (
        "compares x is m.X",
        "import m\ndef f(x): return x is m.X",
        "import m\ndef f(x): return x is m",
    ),
]


def carried(text, folder):
    """The reason for which a bundle carries a module of a text whole; None for a flattened one."""
    first, _, rest = text.partition("\n")
    path, text = (first[2:], rest) if first.startswith("# ") else ("lib.py", text)
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    files = {"main.py": f"import {name} as module\n", path: text + "\n"}
    files = {file: body.encode() for file, body in ({"m.py": "", "pkg/m.py": ""} | files).items()}
    bundle = make_bundle(write_project(files, folder), "python", root=folder)
    return bundle.embedded.get(name)


def test_each_rule_has_its_cases():
    assert {rule.find.__name__ for rules in RULES.values() for rule in rules} == set(CASES)


@pytest.mark.parametrize(("construct", "against", "alone"), [*CASES.values(), *MORE])
def test_a_rule_finds_its_construct_alone(construct, against, alone, tmp_path):
    assert carried(against, tmp_path / "against").startswith(f"{construct}, ")
    assert carried(alone, tmp_path / "alone") is None
