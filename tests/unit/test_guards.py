"""Additions of `tests/conftest.py` to pytest: a report of skips, and a guard against fallbacks."""

import os
import subprocess
import sys

import pytest

from tests.conftest import HOME, PROJECT
from tests.support.pythons import SKIPPED, wrongly_skipped

TESTS = """
import subprocess, sys
import pytest

SAID = "import sys; print('kernels run as plain Python: broken', file=sys.stderr)"
FINE = "print('kernels run as machine code')"

@pytest.mark.parametrize("n", range(3))
def test_skipped(n):
    pytest.skip("no interpreter of Python 3.99 on this machine")

def test_output():
    subprocess.run([sys.executable, "-c", SAID], capture_output=True)

def test_log(tmp_path):
    (tmp_path / "match.jsonl").write_text('{"stderr":"kernels run as plain Python: broken"}')

@pytest.mark.falls_back
def test_fallback():
    subprocess.run([sys.executable, "-c", SAID], capture_output=True)

def test_machine_code():
    subprocess.run([sys.executable, "-c", FINE], capture_output=True)
"""


SKIPPED_WHOLE = "import pytest\npytest.importorskip('no_such', reason='no_such is not installed')\n"


@pytest.mark.skipif(HOME != PROJECT, reason="a workspace has no such guards")
@pytest.mark.slow("runs pytest on a project")
def test_skips_are_counted_and_a_fallback_fails(tmp_path):
    skips = tmp_path / "skips"
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_none.py").write_text(SKIPPED_WHOLE)
    words = ["-p", "tests.conftest", "-p", "no:cacheprovider", "-n", "2", tmp_path]
    # Into a file: the guard of this run looks through captured output.
    with (tmp_path / "said").open("w") as said:
        subprocess.run(
            [sys.executable, "-m", "pytest", *map(str, words)],
            cwd=PROJECT,
            env={**os.environ, "ONEFILE_SKIPS": str(skips)},
            stdout=said,
        )
    text = (tmp_path / "said").read_text()
    assert "2 failed, 2 passed" in text
    assert "test_some.py::test_output" in text and "test_some.py::test_log" in text
    assert sorted(skips.read_text().splitlines()) == [
        "1 no_such is not installed",
        "3 no interpreter of Python 3.99 on this machine",
    ]


def test_a_python_that_is_here_may_not_be_skipped():
    here = "{}.{}".format(*sys.version_info)
    skips = f"3 {SKIPPED.format(here)}\n1 {SKIPPED.format('3.99')}\n1 Chromium is missing\n"
    assert wrongly_skipped(skips) == [here]
