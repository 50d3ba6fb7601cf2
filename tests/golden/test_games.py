"""Golden games: the bots' bundles play what they played, every line legal, and plain
Python repeats them.
"""

import json
import subprocess
import sys

import pytest

from tests.conftest import PROJECT
from tests.golden import record

CONTESTS = sorted(path.parent.name for path in PROJECT.glob("shared/games/*/contest.py"))
GAMES = record.recorded_games()


@pytest.mark.parametrize("contest", CONTESTS)
def test_every_contest_has_a_golden_game(contest):
    assert contest in [
        game.contest for game in GAMES
    ], f"record one: python -m tests.golden.record {contest} BOT BOT --nodes 100"


@pytest.fixture(scope="module", params=GAMES, ids=lambda golden: golden.contest)
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
    assert record.game_of(golden, log)["outcome"]["reason"] and record.faults(log) == []


@pytest.mark.parametrize("player", [0, 1])
def test_plain_python_repeats_what_machine_code_played(golden, log, tmp_path, player):
    """The same bot bundled as plain Python gives the same commands on the same input, up to a turn
    in which it is asked.
    """
    bundle = tmp_path / "plain.py"
    source = str(PROJECT / golden.source(player))
    replay = ["referee", "replay", str(log), "--player", str(player)]
    for command in (
        ["bundler", source, "-o", str(bundle), "--mode", "python", "--no-check"],
        [*replay, "--bot", str(bundle), "--turn", str(6 + player)],
    ):
        result = subprocess.run(
            [sys.executable, "-m", *command], cwd=PROJECT, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stdout + result.stderr
