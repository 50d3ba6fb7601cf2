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

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit
from shared.mesh.geometry import NONE, segment_distance2

WALL_SLACK = 1e-7  # units of the map that rounding may take


class Walls(NamedTuple):
    """The edges of polygons; see the module's docstring."""

    x: Floats
    y: Floats
    following: Ints
    preceding: Ints


def new_walls(rings: list) -> Walls:
    """Returns the walls of polygons of (x, y), all of them counterclockwise."""
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
    """Returns a wall nearer than r to a segment, NONE for none; tries `first` first, as the wall in
    the way of the last segment often is in the way of the next.
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
