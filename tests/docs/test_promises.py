"""The table of promises in `tests/README.md`, and sizes that pages tell."""

import re

import pytest

from bundler.bundle import make_bundle
from bundler.report import utf16_units
from tests.conftest import PROJECT

TESTS = PROJECT / "tests"
TEST = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
SIZE = re.compile(r"In python mode the bundle of Coders\s+Strike Back's Smitsimax bot has ([\d,]+)")


def rows():
    """Returns the rows of the table, each as its cells."""
    _, _, section = (TESTS / "README.md").read_text().partition("\n## Promises\n")
    lines = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_each_promise_names_its_test_or_a_reason():
    table = [row for row in rows() if not row[0].startswith("**")]
    assert len(table) > 40
    for promise, page, told in table:
        assert promise and page
        assert TEST.search(told) or re.fullmatch(r"none: .+", told), promise


@pytest.mark.parametrize(
    ("file", "name"), sorted({named for row in rows() for named in TEST.findall(row[-1])})
)
def test_a_test_of_a_promise_exists(file, name):
    assert re.search(rf"^def {name}\(", (TESTS / file).read_text(), re.MULTILINE)


def test_the_size_of_a_bundle_is_that_of_its_page():
    """Within a hundredth: each change of a comment changes it."""
    [told] = SIZE.findall((PROJECT / "docs" / "explanation" / "flattening.md").read_text())
    bot = PROJECT / "bots" / "coders_strike_back" / "smitsimax.py"
    size = utf16_units(make_bundle(bot, root=PROJECT, mode="python").text)
    assert size == pytest.approx(int(told.replace(",", "")), rel=0.01)
