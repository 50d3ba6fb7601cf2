"""Ultimate Tic-Tac-Toe's simulator reproduces recorded games and counts."""

import json
import os
import re
import subprocess
import sys

import pytest

from shared.core.checks.truth import TruthError
from shared.games.ultimate_tic_tac_toe.contest import CONTEST
from shared.games.ultimate_tic_tac_toe.truth import load
from tests.conftest import DATA, PROJECT

SLICE = DATA / "ultimate_tic_tac_toe.json.gz"


def test_the_slice_in_the_project():
    found = CONTEST.verify(SLICE)
    assert (found.games, found.mismatches, found.first) == (27, 0, None)


@pytest.mark.slow("a slice of them is verified in the project")
@pytest.mark.parametrize("jit", ["1", "0"], ids=["compiled", "plain"])
@pytest.mark.parametrize("name", ["uttt_games.json.gz", "uttt_perft.json"])
def test_all_recorded_games_and_counts_in_both_modes(truth, jit, name):
    result = subprocess.run(
        [sys.executable, "-m", "referee", "verify", "ultimate_tic_tac_toe", str(truth / name)],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": jit},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def changed(tmp_path, change):
    """A truth file like the slice with one change."""
    data = load(SLICE)
    change(data)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda data: data["games"][0]["legal"].__setitem__(0, [1]), r"turn 0: legal are \[0, 1, "),
        (lambda data: data["games"][1].update(result="draw"), r"at the end: \('P\d', "),
        (lambda data: data["games"][2].update(scores=[3, 10]), r"at the end: "),
        (lambda data: data["start"].update({"2": 721}), r"after 0 actions: sequences of 2 .*: 720"),
        (lambda data: data["positions"][0]["perft"].__setitem__(1, 64), r"after 10 .*: 63, exp"),
    ],
)
def test_a_wrong_number_is_found_and_named(tmp_path, change, text):
    found = CONTEST.verify(changed(tmp_path, change))
    assert found.mismatches == 1
    assert re.search(text, found.first)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data["games"][0]["legal"].pop(),
        lambda data: data["games"][0].pop("result"),
        lambda data: data["games"][0]["moves"].__setitem__(0, "centre"),
        lambda data: data["games"][0]["moves"].__setitem__(1, data["games"][0]["moves"][0]),
        lambda data: data["positions"][0].update(moves=[99]),
        lambda data: data.update(games=[7]),
    ],
)
def test_a_damaged_file_is_named_and_never_passes_for_compared(tmp_path, damage):
    with pytest.raises(TruthError, match=r"truth file of Ultimate.* is damaged") as error:
        CONTEST.verify(changed(tmp_path, damage))
    assert "\n" not in str(error.value)
