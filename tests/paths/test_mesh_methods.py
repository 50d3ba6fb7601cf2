"""Paths among polygons: the methods of shared/mesh against each other, in plain Python;
tests/parity compares the compiled ones with these.
"""

from tests.conftest import run_plain


def test_all_methods_agree():
    """The longer test: `python -m tests.paths.mesh_methods 200`."""
    assert ", 0 others by TRA*" in run_plain("tests.paths.mesh_methods", "2", "3")
