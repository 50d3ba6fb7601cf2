"""Every form of importing a local module: one miniature project each, run before and after."""

import pytest

from tests.bundler.differential import assert_same

LIBRARY = """
--- pkg/__init__.py
--- pkg/sub/__init__.py
--- pkg/sub/deep.py
LIMIT = 3

def double(n):
    return n * 2 + LIMIT

def halve(n):
    return n // 2
"""

FORMS = {
    "import a.b.c": """
--- main.py
import pkg.sub.deep
LIMIT = 10
print(pkg.sub.deep.double(4), pkg.sub.deep.LIMIT, LIMIT)
"""
    + LIBRARY,
    "import a.b as m": """
--- main.py
import pkg.sub.deep as d
double = 1
print(d.double(4), d.LIMIT, double)
"""
    + LIBRARY,
    "an attribute that a module does not define": """
--- main.py
import pkg.sub.deep as d
def mark(module):
    module.seen = 1
    module.seen += 1
    return module
print(mark(d).seen, hasattr(d, "unseen"))
del mark(d).seen
print(hasattr(d, "seen"))
"""
    + LIBRARY,
    "a module as a value": """
--- main.py
import pkg.sub.deep as d
from pkg.sub import deep
LIMIT = 99
def use(module):
    return module.double(5) + module.LIMIT
print(use(d), use(deep), d is deep, d.__name__, sorted(n for n in dir(d) if not n.startswith("_")))
"""
    + LIBRARY,
    "getattr with a constant name": """
--- main.py
import pkg.sub.deep as d
import pkg
print(getattr(d, "double")(3), getattr(pkg.sub.deep, "LIMIT"), getattr(d, "nothing", 5), hasattr(d, "halve"))
"""
    + LIBRARY,
    "getattr with a computed name": """
--- main.py
import pkg.sub.deep as d
for name in ("double", "halve"):
    print(getattr(d, name)(8))
"""
    + LIBRARY,
    "from a import b": """
--- main.py
from pkg.sub.deep import double
from pkg.sub.deep import LIMIT, halve
print(double(4), LIMIT, halve(9))
"""
    + LIBRARY,
    "from a.b import f as g": """
--- main.py
from pkg.sub.deep import double as twice, LIMIT as top
def double(n):
    return -n
print(twice(4), top, double(1))
"""
    + LIBRARY,
    "from a import module": """
--- main.py
from pkg.sub import deep
from pkg import sub as s
print(deep.double(1), s.deep.halve(8))
"""
    + LIBRARY,
    "relative forms in modules": """
--- main.py
from pkg.one import run
print(run())
--- pkg/__init__.py
from .base import BASE
--- pkg/base.py
BASE = 5
--- pkg/one.py
from . import base
from .base import BASE as B
from .inner.two import two
from . import BASE
def run():
    return base.BASE, B, two(), BASE
--- pkg/inner/__init__.py
--- pkg/inner/two.py
from .. import base
from ..base import BASE
def two():
    return base.BASE + BASE
""",
    "re-exports through __init__": """
--- main.py
import geometry
from geometry import Point, origin as start
from geometry import shapes
print(Point(1, 2), start(), geometry.origin(), shapes.AREA, geometry.shapes.AREA)
--- geometry/__init__.py
from .point import Point, origin
from geometry.shapes import *
from . import shapes
--- geometry/point.py
from typing import NamedTuple
class Point(NamedTuple):
    x: int
    y: int
def origin():
    return Point(0, 0)
--- geometry/shapes.py
AREA = 4
""",
    "a function of its module's name": """
--- main.py
from pkg import step, other
import pkg
print(step(3), pkg.step(4), other.run())
--- pkg/__init__.py
from .step import step
--- pkg/step.py
def step(n):
    return n + 1
--- pkg/other.py
from pkg import step
def run():
    return step(10)
""",
    "star import without __all__": """
--- main.py
from things import *
print(A, f(), imported)
try:
    _hidden
except NameError:
    print("hidden stays hidden")
--- things.py
from source import imported
A = 1
_hidden = 2
def f():
    return A + _hidden
--- source.py
imported = 7
""",
    "star import with __all__": """
--- main.py
B = "mine"
from things import *
print(A, B, _c)
--- things.py
__all__ = ["A"]
__all__ += ["_c"]
A, B, _c = 1, 2, 3
""",
    "star import of a package that names submodules in __all__": """
--- main.py
from pkg import *
print(one.X, two.X)
--- pkg/__init__.py
__all__ = ["one", "two"]
--- pkg/one.py
X = 1
--- pkg/two.py
X = 2
""",
    "two star imports that overlap": """
--- main.py
from one import *
print(X, Y)
from two import *
print(X, Y, Z)
--- one.py
X, Y = 1, 2
--- two.py
X, Z = 3, 4
""",
    "a submodule that its package names without an import of that name": """
--- main.py
from pkg import *
import pkg
print(A, B, pkg.both(), pkg.later(), pkg.Holder.one.A)
--- pkg/__init__.py
from .one import *
from .two import *
__all__ = one.__all__ + two.__all__
modules = [one, two]
def both():
    one = "local"
    return one, two.B, [module.__name__ for module in modules]
def later():
    from . import three
    return read_three()
def read_three():
    return three.C
class Holder:
    one = one
--- pkg/one.py
__all__ = ["A"]
A = 1
--- pkg/two.py
__all__ = ["B"]
B = 2
--- pkg/three.py
C = 3
""",
    "star import from the standard library": """
--- main.py
from math import *
print(floor(2.5), hypot(3, 4), pi)
""",
    "imports within functions": """
--- main.py
print("start")
def run():
    from lazy import value, bump
    import lazy
    bump()
    return value, lazy.value, lazy.twice(4)
print("before")
print(run())
print(run())
--- lazy.py
print("lazy runs")
value = 1
def bump():
    global value
    value += 1
def twice(n):
    return 2 * n
""",
    "imports within classes": """
--- main.py
class Bot:
    from tools import double
    import tools
    from tools import LIMIT as TOP
    def run(self):
        return self.double(), self.tools.LIMIT, self.TOP
print(Bot().run())
--- tools.py
LIMIT = 5
def double(anything):
    return LIMIT * 2
""",
    "if TYPE_CHECKING": """
--- main.py
from __future__ import annotations
from typing import TYPE_CHECKING
import typing
if TYPE_CHECKING:
    from heavy import Heavy
if typing.TYPE_CHECKING:
    import pandas
def f(x: Heavy) -> pandas.Frame:
    return x
print(f(3))
--- heavy.py
print("never")
class Heavy:
    pass
""",
    "try: ... except ImportError, present": """
--- main.py
try:
    from fast import solve
except ImportError:
    from slow import solve
print(solve(3))
--- fast.py
print("fast")
def solve(n):
    return n, "fast"
--- slow.py
print("slow")
def solve(n):
    return n, "slow"
""",
    "try: ... except ImportError, fails inside": """
--- main.py
try:
    from fast import solve
except ImportError as error:
    print(type(error).__name__)
    from slow import solve
print(solve(3))
--- fast.py
print("fast starts")
import surely_no_such_module
def solve(n):
    return n, "fast"
--- slow.py
def solve(n):
    return n, "slow"
""",
    "try: ... except ImportError, name missing": """
--- main.py
try:
    from fast import solve, turbo
except ImportError as error:
    print("no turbo")
    turbo = None
try:
    import surely_no_such_module as missing
except ImportError:
    missing = None
try:
    from pkg.nowhere import thing
except ModuleNotFoundError:
    thing = "none"
print(solve(3), turbo, missing, thing)
--- fast.py
def solve(n):
    return n, "fast"
--- pkg/__init__.py
""",
    "imports under if on a constant": """
--- main.py
from config import DEBUG
import config
if DEBUG:
    import noisy
else:
    from quiet import log
if config.LEVEL == 2:
    from quiet import log as second
elif config.LEVEL > 2:
    import noisy
log("x"); second("y")
--- config.py
DEBUG = False
LEVEL = 2
--- noisy.py
print("noisy")
--- quiet.py
def log(text):
    print("log", text)
""",
    "imports under if on a value": """
--- main.py
import sys
if len(sys.argv) > 50:
    import one as chosen
else:
    import two as chosen
print(chosen.NAME)
--- one.py
print("one")
NAME = 1
--- two.py
print("two")
NAME = 2
""",
    "cyclic imports through modules": """
--- main.py
import ping
print(ping.ping(3))
--- ping.py
import pong
def ping(n):
    return "ping " + pong.pong(n - 1) if n else "end"
--- pong.py
import ping
def pong(n):
    return "pong " + ping.ping(n - 1) if n else "end"
""",
    "cyclic imports of names": """
--- main.py
from ping import ping
print(ping(4))
--- ping.py
COUNT = 2
from pong import pong
def ping(n):
    return pong(n - 1) + COUNT if n else 0
COUNT = 3
--- pong.py
import ping
from ping import COUNT
def pong(n):
    return ping.ping(n - 1) + 10 * COUNT if n else 0
""",
    "a cycle through the entry runs it twice": """
--- main.py
print("running", __name__)
STATE = []
import helper
if __name__ == "__main__":
    STATE.append(1)
    print(helper.peek(), STATE)
--- helper.py
def peek():
    import main
    return main.STATE, main.__name__
""",
    "from __future__ is hoisted": """
--- main.py
from __future__ import annotations
import tools
def f(x: Unknown) -> None:
    return tools.g(x)
print(f(2))
--- tools.py
from __future__ import annotations
import math
def g(x: AlsoUnknown):
    return math.floor(x)
""",
    "from __future__ in one module only": """
--- main.py
import tools
def f(x: int, y: "str") -> tools.Kind:
    return x
print(f.__annotations__["x"], tools.g.__annotations__, tools.Kind.__annotations__["size"])
--- tools.py
from __future__ import annotations
class Kind:
    size: int = 3
    other: Missing
def g(x: Unknown, *rest: list[Kind]) -> Kind | None:
    y: Never = 3
    return x
""",
    "external imports under several names": """
--- main.py
import os.path
import numpy
from math import sqrt as root
import one
print(os.path.join("a", "b"), int(numpy.int64(3)), root(4), one.run())
--- one.py
import os
import numpy as np
import math
from math import sqrt
from os import path
def run():
    return int(np.int64(4)), math.sqrt(9), sqrt(16), path.join("c"), os.sep
""",
    "an external name that collides with a local one": """
--- main.py
from random import random
import one
print(callable(random), one.random, one.time())
--- one.py
import time as clock
random = 5
def time():
    return clock.time() > 0
""",
    "modules without __init__": """
--- main.py
from space.inner import tool
import space.inner.tool as t
print(tool.X, t.X)
--- space/inner/tool.py
X = 8
""",
    "several statements on a line": """
--- main.py
import one; from two import Y; print(one.X, Y); X = 3; print(X)
def f():
    import one; z = one.X; return z
if f(): import two; print(two.Y)
--- one.py
X = 1
--- two.py
Y = 2
""",
    "the same module under two aliases": """
--- main.py
import one as a, one as b
import one
a.X += 5
print(a.X, b.X, one.X, a is b)
--- one.py
X = 1
""",
    "a name that is also a submodule": """
--- main.py
import pkg
import pkg.step
print(pkg.step.X, pkg.early)
import pkg.step as m
from pkg import step
print(m.X, step is m, pkg.read().X)
--- pkg/__init__.py
step = 1
early = step
def read():
    return step
--- pkg/step.py
X = 1
""",
    "a constant that is also a submodule": """
--- main.py
import pkg
import pkg.fast
if pkg.fast:
    print("the module")
else:
    print("the constant")
--- pkg/__init__.py
fast = False
--- pkg/fast.py
X = 1
""",
    "a name that a function turns into a submodule": """
--- main.py
import pkg
print(pkg.step, pkg.read())
def f():
    import pkg.step
    return pkg.step.X
print(f())
print(pkg.step.X, pkg.read().X)
--- pkg/__init__.py
step = 1
def read():
    return step
--- pkg/step.py
X = 1
print("step runs")
""",
    "a submodule until the package binds its name": """
--- main.py
import pkg
print(pkg.first, pkg.step)
--- pkg/__init__.py
import pkg.step as s
def show():
    return step.X
first = show()
step = 1
--- pkg/step.py
X = 3
""",
    "import a.b as m where b is a function of a": """
--- main.py
from pkg import step
import pkg.step as m
print(step(1), m(2))
--- pkg/__init__.py
from .step import step
--- pkg/step.py
def step(n):
    return n + 1
""",
    "a package's modules that import each other from it": """
--- main.py
import pkg
print(pkg.a.f(), pkg.b.X)
--- pkg/__init__.py
from . import a
from . import b
--- pkg/a.py
def f():
    from pkg import b
    return b.X
--- pkg/b.py
X = 2
""",
    "star re-exports of a package imported late": """
--- main.py
def f():
    import pkg
    return pkg.move(1)
print(f())
--- pkg/__init__.py
from .state import *
from .step import *
--- pkg/state.py
N = 3
--- pkg/step.py
from pkg.state import N
def move(x):
    from pkg.state import N
    return x + N
""",
    "star import of a package whose module has run late": """
--- main.py
step = 5
def f():
    import pkg.step
import pkg.step
from pkg import *
print(step.X)
--- pkg/__init__.py
--- pkg/step.py
print("runs")
X = 3
""",
    "star import of a package whose module an import under a condition did not run": """
--- main.py
from pkg import *
print(X)
--- pkg/__init__.py
X = 1
if len(str(X)) > 5:
    from pkg import beta
    import pkg.gamma as gamma
--- pkg/beta.py
print("beta runs")
--- pkg/gamma.py
print("gamma runs")
""",
    "star import of names that are bound under a condition": """
--- main.py
step = 1
from lib import *
from chosen import *
print(step, X, abs(-3), C)
--- lib.py
import sys
X = 1
C = 2
if len(sys.argv) > 50:
    step = 2
    abs = lambda x: "lib"
--- chosen.py
import other
if other.C == 4:
    from other import C
--- other.py
C = 3
""",
    "star import of a builtin's name that is bound under a condition and read before": """
--- main.py
def abs(x):
    return "mine"
from lib import *
print(abs(-3))
--- lib.py
X = abs(-3)
if X > 5:
    abs = "never bound"
""",
    "try: ... except ImportError, name bound under a condition": """
--- main.py
try:
    from lib import turbo
except ImportError:
    print("no turbo")
try:
    from lib import level, deep
except ImportError:
    level = 0
def f():
    try:
        from lib import turbo
        return turbo
    except ImportError as error:
        return error.__class__.__name__
print(f(), level, deep)
--- lib.py
try:
    from lower import turbo
except ImportError:
    print("no turbo below")
try:
    from lower import deep
except ImportError:
    deep = None
try:
    from lower import number
except ImportError:
    print("no number below")
level = 2
--- lower.py
import contextlib
import sys
deep = 3
with contextlib.suppress(ValueError):
    number = int("none")
if len(sys.argv) > 50:
    turbo = 4
""",
    "try: ... except ImportError, in a circle before the name is bound": """
--- main.py
import one
print(one.X, one.two.X, one.two.g())
--- one.py
import two
X = 1
--- two.py
try:
    from one import X
except ImportError:
    X = "too early"
def g():
    try:
        from one import X
    except ImportError:
        return "still too early"
    return X
print(g())
""",
    "import a.b as m in a function, before and after a takes the name b": """
--- main.py
import pkg
print(pkg.f())
--- pkg/__init__.py
def f():
    import pkg.step as n
    return n.__name__
from .step import X
print(f())
def step():
    return X
print(f())
--- pkg/step.py
from pkg import f
print(f())
X = 1
""",
    "import a.b as b in a, which gives b to another module later": """
--- main.py
import pkg
print(pkg.m.X, pkg.f())
--- pkg/__init__.py
import pkg.m as m
def f():
    return m.X
print(f())
import pkg.n as m
print(f())
--- pkg/m.py
X = "m"
--- pkg/n.py
X = "n"
""",
    "a submodule whose name its package binds under a condition": """
--- main.py
import pkg.user
print(pkg.m.X, pkg.user.get())
--- pkg/__init__.py
import pkg.m
import sys
if len(sys.argv) > 50:
    m = None
--- pkg/m.py
X = 1
--- pkg/user.py
def get():
    return pkg.m.X
import pkg.m as mine
import pkg
print(mine.X)
""",
    "a submodule whose name a star import may bind": """
--- main.py
import pkg
from pkg import m as module
print(module.X, pkg.m.X)
--- pkg/__init__.py
from pkg.m import *
--- pkg/m.py
import sys
X = 1
if len(sys.argv) > 50:
    import n as m
--- n.py
X = 2
""",
    "import a.b as m of a module that runs late and is not done": """
--- main.py
def late():
    import pkg.m
    import pkg.user
    return pkg.user.name, pkg.user.again(), pkg.m.X
print(late())
--- pkg/__init__.py
def bind():
    global m
    m = None
--- pkg/m.py
import pkg.user
X = 1
--- pkg/user.py
import pkg.m as module
name = module.__name__
def again():
    import pkg.m as module
    return module.X
""",
    "import a.b as m in a function, where a star import gives b to another module": """
--- main.py
import pkg
print(pkg.f(), pkg.beta.X)
--- pkg/__init__.py
import pkg.beta
from .inner import *
--- pkg/beta.py
X = "pkg.beta"
--- pkg/inner/__init__.py
from pkg.inner import beta
def f():
    import pkg.beta as module
    return module.X
--- pkg/inner/beta.py
X = "pkg.inner.beta"
""",
    "star import late from a module with annotations from the future": """
--- main.py
def late():
    import pkg
    pkg.limit = 5
    print(pkg.double(pkg.limit))
late()
--- pkg/__init__.py
from __future__ import annotations
from pkg.plan import *
--- pkg/plan.py
from __future__ import annotations
def double(n: int):
    return 2 * n
""",
    "star import of a builtin's name": """
--- main.py
print(abs(-3))
from one import *
print(abs(-3))
--- one.py
def abs(x):
    return "one"
""",
    "a name added to a module from outside": """
--- main.py
import config
config.added = 4
from config import added
print(added)
--- config.py
LEVEL = 1
""",
    "__name__, __doc__ and __package__ of modules": """
--- main.py
'''The bot.'''
import pkg.one
print(__name__, __doc__, pkg.one.NAME, pkg.one.__name__, pkg.one.__doc__, pkg.__name__, pkg.one.show())
--- pkg/__init__.py
--- pkg/one.py
'''One's "doc".'''
NAME = __name__
def show():
    return f"{__name__} {__package__}", f'{__name__}'
if __name__ == "__main__":
    print("not run")
""",
}

