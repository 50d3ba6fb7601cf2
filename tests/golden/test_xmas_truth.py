"""The simulator reproduces recorded games of X-mas Rush: every line of input, every engine
frame, every score.
"""

import gzip
import json
import os
import subprocess
import sys

import pytest

from shared.core.checks.truth import TruthError
from shared.games.xmas_rush.contest import CONTEST
from tests.conftest import DATA, PROJECT

SLICE = DATA / "xmas_rush.jsonl.gz"


def games():
    return [json.loads(line) for line in gzip.decompress(SLICE.read_bytes()).splitlines()]


def write(path, recorded):
    path.write_text("".join(json.dumps(game) + "\n" for game in recorded))
    return path


def test_the_slice_in_the_project():
    """It contains leagues 1, 2, 3 and 6, clashes, a deadlock, draws, illegal lines and eliminated
    players.
    """
    report = CONTEST.verify(SLICE)
    assert (report.games, report.turns, report.mismatches, report.first) == (14, 243, 0, None)


@pytest.mark.slow("a slice of them is verified in the project")
@pytest.mark.parametrize("jit", ["1", "0"], ids=["compiled", "plain"])
def test_all_recorded_games_in_both_modes(truth, jit):
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "referee",
            "verify",
            "xmas_rush",
            str(truth / "xmas_games.jsonl.gz"),
        ],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": jit},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def change_board(game):
    game["turns"][6]["frames"][0]["board"][3] = "0000 " * 6 + "0000"


def change_item(game):
    game["turns"][6]["in"][1][20] = "KEY 1 1 0"


def change_score(game):
    game["scores"] = [11, 12]


def drop_frame(game):
    game["turns"][7]["frames"].pop()


def add_frame(game):
    game["turns"][7]["frames"].append(game["turns"][7]["frames"][-1])


def change_start(game):
    game["init"]["stale"] = 1


def cut_off(game):
    game["turns"].pop()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (change_board, "turn 7: frame 1: board is "),
        (change_item, "turn 7: input of player 1: line 21 is "),
        (change_score, "turn 30: scores are [12, 12], expected [11, 12]"),
        (drop_frame, "turn 8: frame "),
        (add_frame, "turn 8: 1 more frames are recorded"),
        (change_start, "turn 0: start: stale is 0, expected 1"),
        (cut_off, "turn 29: the game is not over"),
    ],
)
def test_a_difference_is_found_and_named(tmp_path, change, text):
    recorded = [game for game in games() if game["game"] == 36]
    change(recorded[0])
    report = CONTEST.verify(write(tmp_path / "changed.jsonl", recorded))
    assert report.mismatches >= 1
    assert report.first.startswith(f"game 36 {text}")


@pytest.mark.parametrize(
    "content",
    [b"", b"not json", b"[]", b"[" * 100_000, b"{}", b'{"game": 1}', b"\x1f\x8bxx", b"\xff\xfe"],
)
def test_an_invalid_truth_file_is_one_error_line(tmp_path, content):
    path = tmp_path / "file.jsonl"
    path.write_bytes(content)
    with pytest.raises(TruthError, match=r"file\.jsonl: no truth file of X-mas Rush") as error:
        CONTEST.verify(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "damage",
    [
        lambda game: game.update(league=7),
        lambda game: game.update(seed="one"),
        lambda game: game["turns"][0]["in"].pop(),
        lambda game: game["turns"][0]["out"].pop(),
        lambda game: game["turns"][0]["out"].append("PASS"),
        lambda game: game["turns"][0].pop("start"),
        lambda game: game["turns"][0].pop("frames"),
        lambda game: game["turns"][0]["start"].update(colour="red"),
        lambda game: game["turns"][0]["end"].pop("pos"),
        lambda game: game["turns"][0].pop("end"),
        lambda game: game["turns"][0]["frames"][0].pop("board"),
        lambda game: game.pop("scores"),
    ],
)
def test_a_damaged_game_is_named_and_never_passes_for_compared(tmp_path, damage):
    recorded = [game for game in games() if game["game"] == 39]
    damage(recorded[0])
    path = write(tmp_path / "damaged.jsonl", recorded)
    with pytest.raises(TruthError, match="game 39 is damaged") as error:
        CONTEST.verify(path)
    assert "\n" not in str(error.value)
