"""The first of the damaged files that `make fuzz` makes: each command ends in a permitted way."""

import random
import re
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.fuzz.mutants import as_text, damage_bytes, damage_json
from tests.fuzz.subjects import SUBJECTS

N_MUTANTS = 25


@pytest.mark.exhaustive("damages files of the other kinds", keep=1)
@pytest.mark.parametrize("kind", SUBJECTS)
def test_damaged_files_end_in_errors_with_names(kind):
    """Commands run as plain Python in a new process: this one may have compiled the rules."""
    command = [sys.executable, "-m", "tests.fuzz", kind, "--mutants", str(N_MUTANTS), "--jobs", "1"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{kind}: {N_MUTANTS} mutants" in done.stdout
    counts = {end: int(n) for end, n in re.findall(r"  (.+?) {2,}(\d+)", done.stdout)}
    # Damage is severe enough that some commands fail, and mild enough that some succeed.
    for wanted in ("exit 0", "exit 2"):
        assert sum(n for end, n in counts.items() if end.endswith(wanted)) > N_MUTANTS / 10


def test_damage_changes_the_file():
    """Nearly always; and the same seed gives the same file."""
    whole = {"a": [1, 2.5, "text", None], "b": {"c": {"d": [[0, 1], [2, 3]]}}}
    text = as_text(whole)

    def mutants():
        rng = random.Random(1)
        ways = (
            lambda: damage_bytes(text.encode(), rng),
            lambda: as_text(damage_json(whole_again(), rng)),
        )
        return [str(rng.choice(ways)()) for _ in range(300)]

    def whole_again():
        return {"a": [1, 2.5, "text", None], "b": {"c": {"d": [[0, 1], [2, 3]]}}}

    assert mutants() == mutants()
    assert len(set(mutants())) > 200
    assert any("NaN" in one for one in mutants()) and any("[[[[[[[[" in one for one in mutants())
