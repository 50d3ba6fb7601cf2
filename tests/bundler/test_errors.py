"""The few things that cannot be bundled are an error of one line that names file, line, construct
and what to write instead.
"""

import pytest

from bundler.errors import BundleError
from bundler.flatten import flatten
from tests.bundler.differential import outcome_of_bundle, write_project

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
    "__file__": (
        "--- main.py: import lib; lib.read()\n--- lib.py\ndef read():\n    return open(__file__)",
        "lib.py:2: __file__: a bundle has no files beside it; put the data into a module",
    ),
    "__file__ of a module": (
        "--- main.py\nimport lib\nprint(lib.__file__)\n--- lib.py: X = 1",
        "main.py:2: ",
    ),
    "data of a package": (
        "--- main.py\nimport pkgutil\nprint(pkgutil.get_data('pkg', 'map.txt'))\n"
        "--- pkg/__init__.py\n--- pkg/map.txt: #.#",
        "main.py:2: pkgutil.get_data: a bundle has no files beside it",
    ),
    "not Python": (
        "--- main.py: import lib\n--- lib.py\nX = 1\ndef f(:\n    pass",
        "lib.py:2: not valid Python: ",
    ),
    "not Python, as only the compiler sees": (
        "--- main.py: import lib\n--- lib.py\nX = 1\ndef f():\n    print(X)\n    global X",
        "lib.py:4: not valid Python: name 'X' is used prior to global declaration",
    ),
    "not Python in the entry": ("--- main.py\nprint(1)\nreturn", "main.py:2: not valid Python: "),
    "not in its encoding": (
        "--- main.py: import lib\n--- lib.py (latin-1)\nX = 1\nY = 'é'",
        "not valid Python: ",
    ),
    "an encoding that nobody knows": (
        "--- main.py: import lib\n--- lib.py\n# coding: klingon",
        "lib.py:1: not valid Python: ",
    ),
}


@pytest.mark.parametrize("construct", ERRORS)
def test_an_error_names_place_construct_and_remedy(construct, tmp_path):
    project, message = ERRORS[construct]
    entry = write_project(project, tmp_path)
    with pytest.raises(BundleError) as caught:
        flatten(entry, root=tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path):
    entry = write_project("--- main.py: import lib", tmp_path)
    (tmp_path / "lib.py").symlink_to(tmp_path / "lib.py")
    with pytest.raises(BundleError, match="lib"):
        flatten(entry, root=tmp_path)


def test_a_guarded_import_may_be_missing_anywhere_up_the_chain(tmp_path):
    """`except ImportError` at any step allows a module that the site lacks."""
    project = (
        "--- main.py\ntry: import one\nexcept ImportError: one = None\n--- one.py: import two\n"
    )
    entry = write_project(project + "--- two.py: import pandas", tmp_path)
    assert flatten(entry, root=tmp_path).text


def test_a_module_that_was_left_out_says_how_to_include_it(tmp_path):
    """Where the name of a module is computed, only the run can tell that it is not there."""
    project = "--- main.py\nimport importlib\nname = 'li' + 'b'\nimportlib.import_module(name)\n--- lib.py: X = 1"
    text = flatten(write_project(project, tmp_path), root=tmp_path, mode="python").text
    outcome = outcome_of_bundle(text, tmp_path / "alone")
    assert "lib" in outcome and "import lib" in outcome and outcome.endswith("<- raised\n"), outcome
