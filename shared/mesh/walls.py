"""Walls: the edges of polygons in flat buffers, and their distances from segments.

Polygons are simple and disjoint: first the boundary, free inside, then obstacles, blocked inside.
C corners; a wall leads from its corner to the following one, with free space on its left: the
boundary runs counterclockwise, obstacles clockwise (y up). A corner has the number of the wall
that begins there. Coordinates are whole numbers up to 30,000, so that cross products of their
differences are exact.

    x, y        float64[C]  the place of a corner
    following   int64[C]    the next corner of its polygon
    preceding   int64[C]    the previous one
"""

import math
from typing import NamedTuple

from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit
from ..mesh.geometry import NONE, segment_distance2

WALL_SLACK = 1e-7  # map units, margin for rounding
LARGEST_CORNER = 30_000


class Walls(NamedTuple):
    """The edges of polygons; see the module's docstring."""

    x: Floats
    y: Floats
    following: Ints
    preceding: Ints


def new_walls(rings: list) -> Walls:
    """Returns the walls of polygons of (x, y), all of them counterclockwise: the first is the
    boundary, inside which paths lie, the others are obstacles in it.
    """
    places: list[tuple[int, int]] = []
    following, preceding = [], []
    for number, ring in enumerate(rings):
        first, n = len(places), len(ring)
        places += ring if number == 0 else ring[::-1]
        following += [first + (i + 1) % n for i in range(n)]
        preceding += [first + (i - 1) % n for i in range(n)]
    return Walls(
        float_buffer([x for x, _ in places]),
        float_buffer([y for _, y in places]),
        int_buffer(following),
        int_buffer(preceding),
    )


def check_rings(rings: list) -> None:
    """Raises ValueError unless rings are polygons for `new_walls`: counterclockwise, with whole
    coordinates up to LARGEST_CORNER, their edges touching only at shared corners; the first is the
    boundary, around all others.
    """
    for ring in rings[1:]:
        apart = [corner for corner in ring if corner not in rings[0]]
        if apart and not _surrounds(rings[0], apart[0]):
            raise ValueError("the first ring has to be the boundary, around all others")
    edges = []
    for number, ring in enumerate(rings):
        for x, y in ring:
            if (x, y) != (int(x), int(y)) or max(abs(x), abs(y)) > LARGEST_CORNER:
                raise ValueError(f"({x}, {y}): corners are whole, and at most {LARGEST_CORNER:,}")
        pairs = list(zip(ring, [*ring[1:], *ring[:1]]))
        if len(set(ring)) < max(3, len(ring)) or sum(_cross((0, 0), a, b) for a, b in pairs) <= 0:
            raise ValueError(f"{ring} is no counterclockwise polygon")
        edges += [(a, b, number) for a, b in pairs]
    # From left to right, so that only edges above each other are compared.
    edges.sort(key=lambda edge: min(edge[0][0], edge[1][0]))
    for i, (a, b, number) in enumerate(edges):
        for p, q, other in edges[i + 1 :]:
            if min(p[0], q[0]) > max(a[0], b[0]):
                break
            if _do_touch(a, b, p, q, number == other):
                raise ValueError(f"walls {a} to {b} and {p} to {q} touch: keep polygons apart")


def _cross(a: tuple, b: tuple, c: tuple) -> int:
    """Returns twice the area of triangle abc."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _surrounds(ring: list, place: tuple) -> bool:
    """Returns True for a place inside a ring, by the parity of the edges to the right."""
    is_inside = False
    for a, b in zip(ring, [*ring[1:], *ring[:1]]):
        if (a[1] > place[1]) != (b[1] > place[1]):
            is_inside ^= (_cross(a, b, place) > 0) == (b[1] > a[1])
    return is_inside


def _do_touch(a: tuple, b: tuple, p: tuple, q: tuple, is_one_ring: bool) -> bool:
    """Returns True if two edges touch, except where one follows the other in a ring."""
    if is_one_ring and (b == p or q == a):
        a, b, q = (a, b, q) if b == p else (p, q, b)
        # Only if the second runs back along the first
        ahead = (b[0] - a[0]) * (q[0] - b[0]) + (b[1] - a[1]) * (q[1] - b[1])
        return _cross(a, b, q) == 0 and ahead < 0
    if any(max(a[k], b[k]) < min(p[k], q[k]) or max(p[k], q[k]) < min(a[k], b[k]) for k in (0, 1)):
        return False
    return not (_cross(a, b, p) * _cross(a, b, q) > 0 or _cross(p, q, a) * _cross(p, q, b) > 0)


@inline
def corner_cross(walls, corner):
    """Returns the cross product of a corner's walls, negative if paths can bend around it."""
    last, following = walls.preceding[corner], walls.following[corner]
    x, y = walls.x[corner], walls.y[corner]
    return (x - walls.x[last]) * (walls.y[following] - y) - (y - walls.y[last]) * (
        walls.x[following] - x
    )


@njit
def are_segments_near(ax, ay, bx, by, px, py, qx, qy, r):
    """Returns True if segments ab and pq are nearer to each other than r."""
    if (
        max(ax, bx) <= min(px, qx) - r
        or min(ax, bx) >= max(px, qx) + r
        or max(ay, by) <= min(py, qy) - r
        or min(ay, by) >= max(py, qy) + r
    ):
        return False
    dx, dy = qx - px, qy - py
    side_a = dx * (ay - py) - dy * (ax - px)
    side_b = dx * (by - py) - dy * (bx - px)
    reach = r * math.sqrt(dx * dx + dy * dy)
    if (side_a > reach and side_b > reach) or (side_a < -reach and side_b < -reach):
        return False
    if side_a * side_b < 0.0:
        side_p = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        side_q = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
        if side_p * side_q < 0.0:
            return True
    r2 = r * r
    return (
        segment_distance2(px, py, ax, ay, bx, by) < r2
        or segment_distance2(qx, qy, ax, ay, bx, by) < r2
        or segment_distance2(ax, ay, px, py, qx, qy) < r2
        or segment_distance2(bx, by, px, py, qx, qy) < r2
    )


@njit
def find_near_wall(walls, px, py, qx, qy, r, first):
    """Returns a wall nearer than r to a segment, or NONE; the wall `first` is tried first, as the
    wall that blocks a segment often blocks the next one.
    """
    for number in range(-1, len(walls.x)):
        wall = first if number < 0 else number
        other = walls.following[wall]
        ax, ay, bx, by = walls.x[wall], walls.y[wall], walls.x[other], walls.y[other]
        if are_segments_near(ax, ay, bx, by, px, py, qx, qy, r):
            return wall
    return NONE


@kernel
def is_free_segment(walls: Walls, px: float, py: float, qx: float, qy: float, r: float) -> bool:
    """Returns True if a segment keeps r away from every wall."""
    return find_near_wall(walls, px, py, qx, qy, r, 0) == NONE
