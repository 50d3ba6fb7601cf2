"""The few things that cannot be bundled are an error of one line that names file, line, construct
and what to write instead.
"""

import re

import pytest

from bundler.errors import BundleError
from bundler.flatten import flatten
from tests.bundler.differential import outcome_of_bundle, write_project

FORM = re.compile(r"\S+:\d+: [^:]+(: [^:]+)*: .{10,}")  # file:line: construct: advice
NO_FILES = ": a bundle has no files beside it; put the data into a module"
ERRORS = {
    "a module that the site lacks": (
        "--- main.py: import one\n--- one.py\nX = 1\nfrom two import Y\n"
        "--- two.py\nY = 1\n\nimport pandas as pd",
        "two.py:3: import pandas: the site lacks it, and it is not below ",
    ),
    "a module that nobody has": (
        "--- main.py: import lib\n--- lib.py\nX = 1\nimport surely_no_such_module",
        "lib.py:2: import surely_no_such_module: the site lacks it",
    ),
    "a module that a package lacks": (
        "--- main.py: import pkg.nothing\n--- pkg/__init__.py",
        "main.py:1: import pkg.nothing: no such module in the project; correct the import",
    ),
    "an extension module": (
        "--- main.py: import pkg\n--- pkg/__init__.py: from pkg._fast import f\n--- pkg/_fast.so: x",
        "pkg/__init__.py:1: import pkg._fast: no such module in the project",
    ),
    "a relative import beyond the top": (
        "--- main.py: import pkg\n--- pkg/__init__.py: from ... import x",
        "pkg/__init__.py:1: relative import beyond the top: import from the project's root",
    ),
    "__file__": (
        "--- main.py: import lib; lib.read()\n--- lib.py\ndef read():\n    return open(__file__)",
        f"lib.py:2: __file__{NO_FILES}",
    ),
    "__file__ of a module": (
        "--- main.py\nimport lib\nprint(lib.__file__)\n--- lib.py: X = 1",
        f"main.py:2: __file__{NO_FILES}",
    ),
    "data of a package": (
        "--- main.py\nimport pkgutil\nprint(pkgutil.get_data('pkg', 'map.txt'))\n"
        "--- pkg/__init__.py\n--- pkg/map.txt: #.#",
        f"main.py:2: pkgutil.get_data{NO_FILES}",
    ),
    "resources of a package": (
        "--- main.py\nfrom importlib import resources\nimport pkg\n"
        "print(resources.read_text(pkg, 'map.txt'))\n--- pkg/__init__.py",
        f"main.py:3: importlib.resources.read_text{NO_FILES}",
    ),
    "not Python": (
        "--- main.py: import lib\n--- lib.py\nX = 1\ndef f(:\n    pass",
        "lib.py:2: not valid Python: invalid syntax",
    ),
    "not Python, as only the compiler sees": (
        "--- main.py: import lib\n--- lib.py\nX = 1\ndef f():\n    print(X)\n    global X",
        "lib.py:4: not valid Python: name 'X' is used prior to global declaration",
    ),
    "not Python in the entry": (
        "--- main.py\nprint(1)\nreturn",
        "main.py:2: not valid Python: 'return' outside function",
    ),
    "__future__ in a line with others": (
        "--- main.py\n'A text.'\nfrom __future__ import annotations; print(1)",
        "main.py:2: an import from __future__ in a line with others: write it in a line of its own",
    ),
    "not in its encoding": (
        "--- main.py: import lib\n--- lib.py (latin-1)\nX = 1\nY = 'é'",
        "lib.py:1: not valid Python: ",
    ),
    "an encoding that nobody knows": (
        "--- main.py: import lib\n--- lib.py\n# coding: klingon",
        "lib.py:1: not valid Python: unknown encoding",
    ),
}


@pytest.mark.parametrize("construct", ERRORS)
def test_an_error_names_place_construct_and_remedy(construct, tmp_path):
    project, message = ERRORS[construct]
    entry = write_project(project, tmp_path)
    with pytest.raises(BundleError) as caught:
        flatten(entry, root=tmp_path)
    assert message in str(caught.value)
    assert FORM.fullmatch(str(caught.value))


def test_a_file_that_cannot_be_read(tmp_path):
    """A link to itself."""
    entry = write_project("--- main.py: import lib", tmp_path)
    (tmp_path / "lib.py").symlink_to(tmp_path / "lib.py")
    with pytest.raises(BundleError, match="main.py:1: import lib: the site lacks it"):
        flatten(entry, root=tmp_path)


def test_what_is_allowed_or_guarded_may_be_missing(tmp_path):
    """`except ImportError` at any step up to it says so, and a warning names its place."""
    project = (
        "--- main.py\ntry: import one\nexcept ImportError: one = None\n--- one.py: import two\n"
    )
    entry = write_project(project + "--- two.py: import pandas", tmp_path)
    assert flatten(entry).warnings == ["two.py:1: import pandas: the site may lack it"]
    assert flatten(entry, allow={"pandas"}).warnings == []
    assert flatten(tmp_path / "two.py", allow={"pandas"}).text


def test_a_module_that_was_left_out_says_how_to_include_it(tmp_path):
    """Where the name of a module is computed, only the run can tell that it is not there."""
    code = "import importlib\nname = 'li' + 'b'\nimportlib.import_module(name)"
    entry = write_project(f"--- main.py\n{code}\n--- lib.py: X = 1", tmp_path)
    outcome = outcome_of_bundle(flatten(entry, root=tmp_path).text, tmp_path / "alone")
    assert "lib" in outcome and "import lib" in outcome and outcome.endswith("<- raised\n"), outcome


def test_only_what_is_kept_is_warned_of(tmp_path):
    """A function that is left out may import what it likes."""
    project = "--- main.py\ndef never(): import pandas\ndef now():\n    import polars\nprint(now)"
    (warning,) = flatten(write_project(project, tmp_path), root=tmp_path).warnings
    assert warning == "main.py:3: import polars: the site may lack it"


def test_what_only_the_site_has_may_have_an_effect(tmp_path):
    """So its import stays, used or not."""
    entry = write_project("--- main.py\nimport numba, json\nprint(1)", tmp_path)
    text = flatten(entry, root=tmp_path, allow=["numba"]).text
    assert "import numba" in text


def test_a_guarded_import_is_not_warned_of(tmp_path):
    """Its guard says what happens where it is missing."""
    project = "--- main.py\nif True:\n    try: import pandas\n    except ImportError: pandas = None\nprint(pandas)"
    assert flatten(write_project(project, tmp_path), root=tmp_path).warnings == []