MODULE_FORMS = {
    "relative imports in the entry": """
--- bots/race/bot.py
from .plan import plan
from ..common import SHARED
from . import plan as module
print(plan(2), SHARED, module.__name__, __name__)
--- bots/__init__.py
print("bots")
--- bots/race/__init__.py
--- bots/race/plan.py
def plan(n):
    return n + 1
--- bots/common.py
SHARED = 4
""",
}


@pytest.mark.parametrize("form", FORMS)
def test_import_form_keeps_its_meaning(form, tmp_path):
    """The bundle prints what the sources print."""
    assert_same(FORMS[form], tmp_path)


@pytest.mark.parametrize("form", FORMS)
def test_import_form_keeps_its_meaning_unpruned(form, tmp_path):
    """Nothing depends on unused code being removed."""
    assert_same(FORMS[form], tmp_path, keep_all=True)


@pytest.mark.parametrize("form", FORMS)
def test_import_form_keeps_its_meaning_stripped(form, tmp_path):
    """Comments and docstrings can go."""
    assert_same(FORMS[form], tmp_path, strip=True)


@pytest.mark.parametrize("form", MODULE_FORMS)
def test_form_of_an_entry_run_as_a_module(form, tmp_path):
    """An entry that imports relatively runs as `python -m` runs it."""
    assert_same(MODULE_FORMS[form], tmp_path, as_module=True)
