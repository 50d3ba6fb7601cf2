"""A golden game: the bots' bundles play what they played, every line legal, and the log replays in every mode."""

import json
import subprocess
import sys

import pytest

from shared.games.coders_strike_back.protocol import parse_action
from tests.conftest import PROJECT
from tests.golden import record


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("golden") / "game.jsonl"
    record.play(path)
    return path


def test_every_command_is_the_recorded_one(log):
    game, golden = json.loads(json.dumps(record.game_of(log))), json.loads(record.GAME.read_text())
    for turn, (commands, expected) in enumerate(zip(game["commands"], golden["commands"])):
        assert commands == expected, f"turn {turn}"
    assert game == golden


def test_every_line_is_legal(log):
    for commands in record.game_of(log)["commands"]:
        for lines in commands:
            assert len([parse_action(line) for line in lines]) == 2


@pytest.mark.parametrize("player", ["0", "1"])
def test_plain_python_repeats_what_machine_code_played(log, tmp_path, player):
    """The same bot bundled as plain Python gives the same commands on the same input."""
    bundle = tmp_path / "plain.py"
    source = PROJECT / "bots" / "coders_strike_back" / f"{record.BOTS[int(player)]}.py"
    for command in (
        ["bundler", str(source), "-o", str(bundle), "--mode", "python"],
        ["referee", "replay", str(log), "--player", player, "--bot", str(bundle), "--turn", "12"],
    ):
        result = subprocess.run(
            [sys.executable, "-m", *command], cwd=PROJECT, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    "seats", [("racer", "smitsimax"), ("mutation", "racer"), ("racer", "racer")]
)
def test_every_bot_plays_from_either_seat_to_the_end(seats):
    bots = [f"bots/coders_strike_back/{name}.py" for name in seats]
    command = ["match", "coders_strike_back", *bots, "--nodes", "30", "--limits", "off", "--json"]
    result = subprocess.run(
        [sys.executable, "-m", "referee", *command, "--seed", "2"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert "finished the race" in result.stdout or "passed no checkpoint" in result.stdout
