"""Draws Code of Kutulu on the page, from the snapshots of `contest.py`, and as text.

On the page a cell is 100 units wide.
"""

from functools import cache

from ...core.drawing.shapes import (
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
from ...games.code_of_kutulu.maze import SHELTER, SPAWN, WALL, place_of
from ...games.code_of_kutulu.protocol import minions_of
from ...games.code_of_kutulu.sim import COMPANY_RANGE, LIGHT_RANGE, PLAN_RANGE
from ...games.code_of_kutulu.state import (
    CELLS,
    MAX_SANITY,
    N_PLAYERS,
    SANITIES,
    TURN,
    living,
)

CELL = 100
MARGIN = 30
PLAYER_RADIUS, MINION_RADIUS = 24, 20
# Players on one cell are drawn side by side, minions in the middle.
OFFSETS = ((-24, -24), (24, -24), (-24, 24), (24, 24))
STATES = ("spawning", "wandering", "stalking", "rushing", "stunned")
KITE = ((0, -30), (26, 0), (0, 30), (-26, 0))


def render(turn: Turn) -> Frame:
    """Draw the maze after a turn, with explorers, minions and active effects."""
    rows = turn.setup["rows"]
    shapes = [ground(tuple(rows))]
    shapes += [draw_area(turn.after, effect) for effect in turn.after["effects"]]
    shapes += [draw_minion(turn.after, *minion) for minion in turn.after["minions"]]
    shapes += [draw_explorer(turn.after, player) for player in turn.after["living"]]
    bounds = (-MARGIN, -MARGIN, len(rows[0]) * CELL + MARGIN, len(rows) * CELL + MARGIN)
    return Frame(
        bounds=bounds,
        shapes=tuple(shapes),
        events=tuple(find_events(turn)),
        facts=tuple(player_facts(turn.after, player) for player in range(N_PLAYERS)),
        legend=LEGEND,
    )


def centre(x, y):
    """Returns the middle of a cell."""
    return ((x + 0.5) * CELL, (y + 0.5) * CELL)


@cache
def ground(rows):
    """Draw the static parts: floor and walls, spawns and shelters."""
    width, height = len(rows[0]) * CELL, len(rows) * CELL
    shapes = [Rect(width, height, at=(width / 2, height / 2), fill="board")]
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            at = centre(x, y)
            if character == WALL:
                shapes.append(Rect(CELL, CELL, at=at, fill="muted", stroke="line"))
            elif character == SPAWN:
                shapes.append(Circle(40, at=at, stroke="alert", stroke_width=5))
            elif character == SHELTER:
                shapes.append(Rect(84, 84, at=at, stroke="accent", stroke_width=6, corner=14))
    return Group(tuple(shapes))


def draw_area(snapshot, effect):
    """Draw an effect: the area of a plan or light, a shelter's energy, a yell's arrow."""
    kind, turns, caster, other = effect
    if kind == "SHELTER":
        at = centre(*other)
        text = Text(str(turns), 30, at=(0, 0), fill="accent", bold=True)
        key = "shelter {} {}".format(*other)
        return Group((text,), at=at, key=key, tip=f"shelter, energy {turns}")
    if kind == "YELL":
        start = explorer_at(snapshot, caster)
        end = explorer_at(snapshot, other)
        points = ((0, 0), (end[0] - start[0], end[1] - start[1]))
        style = dict(stroke=player_colour(caster), stroke_width=8, head=24)
        return Line(points, at=start, tip=f"player {caster} yelled at player {other}", **style)
    reach = (PLAN_RANGE if kind == "PLAN" else LIGHT_RANGE) * CELL + CELL / 2
    diamond = ((0, -reach), (reach, 0), (0, reach), (-reach, 0))
    return Polygon(
        diamond,
        at=explorer_at(snapshot, caster),
        fill="accent" if kind == "PLAN" else "warn",
        opacity=0.18,
        key=f"{kind.lower()} {caster}",
        tip=f"{kind.lower()} of player {caster}, {turns} turns to go (walls block it)",
    )


def explorer_at(snapshot, player):
    """Returns the place at which a player is drawn."""
    x, y = centre(*snapshot["explorers"][player][:2])
    dx, dy = OFFSETS[player]
    return x + dx, y + dy


def draw_explorer(snapshot, player):
    """Draw a disc with the player's number, and a bar of its sanity."""
    sanity = snapshot["explorers"][player][2]
    share = max(sanity, 0) / MAX_SANITY
    shapes = (
        Circle(PLAYER_RADIUS, fill=player_colour(player), stroke="board", stroke_width=4),
        Text(str(player), 28, fill="on-player", bold=True),
        Rect(48 * share + 1, 7, at=(24 * share - 24, 30), fill=player_colour(player)),
    )
    tip = f"player {player}, sanity {sanity}"
    return Group(shapes, at=explorer_at(snapshot, player), key=f"player {player}", tip=tip)


def draw_minion(snapshot, kind, number, x, y, timer, state, target):
    """Draw a minion in its target's colour: a wanderer as a disc, a slasher as a kite."""
    colour = player_colour(target) if target >= 0 else "ink"
    style = dict(fill="alert", stroke=colour, stroke_width=7)
    shape = Polygon(KITE, **style) if kind == "SLASHER" else Circle(MINION_RADIUS, **style)
    shapes = (shape, Text(str(timer), 20, fill="board"))
    after = f", after player {target}" if target >= 0 else ""
    return Group(
        shapes,
        at=centre(x, y),
        opacity=0.5 if state in (0, 4) else 1.0,
        key=f"minion {number}",
        tip=f"{kind.lower()} {number}, {STATES[state]} ({timer}){after}",
    )


def _minion(shape):
    return (shape, Text("9", 20, fill="board"))


LEGEND = (
    Sign(
        "explorer, bar: sanity left",
        (Circle(PLAYER_RADIUS, fill="muted"), Rect(48, 7, at=(0, 30), fill="muted")),
        80,
    ),
    Sign(
        "wanderer and its timer",
        _minion(Circle(MINION_RADIUS, fill="alert", stroke="ink", stroke_width=7)),
        60,
    ),
    Sign(
        "slasher and its timer",
        _minion(Polygon(KITE, fill="alert", stroke="ink", stroke_width=7)),
        76,
    ),
    Sign(
        "rim: the explorer that it is after",
        (Circle(MINION_RADIUS, fill="alert", stroke=player_colour(0), stroke_width=9),),
        60,
    ),
    Sign("spawn of minions", (Circle(40, stroke="alert", stroke_width=5),), 96),
    Sign(
        "shelter and its energy",
        (
            Rect(84, 84, stroke="accent", stroke_width=8, corner=14),
            Text("9", 40, fill="accent", bold=True),
        ),
        104,
    ),
    Sign(
        "plan", (Polygon(((0, -50), (50, 0), (0, 50), (-50, 0)), fill="accent", opacity=0.4),), 104
    ),
    Sign(
        "light", (Polygon(((0, -50), (50, 0), (0, 50), (-50, 0)), fill="warn", opacity=0.4),), 104
    ),
    Sign(
        "yell", (Line(((-44, 0), (44, 0)), stroke=player_colour(0), stroke_width=10, head=30),), 104
    ),
)


def find_events(turn):
    """Yields the events: deaths, plans, lights, yells."""
    if turn.before is None:
        return
    for player in turn.before["living"]:
        if player not in turn.after["living"]:
            yield Event("mad", f"player {player} is out", player)
    before = {(kind, caster, str(other)) for kind, _, caster, other in turn.before["effects"]}
    for kind, _, caster, other in turn.after["effects"]:
        if kind != "SHELTER" and (kind, caster, str(other)) not in before:
            at = f" at player {other}" if kind == "YELL" else ""
            yield Event(kind.lower(), f"player {caster}: {kind.lower()}{at}", caster)


def player_facts(snapshot, player):
    """List the facts shown beside the board."""
    x, y, sanity, plans, lights, score = snapshot["explorers"][player]
    if player not in snapshot["living"]:
        return (Fact("Out", f"score {score}"),)
    others = [snapshot["explorers"][p][:2] for p in snapshot["living"] if p != player]
    near = [abs(x - u) + abs(y - v) <= COMPANY_RANGE for u, v in others]
    return (
        Fact("Sanity", str(sanity), (sanity, MAX_SANITY)),
        Fact("Left", f"{plans} plans, {lights} lights"),
        Fact("Company", f"{sum(near)} nearby" if any(near) else "alone"),
        Fact("Action", snapshot["actions"].get(str(player), "none yet")),
    )


def text_of(rows, maze, state):
    """Returns a game as text, to print in the debugger: the maze with players 0..3, wanderers w and
    slashers s, then each player's sanity.
    """
    grid = [list(row.replace(SPAWN, ".").replace("S", ".")) for row in rows]
    for kind, _, cell, *_ in minions_of(state):
        x, y = (int(number) for number in place_of(maze, cell))
        grid[y][x] = kind[0].lower()
    for player in living(state):
        x, y = (int(number) for number in place_of(maze, state[CELLS + player]))
        grid[y][x] = str(player)
    sanities = " ".join(f"{player}: {state[SANITIES + player]}" for player in living(state))
    return "\n".join(["".join(row) for row in grid] + [f"turn {state[TURN]}  {sanities}"])
