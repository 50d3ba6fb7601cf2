"""Draws X-mas Rush on the page, from the snapshots of `contest.py`, and as text.

On the page a cell is 100 units wide. Tiles slide with the pushes, because each keeps one number all
game. A turn's two pushes are always shown at once.
"""

from functools import cache

from ...core.drawing.shapes import (
    Circle,
    Event,
    Fact,
    Frame,
    Group,
    Polygon,
    Rect,
    Sign,
    Text,
    Turn,
    player_colour,
)
from ...games.xmas_rush.state import (
    DIRECTIONS,
    DOWN,
    HANDS,
    LEFT,
    N_PLAYERS,
    PATHS,
    PLAYERS,
    RIGHT,
    SIZE,
    UP,
    board_places,
    item_name,
    item_places,
    quests,
    tile_at,
)

CELL = 100
GAP = 4
ROAD = 22
HALF = CELL / 2
BOUNDS = (-1.75 * CELL, -0.75 * CELL, (SIZE + 1.75) * CELL, (SIZE + 0.75) * CELL)
HANDS_AT = ((-CELL, HALF), ((SIZE + 1) * CELL, (SIZE - 0.5) * CELL))
# Players on one tile are drawn side by side; items lie below them.
PLAYER_OFFSETS = ((-17, -18), (17, -18))
ITEM_OFFSET = (0, 26)

SIDES = {UP: (0, -1), RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0)}
# Indexed by a tile's paths; a tile of the game has at least two.
BOX_CHARACTERS = " ╸╻╗╺═╔╦╹╝║╣╚╩╠╬"
PLAYER_MARKS = {(): " ", (0,): "0", (1,): "1", (0, 1): "*"}


def render(turn: Turn) -> Frame:
    """Draw the board after a turn, with both hands beside it; a walking player moves along its
    steps.
    """
    paths = turn.setup["paths"]
    places = tile_places(turn.after)
    shapes = [
        draw_tile(tile, paths[tile], at, tile in turn.after["hands"]) for tile, at in places.items()
    ]
    shapes += [
        draw_item(name, owner, places[tile], name in turn.after["quests"][owner])
        for name, owner, tile in turn.after["items"]
    ]
    shapes += [draw_player(turn, player) for player in range(N_PLAYERS)]
    shapes += [
        draw_push(player, *push)
        for player in range(N_PLAYERS)
        if (push := pushed_line(turn.output[player]))
    ]
    return Frame(
        bounds=BOUNDS,
        shapes=(frame_of_hands(), *shapes),
        events=tuple(find_events(turn)),
        facts=tuple(player_facts(turn, player) for player in range(N_PLAYERS)),
        legend=LEGEND,
    )


def centre(x, y):
    """Find a cell's centre."""
    return ((x + 0.5) * CELL, (y + 0.5) * CELL)


def tile_places(snapshot):
    """Returns {tile number: place on the page}."""
    places = {
        tile: centre(x, y) for y, row in enumerate(snapshot["tiles"]) for x, tile in enumerate(row)
    }
    return places | dict(zip(snapshot["hands"], HANDS_AT))


@cache
def frame_of_hands():
    """Draw the board's ground and the hand labels."""
    ground = SIZE * CELL
    shapes = [Rect(ground, ground, at=(ground / 2, ground / 2), fill="board", corner=6)]
    for player, at in enumerate(HANDS_AT):
        style = dict(at=at, stroke=player_colour(player), stroke_width=5)
        shapes.append(Rect(CELL + 14, CELL + 14, corner=12, **style))
        name = (at[0], at[1] + (CELL if player == 0 else -CELL))
        shapes.append(Text(f"hand {player}", 26, at=name, fill=player_colour(player)))
    return Group(tuple(shapes))


@cache
def road(paths):
    """Draw a tile's paths from middle to edges."""
    side = CELL - GAP
    shapes = [Rect(side, side, fill="outside", stroke="line", stroke_width=2, corner=10)]
    for direction, (dx, dy) in SIDES.items():
        if paths >> (LEFT - direction) & 1:
            # From beyond the middle, so that bends have no notch, to the tile's edge.
            length = (side + ROAD) / 2
            middle = (side - ROAD) / 4
            width, height = (length, ROAD) if dx else (ROAD, length)
            shapes.append(Rect(width, height, at=(dx * middle, dy * middle), fill="muted"))
    return tuple(shapes)


