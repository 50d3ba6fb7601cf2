"""Import-time order and side effects are Python's; what nobody uses goes, what has an effect stays."""

import pytest

from bundler.flatten import flatten
from tests.bundler.differential import assert_same, write_project

ORDERS = {
    "side effects interleave": """
--- main.py
print("main 1")
import one
print("main 2")
import two, three
print("main 3")
--- one.py
print("one 1")
import three
print("one 2")
--- two.py
print("two 1")
from three import X
print("two", X)
--- three.py
print("three")
X = 3
""",
    "packages run before their modules": """
--- main.py
import pkg.inner.leaf
--- pkg/__init__.py
print("pkg")
--- pkg/inner/__init__.py
print("inner")
from . import other
--- pkg/inner/other.py
print("other")
--- pkg/inner/leaf.py
print("leaf")
""",
    "registries filled at import": """
--- main.py
import plugins.a
import plugins.b
from registry import REGISTRY
print(REGISTRY)
--- registry.py
REGISTRY = []
def register(f):
    REGISTRY.append(f.__name__)
    return f
--- plugins/__init__.py
--- plugins/a.py
from registry import register
@register
def handler():
    pass
--- plugins/b.py
from registry import register
@register
def handler():
    pass
""",
    "subclasses register themselves": """
--- main.py
import kinds
from base import Base
print([kind.__name__ for kind in Base.kinds], len(Base.__subclasses__()))
--- base.py
class Base:
    kinds = []
    def __init_subclass__(cls):
        Base.kinds.append(cls)
--- kinds.py
from base import Base
class First(Base):
    pass
class Second(First):
    pass
""",
    "environment set before numpy is imported": """
--- main.py
import os
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import sys
print("numpy" in sys.modules)
import tools
print(tools.zeros())
--- tools.py
import sys
print("numpy" in sys.modules)
import numpy as np
print("numpy" in sys.modules)
def zeros():
    return int(np.zeros(2).sum())
""",
    "tables filled by loops": """
--- main.py
from tables import SQUARES, lookup
print(SQUARES, lookup(2))
--- tables.py
SQUARES = []
CUBES = {}
for n in range(4):
    SQUARES.append(n * n)
    CUBES[n] = n ** 3
def build():
    table = [0] * 4
    for i in range(4):
        table[i] = i + 1
    return table
TABLE = build()
def lookup(n):
    return CUBES[n] + TABLE[n]
""",
    "a failing import runs again": """
--- main.py
import state
for attempt in range(3):
    try:
        import fragile
        print("imported", fragile.VALUE)
    except ValueError as error:
        print("failed", error)
--- state.py
attempts = []
--- fragile.py
import state
state.attempts.append(1)
print("attempt", len(state.attempts))
if len(state.attempts) < 2:
    raise ValueError("not yet")
VALUE = 7
""",
    "a function replaced from outside has effects": """
--- main.py
import lib
def loud():
    print("loud")
lib.f = loud
X = lib.f()
Y = lib.g()
--- lib.py
def f():
    return 1
def g():
    return f()
""",
    "operators of local classes have effects": """
--- main.py
from dsl import Rule, rules
R = Rule("a") | Rule("b")
Rule("c") | Rule("d")
print(rules)
--- dsl.py
rules = []
class Rule:
    def __init__(self, name):
        self.name = name
    def __or__(self, other):
        rules.append(self.name + other.name)
        return other
""",
}

# What a bundle keeps (+) and drops (-) of a module `lib`, for the entry `import lib;
# print(lib.used())`.
PRUNED = """
import math
import json
from typing import NamedTuple
from dataclasses import dataclass
import functools

USED = 3
UNUSED = 4
COMPUTED = math.sqrt(USED) * 2
TABLE = [i * i for i in range(10)]
TEXT = f"{UNUSED} of {COMPUTED:{USED}.1f}"
A, B = range(2)

def used():
    return helper() + USED

def helper():
    return 1

def unused():
    return json.dumps(COMPUTED)

@functools.lru_cache(maxsize=None)
def cached(n):
    return cached(n - 1)

class Pair(NamedTuple):
    x: int = UNUSED

@dataclass
class Data:
    y: int

PAIR = Pair(1)
DATA = Data(2)

class Loud:
    print("kept: loud")

def announce():
    print("kept: announce")

VALUE = announce()
SAID = f"it said {announce()}"
"""


