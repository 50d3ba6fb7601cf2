"""The simulator reproduces recorded games of Coders Strike Back field by field."""

import gzip
import json
import os
import subprocess
import sys

import pytest

from shared.core.checks.truth import TruthError
from shared.games.coders_strike_back.contest import CONTEST
from tests.conftest import DATA, PROJECT

SLICE = DATA / "coders_strike_back.json.gz"


def test_the_slice_in_the_project():
    report = CONTEST.verify(SLICE)
    assert (report.games, report.turns, report.mismatches, report.first) == (13, 676, 0, None)


@pytest.mark.slow("a slice of them is verified in the project")
@pytest.mark.parametrize("jit", ["1", "0"], ids=["compiled", "plain"])
def test_all_recorded_games_in_both_modes(truth, jit):
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "referee",
            "verify",
            "coders_strike_back",
            str(truth / "csb_scenarios.json.gz"),
        ],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": jit},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_wrong_number_is_found_and_named(tmp_path):
    data = json.loads(gzip.decompress(SLICE.read_bytes()))
    data["scenarios"][3]["states"][7][2][0] += 1
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data))
    report = CONTEST.verify(changed)
    assert report.mismatches == 1
    name = data["scenarios"][3]["name"]
    assert report.first.startswith(f"{name} turn 7: player 1 pod 0 x is ")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b"[]",
        b"[" * 100_000,
        b'{"scenarios": []}',
        b'{"scenarios": [{}]}',
        b"\x1f\x8bxx",
        gzip.compress(b"{}", mtime=0)[:10] + b"\xff" * 20,
    ],
)
def test_an_invalid_truth_file_is_one_error_line(tmp_path, content):
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(
        TruthError, match=f"{path.name}: no truth file of Coders Strike Back"
    ) as error:
        CONTEST.verify(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "damage",
    [
        lambda scenario: scenario["states"].pop(),
        lambda scenario: scenario["states"][0].pop(),
        lambda scenario: scenario["states"][0][0].pop(),
        lambda scenario: scenario["moves"][0].pop(),
        lambda scenario: scenario["moves"][0][0].append(1),
        lambda scenario: scenario["init"].pop(),
        lambda scenario: scenario["timeouts"].pop(),
        lambda scenario: scenario["moves"][0][0].__setitem__(2, "JUMP"),
        lambda scenario: scenario.update(kind="guessed"),
        lambda scenario: scenario.update(laps="three"),
        lambda scenario: scenario.update(checkpoints=[]),
        lambda scenario: scenario.update(checkpoints=scenario["checkpoints"] * 9),
    ],
)
def test_a_damaged_scenario_is_named_and_never_passes_for_compared(tmp_path, damage):
    data = json.loads(gzip.decompress(SLICE.read_bytes()))
    scenario = data["scenarios"][0]
    damage(scenario)
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps({"scenarios": [scenario]}))
    with pytest.raises(TruthError, match=f"scenario '{scenario['name']}' is damaged") as error:
        CONTEST.verify(path)
    assert "\n" not in str(error.value)
