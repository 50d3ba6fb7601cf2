"""Golden games: the bots' bundles play what they played, every line legal, and plain
Python repeats them.
"""

import json
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.golden import record

# How games of our bots end that no bot loses by a fault.
ENDS = {
    "coders_strike_back": ("finished the race", "passed no checkpoint"),
    "infexion": ("won in", "won after", "a draw"),
    "xmas_rush": ("completed all quests", "turns are played", "one same line"),
}


@pytest.fixture(scope="module", params=record.GAMES, ids=lambda golden: golden.contest)
def golden(request):
    return request.param


@pytest.fixture(scope="module")
def log(golden, tmp_path_factory):
    path = tmp_path_factory.mktemp("golden") / "game.jsonl"
    record.play(golden, path)
    return path


def test_every_command_is_the_recorded_one(golden, log):
    game, recorded = record.game_of(golden, log), json.loads(golden.path.read_text())
    for turn, (commands, expected) in enumerate(zip(game["commands"], recorded["commands"])):
        assert commands == expected, f"turn {turn}"
    assert game == recorded


def test_it_ends_by_the_rules_and_by_no_fault_of_a_bot(golden, log):
    """The referee takes every line for legal: one that is not would end the game."""
    reason = record.game_of(golden, log)["outcome"]["reason"]
    assert any(end in reason for end in ENDS[golden.contest])


@pytest.mark.parametrize("player", [0, 1])
def test_plain_python_repeats_what_machine_code_played(golden, log, tmp_path, player):
    """The same bot bundled as plain Python gives the same commands on the same input, up to a turn
    in which it is asked.
    """
    bundle = tmp_path / "plain.py"
    source = str(PROJECT / golden.source(player))
    replay = ["referee", "replay", str(log), "--player", str(player)]
    for command in (
        ["bundler", source, "-o", str(bundle), "--mode", "python"],
        [*replay, "--bot", str(bundle), "--turn", str(12 + player)],
    ):
        result = subprocess.run(
            [sys.executable, "-m", *command], cwd=PROJECT, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    "contest, seats",
    [
        ("coders_strike_back", ("racer", "smitsimax")),
        ("coders_strike_back", ("mutation", "racer")),
        ("coders_strike_back", ("racer", "racer")),
        ("infexion", ("random", "minimax")),
        ("infexion", ("minimax", "greedy")),
        ("xmas_rush", ("greedy", "smitsimax")),
        ("xmas_rush", ("matrix", "greedy")),
    ],
)
def test_every_bot_plays_from_either_seat_to_the_end(contest, seats):
    bots = [f"bots/{contest}/{name}.py" for name in seats]
    command = ["match", contest, *bots, "--nodes", "30", "--limits", "off", "--json"]
    result = subprocess.run(
        [sys.executable, "-m", "referee", *command, "--seed", "2"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert any(end in result.stdout for end in ENDS[contest])
