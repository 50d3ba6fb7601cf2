"""Paths among polygons at the limits, in plain Python: tests/parity compares compiled kernels."""

import json

import pytest

from shared.mesh.walls import check_rings
from tests.conftest import run_plain
from tests.paths.polygon_cases import BLOCK, BOX, CASES


@pytest.fixture(scope="module")
def failures():
    """The failure of each case."""
    return json.loads(run_plain("tests.paths.polygon_cases"))


@pytest.mark.parametrize("name", [case.__name__ for case in CASES])
def test_a_case(name, failures):
    assert not failures[name], failures[name]


@pytest.mark.parametrize(
    ("rings", "said"),
    [
        ([BLOCK, BOX], "first ring has to be the boundary"),
        ([BOX, [(x, y + 100) for x, y in BLOCK]], "first ring has to be the boundary"),
        ([BOX, BLOCK[::-1]], "no counterclockwise polygon"),
        ([BOX, BLOCK, [(11, 4), (12, 4), (12, 5)]], "touch: keep polygons apart"),
        ([BOX, [(1, 1), (2, 1), (1.5, 2)]], "corners are whole"),
    ],
)
def test_rings_that_are_no_walls_are_refused(rings, said):
    check_rings([BOX, BLOCK])
    with pytest.raises(ValueError, match=said):
        check_rings(rings)
