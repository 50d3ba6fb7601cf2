"""Draws Ultimate Tic-Tac-Toe: crosses and rings, with a large mark over each won small board.

The last action is outlined, the small boards to play in next are shaded. One unit is a cell.
"""

from ...core.drawing.shapes import (
    Circle,
    Event,
    Fact,
    Frame,
    Group,
    Line,
    Rect,
    Sign,
    Text,
    Turn,
    player_colour,
)
from ...games.ultimate_tic_tac_toe.protocol import place_of
from ...games.ultimate_tic_tac_toe.sim import DIGIT
from ...games.ultimate_tic_tac_toe.state import N_CELLS, SIDE

MARGIN = 0.5
BOUNDS = (-MARGIN, -MARGIN, SIDE + MARGIN, SIDE + MARGIN)
NAMES = ("crosses", "rings")
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
STONE, WON_BOARD = 0.3, 1.15  # radii
MESSAGE = 20  # message characters shown


def centre(board, cell):
    """Returns a small board cell's centre."""
    row, column = place_of(board << DIGIT | cell)
    return (column + 0.5, row + 0.5)


def grid(step, width):
    """Draw the board's inner lines every `step` cells."""
    lines = []
    for i in range(step, SIDE, step):
        lines.append(Line(((i, 0), (i, SIDE)), stroke="line", stroke_width=width))
        lines.append(Line(((0, i), (SIDE, i)), stroke="line", stroke_width=width))
    return lines


BOARD = Group(
    (Rect(SIDE, SIDE, at=(SIDE / 2, SIDE / 2), fill="board"), *grid(1, 0.02), *grid(3, 0.09))
)


def mark(player, at, radius, width, **settings):
    """Draw a cross (player 0) or a ring (1)."""
    colour = player_colour(player)
    if player:
        return Circle(radius, at=at, stroke=colour, stroke_width=width, **settings)
    r = 0.85 * radius
    arms = [
        Line(((-r, sign * r), (r, -sign * r)), stroke=colour, stroke_width=width)
        for sign in (-1, 1)
    ]
    return Group(tuple(arms), at=at, **settings)


def winning_line(player, start, end):
    """Draw the line through three small boards that wins the game."""
    (left, top), (x, y) = start, end
    colour = player_colour(player)
    reach = ((0, 0), (x - left, y - top))
    return Line(reach, at=start, stroke=colour, stroke_width=0.4, opacity=0.45, key="winning line")


def stones(snapshot):
    """Yields (small board, cell, player) of every taken cell."""
    for i, owner in enumerate(snapshot["cells"]):
        if owner != ".":
            yield *divmod(i, N_CELLS), int(owner)


def shapes_of(snapshot):
    """Draw the board's shapes."""
    for board in snapshot["playable"]:
        yield Rect(2.9, 2.9, at=centre(board, 4), fill="accent", opacity=0.15, corner=0.1)
    won = snapshot["won"]
    for board, cell, player in stones(snapshot):
        row, column = place_of(board << DIGIT | cell)
        faded = 0.3 if board in won[0] + won[1] else 1.0
        yield mark(
            player,
            centre(board, cell),
            STONE,
            0.09,
            opacity=faded,
            key=f"stone {row} {column}",
            tip=f"{NAMES[player]}, {row} {column}",
        )
    for player, boards in enumerate(won):
        for board in boards:
            yield mark(player, centre(board, 4), WON_BOARD, 0.22, key=f"board {board}")
    for player, boards in enumerate(won):
        for row in ROWS:
            if set(row) <= set(boards):
                yield winning_line(player, centre(row[0], 4), centre(row[2], 4))
    if snapshot["action"] is not None:
        at = centre(*divmod(snapshot["action"], 1 << DIGIT))
        yield Rect(0.94, 0.94, at=at, stroke="accent", stroke_width=0.06, corner=0.08)


def find_events(turn):
    """List the events of a turn: a small board won, a free choice of the board."""
    before, after = turn.before, turn.after
    if before is None or before["turn"] == after["turn"]:
        return
    mover = before["turn"] % 2
    action = after["action"]
    for board in set(after["won"][mover]) - set(before["won"][mover]):
        yield Event("board", f"{NAMES[mover]} win small board {board}", mover)
    if len(after["playable"]) > 1:
        row, column = place_of(action)
        yield Event("free", f"after {row} {column} {NAMES[1 - mover]} may play anywhere", 1 - mover)


def message(lines):
    """Returns the message after a bot's action, cut to the length that the site shows."""
    words = lines[0].split(maxsplit=2) if lines else []
    return words[2][:MESSAGE] if len(words) > 2 else ""


LEGEND = (
    Sign("crosses", (mark(0, (0, 0), STONE, 0.09),), 0.9),
    Sign("rings", (mark(1, (0, 0), STONE, 0.09),), 0.9),
    Sign("last action", (Rect(0.94, 0.94, stroke="accent", stroke_width=0.1, corner=0.08),), 1.2),
    Sign("the next action goes here", (Rect(1, 1, fill="accent", opacity=0.3, corner=0.1),), 1.2),
)


def render(turn: Turn) -> Frame:
    """Draw the board after a turn, with each side's facts."""
    shapes = [BOARD, *shapes_of(turn.after)]
    facts = []
    for player, boards in enumerate(turn.after["won"]):
        said = message(turn.output[player])
        facts.append(
            (
                Fact("plays", NAMES[player]),
                Fact("small boards", str(len(boards)), progress=(len(boards), N_CELLS)),
                *((Fact("says", said),) if said else ()),
            )
        )
    for player, lines in enumerate(turn.output):
        if said := message(lines):
            shapes.append(Text(said, 0.3, at=(SIDE / 2, -0.25), fill=player_colour(player)))
    return Frame(BOUNDS, tuple(shapes), tuple(find_events(turn)), tuple(facts), legend=LEGEND)
