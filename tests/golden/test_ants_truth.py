"""The simulator reproduces recordings of the contest's engine: battles, single turns, whole games
with every input line.
"""

import gzip
import json
import os
import subprocess
import sys

import pytest

from shared.core.checks.truth import TruthError
from shared.games.ants.contest import CONTEST
from tests.conftest import DATA, PROJECT

SLICE = DATA / "ants.json.gz"


def recorded():
    return json.loads(gzip.decompress(SLICE.read_bytes()))


def write(path, truth):
    path.write_text(json.dumps(truth))
    return path


def test_the_slice_in_the_project():
    report = CONTEST.verify(SLICE)
    assert (report.games, report.mismatches, report.first) == (79, 0, None)


@pytest.mark.slow("a slice of it is verified in the project")
@pytest.mark.parametrize("jit", ["1", "0"], ids=["compiled", "plain"])
def test_all_that_is_recorded_in_both_modes(truth, jit):
    """240 battles, 120 single turns, 8 games."""
    result = subprocess.run(
        [sys.executable, "-m", "referee", "verify", "ants", str(truth / "ants.json.gz")],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": jit},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def change_dead(truth):
    truth["battles"][3]["dead"].append([0, 0, 0])


def change_hive(truth):
    truth["one_turn"][2]["hive_food"][1] += 1


def change_order(truth):
    truth["one_turn"][2]["ignored"][0].append("o 1 1 n # move blocked")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (change_dead, "battle 3: dead is "),
        (change_hive, "single turn 2: hive_food is "),
        (change_order, "single turn 2: ignored is "),
    ],
)
def test_a_difference_is_found_and_named(tmp_path, change, text):
    truth = recorded()
    change(truth)
    report = CONTEST.verify(write(tmp_path / "changed.json", truth))
    assert report.mismatches == 1 and report.first.startswith(text)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"battles": [], "one_turn": 1}', b"\xff"])
def test_an_invalid_truth_file_is_one_error_line(tmp_path, content):
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(TruthError, match=r"file\.json: no truth file of Ants") as error:
        CONTEST.verify(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "damage",
    [
        lambda truth: truth["battles"][0].pop("rows"),
        lambda truth: truth["battles"][0].update(ants=[[1]]),
        lambda truth: truth["one_turn"][0].pop("sent"),
        lambda truth: truth["one_turn"][0].update(map=["m"]),
        lambda truth: truth["games"].append({}),
        lambda truth: truth["games"].append(1),
    ],
)
def test_damage_is_named_and_never_passes_for_compared(tmp_path, damage):
    truth = recorded()
    damage(truth)
    with pytest.raises(TruthError, match="is damaged") as error:
        CONTEST.verify(write(tmp_path / "damaged.json", truth))
    assert "\n" not in str(error.value)
