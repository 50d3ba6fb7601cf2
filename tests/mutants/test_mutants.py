"""The tool that changes modules: its changes, what it skips, its table of tests, and a run."""

import ast
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.mutants.operators import mutants
from tests.mutants.rooms import FOLDERS, killers_of, rows

CHANGES = {
    "x = a < b": ["a <= b", "a >= b"],
    "x = now < b": ["now >= b"],
    "x = a < 0.5": ["a >= 0.5", "a < 1.0"],
    "x = a == b": ["a != b"],
    "x = a + b * 2": ["a - b * 2", "a + b // 2", "a + b * 3", "a + b * 1"],
    "x += y": ["pass", "x -= y"],
    "x = -1": ["x = 1"],
    "x = a and not b": ["a or not b", "a and b"],
    "x = min(a, b)": ["max(a, b)"],
    "x = 0.5 if a else True": ["0.5 if not a else True", "1.0 if a", "else False"],
    "for i in a:\n    continue": ["break"],
    "while a:\n    break": ["pass"],
    "def f(): return a": ["return"],
    "def f(): return False": ["True"],
    "def f(): return -1": ["return 1"],
    "f(a)": ["pass"],
    "x.y = z[a] = b": [],
    "x.y = b": ["pass"],
    "é = 'é' in a": ["'é' not in a"],
}
SKIPPED = """\
\"\"\"A text.\"\"\"
import a
LOOK_S: float = 0.5
LONG_S, SHORT_MS = 0.5, 1
Cells = tuple[int, 3]
@cache(maxsize=5)
def f(x: 2) -> 3:
    print(x + 1)
    assert x < 1
    raise ValueError(x < 2)
    y = f"{x + 1}"
    z = "a" * x + "b"
    b = int_buffer(2 * x)
    c = lru_cache(maxsize=2)(excerpt(x[:3]))
    prefetch(b, x + 1)
"""


@pytest.mark.parametrize("text", CHANGES)
def test_changes(text):
    made = [mutant.text(text) for mutant in mutants(text)]
    assert len(made) == len(CHANGES[text])
    assert all(any(change in new for new in made) for change in CHANGES[text])
    assert all(ast.dump(ast.parse(new)) != ast.dump(ast.parse(text)) for new in made)


def test_lines_that_tests_cannot_judge_stay():
    lines = SKIPPED.split("\n")
    assert [lines[mutant.line - 1] for mutant in mutants(SKIPPED)] == ["Cells = tuple[int, 3]"] * 2


@pytest.mark.parametrize("room", FOLDERS)
def test_every_module_has_tests_and_changes_that_parse(room):
    for row in rows(room):
        text = (PROJECT / row.path).read_text()
        made = mutants(text)
        assert all(ast.parse(mutant.text(text)) for mutant in made[::20])


def test_a_module_without_tests_is_an_error():
    with pytest.raises(LookupError, match=r"shared/search/other.py: tests/.*test_other.py missing"):
        killers_of("shared/search/other.py")


def run(*words, **options):
    command = [sys.executable, "-m", "tests.mutants", *words]
    return subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, **options)


@pytest.mark.exhaustive("runs the tests of a module three times")
def test_a_run_names_killers_and_leaves_nothing(tmp_path):
    """Nor does one that is interrupted; the working tree is as before."""
    status = ["git", "status", "--porcelain"]
    before = subprocess.check_output(status, cwd=PROJECT)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    said = run("play/lateness", "--mutants", "2", env=environment).communicate()[0]
    assert "referee/play/lateness.py:" in said and "process  " in said
    with run("play/lateness", env=environment, process_group=0) as interrupted:
        while not list(tmp_path.glob("mutants-*/*/project/tests")):
            time.sleep(0.1)
        interrupted.send_signal(signal.SIGINT)
        assert interrupted.wait() == 130
    assert list(tmp_path.glob("mutants-*")) == []
    assert not any(path.startswith(str(tmp_path)) for path in working_folders())
    assert subprocess.check_output(status, cwd=PROJECT) == before


def working_folders():
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it has ended, or is another user's
            yield os.readlink(link)
