"""Paths among polygons: the methods of shared/mesh against each other, in plain Python;
tests/parity compares the compiled ones with these.
"""

import pytest

from tests.conftest import run_plain


@pytest.mark.slow("cases at the limits are tried in each run")
def test_all_methods_agree():
    """The longer test: `python -m tests.lab.paths.mesh_methods --maps 200`."""
    assert ", 0 others by TRA*" in run_plain(
        "tests.lab.paths.mesh_methods", "--maps", "2", "--queries", "3"
    )
