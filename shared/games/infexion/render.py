"""Draws Infexion: the wrapping board as a rhombus of hexagons, a cell's power as
the size of its disc.

The rhombus stands as in the course's specification: r grows upwards to the right, q downwards to
the right. One unit is the distance of neighbouring cells.
"""

import math

from ...core.drawing.shapes import (
    Circle,
    Event,
    Fact,
    Frame,
    Group,
    Polygon,
    Sign,
    Text,
    Turn,
    player_colour,
)
from ...games.infexion.protocol import COLOURS, STONES_TEXT
from ...games.infexion.sim import SPREADS
from ...games.infexion.state import DIRECTIONS, N_CELLS, N_DIRECTIONS, SIDE

HEXAGON_RADIUS = 0.95 / math.sqrt(3.0)
STACK_RADIUS = (0.24, 0.28, 0.32, 0.36, 0.40, 0.44)
MARGIN = 0.75


def centre(cell):
    """Returns the centre of a cell."""
    r, q = divmod(cell, SIDE)
    return ((r + q) * math.sqrt(3.0) / 2.0, (q - r) / 2.0)


def hexagon(cell, stroke="line", width=0.02):
    """Draw a cell's hexagon, a corner to the right."""
    corners = tuple(
        (HEXAGON_RADIUS * math.cos(k * math.pi / 3), HEXAGON_RADIUS * math.sin(k * math.pi / 3))
        for k in range(6)
    )
    fill = "board" if stroke == "line" else ""
    return Polygon(corners, at=centre(cell), fill=fill, stroke=stroke, stroke_width=width)


BOARD = Group(tuple(hexagon(cell) for cell in range(N_CELLS)))
REACH = (SIDE - 1) * math.sqrt(3.0)
HEIGHT = (SIDE - 1) / 2.0
BOUNDS = (-MARGIN, -HEIGHT - MARGIN, REACH + MARGIN, HEIGHT + MARGIN)


def stacks(board):
    """Yields (cell, player, power) of every occupied cell."""
    for cell, character in enumerate(board):
        for player, characters in STONES_TEXT.items():
            if character in characters:
                yield cell, player, characters.index(character) + 1


def stack_shapes(cell, player, power):
    """Draw a disc in the player's colour, with the power as its size and label."""
    r, q = divmod(cell, SIDE)
    return (
        Circle(
            STACK_RADIUS[power - 1],
            at=centre(cell),
            fill=player_colour(player),
            key=f"{player} {cell}",
            tip=f"{COLOURS[player]}, power {power}, cell {r} {q}",
        ),
        Text(str(power), 0.36, at=centre(cell), fill="on-player", bold=True, key=f"power {cell}"),
    )


def action_text(action):
    """Returns the text of an action for people."""
    if action < SPREADS:
        return "spawns at {} {}".format(*divmod(action, SIDE))
    cell, direction = divmod(action - SPREADS, N_DIRECTIONS)
    return "spreads {} {} by {} {}".format(*divmod(cell, SIDE), *DIRECTIONS[direction])


def find_events(turn):
    """List the events of a turn: cells taken from the opponent, stacks of seven that vanished."""
    if turn.before is None or turn.before["board"] == turn.after["board"]:
        return
    mover = turn.before["turn"] % 2
    before = {cell: (player, power) for cell, player, power in stacks(turn.before["board"])}
    after = {cell: (player, power) for cell, player, power in stacks(turn.after["board"])}
    action = turn.after["action"]
    if action is None:  # unknown for a game played elsewhere
        return
    source = -1 if action < SPREADS else (action - SPREADS) // N_DIRECTIONS
    taken = sum(
        1 for cell in after if cell in before and before[cell][0] != mover == after[cell][0]
    )
    if taken:
        yield Event("capture", f"{COLOURS[mover]} {action_text(action)}: {taken} taken", mover)
    vanished = [cell for cell in before if cell not in after and cell != source]
    if vanished:
        yield Event("overflow", f"{len(vanished)} stacks of power 6 vanish", mover)


def changed_cells(turn):
    """Returns the cells changed by the turn."""
    if turn.before is None:
        return []
    pairs = enumerate(zip(turn.before["board"], turn.after["board"]))
    return [cell for cell, (old, new) in pairs if old != new]


LEGEND = (
    Sign(
        "stack and its power",
        (Circle(STACK_RADIUS[2], fill="muted"), Text("3", 0.36, fill="board", bold=True)),
        0.8,
    ),
    Sign("changed by the last action", (hexagon(0, "accent", 0.09),), 1.3),
)


def render(turn: Turn) -> Frame:
    """Draw the board after a turn: changed cells outlined, each side's power and cells."""
    board, limit = turn.after["board"], turn.setup["max_total_power"]
    shapes = [BOARD]
    shapes += [hexagon(cell, "accent", 0.05) for cell in changed_cells(turn)]
    for stack in stacks(board):
        shapes += stack_shapes(*stack)
    facts = []
    for player, power in enumerate(turn.after["powers"]):
        cells = sum(1 for _, owner, _ in stacks(board) if owner == player)
        facts.append(
            (
                Fact("colour", COLOURS[player]),
                Fact("power", str(power), progress=(power, limit)),
                Fact("cells", str(cells)),
            )
        )
    return Frame(BOUNDS, tuple(shapes), tuple(find_events(turn)), tuple(facts), legend=LEGEND)
