"""The few things that cannot be bundled are an error of one line that names file, line, construct
and what to write instead.
"""

import re
from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from tests.bundler.differential import outcome_of_bundle, read_programs, write_project

FORM = re.compile(r"\S+:\d+: [^:]+(: [^:]+)*: .{10,}")  # file:line: construct: advice
ERRORS = list(read_programs(Path(__file__).with_name("errors.txt")))


@pytest.mark.parametrize("program", ERRORS, ids=lambda program: program.name)
def test_an_error_names_place_construct_and_remedy(program, tmp_path):
    message = program.files.pop("message").decode().strip()
    entry = write_project(program.files, tmp_path)
    with pytest.raises(BundleError) as caught:
        make_bundle(entry, root=tmp_path)
    assert message in str(caught.value)
    assert FORM.fullmatch(str(caught.value))


def test_a_file_that_cannot_be_read(tmp_path):
    """A link to itself."""
    entry = write_project("--- main.py: import lib", tmp_path)
    (tmp_path / "lib.py").symlink_to(tmp_path / "lib.py")
    with pytest.raises(BundleError, match=r"main.py:1: import lib: the site lacks it"):
        make_bundle(entry, root=tmp_path)


def test_what_is_allowed_or_guarded_may_be_missing(tmp_path):
    """`except ImportError` at any step up to it says so, and a warning names its place."""
    project = (
        "--- main.py\ntry: import one\nexcept ImportError: one = None\n--- one.py: import two\n"
    )
    entry = write_project(project + "--- two.py: import pandas", tmp_path)
    assert make_bundle(entry).warnings == ["two.py:1: import pandas: the site may lack it"]
    assert make_bundle(entry, allow={"pandas"}).warnings == []
    assert make_bundle(tmp_path / "two.py", allow={"pandas"}).text


def test_a_module_that_was_left_out_says_how_to_include_it(tmp_path):
    """Where the name of a module is computed, only the run can tell that it is not there."""
    code = "import importlib\nname = 'li' + 'b'\nimportlib.import_module(name)"
    entry = write_project(f"--- main.py\n{code}\n--- lib.py: X = 1", tmp_path)
    outcome = outcome_of_bundle(make_bundle(entry, root=tmp_path).text, tmp_path / "alone")
    assert "lib" in outcome and "import lib" in outcome and outcome.endswith("<- raised\n"), outcome


def test_only_what_is_kept_is_warned_of(tmp_path):
    """A function that is left out may import what it likes."""
    project = "--- main.py\ndef never(): import pandas\ndef now():\n    import polars\nprint(now)"
    (warning,) = make_bundle(write_project(project, tmp_path), root=tmp_path).warnings
    assert warning == "main.py:3: import polars: the site may lack it"


def test_what_only_the_site_has_may_have_an_effect(tmp_path):
    """So its import stays, used or not."""
    entry = write_project("--- main.py\nimport numba, json\nprint(1)", tmp_path)
    text = make_bundle(entry, root=tmp_path, allow=["numba"]).text
    assert "import numba" in text


def test_a_guarded_import_is_not_warned_of(tmp_path):
    """Its guard says what happens where it is missing."""
    project = (
        "--- main.py\nif True:\n    try: import pandas\n"
        "    except ImportError: pandas = None\nprint(pandas)"
    )
    assert make_bundle(write_project(project, tmp_path), root=tmp_path).warnings == []
