"""Shapes that draw a contest in the units of its board; the match page paints and animates them.

`shared/games/<contest>/render.py` defines one function, the contest's `Contest.render`:

    def render(turn: Turn) -> Frame

It is called for the start of a game and after each turn, and returns the picture at that moment.
The page moves a shape with a `key` from its place in the previous frame to the present one, so a
renderer draws moments, not motion:

    Circle(400, at=(x, y), fill=player_colour(0), key="pod 0", tip="pod 0, speed 312")

Coordinates and lengths are in the board's units, y grows downwards, angles are in radians and grow
clockwise. Shapes are painted in the order of the list. A shape that is the same in several frames
is stored once in the page; static shapes are best put into one `Group` without a key, made once.

Colours are roles, so that a picture reads well on light and dark screens: `player_colour(i)`,
"on-player" (text upon a player's colour), "board" (the board's surface), "outside" (what is around
it), "line" (grids), "muted", "ink", "accent", "warn", "alert"; or a fixed "#rrggbb".

Only the referee draws: a bot never imports this module or a contest's `render.py`.
"""

from dataclasses import dataclass
from typing import Any

Point = tuple[float, float]
# A match's setup and a snapshot, with the fields that `render` needs.
Scene = tuple[dict[str, Any], dict[str, Any]]

MAX_PLAYERS = 10
# The players' own colours, distinguishable by colour-blind people too, in the order of the players.
BLUE, ORANGE, GREEN, PINK, OLIVE, CYAN, VIOLET, BROWN, RED, GREY = range(MAX_PLAYERS)
ROLES = ("on-player", "board", "outside", "line", "muted", "ink", "accent", "warn", "alert")


def player_colour(player: int) -> str:
    """Returns a player's colour role."""
    return f"player-{player}"


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The fields common to all shapes.

    at: the place of the shape's origin: its centre, or the origin of its points.
    angle: its rotation around `at`.
    fill, stroke: colours, "" for none. A text with both has an outline in the stroke's colour.
    stroke_width: never less than a pixel of the screen.
    opacity: 0..1.
    key: a shape continues the shape of this key in the previous frame: its place, angle, opacity
        and measures change smoothly. Unique in a frame. Outside groups a shape with a new key fades
        in, and a shape whose key vanishes fades out.
    via: its places in mid-turn, as (time, x, y) with rising times in 0..1: a bounce, a path of
        several steps.
    since, until: the part of the turn, in 0..1, in which it is visible; with `until`, it is gone
        when the turn is over.
    tip: the tooltip.
    view: None for a shape visible in every view of the board; a player's number for one visible
        only in that player's view, if the page offers views.
    layer: "" if always visible; else the name of a checkbox on the page, at first not ticked,
        that shows the shape. Not for a shape in a group.
    """

    at: Point = (0, 0)
    angle: float = 0.0
    fill: str = ""
    stroke: str = ""
    stroke_width: float = 0.0
    opacity: float = 1.0
    key: str = ""
    via: tuple[tuple[float, float, float], ...] = ()
    since: float = 0.0
    until: float | None = None
    tip: str = ""
    view: int | None = None
    layer: str = ""


@dataclass(frozen=True)
class Circle(Shape):
    """A disc or a ring around `at`."""

    radius: float


@dataclass(frozen=True)
class Rect(Shape):
    """A rectangle with its centre at `at`; `corner` is the radius of its rounded corners."""

    width: float
    height: float
    corner: float = 0.0


@dataclass(frozen=True)
class Polygon(Shape):
    """A closed shape through points, relative to `at`."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Line(Shape):
    """An open line through points, relative to `at`; `head` is the length of an arrow's head."""

    points: tuple[Point, ...]
    head: float = 0.0


@dataclass(frozen=True)
class Arc(Shape):
    """A part of a circle around `at`, clockwise between two angles."""

    radius: float
    start: float
    end: float


@dataclass(frozen=True)
class Text(Shape):
    """One line of text with its centre at `at`; never too small to be read."""

    text: str
    size: float
    bold: bool = False


@dataclass(frozen=True)
class Group(Shape):
    """Shapes that move and turn together, relative to the group's `at` and `angle`. A group has no
    colours.
    """

    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Trail(Shape):
    """The path of the shape whose key is `of`, not one in a group, over this many turns, fading
    with age.
    """

    of: str
    turns: int


@dataclass(frozen=True)
class Raster(Shape):
    """Cells of 1 x 1 from `at` on, one text per row; each letter but "." is filled."""

    rows: tuple[str, ...]


@dataclass(frozen=True)
class Swarm(Shape):
    """Many squares of `size`, each in the middle of a cell of 1 x 1 of a torus of `columns`.

    cells: the cell of each square, row * columns + column. came: the move of each in the turn: a
    step "n", "e", "s" or "w"; "-" for none; "+" if it is new.
    """

    columns: int
    cells: tuple[int, ...]
    size: float
    came: str = ""


@dataclass(frozen=True)
class Fog(Shape):
    """The cover of a torus of rows x columns cells, except near the swarms whose keys are `of`.

    reach: the number of visible cells to either side, for each row outwards from the swarm's cell.
    """

    rows: int
    columns: int
    of: tuple[str, ...]
    reach: tuple[int, ...]


@dataclass(frozen=True)
class Chart:
    """A line chart of one number of each player over the turns."""

    label: str
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Event:
    """Something that happened in a turn: a mark under the board, in a lane of its kind.

    kind: a word or two, such as "collision". text: a clause, such as "player 0 takes the key".
    player: None for all.
    """

    kind: str
    text: str
    player: int | None = None


@dataclass(frozen=True)
class Fact:
    """A line about a player: a label, its value and, if there is a goal, (done, total)."""

    label: str
    text: str
    progress: tuple[float, float] | None = None


@dataclass(frozen=True)
class Sign:
    """An entry of the board's legend: shapes around the origin, painted as on the board, and their
    meaning. size: the width and height in units of the board that they are shown in.
    """

    text: str
    shapes: tuple[Shape, ...]
    size: float


@dataclass(frozen=True)
class Frame:
    """The picture of a game after a turn.

    bounds: the part of the plane to show: (left, top, right, bottom). shapes: in painting order.
    events: the turn's events. facts: each player's facts, beside the board. charts: shown under the
    board, the same labels in every frame. legend: the signs of the board but for the players'
    own colours, the same in every frame.
    """

    bounds: tuple[float, float, float, float]
    shapes: tuple[Shape, ...]
    events: tuple[Event, ...] = ()
    facts: tuple[tuple[Fact, ...], ...] = ()
    charts: tuple[Chart, ...] = ()
    legend: tuple[Sign, ...] = ()


@dataclass(frozen=True)
class Turn:
    """The input of `render`.

    setup: the match's `setup()`.
    before, after: its `snapshot()` before and after the turn; at the start of the game `before` is
        None.
    output: for each player the lines it wrote in this turn, none if it was not asked. They may be
        any text.
    """

    setup: dict[str, Any]
    before: dict[str, Any] | None
    after: dict[str, Any]
    output: tuple[tuple[str, ...], ...]