@pytest.mark.parametrize("rule", ORDERS)
def test_order_of_side_effects(rule, tmp_path):
    """Statements run in the order in which Python runs them."""
    assert_same(ORDERS[rule], tmp_path)


def test_unused_code_goes_and_effects_stay(tmp_path):
    """Functions, classes, constants and imports without effect are removed when nobody uses them."""
    text = assert_same("--- main.py\nimport lib\nprint(lib.used())\n--- lib.py" + PRUNED, tmp_path)
    for gone in [
        "UNUSED",
        "COMPUTED",
        "TABLE",
        "TEXT",
        "unused",
        "cached",
        "Pair",
        "PAIR",
        "Data",
        "json",
    ]:
        assert gone not in text
    for kept in ["USED = 3", "def helper", "class Loud", "def announce", "VALUE", "SAID"]:
        assert kept in text


def test_keep_all_keeps_everything(tmp_path):
    """`--keep-all` turns pruning off."""
    project = "--- main.py\nimport lib\nprint(lib.used())\n--- lib.py" + PRUNED
    text = assert_same(project, tmp_path, keep_all=True)
    for kept in ["UNUSED", "COMPUTED", "TABLE", "cached", "Pair", "PAIR", "Data", "import json"]:
        assert kept in text


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


def test_mode_decides_what_is_reachable(tmp_path):
    """The mode is written into BUNDLE_MODE, and branches that it rules out are dropped, numba's
    import among them.
    """
    entry = write_project(MODES, tmp_path)
    python = flatten(entry, root=tmp_path, mode="python").text
    assert 'BUNDLE_MODE = "python"' not in python  # no longer read by anyone
    assert "numba" not in python.replace("numba = None", "").replace("numba is not None", "")
    assert "return function" in python and 'print("python")' in python
    assert 'print("numba")' not in python
    native = flatten(entry, root=tmp_path, mode="native").text
    assert 'print("native")' in native and "import numba" not in native
    numba = flatten(entry, root=tmp_path, mode="numba").text
    assert "import numba" in numba and 'print("numba")' in numba and "native" not in numba


def test_the_entry_keeps_its_names(tmp_path):
    """On a collision the other module's name gives way, with the module's name in front."""
    text = assert_same(
        "--- main.py\nfrom pkg.clock import tick\nLIMIT = 1\nprint(LIMIT, tick())\n"
        "--- pkg/__init__.py\n--- pkg/clock.py\nLIMIT = 2\ndef tick():\n    return LIMIT\n",
        tmp_path,
    )
    assert "\nLIMIT = 1\n" in text and "\nclock_LIMIT = 2\n" in text


def test_same_input_gives_the_same_bytes(tmp_path):
    """Nothing in the output depends on hashing or on where the project lies."""
    texts = set()
    for name in ("first", "second"):
        entry = write_project(MODES, tmp_path / name)
        texts.add(flatten(entry, root=tmp_path / name).text)
    assert len(texts) == 1


LEFT_ALONE = [
    "import sys\nprint(sys.argv[0] != '')\n",
    "def f(a, *, b=1):\n    return a + b\n\n\nprint(f(1, b=2))\n",
    "class A:\n    x = 1  # one\n\n    def f(self):\n        # why\n        return self.x\n\n\nprint(A().f())\n",
    "x = len(\"a\")\nif x:\n    y = 2\nelse:\n    y = 3  # never\nprint(f'{x=} {y:>{x}}')\n",
    "try:\n    import numba\nexcept ImportError:\n    numba = None\nprint(numba is None)\n",
]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_a_bot_of_one_file_is_left_alone(text, tmp_path):
    """Apart from comments that name the source, a formatted bot without local imports comes out as
    it was.
    """
    (tmp_path / "main.py").write_text(text)
    bundle = flatten(tmp_path / "main.py", root=tmp_path).text
    lines = [line for line in bundle.split("\n") if not line.startswith("# ")]
    assert [line for line in lines if line] == [
        line for line in text.replace("'", '"').split("\n") if line
    ]
