"""The triangulation benchmark of `make bench` and `make paths-report`."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.lab.paths.mesh_laws import exponent

RINGS = [[(0, 0), (100, 0), (100, 80), (0, 80)], [(40, 20), (60, 20), (50, 60)]]


def times_of(worlds):
    """Returns the program's output as plain Python."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.lab.paths.mesh_times"],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": "0"},
        input="\n".join(map(json.dumps, worlds)),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_the_program_measures_each_search():
    queries = [(10, 40, 90, 40, 8), (10, 40, 90, 40, 0), (10, 40, 50, 40, 30)]
    first, second = times_of(
        [
            {"rings": RINGS, "queries": queries, "changes": 5},
            {"rings": RINGS[:1], "queries": [], "changes": 0},
        ]
    )
    for search in ("TRA*", "TA*"):
        for kind in ("disc", "point"):
            counts = [
                first[f"nodes {search}, {kind}, {what}"] for what in ("first path", "1%", "proof")
            ]
            # The query without a path is excluded.
            assert [len(one) for one in counts] == [1, 1, 1] and counts == sorted(counts)
            assert len(first[f"{search}, {kind}, proof"]) == 3
    assert len(first["insert"]) == len(first["remove"]) == 1
    assert first["degrees of triangles"] == [1, 0, 7, 0] and first["triangles"] == 8 + 4
    assert len(second["triangulate"]) == 3 and second["degrees of triangles"][3] == 0


def test_the_exponent_of_a_power():
    sizes = [10, 100, 1000]
    assert exponent(sizes, [5 * n**0.4 for n in sizes]) == pytest.approx(0.4)