def draw_tile(tile, paths, at, in_hand):
    open_sides = [DIRECTIONS[d] for d in SIDES if paths >> (LEFT - d) & 1]
    where = "in a hand" if in_hand else "at {} {}".format(*(int(number // CELL) for number in at))
    tip = f"tile {where}, paths {' '.join(open_sides) or 'none'}"
    return Group(road(paths), at=at, key=f"tile {tile}", tip=tip)


def draw_item(name, owner, at, visible):
    """Draw an item's label in its owner's colour: filled while the quest is visible, else an
    outline.
    """
    colour = player_colour(owner)
    box = dict(fill=colour) if visible else dict(fill="board", stroke=colour, stroke_width=3)
    label = (
        Rect(CELL - 14, 28, corner=8, **box),
        Text(name, 15, fill="on-player" if visible else colour, bold=True),
    )
    quest = "visible quest" if visible else "hidden quest"
    return Group(
        label,
        at=(at[0] + ITEM_OFFSET[0], at[1] + ITEM_OFFSET[1]),
        opacity=1.0 if visible else 0.75,
        key=f"item {name} {owner}",
        tip=f"{name} of player {owner}, {quest}",
    )


def draw_player(turn: Turn, player: int):
    """Draw a player, who walks through the places of the turn."""
    dx, dy = PLAYER_OFFSETS[player]

    def stand(place):
        x, y = centre(*place)
        return x + dx, y + dy

    way = [places[player] for places in turn.after["ways"]]
    n = max(len(way) - 1, 1)
    return Group(
        (
            Circle(21, fill=player_colour(player), stroke="board", stroke_width=4),
            Text(str(player), 24, fill="on-player", bold=True),
        ),
        at=stand(way[-1]),
        via=tuple((i / n, *stand(place)) for i, place in enumerate(way[1:-1], 1)),
        key=f"player {player}",
        tip="player {} at {} {}".format(player, *way[-1]),
    )


def pushed_line(output):
    """Returns (line, direction) of a PUSH, or None. The output may be any text."""
    words = output[0].split() if output else []
    is_push = len(words) == 3 and words[0] == "PUSH" and words[2] in DIRECTIONS
    if is_push and len(words[1]) == 1 and words[1] in "0123456":
        return int(words[1]), DIRECTIONS.index(words[2])
    return None


def draw_push(player, line, direction):
    """Draw an arrow in the margin where the player's tile enters."""
    dx, dy = SIDES[direction]
    x, y = centre(line, line)
    # The side of the entry; two pushes of one line from one side are drawn side by side.
    aside = 14 * (2 * player - 1)
    if dx:
        at = (-30 if dx > 0 else SIZE * CELL + 30, y + aside)
    else:
        at = (x + aside, -30 if dy > 0 else SIZE * CELL + 30)
    points = ((20 * dx, 20 * dy), (-16 * dx - 16 * dy, -16 * dy - 16 * dx))
    points += ((-16 * dx + 16 * dy, -16 * dy + 16 * dx),)
    return Polygon(points, at=at, fill=player_colour(player), tip=f"player {player} pushes")


LEGEND = (
    Sign(
        "item of a visible quest",
        (
            Rect(CELL - 14, 40, corner=8, fill=player_colour(0)),
            Text("KEY", 30, fill="on-player", bold=True),
        ),
        CELL,
    ),
    Sign(
        "item of a later quest",
        (
            Rect(CELL - 14, 40, corner=8, fill="board", stroke=player_colour(0), stroke_width=4),
            Text("KEY", 30, fill=player_colour(0), bold=True),
        ),
        CELL,
    ),
    Sign("tile and its paths", road(0b1010), CELL),
    Sign(
        "push: a tile enters here",
        (Polygon(((20, 0), (-16, -16), (-16, 16)), fill=player_colour(0)),),
        50,
    ),
)


def find_events(turn):
    """List the events of a turn: quests completed, clashes."""
    if turn.before is None:
        return
    left = {(name, owner) for name, owner, _ in turn.after["items"]}
    for name, owner, _ in turn.before["items"]:
        if (name, owner) not in left:
            yield Event("quest", f"player {owner} completes {name}", owner)
    if turn.after["stale"] > turn.before["stale"]:
        yield Event("clash", f"both push the same line, {turn.after['stale']} in a row")


def player_facts(turn: Turn, player: int):
    score, total = turn.after["scores"][player], turn.setup["quests"]
    facts = [
        Fact("Quests", f"{score} done", (max(score, 0), total)),
        Fact("Visible", ", ".join(turn.after["quests"][player]) or "none"),
    ]
    if player == 0 and turn.after["stale"]:
        facts.append(Fact("Clashes", f"{turn.after['stale']} in a row"))
    return tuple(facts)


def text_of(state):
    """Returns a state as text, to print in the debugger: the board in box-drawing characters,
    hands, quests.

    Players are marked 0 and 1, or * if both are on one tile.
    """
    stand = [board_places(int(state[PLAYERS + player]))[0] for player in range(N_PLAYERS)]
    lines = []
    for y in range(SIZE):
        cells = []
        for x in range(SIZE):
            here = tuple(player for player in range(N_PLAYERS) if stand[player] == (x, y))
            cells.append(BOX_CHARACTERS[tile_at(state, x, y) & PATHS] + PLAYER_MARKS[here])
        lines.append("".join(cells).rstrip())
    places = item_places(state)
    for player in range(N_PLAYERS):
        wanted = quests(state, player)
        found = {item_name(item): place for item, place in places.items()}
        told = [f"{name} {found[name, player]}" for name in wanted if (name, player) in found]
        hand = BOX_CHARACTERS[int(state[HANDS + player]) & PATHS]
        lines.append(f"{player} {hand} {', '.join(told)}".rstrip())
    return "\n".join(lines)
