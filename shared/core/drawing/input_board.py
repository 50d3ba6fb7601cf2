"""A board drawn from the input that players read, for contests without a simulator.

`onefile new NAME --stub FILE` writes a `render.py` that reads the input as the grammar says, and
names the grids and the things with a place in it; this module draws them.

A grid is a list of texts, a character a cell, a list of lists of values, or one list whose length
is width times height. Grids and things are fields of the input's start or of a turn; fields of the
turn come first. Colours are by the owner's number as the input tells it: -1 has none.
"""

from dataclasses import dataclass
from typing import Any, Callable, Iterator

from ...core.drawing.shapes import (
    MAX_PLAYERS,
    Circle,
    Frame,
    Raster,
    Rect,
    Scene,
    Shape,
    Text,
    player_colour,
)
from ...core.protocol import read_turns

# Cells without a sign, and those drawn as walls.
EMPTY, WALLS = frozenset((".", "_", " ", "", "-", "?", "0", "-1")), frozenset(("#", "X", "x", "W"))
WALL_KINDS = frozenset(("WALL", "ROCK", "BLOCK", "OBSTACLE"))
# A board of more units is no grid of cells.
MOST_CELLS = 60
# Cells of a grid that have signs.
MOST_SIGNS = 3000
MARGIN = 0.03


@dataclass(frozen=True)
class Things:
    """Things with a place. of: the field with their list; "" for one thing, placed by two fields.

    x, y: fields with the coordinates; "" in a list of lists, whose indices are the coordinates.
    owner, label, key: fields with the owner's number, the kind and the identity; "" for none.
    player: the owner of all things: 0 the reader, 1 the opponent, None for neither.
    """

    of: str
    x: str
    y: str
    owner: str = ""
    label: str = ""
    key: str = ""
    player: int | None = None


@dataclass(frozen=True)
class Board:
    """The parts of the input that are drawn. size: fields with the width and the height."""

    grids: tuple[str, ...] = ()
    things: tuple[Things, ...] = ()
    size: tuple[str, str] | None = None


def scenes(
    board: Board,
    player: int,
    inputs: list[list[str]],
    read_start: Callable[[Callable[[], str]], Any],
    read_turn: Callable[[Callable[[], str], Any], Any],
    answers_start: bool = False,
) -> list[Scene | None]:
    """Returns the scene of each turn for `frame`, of all fields read so far; None from the first
    unreadable turn on.

    inputs: the lines of each turn, after those read once. read_start, read_turn: read lines into
    NamedTuples. answers_start: the first answer is to the lines read once.
    """
    start: list[Any] = []

    def read(line: Callable[[], str]) -> dict[str, Any]:
        if not start:
            start.append(read_start(line))
            if answers_start:
                return dict(start[0]._asdict())
        try:
            return {**start[0]._asdict(), **read_turn(line, start[0])._asdict()}
        except StopIteration as error:
            raise ValueError("a line has too few words") from error

    seen = read_turns(inputs, read)
    edges = bounds_of(board, [one for one in seen if one])
    return [None if one is None else ({"bounds": edges, "reader": player}, one) for one in seen]


def frame(board: Board, setup: dict[str, Any], seen: dict[str, Any]) -> Frame:
    """Draw what a player read: the grids, and the things on them."""
    left, top, right, bottom = bounds = setup["bounds"]
    is_cells = max(right - left, bottom - top) <= MOST_CELLS + 1
    ground = Rect(
        right - left, bottom - top, at=((left + right) / 2, (top + bottom) / 2), fill="board"
    )
    shapes: list[Shape] = [ground]
    for name in board.grids:
        rows = grid_of(board, seen, name)
        # Smaller lists are no maps.
        if len(rows) == bottom and max(map(len, rows), default=0) == right:
            shapes += grid_shapes(rows)
    unit = 1.0 if is_cells else max(right - left, bottom - top) / 40
    shift = 0.5 if is_cells else 0.0
    for things in board.things:
        shapes += thing_shapes(things, seen, setup["reader"], unit, shift)
    return Frame(bounds=bounds, shapes=tuple(shapes))


def bounds_of(board: Board, seen: list[dict[str, Any]]) -> tuple[float, float, float, float]:
    """Returns (left, top, right, bottom) by size, else grids, else things."""
    width, height = (seen[0].get(name) for name in board.size) if board.size and seen else (0, 0)
    if isinstance(width, int) and isinstance(height, int) and width > 0 < height:
        return 0.0, 0.0, float(width), float(height)
    sizes = [
        (max(map(len, rows), default=0), len(rows))
        for one in seen
        for name in board.grids
        if (rows := grid_of(board, one, name))
    ]
    if sizes:
        wide, high = max(sizes, key=lambda size: size[0] * size[1])
        return 0.0, 0.0, float(wide), float(high)
    places = [
        (x, y) for one in seen for things in board.things for x, y, *_ in things_of(things, one)
    ]
    if not places:
        return 0.0, 0.0, 16.0, 9.0
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    span = max(right - left, bottom - top, 1.0)
    if span <= MOST_CELLS:
        # Cells; the input may name no cell of an edge.
        return min(left, 0.0), min(top, 0.0), right + 1.0, bottom + 1.0
    return left - MARGIN * span, top - MARGIN * span, right + MARGIN * span, bottom + MARGIN * span


