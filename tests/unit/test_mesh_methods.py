"""Paths among polygons: the methods of shared/mesh against each other, in plain Python; tests/parity says that compiled
ones give the same.
"""

import os
import subprocess
import sys

from tests.conftest import PROJECT


def run(*arguments):
    """What the checks print."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.mesh_methods", *arguments],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_all_methods_agree():
    """More of it: `python -m tests.mesh_methods --maps 200`."""
    assert ", 0 others by TRA*" in run("--maps", "3", "--queries", "4")
