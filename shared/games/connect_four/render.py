"""Draws connect four: the stones, the last one outlined. One unit is a cell."""

from ...core.drawing.shapes import Circle, Frame, Group, Rect, Turn, player_colour
from ...games.connect_four.game import HEIGHT, WIDTH

MARGIN = 0.3
BOUNDS = (-MARGIN, -MARGIN, WIDTH + MARGIN, HEIGHT + MARGIN)
RADIUS = 0.4


def render(turn: Turn) -> Frame:
    """Draw a turn."""
    columns = turn.after["columns"]
    shapes = [Rect(WIDTH, HEIGHT, at=(WIDTH / 2, HEIGHT / 2), fill="board")]
    shapes += [
        Circle(RADIUS, at=(column + 0.5, row + 0.5), stroke="line", stroke_width=0.03)
        for column in range(WIDTH)
        for row in range(HEIGHT)
    ]
    heights = [0] * WIDTH
    for number, column in enumerate(columns):
        at = (column + 0.5, HEIGHT - 0.5 - heights[column])
        heights[column] += 1
        is_last = number == len(columns) - 1
        colour = player_colour(number & 1)
        shapes.append(
            Circle(
                RADIUS,
                at=at,
                fill=colour,
                stroke="ink" if is_last else colour,
                stroke_width=0.06 if is_last else 0,
                key=f"stone {number}",
            )
        )
    return Frame(BOUNDS, (Group(tuple(shapes)),))
