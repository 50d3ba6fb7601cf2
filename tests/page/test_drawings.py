"""Drawings on a bot's stderr, and lines that are plain text."""

import pytest

from referee.page.drawings import drawings
from shared.core.drawing.shapes import Circle, Line, Text

BOARD = (0, 0, 1000, 500)


def test_the_three_drawings():
    text = "#line 1 2 30 40 red\n#circle 5 6 7 #a0B1c2\n#text 8 9 blue go  there\n"
    (line, circle, words), strange = drawings(text, 0, BOARD)
    assert isinstance(line, Line) and (line.at, line.points) == ((1, 2), ((0, 0), (29, 38)))
    assert isinstance(circle, Circle) and (circle.at, circle.radius) == ((5, 6), 7)
    assert isinstance(words, Text) and (words.at, words.text) == ((8, 9), "go there")
    assert (line.stroke, circle.stroke, words.fill) == ("red", "#a0B1c2", "blue")
    assert strange == []


@pytest.mark.parametrize("line", ["#circle 5 6 7", "#circle 5 6 7 -", "#circle 5.0 6e0 +7"])
def test_without_a_colour_it_is_the_player_s_own(line):
    (circle,), _ = drawings(line, 3, BOARD)
    assert circle.stroke == "player-3"


@pytest.mark.parametrize(
    "line",
    [
        "#line 1 2 3",
        "#line 1 2 3 4 red blue",
        "#circle 1 2 nan",
        "#line 1e308 -1e308 1e308 1e308",
        "#circle 1 2 3 url(x)",
        "#text 1 2 red",
    ],
)
def test_malformed_drawings_are_reported(line):
    assert drawings(f"{line}\n", 0, BOARD) == ([], [line])


@pytest.mark.parametrize("line", ["", "# line 1 2 3 4", "#liner 1 2 3 4", "x #line 1 2 3 4", "#"])
def test_other_lines_are_only_text(line):
    assert drawings(line, 0, BOARD) == ([], [])
