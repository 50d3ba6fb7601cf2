"""The input of an X-mas Rush bot: its knowledge after each turn, and its errors for malformed
input.
"""

import pytest

from bots.xmas_rush.tracker import Tracker
from shared.core.protocol import ProtocolError
from shared.games.xmas_rush.contest import Match


def reader(lines):
    """Returns a `readline` that yields these lines and then the end of the input."""
    return iter([line + "\n" for line in lines] + [""] * 3).__next__


def first_turn(seed=1, player=0, league=6):
    return Match(seed, league=league).turn_input(player)


def change(number, text):
    """Returns a first turn with line `number`, from 1, replaced."""
    lines = first_turn()
    lines[number - 1] = lines[number - 2] if text is AGAIN else text
    return lines


FIRST_ITEM, FIRST_QUEST = 12, 37
AGAIN = None  # the line before once more


@pytest.mark.parametrize(
    ("number", "text", "message"),
    [
        (1, "2", "expected the kind of turn, 0 or 1, got '2'"),
        (2, "0110 0011", "expected 7 tiles of 4 digits"),
        (8, "0110 " * 6 + "01100", "expected 7 tiles"),
        (10, "12 7 6 1010", "expected a player"),
        (9, "\u0665 0 0 1010", "expected a player"),  # a digit outside ASCII
        (11, "25", "expected the number of items, 0 to 24, got '25'"),
        (FIRST_ITEM, "SOCK 0 3 1", "there is no item 'SOCK'"),
        (FIRST_ITEM, "SWORD 0 3 2", "expected an item"),
        (FIRST_ITEM, "SWORD 0 -1 1", "-1 -1 or -2 -2 in a hand"),
        (FIRST_ITEM + 1, AGAIN, "this one was told before"),
        (FIRST_ITEM + 1, "ARROW 0 3 1", "another one on its tile"),
        (FIRST_QUEST - 1, "7", "expected the number of quests, 0 to 6, got '7'"),
        (FIRST_QUEST, "SOCK 0", "there is no item 'SOCK'"),
        (FIRST_QUEST + 1, AGAIN, "this one was told before"),
    ],
)
def test_a_malformed_line_is_named_and_shown(number, text, message):
    with pytest.raises(ProtocolError) as error:
        Tracker(reader(change(number, text))).read_turn()
    assert str(error.value).startswith(f"line {number} of the turn: expected ")
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_quest_without_its_item_is_no_turn():
    first = first_turn()
    assert first[FIRST_ITEM - 2] == "24" and first[FIRST_QUEST - 2] == "6"
    lines = [line for line in first if line != "ARROW 0 6 0"]
    assert len(lines) == len(first) - 1
    lines[10] = "23"
    with pytest.raises(ProtocolError, match="its item is not there"):
        Tracker(reader(lines)).read_turn()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({1: "1"}, "turn 1 is of kind 1: odd ones are 0, even ones 1"),
        ({9: "11 0 0 1010"}, "not a game's start: 12 own items and 3 visible of 11 quests"),
        ({10: "10 6 6 1010"}, "player 1 was shown 3 quests of 12, 10 are still to do, but 3 are"),
        ({42: "SWORD 1"}, "the players were shown different decks"),
    ],
)
def test_a_turn_that_contradicts_itself_is_refused(changes, message):
    lines = first_turn()
    for number, text in changes.items():
        lines[number - 1] = text
    with pytest.raises(ProtocolError, match=message):
        Tracker(reader(lines)).read_turn()
