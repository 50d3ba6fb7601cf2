"""What cannot be flattened is an error that names file, line, construct and what to write instead."""

import pytest

from bundler.errors import BundleError
from bundler.flatten import flatten
from tests.bundler.differential import write_project

ERRORS = {
    "dynamic import": (
        "--- main.py\nimport importlib\nname = input()\nm = importlib.import_module(name)\nprint(m)",
        "main.py:3: dynamic import of a computed name: import the modules by name",
    ),
    "dynamic import in a function": (
        "--- main.py\ndef f(name):\n    from importlib import import_module as load\n    return load(name)\nf('x')",
        "main.py:3: dynamic import of a computed name",
    ),
    "__import__": (
        "--- main.py\nprint(__import__('m' + 'n'))",
        "main.py:1: dynamic import of a computed name",
    ),
    "dynamic import of a local module": (
        "--- main.py\nprint(__import__('lib'))\n--- lib.py",
        "main.py:1: dynamic import of lib: write it as an import statement",
    ),
    "__file__": (
        "--- main.py\nimport lib\nprint(lib.read())\n--- lib.py\ndef read():\n    return open(__file__)",
        "lib.py:2: __file__: a bundle has no files beside it; put the data into a module",
    ),
    "module.__file__": (
        "--- main.py\nimport lib\nprint(lib.__file__)\n--- lib.py\nX = 1",
        "main.py:2: lib.__file__",
    ),
    "exec": (
        "--- main.py\nexec(open('lib.py').read())\n--- lib.py\nX = 1",
        "main.py:1: exec: write the code itself",
    ),
    "eval": ("--- main.py\nx = 1\nprint(eval('x'))", "main.py:2: eval: write the code itself"),
    "globals": (
        "--- main.py\nx = 1\nprint(globals()['x'])",
        "main.py:2: globals(): keep the values in a dict of your own",
    ),
    "vars of a module": (
        "--- main.py\nimport lib\nprint(vars(lib))\n--- lib.py\nX = 1",
        "main.py:2: vars() of a module: name the attributes that you need",
    ),
    "sys.modules": (
        "--- main.py\nimport sys\nprint(sys.modules[__name__])",
        "main.py:2: sys.modules[...]",
    ),
    "runpy": (
        "--- main.py\nimport runpy\nrunpy.run_path('lib.py')\n--- lib.py",
        "main.py:2: runpy.run_path: import the module",
    ),
    "__getattr__ of a module": (
        "--- main.py\nimport lib\nprint(lib.anything)\n--- lib.py\ndef __getattr__(name):\n    return name",
        "lib.py:1: __getattr__ of a module",
    ),
    "star import of a third-party module": (
        "--- main.py\nfrom numpy import *\nprint(zeros(2))",
        "main.py:1: star import from numpy: write `import numpy` or name what you import",
    ),
    "star import that shadows": (
        "--- main.py\nfrom math import *\nprint(pow(2, 3))",
        "main.py:1: star import from math may shadow pow: write `import math` or name what you import",
    ),
    "a module that the site lacks": (
        "--- main.py\nimport one\n--- one.py\nX = 1\nfrom two import Y\n--- two.py\n\nimport pandas as pd\nY = 1",
        "two.py:2: import pandas: the site lacks it "
        "(imported by main.py:1 -> one.py:2 -> two.py:2); do without it, guard it",
    ),
    "a module that does not exist": (
        "--- main.py\nimport pkg.nothing\n--- pkg/__init__.py",
        "main.py:1: no module named pkg.nothing",
    ),
    "a name that does not exist": (
        "--- main.py\nfrom lib import nothing\n--- lib.py\nX = 1",
        "main.py:1: lib.py has no nothing: import a name that it defines",
    ),
    "computed __all__": (
        "--- main.py\nfrom lib import *\n--- lib.py\nX = 1\n__all__ = [n for n in dir()]",
        "lib.py:2: computed __all__: write it as a list of strings",
    ),
    "not Python": (
        "--- main.py\nimport lib\n--- lib.py\nX = 1\ndef f(:\n    pass",
        "lib.py:2: not valid Python: ",
    ),
    "not Python, as only the compiler sees": (
        "--- main.py\nimport lib\n--- lib.py\nX = 1\ndef f():\n    print(X)\n    global X",
        "lib.py:4: not valid Python: name 'X' is used prior to global declaration",
    ),
    "a name or a submodule, whichever is there": (
        "--- main.py\nimport pkg\n--- pkg/__init__.py\nimport pkg.user\nstep = 1\n"
        "--- pkg/user.py\ndef f():\n    from pkg import step\n    return step\n--- pkg/step.py\nX = 1",
        "pkg/user.py:2: step is both a name and a submodule of pkg: "
        "rename one of them: which one this imports depends on when it runs",
    ),
    "a name that may not be bound, or a submodule": (
        "--- main.py\nimport pkg\n--- pkg/__init__.py\nimport sys\nif sys.argv:\n    step = 1\n"
        "from pkg import step\n--- pkg/step.py\nX = 1",
        "pkg/__init__.py:4: step is both a name and a submodule of pkg: "
        "rename one of them: which one this imports depends on when it runs",
    ),
    "a name that a star import may bind, or a submodule": (
        "--- main.py\nfrom pkg import step\n--- pkg/__init__.py\nfrom pkg.sub import *\n"
        "--- pkg/step.py\nX = 1\n--- pkg/sub/__init__.py\nimport sys\nif sys.argv:\n"
        "    import pkg.sub.step\n--- pkg/sub/step.py\nX = 2",
        "main.py:1: step is both a name and a submodule of pkg: "
        "rename one of them: which one this imports depends on when it runs",
    ),
    "a name that a star import brings if it is there, or a submodule": (
        "--- main.py\nfrom pkg import step\n--- pkg/__init__.py\nfrom pkg.sub import *\n"
        "--- pkg/step.py\nX = 1\n--- pkg/sub.py\nimport sys\nif not sys.argv:\n    step = 1",
        "main.py:1: step is both a name and a submodule of pkg: "
        "rename one of them: which one this imports depends on when it runs",
    ),
    "a name that a star import binds after a function's import was read, or a submodule": (
        "--- main.py\nimport pkg\nfrom user import limit\n--- user.py\nfrom pkg import step as limit\n"
        "--- pkg/__init__.py\ndef f():\n    import user\nfrom pkg.step import *\n"
        "--- pkg/step.py\nstep = 1",
        "user.py:1: step is both a name and a submodule of pkg: "
        "rename one of them: which one this imports depends on when it runs",
    ),
    "a name that is a submodule and a builtin": (
        "--- main.py\nimport pkg\nimport pkg.map\nprint(pkg.map)\n"
        "--- pkg/__init__.py\nmap = 1\n--- pkg/map.py\nX = 1",
        "pkg/__init__.py:1: map is a name and a submodule of pkg, and a builtin: rename the submodule",
    ),
    "star import of a package of which a function imports a module": (
        "--- main.py\ndef f():\n    import pkg.step\nf()\nfrom pkg import *\nprint(step)\n"
        "--- pkg/__init__.py\n--- pkg/step.py\nX = 1",
        "main.py:4: star import from pkg, whose module step may not have run by then: "
        "name what you import",
    ),
    "star import of what may be half run": (
        "--- main.py\ndef f():\n    import one\nf()\n--- one.py\nX = 1\n"
        "def g():\n    import two\ng()\nY = 2\n--- two.py\nfrom one import *\nprint(X)",
        "two.py:1: star import from one, which may import two while that runs: name what you import",
    ),
}


