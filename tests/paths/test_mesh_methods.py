"""Paths among polygons: the methods of shared/mesh against each other, in plain Python;
tests/parity holds the compiled ones to the same.
"""

from tests.conftest import run_plain


def test_all_methods_agree():
    """More of it: `python -m tests.lab.paths.mesh_methods --maps 200`."""
    assert ", 0 others by TRA*" in run_plain(
        "tests.lab.paths.mesh_methods", "--maps", "3", "--queries", "4"
    )
