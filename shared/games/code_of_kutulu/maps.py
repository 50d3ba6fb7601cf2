"""The start of a game from its seed: the numbers that the official referee draws, and a maze.

The contest's own mazes are not included: without a maze file (`read_mazes`), the draw that chooses
a maze is the seed of a generated maze.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from ...core.jit import Ints
from ...games.code_of_kutulu.draws import SEED_MASK, draw_below, draw_bits
from ...games.code_of_kutulu.maze import (
    EMPTY,
    MAX_CELLS,
    MAX_SHELTERS,
    MAX_SIDE,
    MAX_SPAWNS,
    SHELTER,
    SPAWN,
    START,
    WALL,
    cell_at,
    new_maze,
)
from ...games.code_of_kutulu.state import N_PLAYERS, SEED, new_state, start_state

MULTIPLIER = 0x5DEECE66D
LEGEND = 7
LIGHT_LEAGUE, FULL_LEAGUE = 2, 3
# Lower leagues: sanity lost alone and in company, wanderers' spawn and life time.
WOOD_NUMBERS = (3, 1, 3, 40)
WIDTHS, HEIGHTS = (13, 15, 17, 19, 21), (13, 15, 17, 19)
BRAIDED = 0.85  # share of dead ends that are opened
OPENED = 0.12  # share of other walls that are opened


Place = tuple[int, int]


class MazeError(ValueError):
    """A maze cannot be played on; the message says why."""


def check_rows(rows: list[str]) -> None:
    """Raise MazeError unless the rows form a maze; the number of starts is not checked."""
    if not rows or not rows[0]:
        raise MazeError("a maze has rows of #, ., w, U and S; this one is empty")
    sides = len(rows[0]), len(rows)
    if len({len(row) for row in rows}) > 1:
        raise MazeError("all rows of a maze are equally long; these are not")
    if max(sides) > MAX_SIDE:
        raise MazeError(f"a maze has at most {MAX_SIDE} rows and columns, this one {sides}")
    strange = set("".join(rows)) - {WALL, EMPTY, SPAWN, SHELTER, START}
    if strange:
        raise MazeError(f"a maze is of #, ., w, U and S; {min(strange)!r} is none of them")
    limits = ((SPAWN, MAX_SPAWNS, "spawns"), (SHELTER, MAX_SHELTERS, "shelters"))
    for kind, most, name in limits:
        n = sum(row.count(kind) for row in rows)
        if n > most:
            raise MazeError(f"a maze has at most {most} {name}, this one {n}")
    n = sum(len(row) - row.count(WALL) for row in rows)
    if not 1 <= n <= MAX_CELLS:
        raise MazeError(f"a maze has 1 to {MAX_CELLS} walkable cells, this one {n}")


def read_mazes(path: Path | str) -> list[list[str]]:
    """Returns each maze of a file as a list of rows.

    The file is text, mazes of #, ., w (spawn), U (shelter) and S (start) between empty
    lines, or JSON: {"mazes": {name: {"rows": [row, ...]}}} and optionally
    "bronze_rotation_in_order", the names of the mazes to play. Raises MazeError.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        mazes = _json_mazes(json.loads(text)) if text[:1] == "{" else _text_mazes(text)
    except OSError as error:
        raise MazeError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise MazeError(f"{path}: no file of mazes (no text in UTF-8)") from error
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise MazeError(f"{path}: no file of mazes ({error!r})") from error
    if not mazes:
        raise MazeError(f"{path}: no file of mazes (it is empty)")
    for number, rows in enumerate(mazes, 1):
        try:
            check_rows(rows)
            check_starts(rows)
        except MazeError as error:
            raise MazeError(f"{path}: maze {number}: {error}") from None
    return mazes


def _json_mazes(data: Any) -> list[list[str]]:
    """Returns the rows of each maze of a truth file, in the order in which they are played."""
    names = data.get("bronze_rotation_in_order", data["mazes"])
    return [[str(row) for row in data["mazes"][name]["rows"]] for name in names]


def _text_mazes(text: str) -> list[list[str]]:
    """Returns the rows of mazes separated by empty lines."""
    blocks = "\n".join(line.strip() for line in text.splitlines()).split("\n\n")
    return [block.split("\n") for block in (block.strip("\n") for block in blocks) if block]


def check_starts(rows: list[str]) -> None:
    """Raise MazeError unless there is a start for each player, and all starts are connected."""
    n_starts = sum(row.count(START) for row in rows)
    if n_starts != N_PLAYERS:
        raise MazeError(f"a maze has {N_PLAYERS} starts S, this one {n_starts}")
    starts = set(find_all(rows, START))
    if not starts <= set(reached_from(rows, min(starts))):
        raise MazeError("a player cannot reach the others")


def find_all(rows: list[str], character: str) -> list[Place]:
    """Returns (x, y) of each occurrence of a character, row by row."""
    return [(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c == character]


def next_to(x: int, y: int) -> tuple[Place, ...]:
    """Returns the places above, to the right, below and to the left."""
    return ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))


