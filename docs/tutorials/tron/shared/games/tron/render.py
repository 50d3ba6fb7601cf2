"""Draws Tron: see `shared/core/drawing/shapes.py`, and `contest.py` for a snapshot's fields."""

from shared.core.drawing.shapes import Frame, Rect, player_colour
from shared.games.tron.state import CELLS, HEADS, HEIGHT, WALL, WIDTH


def render(turn):
    """Ribbons in their players' colours; one unit is a cell."""
    state = turn.after["state"]
    shapes = [Rect(WIDTH - 2, HEIGHT - 2, at=(WIDTH / 2, HEIGHT / 2), fill="board", stroke="line")]
    for cell in range(CELLS):
        if 0 < state[cell] < WALL:
            y, x = divmod(cell, WIDTH)
            size = 0.95 if cell in state[HEADS:-1] else 0.7
            colour = player_colour(state[cell] - 1)
            shapes.append(Rect(size, size, at=(x + 0.5, y + 0.5), fill=colour))
    return Frame(bounds=(0, 0, WIDTH, HEIGHT), shapes=tuple(shapes))
