"""Ants under the referee: options, eliminated players, small logs."""

import json
import subprocess
import sys

import pytest

from shared.games.ants.contest import CONTEST
from shared.games.ants.maps import read_map
from tests.conftest import PROJECT

STANDING = """
import sys
for line in sys.stdin:
    if line.strip() in ("ready", "go"):
        print({orders!r}, end="")
        print("{done}", flush=True)
"""


def referee(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "referee", *map(str, arguments)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def bots(tmp_path):
    """Bots in plain Python: one does nothing, one is late."""
    written = {"stands": ("# nothing\n", " Go"), "never ends": ("", "stop")}
    for name, (orders, done) in written.items():
        (tmp_path / f"{name}.py").write_text(STANDING.format(orders=orders, done=done))
    return {name: tmp_path / f"{name}.py" for name in written}


def test_a_player_out_leaves_its_ants_and_the_others_play_on(bots):
    players = [bots["stands"]] * 2 + [bots["never ends"]]
    match = ["match", "ants", *players, "--seed", 2, "--limits", "300,2000", "--json", "--serial"]
    result = json.loads(referee(*match, "--option", "turns=3").stdout)
    late = result["players"][2]
    assert "without 'go'" in late["fault"] and late["score"] < result["players"][0]["score"]
    assert result["turns"] == 4 and result["reason"] == "turn limit reached"


MAP = "rows 8\ncols 9\nplayers 2\n" + "m .........\n" * 7


@pytest.mark.slow("starts a referee for each option", keep=2)
@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("turns=none", "option turns: 1 to 1500 is expected, got 'none'"),
        ("map=short", "there are 7 lines of map for 8 rows"),
        ("map=strange", "'7' is no square of a map for 2 players"),
        ("maps=.", "no file named *.map is a map for 2 players"),
    ],
)
def test_an_option_that_cannot_be_used_is_one_clear_line(bots, tmp_path, option, said):
    (tmp_path / "short").write_text(MAP)
    (tmp_path / "strange").write_text(MAP + "m 7........\n")
    name, _, value = option.partition("=")
    if (tmp_path / value).is_file() and value:
        option = f"{name}={tmp_path / value}"
    done = referee("match", "ants", bots["stands"], "--option", option)
    assert done.returncode and said in done.stderr and "Traceback" not in done.stderr


def test_a_map_of_a_folder_is_named(tmp_path):
    """A page finds the games on a map by its file's name."""
    for name, width in (("narrow", 8), ("wide", 12)):
        rows = ["a" + "." * (width - 2) + "b", *["." * width] * 5]
        head = f"rows 6\ncols {width}\nplayers 2\n"
        (tmp_path / f"{name}.map").write_text(head + "".join(f"m {row}\n" for row in rows))
    (tmp_path / "crowd.map").write_text(MAP.replace("players 2", "players 3") + "m 0.1.2....\n")
    found = [CONTEST.map_of(seed, 2, maps=tmp_path) for seed in (1, 2, 3)]
    assert found == [("narrow", "6 x 8"), ("wide", "6 x 12"), ("narrow", "6 x 8")]
    assert CONTEST.map_of(1, 2, map=read_map(tmp_path / "wide.map")) == ("chosen", "6 x 12")
    assert CONTEST.map_of(5, 2, kind="maze") == ("generated 5", "maze")
