"""The input of a Code of Kutulu bot: its errors for malformed text."""

from pathlib import Path

import pytest

from bots.code_of_kutulu.tracker import Tracker
from shared.core.protocol import ProtocolError

pytestmark = pytest.mark.slow("compiles the bots' view of Code of Kutulu")

# The input of player 0 in Match(1), as text: each process collects all tests, and a Match compiles.
_LINES = Path(__file__).with_name("first_turn.txt").read_text().splitlines()
LINES, FIRST = _LINES[:18], _LINES[18:]


def reader(lines):
    lines = list(lines)
    return lambda: lines.pop(0) + "\n" if lines else ""


def changed(number, text, lines=FIRST):
    """Returns a first turn with line `number`, from 0, replaced."""
    return [*LINES, *lines[:number], text, *lines[number + 1 :]]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["x"], "expected the width of the maze (1 whole number), got 'x'"),
        (["33", "1", "#" * 32 + ".", "1 1 1 1"], "too large a maze"),
        (["3", "2", "###", "##", "1 1 1 1"], "expected 2 rows of 3 of # . w U, got ['###', '##']"),
        (["3", "1", "#.#", "1 1 1"], "spawn and life time (4 whole numbers), got '1 1 1'"),
        (["3", "1", "#.#", "1 1 1 999"], "too large a maze for this bot: ['#.#'], [1, 1, 1, 999]"),
        (changed(0, "0"), "expected 1 to 96 entities, got 0"),
        (changed(1, "EXPLORER 0 1 1 250 2"), "entity 1, EXPLORER"),
        (changed(1, "EXPLORER 0 1 1 256 2 3"), "entity 1 is in a wall or has strange numbers"),
        (changed(4, "WANDERER 4 1 1 -1 1 -1"), "entity 4 is in a wall or has strange numbers"),
        (changed(1, "EXPLORER 0 0 0 250 2 3"), "entity 1 is in a wall or has"),
        (
            changed(2, FIRST[1]),
            "own explorer first, and each one once",
        ),
        (changed(0, "5"), "the input ended where entity 5, EXPLORER"),
    ],
)
def test_a_malformed_line_is_named_and_shown(lines, message):
    with pytest.raises(ProtocolError) as error:
        Tracker(reader(lines)).read_turn()
    assert message in str(error.value) and "\n" not in str(error.value)
