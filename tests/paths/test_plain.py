"""The tests of this folder again, in plain Python whose buffers refuse wrong indices: compiled
code, which checks none, takes the same path.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT

PLAIN = """
import sys
import pytest
from tests.parity.digests import check_buffers
check_buffers()
sys.exit(pytest.main(sys.argv[1:]))
"""
# Those that compile; others run as plain Python already, or start processes.
FILES = ("changes", "edges", "graphs", "joint_plans", "local_repair", "meshes", "paths")
FILES += ("units_on_grids",)
# Goes on beyond the end of a buffer, where a search needs more room.
BEYOND = "test_jump_point_search_makes_room_where_its_open_list_is_full"


@pytest.mark.exhaustive("the compiled searches give the same answers")
@pytest.mark.parametrize("name", FILES)
def test_plain_python_gives_right_answers_within_its_buffers(name):
    file = Path(__file__).with_name(f"test_{name}.py").relative_to(PROJECT)
    words = ["-m", "not exhaustive", "-p", "no:cacheprovider", file, f"--deselect={file}::{BEYOND}"]
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, *map(str, words)],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": "0"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
