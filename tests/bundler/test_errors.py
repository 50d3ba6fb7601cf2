"""Code that cannot be bundled is an error of one line that names file, line, construct and a
replacement.
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


def test_a_bot_outside_of_a_workspace_is_told_so(tmp_path):
    """It lacks onefile's own modules."""
    entry = write_project("--- bots/toy/main.py: from shared.core.jit import kernel", tmp_path)
    message = r"import shared.core.jit: a module of onefile, which bots find in a workspace: "
    with pytest.raises(BundleError, match=message):
        make_bundle(entry, root=tmp_path)


def test_allowed_and_guarded_modules_may_be_missing(tmp_path):
    """`except ImportError` at any importing statement permits it, and a warning names the place."""
    project = (
        "--- main.py\ntry: import one\nexcept ImportError: one = None\n--- one.py: import two\n"
    )
    entry = write_project(project + "--- two.py: import polars", tmp_path)
    assert make_bundle(entry).warnings == ["two.py:1: import polars: the site may lack it"]
    assert make_bundle(entry, allow={"polars"}).warnings == []
    assert make_bundle(tmp_path / "two.py", allow={"polars"}).text


def test_the_error_of_a_missing_module_names_the_remedy(tmp_path):
    """If a module's name is computed, its absence is found only at run time."""
    code = "import importlib\nname = 'li' + 'b'\nimportlib.import_module(name)"
    entry = write_project(f"--- main.py\n{code}\n--- lib.py: X = 1", tmp_path)
    outcome = outcome_of_bundle(make_bundle(entry, root=tmp_path).text, tmp_path / "alone")
    assert "lib" in outcome and "import lib" in outcome and outcome.endswith("<- raised\n"), outcome


def test_pruned_imports_give_no_warning(tmp_path):
    """A pruned function may import anything."""
    project = "--- main.py\ndef never(): import polars\ndef now():\n    import polars\nprint(now)"
    (warning,) = make_bundle(write_project(project, tmp_path), root=tmp_path).warnings
    assert warning == "main.py:3: import polars: the site may lack it"
