"""How a contest is drawn: shapes in the units of its board, which the match page paints and moves.

`shared/games/<contest>/render.py` defines one function, the contest's `Contest.render`:

    def render(turn: Turn) -> Frame

It is called for the start of a game and after each turn, and gives the picture as it stands then.
The page moves what has a `key` from where it was in the frame before to where it is now, so a
renderer draws moments, not motion:

    Circle(400, at=(x, y), fill=player_colour(0), key="pod 0", tip="pod 0, speed 312")

Coordinates and lengths are in the board's units, y grows downwards, angles are in radians and grow
clockwise. Shapes are painted in the order of the list. A shape that is the same in several frames
is stored once in the page; what never changes is best put into one `Group` without a key, made
once.

Colours are roles, so that a picture reads well on light and dark screens: `player_colour(i)`,
"on-player" (text upon a player's colour), "board" (the board's surface), "outside" (what is around
it), "line" (grids), "muted", "ink", "accent", "warn", "alert"; or a fixed "#rrggbb".

Only the referee draws: a bot never imports this module or a contest's `render.py`.
"""

from dataclasses import dataclass
from typing import Any

Point = tuple[float, float]

MAX_PLAYERS = 10
# The players' own colours, told apart by colour-blind people too, in the order in which players get
# them.
BLUE, ORANGE, GREEN, PINK, OLIVE, CYAN, VIOLET, BROWN, RED, GREY = range(MAX_PLAYERS)
ROLES = ("on-player", "board", "outside", "line", "muted", "ink", "accent", "warn", "alert")


def player_colour(player: int) -> str:
    """The role of a player's own colour."""
    return f"player-{player}"


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What all shapes have.

    at: where the shape's own origin is: its centre, or what its points count from.
    angle: by how much it is turned around `at`.
    fill, stroke: colours, "" for none. A text with both has an outline in the stroke's colour.
    stroke_width: never less than a pixel of the screen.
    opacity: 0..1.
    key: tells that it is the same thing as the shape of this key in the frame before: its place,
        angle, opacity and measures pass smoothly from those to these. Unique in a frame. A new key
        outside groups fades in, a vanished one out.
    via: where it was in mid-turn, as (time, x, y) with times in 0..1, rising: a bounce, a path of
        several steps.
    since, until: the part of the turn, in 0..1, in which it shows; with `until`, it is gone when
        the turn is over.
    tip: what the page says when one points at it.
    view: None for a shape that shows in every view of the board; a player's number for one that
        shows in that player's view only, where the page lets one choose.
    layer: "" for what shows always; else a word or two for what shows while the page's box of this
        name is ticked, which it is not at first. Not of a shape in a group.
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
    """A closed shape through points, which count from `at`."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Line(Shape):
    """An open line through points, which count from `at`, ends where they end; `head` is the length
    of an arrow's head.
    """

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
    """One line of text with its centre at `at`; never smaller than the page can be read."""

    text: str
    size: float
    bold: bool = False


@dataclass(frozen=True)
class Group(Shape):
    """Shapes that move and turn together; theirs count from the group's `at` and `angle`. A group
    has no colours.
    """

    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Trail(Shape):
    """The way of the shape whose key is `of`, not one in a group, over so many turns, fainter with
    age.
    """

    of: str
    turns: int


@dataclass(frozen=True)
class Raster(Shape):
    """Cells of 1 x 1 from `at` on, a text a row: those with another letter than "." are filled."""

    rows: tuple[str, ...]


@dataclass(frozen=True)
class Swarm(Shape):
    """Many squares of `size`, each in the middle of a cell of 1 x 1 of a torus of `columns`.

    cells: of each its cell, row * columns + column. came: how each came there in the turn: from the
    cell to the "n", "e", "s" or "w" of which it lies, as in a step that way; "-" it has stood
    still, "+" it is new.
    """

    columns: int
    cells: tuple[int, ...]
    size: float
    came: str = ""


@dataclass(frozen=True)
class Fog(Shape):
    """What covers a torus of rows x columns cells but for those near to the swarms whose keys are
    `of`.

    reach: for each row from the swarm's cell upwards and downwards, how many cells to either side
    are near.
    """

    rows: int
    columns: int
    of: tuple[str, ...]
    reach: tuple[int, ...]


@dataclass(frozen=True)
class Chart:
    """A number of each player that is charted over the turns."""

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
    """A line about a player: a label, what it is now and, where there is a goal, (done, of how
    many).
    """

    label: str
    text: str
    progress: tuple[float, float] | None = None


@dataclass(frozen=True)
class Frame:
    """The picture of a game after a turn.

    bounds: the part of the plane to show: (left, top, right, bottom).
    shapes: in painting order.
    events: what happened in the turn.
    facts: for each player, what to say of it beside the board.
    charts: what is charted under the board, the same labels in every frame.
    """

    bounds: tuple[float, float, float, float]
    shapes: tuple[Shape, ...]
    events: tuple[Event, ...] = ()
    facts: tuple[tuple[Fact, ...], ...] = ()
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True)
class Turn:
    """What a frame is drawn from.

    setup: the match's `setup()`.
    before, after: its `snapshot()` before and after the turn; at the start of the game `before` is
        None.
    output: for each player the lines it wrote in this turn, none where it was not asked. They are
        any text whatever.
    """

    setup: dict[str, Any]
    before: dict[str, Any] | None
    after: dict[str, Any]
    output: tuple[tuple[str, ...], ...]
