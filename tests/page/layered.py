"""A contest that can only be drawn: a line with a tip around a corner, and a disc in a layer."""

from dataclasses import replace

from shared.core.drawing.shapes import Circle, Frame, Line, Rect
from tests.page import crowd

GREEN = "#00ff00"


def render(turn):
    """On a board of 100 x 100."""
    return Frame(
        (0, 0, 100, 100),
        (
            Rect(100, 100, at=(50, 50), fill="board"),
            Line(((10, 10), (90, 10), (90, 90)), stroke="ink", tip="around the corner"),
            Circle(10, at=(30, 70), fill=GREEN, layer="green discs"),
        ),
    )


CONTEST = replace(crowd.CONTEST, name="layered", render=render)
