"""The simulator reproduces recorded games of Code of Kutulu: every line of input, every score.

Those games contain the contest's mazes, so that no slice of them is in the project: `verify` is
tested on the project's own games, recorded in their format.
"""

import json
import os
import subprocess
import sys
from random import Random

import pytest

from shared.core.checks.truth import TruthError
from shared.core.protocol import ProtocolError
from shared.games.code_of_kutulu.contest import CONTEST, Match
from shared.games.code_of_kutulu.maps import find_all, read_mazes
from shared.games.code_of_kutulu.maze import START
from shared.games.code_of_kutulu.truth import load_games, recorded_rows
from tests.conftest import PROJECT


@pytest.mark.parametrize(
    "jit",
    [
        pytest.param("1", id="compiled"),
        pytest.param("0", id="plain", marks=pytest.mark.slow("the same, many times slower")),
    ],
)
def test_all_recorded_games_in_both_modes(truth, jit):
    file = str(truth / "kutulu_games.jsonl.gz")
    result = subprocess.run(
        [sys.executable, "-m", "referee", "verify", "code_of_kutulu", file],
        cwd=PROJECT,
        env={**os.environ, "CG_JIT": jit},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_contests_mazes_are_those_that_the_seeds_drew(truth):
    """With the file of mazes, a game begins like the official one of the same seed."""
    mazes = read_mazes(truth / "kutulu_mazes.json")
    assert len(mazes) == 16 and all(len(find_all(rows, START)) == 4 for rows in mazes)
    n = 0
    for recorded in load_games(truth / "kutulu_games.jsonl.gz"):
        if recorded["league"] >= 4 and recorded.get("map_param") is None:
            game = Match(recorded["seed"], league=recorded["league"], mazes=mazes)
            assert game.initial_input(0) == recorded["init"]
            assert game.turn_input(2) == recorded["turns"][0]["in"]["2"]
            n += 1
    assert n > 30


def record(seed, league, n_turns=400):
    """A random game in the format of a truth file, with a timeout and an illegal line."""
    game, rng = Match(seed, league=league), Random(seed)
    recorded = {"seed": seed, "league": league, "init": game.initial_input(0), "turns": []}
    while game.outcome() is None and len(recorded["turns"]) < n_turns:
        number = len(recorded["turns"])
        movers = game.players_to_move()
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


@pytest.fixture(scope="module")
def game():
    """The text of a recorded game of the highest league."""
    return json.dumps(record(5, 7))


def verify(tmp_path, recorded):
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(recorded) + "\n")
    return CONTEST.verify(path)


def test_a_game_of_our_own_is_verified(tmp_path, game):
    report = verify(tmp_path, json.loads(game))
    assert (report.games, report.mismatches, report.first) == (1, 0, None)
    assert report.turns > 25


def test_a_maze_is_read_off_the_recording(game):
    recorded = json.loads(game)
    assert recorded_rows(recorded) == Match(5).rows


def change_line(recorded):
    recorded["turns"][6]["in"]["2"][5] = "WANDERER 4 1 1 1 1 1"


def drop_line(recorded):
    recorded["turns"][6]["in"]["2"].pop()


def change_score(recorded):
    recorded["scores"][0] += 1


def change_numbers(recorded):
    recorded["init"][-1] = "9 9 9 9"


def change_mover(recorded):
    del recorded["turns"][6]["in"]["2"]


def cut_off(recorded):
    recorded["turns"].pop()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (change_line, "turn 6: input of player 2: line 6 is "),
        (drop_line, "turn 6: input of player 2: "),
        (change_score, ": scores are "),
        (change_numbers, "turn 0: first input: line "),
        (
            change_mover,
            "turn 6: players [0, 1, 2, 3] are to move in turn 6, expected ['0', '1', '3']",
        ),
        (cut_off, ": the game is not over"),
    ],
)
def test_a_difference_is_found_and_named(tmp_path, game, change, text):
    recorded = json.loads(game)
    change(recorded)
    report = verify(tmp_path, recorded)
    assert report.mismatches >= 1
    assert report.first.startswith("game 1 (seed 5) turn ") and text in report.first


@pytest.mark.parametrize("content", [b"", b"not json", b"[]", b"{}", b'{"seed": 1}', b"\x1f\x8bxx"])
def test_an_invalid_truth_file_is_one_error_line(tmp_path, content):
    path = tmp_path / "file.jsonl"
    path.write_bytes(content)
    with pytest.raises(TruthError, match=r"file\.jsonl: no truth file of Code of Kutulu") as error:
        CONTEST.verify(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "damage",
    [
        lambda recorded: recorded.update(league=8),
        lambda recorded: recorded.update(seed="one"),
        lambda recorded: recorded.update(init=[]),
        lambda recorded: recorded.update(turns=[]),
        lambda recorded: recorded["init"].__setitem__(3, "#?#"),
        lambda recorded: recorded["turns"][0]["out"].pop("0"),
        lambda recorded: recorded["turns"][0].pop("in"),
        lambda recorded: recorded["turns"][0]["in"].pop("0"),
        lambda recorded: recorded["turns"][0]["in"]["0"].pop(1),
        lambda recorded: recorded["turns"][0].pop("t"),
    ],
)
def test_a_damaged_game_is_named_and_never_passes_for_compared(tmp_path, game, damage):
    recorded = json.loads(game)
    damage(recorded)
    with pytest.raises(TruthError, match="game 1 is damaged") as error:
        verify(tmp_path, recorded)
    assert "\n" not in str(error.value)


def test_an_official_game_is_rebuilt_from_its_first_input():
    """The maze, the numbers and the draws are those of the seed."""
    ours = Match(11, league=3)
    lines = ours.initial_input(0) + ours.turn_input(0)
    rebuilt = CONTEST.rebuild(11, {"league": "3"}, {0: lines})
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


@pytest.mark.parametrize("lines", [[], ["3"], ["3", "x"], ["3", "2", "###", "###", "1 2 3 4", "4"]])
def test_an_input_that_shows_no_maze_is_named(lines):
    with pytest.raises(ProtocolError, match="no first input of Code of Kutulu"):
        CONTEST.rebuild(1, {}, {0: lines})
