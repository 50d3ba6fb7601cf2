"""SameGame's simulator reproduces recorded games."""

import gzip
import json
import os
import re
import subprocess
import sys

import pytest

from shared.core.checks.truth import TruthError
from shared.games.samegame.contest import CONTEST
from shared.games.samegame.maps import CASES
from tests.conftest import DATA, PROJECT

SLICE = DATA / "samegame.json.gz"


def contents():
    return json.loads(gzip.decompress(SLICE.read_bytes()))


def verified(path, jit):
    return subprocess.run(
        [sys.executable, "-m", "referee", "verify", "samegame", str(path)],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": jit},
        capture_output=True,
        text=True,
    )


def test_the_slice_in_the_project():
    found = CONTEST.verify(SLICE)
    assert (found.games, found.mismatches, found.first) == (len(contents()["games"]), 0, None)


def test_the_slice_in_plain_python():
    result = verified(SLICE, "0")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("jit", ["1", "0"], ids=["compiled", "plain"])
def test_all_recorded_games_in_both_modes(truth, jit):
    result = verified(truth / "samegame.json.gz", jit)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_boards_are_the_sites(truth):
    recorded = json.loads(gzip.decompress((truth / "samegame.json.gz").read_bytes()))["boards"]
    sites = [(board["name"], board["rows"]) for board in recorded if board["kind"] != "made"]
    assert sites == CASES


def changed(tmp_path, change):
    """A truth file like the slice but for one change."""
    data = contents()
    change(data)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda games: games[0]["points"].__setitem__(2, 7), r"game 0: turn 2: \d+ points, exp"),
        (
            lambda games: games[1]["last"][14].__setitem__(0, 3),
            r"game 1: at the end: another board",
        ),
        (lambda games: games[2].update(over=False), r"game 2: at the end: over is True, expected"),
        (
            lambda games: games[-1]["actions"].__setitem__(0, [14, 14]),
            r"turn 0: 14 14 is not legal",
        ),
    ],
)
def test_a_wrong_number_is_found_and_named(tmp_path, change, text):
    found = CONTEST.verify(changed(tmp_path, lambda data: change(data["games"])))
    assert found.mismatches == 1
    assert re.search(text, found.first)


@pytest.mark.parametrize(
    "damage",
    [
        lambda games: games[0]["points"].pop(),
        lambda games: games[0].pop("last"),
        lambda games: games[0].update(board=99),
        lambda games: games[0]["actions"].__setitem__(1, ["left", 2]),
        lambda games: games[0]["actions"].__setitem__(1, [15, 2]),
        lambda games: games.append(7),
    ],
)
def test_a_damaged_file_is_named_and_never_passes_for_compared(tmp_path, damage):
    path = changed(tmp_path, lambda data: damage(data["games"]))
    with pytest.raises(TruthError, match=r"truth file of SameGame.* is damaged"):
        CONTEST.verify(path)
