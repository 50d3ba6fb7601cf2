"""Draws Cellularena on the page, from the snapshots of `contest.py`, and as text.

On the page a cell is 100 units wide.
"""

from collections import Counter
from functools import cache

from ...core.drawing.shapes import (
    Chart,
    Circle,
    Event,
    Fact,
    Frame,
    Group,
    Line,
    Polygon,
    Rect,
    Sign,
    Text,
    Turn,
    player_colour,
)
from ...games.cellularena.state import (
    CELLS,
    DIRECTIONS,
    FACING,
    FACING_BIT,
    HEIGHT,
    KIND,
    KINDS,
    N_PLAYERS,
    N_PROTEINS,
    ORGANS,
    PROTEIN_NAMES,
    ROOT,
    STOCKS,
    TURN,
    WALL,
    WIDTH,
    cell_at,
    is_organ,
    owner_of,
)

CELL = 100
MARGIN = 30
OFFSETS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
LETTERS = {"ROOT": "R", "BASIC": "", "TENTACLE": "T", "HARVESTER": "H", "SPORER": "S"}
SOURCE_COLOURS = dict(zip(PROTEIN_NAMES, ("#3aa655", "#d04a4a", "#3f7fd0", "#c9a227")))
MANY_DEATHS = 3  # organs lost in a turn that are an event


def render(turn: Turn) -> Frame:
    """Draw the board after a turn: walls, sources, organs and the branches between them."""
    width, height = turn.setup["width"], turn.setup["height"]
    cells = read_cells(turn.after)
    places = {number: (x, y) for x, y, _, _, number, *_ in cells if number}
    shapes = [ground(width, height)]
    shapes += [draw_wall(x, y) for x, y, kind, *_ in cells if kind == "WALL"]
    shapes += [draw_source(x, y, kind) for x, y, kind, *_ in cells if kind in SOURCE_COLOURS]
    organs = [cell for cell in cells if cell[4]]
    shapes += [draw_branch(cell, places) for cell in organs if cell[6]]
    shapes += [draw_organ(cell) for cell in organs]
    return Frame(
        bounds=(-MARGIN, -MARGIN, width * CELL + MARGIN, height * CELL + MARGIN),
        shapes=tuple(shapes),
        events=tuple(find_events(turn)),
        facts=tuple(player_facts(turn.after, player) for player in range(N_PLAYERS)),
        charts=(Chart("organs", tuple(map(float, turn.after["organs"]))),),
        legend=LEGEND,
    )


def read_cells(snapshot):
    """Returns (x, y, kind, owner or -1, id, direction, parent's id, root's id) of each cell."""
    cells = []
    for line in snapshot["cells"]:
        x, y, kind, owner, number, direction, parent, root = line.split()
        # The lines are those of player 0, to whom its own organs have the owner 1.
        player = 1 - int(owner) if int(owner) >= 0 else -1
        numbers = (int(number), direction, int(parent), int(root))
        cells.append((int(x), int(y), kind, player, *numbers))
    return cells


def centre(x, y):
    """Returns the middle of a cell."""
    return ((x + 0.5) * CELL, (y + 0.5) * CELL)


@cache
def ground(width, height):
    """Draw the board and its grid."""
    right, bottom = width * CELL, height * CELL
    shapes = [Rect(right, bottom, at=(right / 2, bottom / 2), fill="board")]
    for x in range(width + 1):
        points = ((x * CELL, 0), (x * CELL, bottom))
        shapes.append(Line(points, stroke="line", stroke_width=1))
    for y in range(height + 1):
        points = ((0, y * CELL), (right, y * CELL))
        shapes.append(Line(points, stroke="line", stroke_width=1))
    return Group(tuple(shapes))


@cache
def draw_wall(x, y):
    """Draw a wall, of the map or of a collision."""
    return Rect(CELL, CELL, at=centre(x, y), fill="muted")


@cache
def draw_source(x, y, kind):
    """Draw a source of a protein."""
    shapes = (Circle(26, fill=SOURCE_COLOURS[kind], opacity=0.75), Text(kind, 30, fill="board"))
    return Group(shapes, at=centre(x, y), key=f"source {x} {y}", tip=f"source of protein {kind}")


def draw_branch(cell, places):
    """Draw the line from an organ to its parent."""
    x, y, _, player, number, _, parent, _ = cell
    (left, top), (u, v) = centre(x, y), centre(*places[parent])
    points = ((0, 0), (u - left, v - top))
    style = dict(stroke=player_colour(player), stroke_width=22, opacity=0.5)
    return Line(points, at=(left, top), key=f"branch {number}", **style)


