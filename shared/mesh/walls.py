"""Walls: the edges of polygons in flat buffers, and how near they are.

Rings are simple and apart from each other: first the boundary, which is free inside, then obstacles,
which are blocked inside. C corners; a wall leads from its corner to the one that follows, and free space is
on its left: the boundary runs counterclockwise, obstacles clockwise (y up). A corner is known by the
number of the wall that begins there. Coordinates are whole numbers up to 30,000, so that cross products of
their differences are exact.

    x, y        float64[C]  where a corner is
    following   int64[C]    the next corner of its ring
    preceding   int64[C]    the one before
"""

import math
from typing import NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit

NONE = -1
SLACK = 1e-7  # of distances in units of the map: what rounding may take


class Walls(NamedTuple):
    """The edges of polygons; see the module's docstring."""

    x: Floats
    y: Floats
    following: Ints
    preceding: Ints


def new_walls(rings: list) -> Walls:
    """The walls of rings of (x, y), all of them counterclockwise."""
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


@inline
def turn_at(walls, corner):
    """The cross product of the walls that meet at a corner: negative where a path can bend around it."""
    last, following = walls.preceding[corner], walls.following[corner]
    x, y = walls.x[corner], walls.y[corner]
    return (x - walls.x[last]) * (walls.y[following] - y) - (y - walls.y[last]) * (
        walls.x[following] - x
    )


@inline
def apart2(px, py, ax, ay, bx, by):
    """The square of the distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    along = (px - ax) * dx + (py - ay) * dy
    length2 = dx * dx + dy * dy
    if along > 0.0:
        part = 1.0 if along >= length2 else along / length2
        ax += part * dx
        ay += part * dy
    return (px - ax) * (px - ax) + (py - ay) * (py - ay)


@njit
def is_near(ax, ay, bx, by, px, py, qx, qy, r):
    """Whether segments ab and pq are nearer to each other than r."""
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
        apart2(px, py, ax, ay, bx, by) < r2
        or apart2(qx, qy, ax, ay, bx, by) < r2
        or apart2(ax, ay, px, py, qx, qy) < r2
        or apart2(bx, by, px, py, qx, qy) < r2
    )


@njit
def obstacle_near(walls, px, py, qx, qy, r, first):
    """A wall to which a segment comes nearer than r, NONE for none; `first` is tried first: what was in the way
    of the last segment often is in the way of the next.
    """
    for number in range(-1, len(walls.x)):
        wall = first if number < 0 else number
        other = walls.following[wall]
        ax, ay, bx, by = walls.x[wall], walls.y[wall], walls.x[other], walls.y[other]
        if is_near(ax, ay, bx, by, px, py, qx, qy, r):
            return wall
    return NONE


@kernel
def is_free_way(walls: Walls, px: float, py: float, qx: float, qy: float, r: float) -> bool:
    """Whether a segment keeps r away from every wall."""
    return obstacle_near(walls, px, py, qx, qy, r, 0) == NONE
