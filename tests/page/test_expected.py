"""The page shows what bots expect: one graph with swings, and lines as ghosts on the board."""

from copy import deepcopy

import pytest

from referee.page.expected import expected_frames
from referee.page.frames import FrameTable
from referee.process.output_buffer import expected_line, parse_stderr
from shared.games.coders_strike_back.contest import CONTEST as RACE
from shared.games.ultimate_tic_tac_toe.contest import CONTEST
from tests.page.browser import SCREENS
from tests.page.logs import race
from tests.support.plain_logs import plain_log

LINE = "#expect {} 3 40|{}"


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


@pytest.mark.parametrize(
    ("text", "values", "line"),
    [
        ("#expect 0.5 7 4120|1 7|5 5\n", {"expected": 0.5, "depth": 7, "iterations": 4120}, 2),
        ("#expect -1e+05 1 2\r\n", {"expected": -1e5, "depth": 1, "iterations": 2}, 0),
        ("#expect 1 1 2|a\n#expect 2 1 2|b|c\n", {"expected": 2, "depth": 1, "iterations": 2}, 2),
        ("x #expect 1 1 2|a\n", {}, 0),
        ("#expect 1 1|a\n", {}, 0),
        ("#expect nan 1 2|a\n", {}, 0),
        ("#expect 1 1 2" + 100 * "|a" + "\n", {"expected": 1, "depth": 1, "iterations": 2}, 64),
        (
            "#expect 1 1 2|a\n[5] expected = 9\n",
            {"expected": 9, "depth": 1, "iterations": 2},
            1,
        ),
    ],
)
def test_the_line_on_stderr(text, values, line):
    assert parse_stderr(text).values == values
    assert len(expected_line(text)) == line


def test_ghosts_are_the_positions_of_the_line(log):
    table = FrameTable()
    found = expected_frames(log, CONTEST, table)
    assert [len(found[turn]) for turn in range(8)] == [2, 2, 2, 2, 2, 2, 1, 0]
    # The line is the game: equal positions have equal shapes.
    assert found[0][1] == found[1][0]


@pytest.mark.parametrize("line", ["9 9|0 0", "0 0|0 0", "|||", "\\x|y"])
def test_a_line_that_cannot_be_played_ends(log, line):
    log.turns[0].players[0].stderr = LINE.format(1, line)
    assert expected_frames(log, CONTEST, FrameTable())[0] == []


def test_a_log_that_is_no_game_has_a_page_without_ghosts(log):
    log.turns[1].players[1].output = ["9 9"]
    assert set(expected_frames(log, CONTEST, FrameTable())) == {0, 1}
    log.header.conditions.options["unknown"] = "x"
    assert expected_frames(log, CONTEST, FrameTable()) == {}


def test_where_all_move_at_once_there_are_no_ghosts():
    log = race()
    log.turns[0].players[0].stderr = LINE.format(1, "a|b")
    assert expected_frames(log, RACE, FrameTable()) == {}


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


def test_an_action_that_came_otherwise_is_marked(open_page, log):
    log.turns[0].players[0].stderr = LINE.format(1, "0 0|<b>|c")
    tab = open_page(log, "#turn=0")
    n_others = "document.querySelectorAll('#line .other').length"
    assert tab.evaluate(n_others) >= 2
    assert "<b>" in tab.text("#line")
    assert tab.complaints() == []


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_it_fits_the_screen(open_page, log, screen):
    log.turns[0].players[0].stderr = LINE.format(1, "|".join(60 * ["a long action"]))
    tab = open_page(log, "#turn=0", **screen)
    assert tab.evaluate("document.documentElement.scrollWidth") <= screen["width"]


def test_a_game_without_expectations_has_no_lane(open_page):
    tab = open_page(race())
    assert tab.evaluate("document.querySelectorAll('.lane.expected').length") == 0
    assert tab.evaluate("document.querySelector('#expected').hidden")
