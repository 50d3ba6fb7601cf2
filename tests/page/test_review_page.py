"""The page of a review in a real browser: charts, the turn that lost a game, keyboard shortcuts."""

import pytest

from referee.explore.review import ReviewedGame, losses
from referee.explore.review_page import write_review_page
from tests.page.browser import SCREENS
from tests.support.uttt_logs import log_of

ACTIONS = ["4 4", "3 3", "0 1", "0 4", "0 3", "1 1", "3 5", "2 8"]
VERDICT = {
    "turn": 4,
    "lost_from": 6,
    "doomed_from": 6,
    "proof_nodes": 4000,
    "agent": "tree",
    "played": "0 3",
    "best": "<b>0 5</b>",
    "value": 0.25,
    "value_played": -1.0,
    "proven": True,
}


def result(turn, played, best, value, value_played):
    agent = {"agent": "tree", "played": played, "best": best, "value": value}
    agent |= {"value_played": value_played, "value_seen": 0.1, "proven": False}
    return {"turn": turn, "agents": [agent], "agrees": True}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The review of a game that was lost in turn 4: the file."""
    log = log_of({"ours": 0, "actions": ACTIONS}, 60)
    game = ReviewedGame("a <i>game</i>", log, 0, "bots/ultimate_tic_tac_toe/rollouts.py")
    results = {
        (game.name, 0): result(0, "4 4", "4 5", 0.9, 0.1),
        (game.name, 2): result(2, "0 1", "0 1", 0.25, 0.25),
        (game.name, 4): result(4, "0 3", "0 3", 0.25, 0.25),
        (game.name, 6): result(6, "3 5", "3 5", -1.0, -1.0),
    }
    lost = {game.name: VERDICT}
    path = tmp_path_factory.mktemp("review") / "page.html"
    write_review_page(path, [game], results, losses([game], results, lost), lost, 10.0)
    return path


def test_the_turn_that_lost_the_game_is_the_first(open_it):
    tab = open_it()
    assert tab.evaluate("document.querySelector('#losses tr.lost td').textContent") == "4"
    assert tab.evaluate("document.querySelectorAll('#losses tr').length") == 3
    assert "It was lost in turn 4 by 0 3: from turn 6 on it is a proven loss" in tab.text("#curves")
    assert "<b>0 5</b> is proven to hold" in tab.text("#curves")
    assert "a <i>game</i>" in tab.text("#curves")
    assert tab.complaints() == []


def test_keys_choose_a_turn_whose_board_shows_the_better_action(open_it):
    """Of turn 4 the better action is markup, which the rules cannot play."""
    tab = open_it()
    assert tab.text("#chosen") == "Turn 4played 0 3: -1.000better <b>0 5</b>: 0.250"
    drawn = "[...board.getContext('2d').getImageData(0, 0, board.width, board.height).data]"
    green = f"{drawn}.some((_, i, all) => i % 4 === 0 && all.slice(i, i + 3).join() === '0,128,95')"
    assert not tab.evaluate(green)
    tab.press("ArrowDown")
    assert tab.text("#losses tr[aria-selected=true] td") == "0" and tab.evaluate(green)
    tab.press("ArrowUp")
    assert tab.text("#losses tr[aria-selected=true] td") == "4"


@pytest.mark.parametrize("screen", ["desktop", "dark"])
def test_everything_can_be_read_and_reached(open_it, axe, screen):
    assert axe(open_it(**SCREENS[screen])) == []


def test_it_fits_the_screen(open_it):
    tab = open_it(**SCREENS["phone"])
    assert tab.evaluate("document.documentElement.scrollWidth") <= SCREENS["phone"]["width"]
    table = "document.querySelector('#losses')"
    assert tab.evaluate(f"{table}.scrollWidth <= {table}.parentNode.clientWidth")
    rows = "[...document.querySelectorAll('#losses tr')].map((row) => row.clientWidth)"
    assert len(set(tab.evaluate(rows))) == 1