def grid_of(board: Board, seen: dict[str, Any], name: str) -> list[list[str]]:
    """Returns a grid's cells as rows of texts; [] if the field is no grid."""
    rows = seen.get(name)
    if not isinstance(rows, list) or not rows:
        return []
    if isinstance(rows[0], list):
        return [[str(cell) for cell in row] for row in rows]
    if isinstance(rows[0], str) and max(map(len, rows)) > 1:
        texts = [row.split() if " " in row.strip() else list(row) for row in rows]
        return texts if max(map(len, texts)) > 1 else []
    width = seen.get(board.size[0]) if board.size else None
    if isinstance(width, int) and width > 0 and len(rows) % width == 0:
        cells = [str(cell) for cell in rows]
        return [cells[i : i + width] for i in range(0, len(cells), width)]
    return []


def grid_shapes(rows: list[list[str]]) -> Iterator[Shape]:
    """Draw the walls of a grid, and a sign on each other cell that is not empty."""
    walls = tuple("".join("w" if cell in WALLS else "." for cell in row) for row in rows)
    if any("w" in row for row in walls):
        yield Raster(walls, fill="muted", opacity=0.6)
    signs = [
        (x, y, cell)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell not in EMPTY and cell not in WALLS
    ]
    for x, y, cell in signs[:MOST_SIGNS]:
        size = 0.6 if len(cell) < 3 else 1.5 / len(cell)
        tip = f"{x} {y}: {cell}"
        yield Text(cell[:8], size, at=(x + 0.5, y + 0.5), fill="muted", tip=tip)


def items_of(things: Things, seen: dict[str, Any]) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    """Yields (x, y, fields) of each thing."""
    found = [seen] if not things.of else seen.get(things.of)
    for i, item in enumerate(found if isinstance(found, list) else ()):
        if not things.x and isinstance(item, list):
            for j, cell in enumerate(item):
                yield j, i, cell._asdict()
        elif things.x:
            fields = item if isinstance(item, dict) else item._asdict()
            yield fields.get(things.x), fields.get(things.y), fields


def things_of(
    things: Things, seen: dict[str, Any], reader: int = 0
) -> Iterator[tuple[float, float, int | None, str, str, str]]:
    """Yields (x, y, owner, label, key, tip) of the things that have a place."""
    for i, (x, y, fields) in enumerate(items_of(things, seen)):
        if not all(isinstance(place, (int, float)) for place in (x, y)):
            continue
        label = str(fields.get(things.label, "")) if things.label else ""
        if not things.x and label in EMPTY:
            continue
        key = f"{things.of or things.x} {fields.get(things.key, i)}"
        shown = {things.x: x, things.y: y} if not things.of else fields
        tip = ", ".join(f"{name} {value}" for name, value in shown.items())
        yield x, y, owner_of(things, fields, reader), label, key, tip


def owner_of(things: Things, fields: dict[str, Any], reader: int) -> int | None:
    """Returns the owner's number; None for nobody or a text."""
    value = fields.get(things.owner) if things.owner else None
    if isinstance(value, bool):
        return reader if value else 1 - reader if reader < 2 else 0
    if isinstance(value, int):
        return value if 0 <= value < MAX_PLAYERS else None
    if things.player is None:
        return None
    return reader if things.player == 0 else 1 - reader if reader < 2 else 0


def thing_shapes(
    things: Things, seen: dict[str, Any], reader: int, unit: float, shift: float
) -> Iterator[Shape]:
    """Draw things as discs in the colour of the owner, with the first letters of their kinds; walls
    as squares.
    """
    keys: set[str] = set()
    for x, y, owner, label, key, tip in things_of(things, seen, reader):
        at = (x + shift, y + shift)
        colour = "accent" if owner is None else player_colour(owner)
        name = key if key not in keys else ""
        keys.add(key)
        if label.upper() in WALL_KINDS:
            yield Rect(unit, unit, at=at, fill="muted", opacity=0.6, tip=tip)
            continue
        yield Circle(0.4 * unit, at=at, fill=colour, key=name, tip=tip)
        if label:
            yield Text(
                label[:2],
                0.45 * unit,
                at=at,
                bold=True,
                fill="ink" if owner is None else "on-player",
                key=f"{name} label" if name else "",
            )