def reached_from(rows: list[str], place: Place) -> list[Place]:
    """Returns places reachable from a place."""
    found = [place]
    for at in found:
        for x, y in next_to(*at):
            inside = 0 <= y < len(rows) and 0 <= x < len(rows[0])
            if inside and rows[y][x] != WALL and (x, y) not in found:
                found.append((x, y))
    return found


def new_game(
    seed: int,
    league: int = LEGEND,
    mazes: list[list[str]] | None = None,
    forced: list[str] | None = None,
) -> tuple[list[str], Ints, Ints]:
    """Returns the start of a game: (rows, maze, state).

    seed: any int of 64 bits. mazes: the mazes to draw from; None to generate a maze.
    forced: rows to play on, without a draw. Raises MazeError, or ValueError for an unknown
    league.
    """
    if not 1 <= league <= LEGEND:
        raise ValueError(f"there is no league {league}: leagues are 1 to {LEGEND}")
    full = league >= FULL_LEAGUE
    draws = new_state()
    draws[SEED] = (seed ^ MULTIPLIER) & SEED_MASK
    numbers: Any = WOOD_NUMBERS
    if full:
        ranges = ((3, 4), (1, 3), (3, 4), (30, 11))
        numbers = tuple(least + int(draw_below(draws, n)) for least, n in ranges)
    rows = forced
    if rows is None:
        draw_bits(draws)
        drawn = int(draws[SEED]) >> 16
        drawn = min(drawn, (1 << 32) - drawn)  # of the signed 32-bit number, without its sign
        rows = mazes[drawn % len(mazes)] if mazes else make_rows(drawn)
    check_rows(rows)
    check_starts(rows)
    maze = new_maze(rows, *numbers, full=full)
    starts = [cell_at(maze, x, y) for x, y in find_all(rows, START)]
    return rows, maze, start_state(starts, int(draws[SEED]))


def make_rows(seed: int) -> list[str]:
    """Generate a maze of four equal quarters, in size and contents like the contest's mazes."""
    rng = Random(seed)
    while True:
        width, height = rng.choice(WIDTHS), rng.choice(HEIGHTS)
        floor = carve_quarter(rng, width, height)
        grid = [[WALL] * width for _ in range(height)]
        for place in floor:
            for x, y in images(place, width, height):
                grid[y][x] = EMPTY
        if sum(row.count(EMPTY) for row in grid) <= MAX_CELLS:
            break
    # Leave out the middle lines: every other place has four mirror images.
    rooms = [(x, y) for x, y in sorted(floor) if 2 * x + 1 < width and 2 * y + 1 < height]
    rng.shuffle(rooms)
    start = rooms.pop()
    # Wanderers spawn in the farther half of the quarter.
    rooms.sort(key=lambda room: abs(room[0] - start[0]) + abs(room[1] - start[1]))
    spawn = rooms.pop(rng.randrange(len(rooms) // 2, len(rooms)))
    places = [(START, start), (SPAWN, spawn)]
    places += [(SHELTER, room) for room in rng.sample(rooms, rng.choice((0, 1, 1, 2)))]
    for mark, place in places:
        for x, y in images(place, width, height):
            grid[y][x] = mark
    return ["".join(row) for row in grid]


def images(place: Place, width: int, height: int) -> set[Place]:
    """Returns a place and its mirror images."""
    x, y = place
    return {(i, j) for i in (x, width - 1 - x) for j in (y, height - 1 - y)}


def carve_quarter(rng: Random, width: int, height: int) -> set[Place]:
    """Returns the connected floor of the upper left quarter, with the middle lines.

    Rooms have odd coordinates. A depth-first walk connects all rooms, then dead ends and some
    other walls are opened.
    """
    right, bottom = width // 2, height // 2
    rooms = [(x, y) for x in range(1, right + 1, 2) for y in range(1, bottom + 1, 2)]
    floor, way = {rooms[0]}, [rooms[0]]
    while way:
        x, y = way[-1]
        doors = [(u, v) for u, v in next_to(x, y) if (2 * u - x, 2 * v - y) in rooms]
        closed = [(u, v) for u, v in doors if (2 * u - x, 2 * v - y) not in floor]
        if not closed:
            way.pop()
            continue
        u, v = rng.choice(closed)
        way.append((2 * u - x, 2 * v - y))
        floor |= {(u, v), way[-1]}
    # If a middle line has no rooms, doors in it lead to the other half.
    for fixed, across in ((right, 0), (bottom, 1)):
        if fixed % 2 == 0:
            last = [room for room in rooms if room[across] == fixed - 1]
            for x, y in rng.sample(last, max(1, len(last) // 2)):
                floor.add((fixed, y) if across == 0 else (x, fixed))
    for x, y in rooms:
        doors = [(u, v) for u, v in next_to(x, y) if 0 < u <= right and 0 < v <= bottom]
        closed = [door for door in doors if door not in floor]
        is_end = len(doors) - len(closed) == 1
        if closed and rng.random() < (BRAIDED if is_end else OPENED):
            floor.add(rng.choice(closed))
    return floor
