"""Golden games: the bots' bundles play what they played, every line legal, and plain
Python repeats them.
"""

import json
import subprocess
import sys

import pytest

from referee.contests import find_contest
from referee.log import read_log
from tests.conftest import BOTS, PROJECT
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


def faults(log):
    """Why players were eliminated in a logged game."""
    records = [json.loads(line) for line in log.read_text().splitlines()]
    parts = [part for record in records for part in record.get("players", {}).values()]
    return [part["fault"] for part in parts if part["fault"]]


def test_it_ends_by_the_rules_and_by_no_fault_of_a_bot(golden, log):
    """The referee takes every line for legal: one that is not would end the game."""
    assert record.game_of(golden, log)["outcome"]["reason"] and faults(log) == []


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


def pairs():
    """(contest, bots) so that every bot sits in either seat once, two of each at a table for four."""
    for contest in CONTESTS:
        bots = [bot.relative_to(PROJECT) for bot in BOTS if bot.parent.name == contest]
        seats = find_contest(contest).players[0]
        for bot, rival in zip(bots, bots[1:] + bots[:1]):
            players = [bot, rival] * (seats // 2)
            yield pytest.param(contest, players, id=f"{contest}-{bot.stem}-{rival.stem}")


@pytest.fixture(scope="module")
def play_inside():
    """play_inside(contest, bots, nodes, seed): a match in a process that plays all of them."""
    command = [sys.executable, "-m", "tests.golden.inside"]
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def play(*match):
            process.stdin.write(json.dumps(match) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield play
        process.stdin.close()


@pytest.mark.parametrize("contest, bots", list(pairs()))
def test_every_bot_plays_from_either_seat_to_the_end(contest, bots, tmp_path, play_inside):
    """Over pipes, and the same game within one process."""
    log = tmp_path / "game.jsonl"
    command = ["match", contest, *bots, "--nodes", "30", "--limits", "off", "--log", log]
    result = subprocess.run(
        [sys.executable, "-m", "referee", *command, "--seed", "2"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert faults(log) == []
    played = read_log(log)
    expected = [
        [rank, score, None] for rank, score in zip(played.outcome.ranks, played.outcome.scores)
    ]
    answers = [[part.output for _, part in played.of_player(player)] for player in range(len(bots))]
    inside = play_inside(contest, list(map(str, bots)), 30, 2)
    assert inside == [len(played.turns), expected, answers]
