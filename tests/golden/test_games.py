"""Golden games: the bots' bundles repeat their recorded games, every line is legal, and plain
Python repeats them.
"""

import json
import subprocess
from functools import cache

import pytest

from tests.conftest import GOLDEN_BOTS, HOME, PROJECT, module_command, run_plain, slow_bundle
from tests.golden import record

CONTESTS = sorted(path.parent.name for path in HOME.glob("shared/games/*/contest.py"))
GAMES = record.recorded_games()
# Wayfinder's bots take a minute as plain Python.
ALL_NATIVE = "wayfinder"
# The turns that plain Python repeats of each game; of bots that search long fewer
TURNS = {"cellularena": 6, "code_of_kutulu": 6, "samegame": 4}
MOST_TURNS = 12
all_native = pytest.mark.exhaustive("compiles the bundles of all players")
checked = pytest.mark.exhaustive("refuses wrong indices, at twice the time")


@pytest.mark.parametrize("contest", CONTESTS)
def test_every_contest_has_a_golden_game(contest):
    assert contest in [
        game.contest for game in GAMES
    ], f"record one: python -m tests.golden.record {contest} BOT BOT --nodes 100"


def games():
    """(golden game, players whose bundles are native): one of GOLDEN_BOTS, and exhaustively all."""
    for golden in GAMES:
        players = range(len(golden.bots))
        if golden.contest != ALL_NATIVE:
            native = [one for one in players if HOME / golden.source(one) in GOLDEN_BOTS]
            marks = [slow_bundle] if HOME == PROJECT else []
            yield pytest.param((golden, native), id=golden.contest, marks=marks)
        marks = [slow_bundle] if golden.contest == ALL_NATIVE else [all_native]
        yield pytest.param((golden, [*players]), id=f"{golden.contest}-native", marks=marks)


@pytest.fixture(scope="module", params=list(games()))
def game(request):
    return request.param


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


def test_every_command_is_the_recorded_one(game, log):
    """The referee checks every line: an illegal one would end the game by its bot's fault."""
    golden, _ = game
    played, recorded = record.game_of(golden, log), json.loads(golden.path.read_text())
    for turn, (commands, expected) in enumerate(zip(played["commands"], recorded["commands"])):
        assert commands == expected, f"turn {turn}"
    assert played == recorded
    assert recorded["outcome"]["reason"] and record.faults(log) == []


@pytest.mark.exhaustive("the first turns are repeated in each run of the tests", keep=1)
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


def first_turns():
    """(golden game, option of plain_logs)"""
    for golden in GAMES:
        if golden.contest != ALL_NATIVE:
            yield pytest.param(golden, "", id=golden.contest)
            yield pytest.param(golden, "--checked", id=f"{golden.contest}-checked", marks=checked)


@pytest.mark.parametrize(("golden", "option"), list(first_turns()))
def test_the_first_turns_are_the_recorded_ones(golden, option, tmp_path, monkeypatch):
    """From the sources, in one process as plain Python: what a change of a bot breaks first.

    Compiled code checks no index, and so takes the same path as plain Python whose buffers do.
    """
    monkeypatch.setenv("CG_NODES", str(golden.nodes))
    n_turns, log = TURNS.get(golden.contest, MOST_TURNS), tmp_path / "log.jsonl"
    words = [option, log, golden.contest, golden.nodes, n_turns, golden.seed, *golden.bots]
    run_plain("tests.support.plain_logs", *filter(None, map(str, words)))
    recorded = json.loads(golden.path.read_text())["commands"]
    assert record.commands_of(log) == recorded[:n_turns]
