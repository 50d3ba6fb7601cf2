"""Wayfinder's simulator reproduces recorded games: lines, shortest lengths, points."""

import json
import math
import os
import re
import subprocess
import sys

import pytest

from shared.core.checks.truth import TruthError, load_json
from shared.games.wayfinder import truth as recorded_games
from shared.games.wayfinder.contest import CONTEST
from tests.conftest import DATA, PROJECT

SLICE = DATA / "wayfinder.json.gz"


def verified(file, jit):
    """Returns the command's output for a file."""
    return subprocess.run(
        [sys.executable, "-m", "referee", "verify", "wayfinder", str(file)],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": jit},
        capture_output=True,
        text=True,
    )


@pytest.mark.slow("the same, many times slower")
def test_the_slice_in_the_project_in_plain_python():
    """The whole file takes a quarter of a minute there: `CG_JIT=0 onefile verify wayfinder
    FILE`.
    """
    result = verified(SLICE, "0")
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"3 +6 +0", result.stdout)


@pytest.mark.slow("a slice of them is verified in the project")
def test_all_recorded_games(truth):
    result = verified(truth / "wayfinder_games.json.gz", "1")
    assert result.returncode == 0, result.stdout + result.stderr


def changed(tmp_path, monkeypatch, change):
    """A truth file like the slice with one change; its lengths are not checked, which avoids
    compiling.
    """
    data = load_json(SLICE, "slice")
    known = {
        turn["lines"][-1]: [math.inf if one is None else one for one in turn["optimal"]]
        for game in data["games"]
        for turn in game["turns"]
    }
    monkeypatch.setattr(
        recorded_games,
        "optima_of",
        lambda rings, queries: known[" ".join(map(str, queries[-1]))],
    )
    change(data)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data))
    return path


def test_the_slice_agrees_when_its_lengths_are_right(tmp_path, monkeypatch):
    found = CONTEST.verify(changed(tmp_path, monkeypatch, lambda data: None))
    assert (found.games, found.turns, found.mismatches, found.first) == (3, 6, 0, None)


def first_turn(data):
    return data["games"][0]["turns"][0]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            lambda data: first_turn(data)["optimal"].__setitem__(0, 9773.5),
            r"game 0: turn 0: query 0: the shortest path has 9773.59\d+, expected 9773.5",
        ),
        (
            lambda data: first_turn(data)["answers"]["straight lines"]["points"].__setitem__(0, 0),
            "turn 0: query 0, straight lines: -5000 points, expected 0",
        ),
        (
            lambda data: data["games"][0]["initial"].__setitem__(0, "6  10"),
            "game 0: the initial lines are read otherwise",
        ),
        (lambda data: first_turn(data)["queries"][0].__setitem__(2, 50), "the queries are other"),
        (lambda data: first_turn(data)["lines"].append("1"), "the lines are read otherwise"),
    ],
)
def test_a_wrong_number_is_found_and_named(tmp_path, monkeypatch, change, text):
    found = CONTEST.verify(changed(tmp_path, monkeypatch, change))
    assert found.mismatches == 1
    assert re.search(text, found.first), found.first


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: first_turn(data).pop("answers"),
        lambda data: first_turn(data)["optimal"].pop(),
        lambda data: first_turn(data)["lines"].pop(),
        lambda data: first_turn(data)["answers"]["straight lines"]["lines"].pop(),
        lambda data: data["games"][0].update(initial=[]),
        lambda data: data["games"][0].update(initial=["6 10", "x"]),
        lambda data: data.update(games=[7]),
    ],
)
def test_a_damaged_file_is_named_and_never_passes_for_compared(tmp_path, monkeypatch, damage):
    with pytest.raises(TruthError, match=r"no truth file of Wayfinder: .* is damaged") as error:
        CONTEST.verify(changed(tmp_path, monkeypatch, damage))
    assert "\n" not in str(error.value)
