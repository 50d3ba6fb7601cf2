"""Eligibility rules: for each a text that it rejects, and one that it accepts."""

from pathlib import Path

import pytest

from bundler.flattening.rules import RULES, places
from bundler.program import Module
from bundler.sources.source import Source

# rule: (construct, text with it, text without it); the first line "# path" names the module if it
# is not lib.py.
CASES = {
    "named_like_standard_module": (
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
    "reveals_its_module": ("uses __spec__", "X = __spec__", "X = spec"),
    "lists_names": ("uses vars()", "X = vars()", "X = vars(object)"),
    "mangled_in_classes": ("the private name __size", "__size = 1", "_size = 1"),
    "imports_star": ("a star import", "from math import *", "from math import pi"),
    "reads_docstring": ("uses __doc__", "X = __doc__", "X = object.__doc__"),
    "reads_name_later": (
        "uses __name__ in a function",
        "def f(): return __name__",
        "NAME = __name__",
    ),
    "renames_class_maker": (
        "Enum by another name",
        "from enum import Enum as E",
        "from enum import Enum",
    ),
    "passes_class_maker": (
        "namedtuple as a value",
        "make = collections.namedtuple",
        "Pair = collections.namedtuple('Pair', 'x y')",
    ),
    "uses_type_as_value": ("type as a value", "X = [type]", "X = type(1)"),
    "makes_class_later": (
        "makes a class in a function",
        "def f():\n    class A: pass",
        "class A: pass",
    ),
    "imports_frame_reader": ("uses import logging", "import logging", "import math"),
    "imports_relatively_in_block": (
        "a relative import in a block or a line with others",
        "if X:\n    from . import m",
        "from . import m",
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
    "binds_dunder": ("binds __slots__", "__slots__ = 1", "__version__ = 1"),
    "reveals_any_module": ("uses __globals__", "X = '{0.__globals__}'", "X = 'the __globals__'"),
    "shows_places_in_log": ("a log with %(module)", "X = '%(module)s'", "X = '%(message)s'"),
    "imports_unknown": ("pickle is not known to be safe", "import pickle", "import json"),
    "uses_unknown": (
        "os.sys is not known to be safe",
        "import os\nX = os.sys.modules",
        "import os\nX = os.path.sep",
    ),
    "runs_text": ("uses exec()", "exec('X = 1')", "def exec(text): pass\nexec('X = 1')"),
    "computes_attribute": (
        "getattr with a computed text",
        "def f(x, name): return getattr(x, name)",
        "def f(x, name): return [getattr(x, f'do_{name}')] + [getattr(x, n) for n in ('a', 'b')]",
    ),
    "stores_into_import": (
        "changes math.pi",
        "import math\nmath.pi = 4",
        "class math: pass\nmath.pi = 4",
    ),
    "hands_module_on": (
        "uses os.path as a value",
        "import os\nchange(os.path)",
        "import os\nchange(os.path.sep)",
    ),
    "applies_dataclass": (
        "dataclass as a function",
        "class A: x: 'int'\nA = dataclass(A)",
        "@dataclass(frozen=True)\nclass A: x: int",
    ),
    "derives_metaclass": ("a metaclass", "class A(type): pass", "class A(Exception): pass"),
    "passes_empty_enum": (
        "A, an Enum without members, as a value",
        "class A(Enum): pass\nB = A('B', 'x y')",
        "class A(Enum): pass\nclass B(A): x = 1",
    ),
    "compares_identity": (
        "compares x is NOTHING",
        "NOTHING = (-1, -1)\ndef f(x): return x is NOTHING",
        "NOTHING = object()\ndef f(x): return x is NOTHING",
    ),
    "asks_identity": ("uses id", "X = id(Y)", "def id(x): pass\nX = id(Y)"),
}


def module_of(text):
    """The Module of a text, not yet part of a program."""
    first, _, rest = text.partition("\n")
    path, text = (first[2:], rest) if first.startswith("# ") else ("lib.py", text)
    name = path.removesuffix(".py").removesuffix("/__init__")
    is_package = path.endswith("__init__.py")
    return Module(name, Path(path), Source(text, path), is_package, is_entry=False)


def test_each_rule_has_its_cases():
    assert [rule.name for rule in RULES] == list(CASES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_finds_its_construct_alone(rule):
    construct, against, alone = CASES[rule.name]
    found = filter(None, map(rule.violation, places(module_of(against))))
    assert construct in {reason.construct for reason in found}
    assert not any(map(rule.violation, places(module_of(alone))))
