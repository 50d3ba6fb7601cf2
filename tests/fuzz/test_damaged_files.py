"""The first of the damaged files that `make fuzz` makes: each command ends in a permitted way."""

import re
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.fuzz.subjects import SUBJECTS

N_MUTANTS = 25


@pytest.mark.exhaustive("damages files of the other kinds", keep=1)
@pytest.mark.parametrize("kind", SUBJECTS)
def test_damaged_files_end_in_errors_with_names(kind):
    """Commands run as plain Python in a new process: this one may have compiled the rules."""
    words = [kind, "--mutants", str(N_MUTANTS), "--jobs", "1"]
    command = [sys.executable, "-m", "tests.lab.fuzz", *words]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{kind}: {N_MUTANTS} mutants" in done.stdout
    counts = {end: int(n) for end, n in re.findall(r"  (.+?) {2,}(\d+)", done.stdout)}
    # Damage is severe enough that some commands fail, and mild enough that some succeed.
    for wanted in ("exit 0", "exit 2"):
        assert sum(n for end, n in counts.items() if end.endswith(wanted)) > N_MUTANTS / 10