def organ_shapes(kind, direction, colour):
    """Returns the shapes of an organ around the origin."""
    dx, dy = OFFSETS[direction]
    shapes = []
    if kind in ("TENTACLE", "HARVESTER", "SPORER"):
        tip, base = 52, 26
        points = ((tip * dx, tip * dy), (base * -dy, base * dx), (base * dy, base * -dx))
        fill = {"TENTACLE": "alert", "HARVESTER": "accent", "SPORER": "warn"}[kind]
        shapes.append(Polygon(points, fill=fill))
    if kind == "ROOT":
        shapes.append(Rect(64, 64, fill=colour, corner=12, stroke="ink", stroke_width=4))
    else:
        shapes.append(Circle(26, fill=colour))
    if LETTERS[kind]:
        shapes.append(Text(LETTERS[kind], 30, fill="on-player", bold=True))
    return tuple(shapes)


def draw_organ(cell):
    """Draw an organ in its owner's colour, with a point in the direction that it faces."""
    x, y, kind, player, number, direction, _, root = cell
    shapes = organ_shapes(kind, direction, player_colour(player))
    facing = f", facing {direction}" if len(shapes) > 2 else ""
    tip = f"player {player}: {kind.lower()} {number} of organism {root}{facing}"
    return Group(shapes, at=centre(x, y), key=f"organ {number}", tip=tip)


def _sign(text, kind):
    return Sign(text, organ_shapes(kind, "N", player_colour(0)), 110)


LEGEND = (
    _sign("root of an organism", "ROOT"),
    _sign("basic organ", "BASIC"),
    _sign("tentacle: kills at its point", "TENTACLE"),
    _sign("harvester", "HARVESTER"),
    _sign("sporer", "SPORER"),
    Sign("source of a protein", (Circle(26, fill="muted"), Text("A", 30, fill="board")), 60),
    Sign("wall", (Rect(80, 80, fill="muted"),), 90),
)


def find_events(turn):
    """Yields the events of a turn: new organisms, many lost organs, colliding growths."""
    if turn.before is None:
        return
    before, after = read_cells(turn.before), read_cells(turn.after)
    known = {cell[4] for cell in before}
    for _, _, kind, player, number, *_ in after:
        if kind == "ROOT" and number not in known:
            yield Event("spore", f"player {player} has a new organism", player)
    left = {cell[4] for cell in after}
    lost = Counter(cell[3] for cell in before if cell[4] and cell[4] not in left)
    for player in sorted(lost):
        if lost[player] >= MANY_DEATHS:
            yield Event("loss", f"player {player} loses {lost[player]} organs", player)
    walls = [sum(cell[2] == "WALL" for cell in cells) for cells in (before, after)]
    if walls[1] > walls[0]:
        yield Event("collision", f"growths collide in {walls[1] - walls[0]} cells")


def player_facts(snapshot, player):
    """List the facts shown beside the board."""
    kinds = Counter(cell[2] for cell in read_cells(snapshot) if cell[3] == player)
    stocks = zip(PROTEIN_NAMES, snapshot["stocks"][player])
    organs = [f"{number} {kind.lower()}" for kind, number in sorted(kinds.items())]
    return (
        Fact("Organs", f"{snapshot['organs'][player]} in {snapshot['roots'][player]} organisms"),
        Fact("Proteins", ", ".join(f"{number} {name}" for name, number in stocks)),
        Fact("Of them", ", ".join(organs) or "none"),
    )


def text_of(state):
    """Returns a state as text for the debugger, in two characters a cell: ## walls, proteins a
    to d, organs by type (lower case for player 1) and direction.
    """
    lines = []
    for y in range(int(state[HEIGHT])):
        row = []
        for x in range(int(state[WIDTH])):
            content = int(state[CELLS + cell_at(x, y)])
            kind = content & KIND
            if is_organ(content):
                letter = KINDS[kind][0]
                facing = DIRECTIONS[content >> FACING_BIT & FACING] if kind != ROOT else " "
                row.append((letter if owner_of(content) == 0 else letter.lower()) + facing)
            else:
                row.append("##" if kind == WALL else f"{KINDS[kind].lower() or '.'} ")
        lines.append("".join(row).rstrip())
    for player in range(N_PLAYERS):
        first = STOCKS + N_PROTEINS * player
        proteins = " ".join(str(number) for number in state[first : first + N_PROTEINS])
        lines.append(f"{player}: {state[ORGANS + player]} organs, proteins {proteins}")
    return "\n".join([f"turn {state[TURN]}", *lines])
