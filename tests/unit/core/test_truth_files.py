"""Recorded games as files: plain, gzipped, and some that expand to an excessive size."""

import gzip
import json
import subprocess
import sys

import pytest

from shared.core.checks.perft import count_sequences, make_perft
from shared.core.checks.truth import TruthError, load_json
from shared.games.tic_tac_toe.game import GAME, new_setup, new_state
from tests.conftest import PROJECT


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("lines", [False, True])
def test_contents(tmp_path, pack, lines):
    file = tmp_path / "truth"
    file.write_bytes(pack(b'{"a": 1}\n'))
    assert load_json(file, "truth file", lines) == ([{"a": 1}] if lines else {"a": 1})


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_that_holds_too_much(tmp_path, monkeypatch, pack):
    """Unpacking stops at the limit."""
    monkeypatch.setattr("shared.core.checks.truth.MAX_BYTES", 1_000_000)
    file = tmp_path / "truth"
    file.write_bytes(pack(b" " * 2_000_000 + b"{}"))
    with pytest.raises(TruthError, match=r"no truth file .*holds more than 1 MB"):
        load_json(file, "truth file")


DEPTHS = [
    ("9", "sequences of 9 actions: "),
    ("0", "there are no sequences of '0' actions"),
    ("9" * 400, "there are no sequences of '9999"),
]


@pytest.mark.slow("starts a referee for each", keep=1)
@pytest.mark.parametrize(("depth", "expected"), DEPTHS)
def test_a_count_that_would_take_for_ever(tmp_path, depth, expected):
    """The count stops once it exceeds the number in the file; as plain Python, as in the
    command.
    """
    perft = {depth: {"sequences": 49, "of_which_game_over": 0}}
    case = {"name": "x", "board": "." * 49, "turns_played": 0, "perft": perft}
    file = tmp_path / "truth"
    file.write_text(json.dumps({"positions": [case]}))
    command = [sys.executable, "-m", "referee", "verify", "infexion", str(file)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert done.returncode in (1, 2) and expected in done.stdout + done.stderr


@pytest.mark.slow("starts a referee for each", keep=1)
@pytest.mark.parametrize("radius2", [10**12, -1])
def test_a_radius_that_is_none(tmp_path, radius2):
    """A huge radius would make the search of its neighbourhood endless."""
    battle = {"rows": 20, "cols": 20, "players": 2, "ants": [], "attackradius2": radius2}
    battle |= {"n_enemies": [], "dead": []}
    file = tmp_path / "truth"
    file.write_text(json.dumps({"battles": [battle], "one_turn": [], "games": []}))
    command = [sys.executable, "-m", "referee", "verify", "ants", str(file)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "a squared radius is 0 to 40000, not " in done.stderr


def test_a_count_of_rare_sequences(monkeypatch):
    """If nearly all games end earlier, the count stops with an error instead of visiting them
    all.
    """
    monkeypatch.setattr("shared.core.checks.perft.MOST_ENDS", 1000)
    with pytest.raises(ValueError, match="too many games end before 10 actions"):
        count_sequences(GAME, make_perft(GAME), new_setup(), new_state(), 10, 1)


def test_a_limit_of_a_count_changes_no_count():
    perft = make_perft(GAME)
    counts = [
        count_sequences(GAME, perft, new_setup(), new_state(), 3, limit) for limit in (504, 505, 10)
    ]
    assert counts == [(504, 0), (504, 0), (11, 0)]
