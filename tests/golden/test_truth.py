"""The simulators repeat games recorded by the contests' own referees: every line, state and score.

The project has a slice of each contest's recordings; the whole files are beside it. The games of
Code of Kutulu contain the contest's mazes, so that its slice is a game of our own.
"""

import gzip
import importlib
import json
import math
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from random import Random

import pytest

from shared.core.checks.truth import TruthError
from shared.core.protocol import ProtocolError
from shared.games.code_of_kutulu.contest import CONTEST as KUTULU
from shared.games.code_of_kutulu.contest import Match as KutuluMatch
from shared.games.code_of_kutulu.maps import find_all, read_mazes
from shared.games.code_of_kutulu.maze import START
from shared.games.code_of_kutulu.truth import load_games
from shared.games.samegame.maps import CASES
from shared.games.wayfinder import truth as wayfinder_truth
from tests.conftest import DATA, PROJECT

# Contest -> (games, turns) of its slice
SLICES = {
    "ants": (79, None),
    "code_of_kutulu": (1, 37),
    "coders_strike_back": (13, 676),
    "infexion": (36, 1033),
    "samegame": (36, None),
    "ultimate_tic_tac_toe": (27, None),
    "wayfinder": (3, 6),
    "xmas_rush": (14, 243),
}
WHOLE = {
    "ants.json.gz": "ants",
    "kutulu_games.jsonl.gz": "code_of_kutulu",
    "csb_scenarios.json.gz": "coders_strike_back",
    "infexion_games.json.gz": "infexion",
    "infexion_perft.json": "infexion",
    "samegame.json.gz": "samegame",
    "uttt_games.json.gz": "ultimate_tic_tac_toe",
    "uttt_perft.json": "ultimate_tic_tac_toe",
    "wayfinder_games.json.gz": "wayfinder",
    "xmas_games.jsonl.gz": "xmas_rush",
}

# Recordings that plain Python replays whole in a few seconds
QUICK = ("csb_scenarios.json.gz", "infexion_games.json.gz", "xmas_games.jsonl.gz")


def record_kutulu(seed, league):
    """A random game in the format of a truth file, with a timeout and an illegal line."""
    game, rng = KutuluMatch(seed, league=league), Random(seed)
    recorded = {"seed": seed, "league": league, "init": game.initial_input(0), "turns": []}
    while game.outcome() is None:
        number, movers = len(recorded["turns"]), game.players_to_move()
        turn = {"t": number, "in": {str(p): game.turn_input(p) for p in movers}, "out": {}}
        actions = {}
        for player in movers:
            line = game.random_lines(player, rng)[0]
            if (number, player) in ((20, 1), (22, 3)):
                line = "#TIMEOUT" if player == 1 else "MOVE 3"
                game.eliminate(player, "late or illegal")
            else:
                actions[player] = game.parse(player, [line])
            turn["out"][str(player)] = line
        game.play(actions)
        recorded["turns"].append(turn)
    recorded["scores"] = [int(score) for score in game.outcome().scores]
    return recorded


@cache
def slice_text(contest):
    """The slice of a contest, as text: JSON, or a line of JSON for each game."""
    if contest == "code_of_kutulu":
        return json.dumps(record_kutulu(5, 7)) + "\n"
    (path,) = DATA.glob(f"{contest}.json*.gz")
    return gzip.decompress(path.read_bytes()).decode()


def is_lines(contest):
    return contest in ("code_of_kutulu", "xmas_rush")


def contents(contest):
    """The first entries of a slice, to be changed; of games in lines that of the changes."""
    if not is_lines(contest):
        data = json.loads(slice_text(contest))
        return {name: part[:4] if isinstance(part, list) else part for name, part in data.items()}
    games = [json.loads(line) for line in slice_text(contest).splitlines()]
    return next(game for game in games if game.get("game", 36) == 36)


@pytest.fixture
def verify(tmp_path, monkeypatch):
    """verify(contest, text) returns the report of a truth file with this text. The lengths of
    Wayfinder's paths are those of the slice: to compute them would compile its searches.
    """
    known = {
        turn["lines"][-1]: [math.inf if one is None else one for one in turn["optimal"]]
        for game in contents("wayfinder")["games"]
        for turn in game["turns"]
    }

    def optima_of(rings, queries):
        return known[" ".join(map(str, queries[-1]))]

    monkeypatch.setattr(wayfinder_truth, "optima_of", optima_of)

    def report(contest, text):
        path = tmp_path / "changed.json"
        path.write_text(text)
        return importlib.import_module(f"shared.games.{contest}.contest").CONTEST.verify(path)

    return report


