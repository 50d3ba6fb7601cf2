"""Reads the drawings of bots for the board of the match page: lines of stderr of the form

    #line X1 Y1 X2 Y2 [COLOUR]
    #circle X Y RADIUS [COLOUR]
    #text X Y COLOUR WORDS

Numbers are in the units of the contest's board. COLOUR is a CSS name ("red") or "#rrggbb"; "-", or
no COLOUR, stands for the player's own. A turn's drawings show in that turn only, over everything
else.
"""

import re

from shared.core.drawing.shapes import Circle, Line, Shape, Text, player_colour

COMMAND = re.compile(r"#(line|circle|text)\b(.*)")
COLOUR = re.compile(r"-|[a-z]+|#[0-9a-fA-F]{6}")
# Shapes farther from a board are dropped; sums of such numbers do not overflow.
MOST = 1e12
LINE_SHARE, TEXT_SHARE = 0.004, 0.025  # in multiples of the board's longer side


def drawings(
    stderr: str, player: int, bounds: tuple[float, float, float, float]
) -> tuple[list[Shape], list[str]]:
    """Returns the shapes that a player drew in a turn, and the list of malformed drawing lines."""
    left, top, right, bottom = bounds
    side = max(right - left, bottom - top)
    shapes, strange = [], []
    for line in stderr.splitlines():
        command = COMMAND.match(line)
        if not command:
            continue
        try:
            shapes.append(_shape(command[1], command[2].split(), player, side))
        except ValueError:
            strange.append(line)
    return shapes, strange


def _shape(kind: str, words: list[str], player: int, side: float) -> Shape:
    """Returns the shape that the words of a drawing line describe. Raises ValueError if they are
    malformed.
    """
    width = side * LINE_SHARE
    if kind == "text":
        if len(words) < 4:
            raise ValueError
        x, y = _numbers(words[:2], 2)
        return Text(
            " ".join(words[3:]),
            side * TEXT_SHARE,
            at=(x, y),
            fill=_colour(words[2:3], player),
            stroke="board",
            stroke_width=width,
        )
    count = {"line": 4, "circle": 3}[kind]
    numbers, colour = _numbers(words[:count], count), _colour(words[count:], player)
    if kind == "circle":
        x, y, radius = numbers
        return Circle(abs(radius), at=(x, y), stroke=colour, stroke_width=width)
    x, y, end_x, end_y = numbers
    return Line(((0, 0), (end_x - x, end_y - y)), at=(x, y), stroke=colour, stroke_width=width)


def _numbers(words: list[str], count: int) -> list[float]:
    numbers = [float(word) for word in words]
    if len(numbers) != count or not all(abs(number) <= MOST for number in numbers):
        raise ValueError
    return numbers


def _colour(words: list[str], player: int) -> str:
    if not words or words == ["-"]:
        return player_colour(player)
    (colour,) = words
    if not COLOUR.fullmatch(colour):
        raise ValueError
    return colour
