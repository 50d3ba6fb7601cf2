"""Golden games: the bots' bundles repeat their recorded games, every line is legal, and plain
Python repeats them.
"""

import json
import subprocess
from functools import cache

import pytest

from tests.conftest import COMPILED_BOTS, HOME, module_command, slow_bundle
from tests.golden import record

CONTESTS = sorted(path.parent.name for path in HOME.glob("shared/games/*/contest.py"))
GAMES = record.recorded_games()


@pytest.mark.parametrize("contest", CONTESTS)
def test_every_contest_has_a_golden_game(contest):
    assert contest in [
        game.contest for game in GAMES
    ], f"record one: python -m tests.golden.record {contest} BOT BOT --nodes 100"


slow_in_python = pytest.mark.slow("takes a minute as plain Python; recorded queries are checked")


def games():
    """(golden game, players whose bundles are native): those of COMPILED_BOTS, and slow, all."""
    for golden in GAMES:
        players = range(len(golden.bots))
        compiled = [one for one in players if HOME / golden.source(one) in COMPILED_BOTS]
        marks = slow_in_python if golden.contest == "wayfinder" else ()
        yield pytest.param((golden, compiled), id=golden.contest, marks=marks)
        yield pytest.param((golden, [*players]), id=f"{golden.contest}-native", marks=slow_bundle)


@pytest.fixture(scope="module", params=list(games()))
def game(request):
    return request.param


@pytest.fixture(scope="module")
def golden(game):
    return game[0]


@pytest.fixture(scope="module")
def log(game, plain_bundle, tmp_path_factory):
    """The log of the game; the players whose bundles are not native play as plain Python."""
    golden, native = game
    path = tmp_path_factory.mktemp("golden") / "game.jsonl"
    sources = [golden.source(player) for player in range(len(golden.bots))]
    bots = [one if i in native else plain_bundle(one) for i, one in enumerate(sources)]
    record.play(golden, path, bots)
    return path


@pytest.fixture(scope="module")
def plain_bundle(tmp_path_factory):
    """plain_bundle(source) is the path of the bot's bundle as plain Python."""
    folder = tmp_path_factory.mktemp("plain")

    @cache
    def make(source):
        bundle = folder / f"{source.replace('/', '_')}"
        words = [str(HOME / source), "-o", str(bundle), "--mode", "python", "--no-check"]
        subprocess.run(module_command("bundler", *words), cwd=HOME, check=True, capture_output=True)
        return str(bundle)

    return make


def test_every_command_is_the_recorded_one(golden, log):
    game, recorded = record.game_of(golden, log), json.loads(golden.path.read_text())
    for turn, (commands, expected) in enumerate(zip(game["commands"], recorded["commands"])):
        assert commands == expected, f"turn {turn}"
    assert game == recorded


def test_it_ends_by_the_rules_and_by_no_fault_of_a_bot(golden, log):
    """The referee checks every line: an illegal one would end the game."""
    assert record.game_of(golden, log)["outcome"]["reason"] and record.faults(log) == []


def test_plain_python_repeats_games_of_machine_code(game, log, plain_bundle):
    """The same bot bundled as plain Python gives the same commands for the same input, up to a
    given turn.
    """
    golden, native = game
    for player in native:
        command = ["referee", "replay", str(log), "--player", str(player)]
        command += ["--turn", str(6 + player), "--bot", plain_bundle(golden.source(player))]
        result = subprocess.run(module_command(*command), cwd=HOME, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
