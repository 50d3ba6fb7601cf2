"""Random maps of Wayfinder: rings, the boundary first (RULES.md, sections 1 and 6)."""

import math
from random import Random

from ...games.wayfinder.outlines import Cells, outlines
from ...games.wayfinder.polygons import (
    Ring,
    area2,
    contains,
    hull,
    is_ring_apart,
    is_simple,
)
from ...games.wayfinder.state import WORLD

KINDS = ("scatter", "rooms", "blobs", "maze", "cave")
GAP = 4  # least distance between rings
MOST_CORNERS = 600
TRIES = 50  # attempts to place a polygon
NEW_SIZES, NEW_CORNERS = (150, 700), (3, 9)  # of the obstacles added during a game
SHIFTS = (60, 30, 15, 5)  # distances by which corners are moved; the first that fits is used
ROOM = 7  # room size in cells
CORRIDOR = 3  # corridor width of a maze in cells
CAVE = 36  # cave size in cells
LARGE_CAVE = 130


def new_map(kind: str, rng: Random, is_large: bool = False) -> list[Ring]:
    """Returns the rings of a map, 2,000 to 5,000 corners if large."""
    if kind == "scatter":
        n = rng.randrange(400, 600) if is_large else rng.randrange(20, 45)
        scale = 4 if is_large else 1
        return scattered(rng, n, (200 // scale, 900 // scale), (4, 10), 0.5)
    if kind == "blobs":
        n = rng.randrange(180, 260) if is_large else rng.randrange(8, 16)
        scale = 4 if is_large else 1
        return scattered(rng, n, (900 // scale, 2200 // scale), (8, 16), 1.0)
    if kind == "rooms":
        n = 17 if is_large else 4
        return shifted(rng, on_grid(rooms(rng, n, ROOM, (1, 5), 0.5), n * (ROOM + 1) + 1))
    if kind == "maze":
        n = 36 if is_large else 8
        doors = (CORRIDOR, CORRIDOR + 1)
        return on_grid(rooms(rng, n, CORRIDOR, doors, 0.1), n * (CORRIDOR + 1) + 1)
    n = LARGE_CAVE if is_large else CAVE
    return shifted(rng, on_grid(cave(rng, n, 0.42, 4), n))


def n_corners(rings: list[Ring]) -> int:
    return sum(map(len, rings))


def on_grid(free: Cells, n: int) -> list[Ring]:
    """Returns the outlines of free cells of a grid with n cells to a side."""
    return outlines(free, WORLD // n)


def random_polygon(rng: Random, x: int, y: int, size: int, corners: int, is_concave: bool) -> Ring:
    """Returns a polygon with at most `corners` corners, each within `size` of (x, y)."""
    least = 0.35 if is_concave else 0.9
    points = []
    for angle in sorted(rng.random() * 2 * math.pi for _ in range(corners)):
        far = size * rng.uniform(least, 1.0)
        points.append((round(x + far * math.cos(angle)), round(y + far * math.sin(angle))))
    return points if is_concave else hull(points)


def fits(ring: Ring, rings: list[Ring]) -> bool:
    """Returns True if a map has room for a ring as another obstacle."""
    boundary, *obstacles = rings
    return (
        all(0 <= x <= WORLD and 0 <= y <= WORLD for x, y in ring)
        and is_simple(ring)
        and area2(ring) > 0
        and contains(boundary, ring[0])
        and not any(contains(other, ring[0]) or contains(ring, other[0]) for other in obstacles)
        and all(is_ring_apart(ring, other, GAP) for other in rings)
    )


def place_polygon(
    rng: Random,
    rings: list[Ring],
    sizes: tuple[int, int],
    corners: tuple[int, int],
    concave_share: float,
) -> Ring | None:
    """Returns a polygon that fits into a map, or None after too many attempts."""
    xs, ys = [x for x, _ in rings[0]], [y for _, y in rings[0]]
    for _ in range(TRIES):
        ring = random_polygon(
            rng,
            rng.randint(min(xs), max(xs)),
            rng.randint(min(ys), max(ys)),
            rng.randrange(*sizes),
            rng.randrange(*corners),
            rng.random() < concave_share,
        )
        if fits(ring, rings):
            return ring
    return None


def scattered(
    rng: Random, n: int, sizes: tuple[int, int], corners: tuple[int, int], concave_share: float
) -> list[Ring]:
    """Returns the boundary and up to n polygons, a share of them concave."""
    rings: list[Ring] = [[(0, 0), (WORLD, 0), (WORLD, WORLD), (0, WORLD)]]
    for _ in range(n):
        ring = place_polygon(rng, rings, sizes, corners, concave_share)
        if ring:
            rings.append(ring)
    return rings


def rooms(rng: Random, n: int, side: int, doors: tuple[int, int], loops: float) -> Cells:
    """Returns the free cells of n x n rooms of `side` x `side` cells. Doors of random widths
    connect all rooms, and a share `loops` of the other neighbours.
    """
    pitch = side + 1
    free = {(x, y) for x in range(n * pitch) for y in range(n * pitch) if x % pitch and y % pitch}
    walls = [(x, y, 1, 0) for x in range(n - 1) for y in range(n)]
    walls += [(x, y, 0, 1) for x in range(n) for y in range(n - 1)]
    rng.shuffle(walls)
    # Union-find: each room's parent; a root is its own parent
    joined = {(x, y): (x, y) for x in range(n) for y in range(n)}

    def leader(room: tuple[int, int]) -> tuple[int, int]:
        while joined[room] != room:
            room = joined[room]
        return room

    for x, y, dx, dy in walls:
        one, other = leader((x, y)), leader((x + dx, y + dy))
        if one == other and rng.random() >= loops:
            continue
        joined[one] = other
        width = rng.randrange(*doors)
        first = rng.randrange(1, side - width + 2)
        for i in range(first, first + width):
            free.add((x * pitch + (pitch if dx else i), y * pitch + (pitch if dy else i)))
    return free


def cave(rng: Random, n: int, share: float, rounds: int) -> Cells:
    """Returns the free cells of a cave: random cells, smoothed by majority over some rounds."""
    inner = [(x, y) for x in range(1, n - 1) for y in range(1, n - 1)]
    free = {cell for cell in inner if rng.random() > share}
    around = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    for _ in range(rounds):
        free = {(x, y) for x, y in inner if sum((x + dx, y + dy) in free for dx, dy in around) >= 5}
    return free


def shifted(rng: Random, rings: list[Ring]) -> list[Ring]:
    """Move every corner a little in half of the cases, so that few edges are parallel."""
    if rng.random() < 0.5:
        return rings
    for most in SHIFTS:
        moved = [
            [
                tuple(min(WORLD, max(0, at + rng.randint(-most, most))) for at in corner)
                for corner in ring
            ]
            for ring in rings
        ]
        if all(map(is_simple, moved)) and all(
            is_ring_apart(moved[i], moved[j], GAP) for i in range(len(moved)) for j in range(i)
        ):
            return moved
    return rings
