"""Draws SameGame: one square per cell, which falls and moves left. The region that an action
removes is outlined before cells fall.

One unit is a cell; row 0 is at the bottom.
"""

from ...core.drawing.shapes import (
    Chart,
    Event,
    Fact,
    Frame,
    Rect,
    Shape,
    Sign,
    Text,
    Turn,
    player_colour,
)
from ...games.samegame.state import N_COLOURS, SIDE

MARGIN = 0.5
BOUNDS = (-MARGIN, -MARGIN, SIDE + MARGIN, SIDE + 2.2)
BOARD = Rect(SIDE, SIDE, at=(SIDE / 2, SIDE / 2), fill="board")
MESSAGE = 45  # characters of a message that are shown
LARGE = 10  # cells of a region that is an event
FALL, SHIFT = 0.35, 0.7  # times of a turn at which cells begin to fall, and to move left


def centre(x, y):
    """Returns the centre of a cell in the picture."""
    return (x + 0.5, SIDE - 0.5 - y)


def moved_cells(turn):
    """Draw the board's cells on their way from before the turn: a cell falls, then moves left."""
    before = {} if turn.before is None else places_of(turn.before)
    for cell, (x, y, colour) in places_of(turn.after).items():
        at, way = centre(x, y), ()
        if cell in before and before[cell][:2] != (x, y):
            start = centre(*before[cell][:2])
            way = ((FALL, *start), (SHIFT, start[0], at[1]), (1.0, *at))
        yield Rect(
            *(0.92, 0.92),
            at=at,
            fill=player_colour(colour),
            corner=0.12,
            via=way,
            key=f"cell {cell}",
            tip=f"column {x}, row {y}, colour {colour}",
        )


def places_of(snapshot):
    """Returns {cell: (column, row, colour)}."""
    return {
        cell: (x, y, snapshot["rows"][SIDE - 1 - y][x])
        for x, column in enumerate(snapshot["cells"])
        for y, cell in enumerate(column)
    }


def points_text(points):
    """Returns `n points`."""
    return f"{points} point" if points == 1 else f"{points} points"


def message_of(output):
    """Returns an action's message, line breaks as spaces."""
    words = (output[-1] if output else "").split(None, 2)
    return words[2].replace("\\n", " ")[:MESSAGE] if len(words) > 2 else ""


LEGEND = (
    Sign("cell, which falls and moves left", (Rect(0.92, 0.92, fill="muted", corner=0.12),), 1.2),
    Sign("removed by the action", (Rect(1, 1, stroke="accent", stroke_width=0.07),), 1.2),
)


def render(turn: Turn) -> Frame:
    """Draw the board after a turn, the removed region, the score."""
    shapes: list[Shape] = [BOARD, *moved_cells(turn)]
    events = []
    if turn.before is not None and turn.before["turn"] < turn.after["turn"]:
        before, after = places_of(turn.before), places_of(turn.after)
        region = [before[cell][:2] for cell in before if cell not in after]
        for place in region:
            outline = Rect(1, 1, stroke="accent", stroke_width=0.07, at=centre(*place), until=FALL)
            shapes.append(outline)
        if len(region) >= LARGE:
            text = f"{len(region)} cells for {points_text(turn.after['points'])}"
            events.append(Event("large region", text, 0))
        if not after:
            events.append(Event("cleared", "the board is empty", 0))
    message = message_of(turn.output[0])
    if message:
        shapes.append(Text(message, 0.7, at=(SIDE / 2, SIDE + 1.2), fill="ink"))
    colours = [colour for row in turn.after["rows"] for colour in row]
    counts = [colours.count(colour) for colour in range(N_COLOURS)]
    facts = (
        Fact("score", str(turn.after["score"])),
        Fact("last action", points_text(turn.after["points"])),
        Fact("cells left", " + ".join(map(str, counts))),
    )
    chart = Chart("score", (float(turn.after["score"]),))
    return Frame(BOUNDS, tuple(shapes), tuple(events), (facts,), (chart,), legend=LEGEND)
