"""Paths among polygons at the limits, in plain Python: tests/parity compares compiled kernels."""

import json

import pytest

from tests.conftest import run_plain
from tests.paths.polygon_cases import CASES


@pytest.fixture(scope="module")
def failures():
    """The failure of each case."""
    return json.loads(run_plain("tests.paths.polygon_cases"))


@pytest.mark.parametrize("name", [case.__name__ for case in CASES])
def test_a_case(name, failures):
    assert not failures[name], failures[name]