@pytest.mark.parametrize("contest", SLICES)
def test_the_slice_in_the_project(contest, verify):
    report = verify(contest, slice_text(contest))
    games, turns = SLICES[contest]
    assert (report.games, report.mismatches, report.first) == (games, 0, None)
    assert turns in (None, report.turns)


@pytest.mark.slow("the slices are verified in each run of the tests")
@pytest.mark.parametrize(
    "jit",
    [
        pytest.param("0", id="plain"),
        pytest.param("1", id="compiled", marks=pytest.mark.exhaustive("the slices are compiled")),
    ],
)
@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, marks=() if file in QUICK else pytest.mark.exhaustive("takes long"))
        for file in WHOLE
    ],
)
def test_all_recorded_games(truth, file, jit):
    command = [sys.executable, "-m", "referee", "verify", WHOLE[file], str(truth / file)]
    env = {**os.environ, "CG_JIT": jit}
    result = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def changed(contest, change):
    """Returns the first entries of a slice with a change: `games 2 winner = "BLUE"` sets a value,
    which is JSON, and `games 2 winner` drops it.
    """
    path, _, value = change.partition(" = ")
    data = part = contents(contest)
    *keys, last = shlex.split(path)
    for key in keys:
        part = part[int(key) if isinstance(part, list) else key]
    if isinstance(part, list):
        last = int(last)
    if value:
        part[last] = json.loads(value)
    else:
        del part[last]
    return json.dumps(data)


# Contest and change, and on the next line a pattern of the difference that is told
_LINES = (PROJECT / "tests/golden/differences.txt").read_text().splitlines()


@pytest.mark.parametrize(("change", "text"), list(zip(_LINES[::2], _LINES[1::2])))
def test_a_difference_is_found_and_named(change, text, verify):
    contest, _, change = change.partition(" ")
    report = verify(contest, changed(contest, change))
    assert report.mismatches >= 1 and re.search(text.strip(), report.first), report.first


# A file that lacks something, above all at the end of a list, which could pass for compared
DAMAGES = (PROJECT / "tests/golden/damages.txt").read_text().splitlines()


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_named_and_never_passes_for_compared(damage, verify):
    contest, _, damage = damage.partition(" ")
    with pytest.raises(TruthError, match="is damaged") as error:
        verify(contest, changed(contest, damage))
    assert "\n" not in str(error.value)


# ---- Maps that recorded games begin with


def test_the_boards_of_samegame_are_the_sites(truth):
    recorded = json.loads(gzip.decompress((truth / "samegame.json.gz").read_bytes()))["boards"]
    sites = [(board["name"], board["rows"]) for board in recorded if board["kind"] != "made"]
    assert sites == CASES


def test_the_mazes_of_kutulu_are_those_that_the_seeds_drew(truth):
    """With the file of mazes, a game begins like the official one of the same seed."""
    mazes = read_mazes(truth / "kutulu_mazes.json")
    assert len(mazes) == 16 and all(len(find_all(rows, START)) == 4 for rows in mazes)
    n = 0
    for recorded in load_games(truth / "kutulu_games.jsonl.gz"):
        if recorded["league"] >= 4 and recorded.get("map_param") is None:
            game = KutuluMatch(recorded["seed"], league=recorded["league"], mazes=mazes)
            assert game.initial_input(0) == recorded["init"]
            assert game.turn_input(2) == recorded["turns"][0]["in"]["2"]
            n += 1
    assert n > 30


def test_an_official_game_of_kutulu_is_rebuilt_from_its_first_input():
    """The maze, the numbers and the draws are those of the seed."""
    ours = KutuluMatch(11, league=3)
    lines = ours.initial_input(0) + ours.turn_input(0)
    rebuilt = KUTULU.rebuild(11, {"league": "3"}, {0: lines})
    assert rebuilt.players == (0, 1, 2, 3) and rebuilt.is_ordered
    theirs, rng = rebuilt.match, Random(1)
    while ours.outcome() is None:
        asked = ours.players_to_move()
        assert theirs.players_to_move() == asked
        assert [theirs.turn_input(p) for p in asked] == [ours.turn_input(p) for p in asked]
        actions = {p: ours.parse(p, ours.random_lines(p, rng)) for p in asked}
        ours.play(actions)
        theirs.play(actions)
    assert theirs.outcome() == ours.outcome()
    with pytest.raises(ProtocolError, match="no first input of Code of Kutulu"):
        KUTULU.rebuild(1, {}, {0: ["3", "2", "###", "###", "1 2 3 4", "4"]})