@pytest.mark.parametrize("construct", ERRORS)
def test_error_names_place_construct_and_remedy(construct, tmp_path):
    """One line: file, line, construct, what to write instead."""
    project, message = ERRORS[construct]
    entry = write_project(project, tmp_path)
    with pytest.raises(BundleError) as caught:
        flatten(entry, root=tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


GUARDED = {
    "in the importing module": """
--- main.py
try:
    import pandas
except ImportError:
    pandas = None
print(1)
""",
    "further up the chain": """
--- main.py
try:
    import one
except ModuleNotFoundError:
    one = None
print(1)
--- one.py
import two
--- two.py
import pandas
""",
    "never executed": """
--- main.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import pandas
if False:
    import pandas
print(1)
""",
}


@pytest.mark.parametrize("place", GUARDED)
def test_a_guarded_import_may_be_missing(place, tmp_path):
    """`except ImportError` at any step of the chain allows a module that the site lacks."""
    entry = write_project(GUARDED[place], tmp_path)
    assert "print(1)" in flatten(entry, root=tmp_path).text


HARMLESS = {
    "eval with names of its own": "print(eval('x + 1', {'x': 1}))",
    "locals in a function": "def f(a):\n    return locals()\nprint(f(1))",
    "dynamic import from the standard library": "import importlib\nprint(importlib.import_module('math').pi)",
    "__file__ as a parameter": "def f(__file__):\n    return __file__\nprint(f(1))",
    "unused code with __file__": "def unused():\n    return __file__\nprint(1)",
}


@pytest.mark.parametrize("construct", HARMLESS)
def test_look_alikes_are_left_alone(construct, tmp_path):
    """Only what would mean something else in one file is refused."""
    entry = write_project("--- main.py\n" + HARMLESS[construct], tmp_path)
    assert flatten(entry, root=tmp_path).text
