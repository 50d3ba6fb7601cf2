"""Inflated obstacles: a map for the centre of a disc, in a triangulation of its own.

A wall inflates into a segment beside it, on its free side. Around a corner that paths can bend
around, tangents of an arc join two such segments (`geometry.py`), no nearer than the radius.
Inflated walls overlap, and the triangulation splits them at their crossings. Parts nearer than the
radius to another wall bound nothing, and are left out as far as one wall covers them. So the centre
is a point that starts in free space and crosses no constraint.

Coordinates are whole, and SCALE times those of the walls: rounding moves an inflated wall by at
most ROUNDING.
"""

import math

from ..core.jit import Floats, Ints, inline, kernel, njit
from ..mesh.constraints import insert_chain
from ..mesh.geometry import NONE, n_arc_points, segment_distance2, write_arc
from ..mesh.triangulation import Mesh
from ..mesh.walls import Walls, corner_cross
from ..path.statuses import FULL

SCALE = 128
# Rounding of an end and of a crossing, half a square's diagonal each
ROUNDING = 1.5 / SCALE
# A part is left out only if it is nearer to another wall by this margin.
COVER = 0.02


@inline
def wall_end(walls, wall):
    """Returns the corner at the end of a wall."""
    return walls.following[wall]


@inline
def wall_normal(walls, wall):
    """Returns the unit normal on a wall's free side: x, y."""
    other = wall_end(walls, wall)
    dx, dy = walls.x[other] - walls.x[wall], walls.y[other] - walls.y[wall]
    length = math.sqrt(dx * dx + dy * dy)
    return -dy / length, dx / length


@njit
def write_inflated_corner(walls, points, n, corner, r, step):
    """Write the boundary of an inflated corner behind n points: an arc, or the ends of both
    inflated walls. Returns the new number of points.
    """
    x, y = walls.x[corner], walls.y[corner]
    ux, uy = wall_normal(walls, walls.preceding[corner])
    wx, wy = wall_normal(walls, corner)
    if corner_cross(walls, corner) < 0.0:
        radians = math.atan2(ux * wy - uy * wx, ux * wx + uy * wy)
        room = (len(points) >> 1) - n
        if n_arc_points(radians, step) > room:
            step = abs(radians) / room
        return write_arc(points, n, x, y, r, ux, uy, radians, step)
    points[2 * n], points[2 * n + 1] = x + r * ux, y + r * uy
    points[2 * n + 2], points[2 * n + 3] = x + r * wx, y + r * wy
    return n + 2


@njit
def find_cover(walls, px, py, qx, qy, r, first):
    """Returns a wall that is nearer than r to every point of a segment, or NONE. The wall `first`
    is tried first.
    """
    # The distance from a wall is convex: its ends are the farthest from it.
    for i in range(-1, len(walls.x)):
        wall = first if i < 0 else i
        other = wall_end(walls, wall)
        ax, ay, bx, by = walls.x[wall], walls.y[wall], walls.x[other], walls.y[other]
        if max(ax, bx) <= px - r or min(ax, bx) >= px + r:
            continue
        if max(ay, by) <= py - r or min(ay, by) >= py + r:
            continue
        if (
            segment_distance2(px, py, ax, ay, bx, by) < r * r
            and segment_distance2(qx, qy, ax, ay, bx, by) < r * r
        ):
            return wall
    return NONE


@kernel
def inflate_walls(
    mesh: Mesh,
    walls: Walls,
    r: float,
    step: float,
    points: Floats,
    xs: Ints,
    ys: Ints,
    first: int,
    last: int,
) -> int:
    """Insert walls first..last - 1, inflated by r, and the arcs at their ends into a mesh. Returns
    `last`, or FULL without room: the mesh is invalid then.

    step: the angle between points of an arc, in radians. points, xs, ys: room for the points of a
    wall and an arc.
    """
    for wall in range(first, last):
        corner, cover = wall_end(walls, wall), wall
        n = write_inflated_corner(walls, points, 0, wall, r, step)
        points[0], points[1] = points[2 * n - 2], points[2 * n - 1]
        n = write_inflated_corner(walls, points, 1, corner, r, step)
        if corner_cross(walls, corner) >= 0.0:
            n -= 1
        for i in range(n - 1):
            px, py, qx, qy = points[2 * i], points[2 * i + 1], points[2 * i + 2], points[2 * i + 3]
            found = find_cover(walls, px, py, qx, qy, r - COVER, cover)
            if found != NONE:
                cover = found
                continue
            xs[0], ys[0] = round(px * SCALE), round(py * SCALE)
            xs[1], ys[1] = round(qx * SCALE), round(qy * SCALE)
            if insert_chain(mesh, xs, ys, 2, False) == FULL:
                return FULL
    return last
