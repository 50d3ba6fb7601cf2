"""The page shows what bots expect: one graph with swings, and lines as ghosts on the board."""

import json
import os
import subprocess
import sys
from copy import deepcopy

import pytest

from referee.log.file import write_log
from referee.page.expected import expected_frames
from referee.page.frames import FrameTable
from referee.process.output_buffer import expected_line, parse_stderr
from shared.games.ultimate_tic_tac_toe.contest import CONTEST
from tests.support.plain_logs import PROJECT, plain_log

LINE = "#expect {} 3 40|{}"
# The rules in plain Python, as `onefile view` runs them: to compile them would take longer.
PLAIN_FRAMES = """
import json, sys
from pathlib import Path
from referee.log.file import read_log
from referee.page.expected import expected_frames
from referee.page.frames import FrameTable
from referee.sources.contests import find_contest

log = read_log(Path(sys.argv[1]))
found = expected_frames(log, find_contest(log.header.contest), FrameTable())
print(json.dumps([[list(key), rows] for key, rows in found.items()]))
"""


def plain_frames(log, folder):
    """Returns the rows of `expected_frames` by turn and player."""
    file = folder / "told.jsonl"
    write_log(log, file)
    command = [sys.executable, "-c", PLAIN_FRAMES, str(file)]
    environment = {**os.environ, "CG_JIT": "0"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, cwd=PROJECT)
    return {tuple(key): rows for key, rows in json.loads(done.stdout)}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    file = tmp_path_factory.mktemp("expected") / "log.jsonl"
    return plain_log(file, "ultimate_tic_tac_toe", ["rollouts", "rollouts"], 15, 8)


@pytest.fixture
def log(played):
    """A game in which player 0 expects much less in turn 4; lines are as played."""
    log = deepcopy(played)
    actions = [next(iter(turn.players.values())).output[0] for turn in log.turns]
    values = [0.5, -0.2, 0.4, -0.1, -0.6, 0.2, -0.6, 0.3]
    for turn, value in zip(log.turns, values):
        [part] = turn.players.values()
        line = actions[turn.turn : turn.turn + 3]
        part.stderr = LINE.format(value, "|".join(line)) + "\n"
        part.values = parse_stderr(part.stderr).values
    return log


def test_ghosts_are_the_positions_of_the_line(log):
    table = FrameTable()
    found = expected_frames(log, CONTEST, table)
    assert [len(found[turn, turn % 2]) for turn in range(8)] == [2, 2, 2, 2, 2, 2, 1, 0]
    # The line is the game: equal positions have equal shapes.
    assert found[0, 0][1] == found[1, 1][0]


@pytest.mark.parametrize("line", ["9 9|0 0", "|||"])
def test_a_line_that_cannot_be_played_ends(log, line):
    log.turns[0].players[0].stderr = LINE.format(1, line)
    assert expected_frames(log, CONTEST, FrameTable())[0, 0] == []


def test_ghosts_of_all_who_move_at_once(rush, tmp_path):
    """From the first action on, as the others' are not known; both expect the same here."""
    found = plain_frames(rush, tmp_path)
    assert found[0, 0] == found[0, 1] and len(found[0, 0]) == 1
    assert found[1, 0] and found[1, 1]


@pytest.mark.slow("plays more contests", keep=1)
@pytest.mark.exhaustive("plays more contests", keep=2)
@pytest.mark.parametrize(
    ("contest", "bots", "nodes"),
    [
        ("coders_strike_back", ["smitsimax", "mutation"], 30),
        ("ants", ["sampler", "sampler"], 300),
        ("code_of_kutulu", ["smitsimax", "uct", "smitsimax", "uct"], 12),
        ("xmas_rush", ["matrix", "uct"], 30),
        ("samegame", ["chokudai"], 60),
    ],
)
def test_bots_tell_lines_that_the_rules_can_play(contest, bots, nodes, tmp_path):
    log = plain_log(tmp_path / "log.jsonl", contest, bots, nodes, 5)
    found = plain_frames(log, tmp_path)
    told = [
        (turn.turn, player)
        for turn in log.turns
        for player, part in turn.players.items()
        if expected_line(part.stderr)
    ]
    assert len(told) >= 4 * len(bots)
    assert all(found[key] for key in told)


def test_a_bot_told_to_be_silent_is(tmp_path, monkeypatch):
    monkeypatch.setenv("CG_EXPECT", "0")
    log = plain_log(tmp_path / "log.jsonl", "xmas_rush", ["smitsimax", "uct"], 30, 2)
    assert not any("#expect" in one.stderr for turn in log.turns for one in turn.players.values())


@pytest.fixture(scope="module")
def rush(tmp_path_factory):
    """A game of two who move at once: the first turn is told as it came, the next one is not."""
    file = tmp_path_factory.mktemp("expected") / "rush.jsonl"
    log = plain_log(file, "xmas_rush", ["smitsimax", "uct"], 30, 4)
    own, other = (part.output[0] for part in log.turns[0].players.values())
    for part, words in zip(log.turns[0].players.values(), ((own, other), (other, own))):
        part.stderr = LINE.format(1, f"{';'.join(words)}|MOVE UP;MOVE <b>") + "\n"
    return log


def test_a_key_shows_the_line_of_another_player(open_page, rush):
    tab = open_page(rush, "#turn=0")
    assert tab.text("#expecting") == "smitsimax expects"
    first = "document.querySelector('#{} > span').textContent"
    assert tab.evaluate(first.format("line")) == tab.evaluate(first.format("played"))
    assert tab.evaluate("document.querySelector('#ahead').max") == "1"
    tab.press("g")
    assert "PUSH" in tab.text("#line [aria-current]")
    line = tab.text("#line")
    tab.press("x")
    assert tab.text("#expecting") == "uct expects"
    assert tab.text("#line") != line and "<b>" in tab.text("#line")
    tab.click("#expect-by")
    assert tab.text("#line") == line
    others = "document.querySelectorAll('#line > span:{}-child .other').length"
    assert tab.evaluate(others.format("first")) == 0
    assert tab.evaluate(others.format("last")) > 0
    assert tab.complaints() == []


def test_a_key_goes_to_swings(open_page, log):
    tab = open_page(log)
    assert tab.evaluate("document.querySelectorAll('.lane.expected').length") == 1
    tab.press("e")
    assert tab.text("#turn").startswith("Turn 4 /")
    tab.press("e")
    assert tab.text("#turn").startswith("Turn 4 /")
    assert tab.complaints() == []


def test_a_key_walks_along_the_expected_line(open_page, log):
    tab = open_page(log, "#turn=0")
    assert tab.text("#expecting") == "rollouts #1 expects"
    assert tab.text("#line") == tab.text("#played")
    board = "document.querySelector('#board').toDataURL()"
    before = tab.evaluate(board)
    tab.press("g")
    assert tab.evaluate(board) != before
    assert tab.evaluate("document.querySelector('#ahead').value") == "1"
    tab.press("ArrowRight")
    assert tab.evaluate("document.querySelector('#ahead').value") == "0"
    assert tab.complaints() == []
