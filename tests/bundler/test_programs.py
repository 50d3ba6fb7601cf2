"""The tables in programs/: each small program behaves in one file as its modules do."""

import sys
from pathlib import Path

import pytest

from bundler.errors import BundleError
from tests.bundler.differential import assert_same, read_programs

PROGRAMS = [
    program
    for path in sorted(Path(__file__).with_name("programs").glob("*.txt"))
    for program in read_programs(path)
    if sys.version_info >= (3, 12) or "3.12" not in program.remarks
]
RAISING = Path(__file__).with_name("raising.txt").read_text(encoding="utf-8").splitlines()[1:]
SCOPES = [program for program in PROGRAMS if program.topic == "scopes"]
WAYS = {
    "plainly": {},
    "stripped": {"strip": True},
    "carried": {"carry": True},
    "packed": {"packing": "wide"},
}
packed = pytest.mark.slow("a packed bundle of each topic shows the same")
again = pytest.mark.exhaustive("bundles every program in two more ways")
FIRSTS = {program.topic: program for program in reversed(PROGRAMS)}.values()


def name(program):
    return f"{program.topic}: {program.name}"


def cases():
    """Every program plainly, and the first of each topic in all ways, are the fast ones."""
    for program in PROGRAMS:
        for way in WAYS:
            marks = [] if way == "plainly" or program in FIRSTS else again
            marks = packed if marks and way == "packed" else marks
            yield pytest.param(program, way, id=f"{name(program)}, {way}", marks=marks)


@pytest.mark.parametrize(("program", "way"), list(cases()))
def test_a_bundle_behaves_as_its_sources_do(program, way, tmp_path):
    """Same output, same exception; flattened or carried as stated in the table."""
    as_module = "module" in program.remarks
    try:
        bundle = assert_same(program.files, tmp_path, as_module, mode="python", **WAYS[way])
    except BundleError as error:
        reads_sources = way == "packed" and "something reads lines of its source" in str(error)
        assert reads_sources or "may be refused" in program.remarks
        return
    except AssertionError as difference:
        if "may end with RuntimeError" in program.remarks and "RuntimeError" in str(difference):
            return
        raise
    if program.is_carried is not None and way != "carried":
        assert bool(bundle.carried) == program.is_carried


@pytest.mark.parametrize("program", SCOPES, ids=name)
def test_it_does_not_matter_which_of_two_modules_comes_first(program, tmp_path):
    """Whichever module's names are changed, all names keep their meaning."""
    one, other = b"import lib\nimport other\n", b"import other\nimport lib\n"
    main = program.files["main.py"].replace(one, other)
    assert main != program.files["main.py"]
    assert_same(program.files | {"main.py": main}, tmp_path, mode="python")


@pytest.mark.parametrize("text", RAISING)
def test_statements_that_raise_are_not_pruned(text, tmp_path):
    """A statement that raises is kept although its name is unused."""
    text = text.replace("\\n", "\n")
    project = f"--- main.py\nimport lib\nprint('never')\n--- lib.py\n{text}"
    assert not assert_same(project, tmp_path, mode="python").carried
