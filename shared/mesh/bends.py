"""The corners around which a disc can bend its way, and how far around each.

A bend is a corner of an obstacle at which the path of a disc's centre may follow an arc of radius r about it. The
normals of free space there point into a cone: from `out`, that of the wall that begins at the corner,
counterclockwise to `into`, that of the wall that ends there. A turn is an angle from `out`, in radians. Parts of the
arc are blocked where another wall is nearer than r.

C corners, B blocked arcs:

    counts     int64[1]      bends
    corners    int64[C]      the corner of a bend
    cones      float64[4 C]  of a bend: out x, y, into x, y
    blocked    float64[B]    the middle turns of the blocked arcs, bend by bend
    n_blocked  int64[C + 1]  how many of them belong to the bends before one
    arcs       float64[4 C]  the blocked arcs of one bend, while they are found: from, to
"""

import math
from typing import NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, njit
from shared.mesh.walls import WALL_SLACK, corner_cross, segment_distance2

N_BENDS = 0
ANGLE_SLACK = 1e-9  # of directions in radians: what rounding may take


class Bends(NamedTuple):
    """The corners to bend around; see the module's docstring."""

    counts: Ints
    corners: Ints
    cones: Floats
    blocked: Floats
    n_blocked: Ints
    arcs: Floats


def new_bends(n_corners: int, n_blocked: int) -> Bends:
    """Buffers for maps of so many corners and so many blocked arcs."""
    return Bends(
        counts=int_buffer(1),
        corners=int_buffer(n_corners),
        cones=float_buffer(4 * n_corners),
        blocked=float_buffer(n_blocked),
        n_blocked=int_buffer(n_corners + 1),
        arcs=float_buffer(4 * n_corners),
    )


@inline
def find_bends(walls, bends):
    """Find the corners that paths can bend around, and the cones there."""
    n = 0
    for corner in range(len(walls.x)):
        if corner_cross(walls, corner) < 0.0:
            bends.corners[n] = corner
            for k in range(2):
                wall = corner if k == 0 else walls.preceding[corner]
                end = walls.following[wall]
                dx, dy = walls.x[end] - walls.x[wall], walls.y[end] - walls.y[wall]
                length = math.sqrt(dx * dx + dy * dy)
                bends.cones[4 * n + 2 * k] = -dy / length
                bends.cones[4 * n + 2 * k + 1] = dx / length
            n += 1
    bends.counts[N_BENDS] = n


@inline
def in_cone(bends, bend, nx, ny):
    """Whether a normal is one of free space at a bend."""
    out_x, out_y = bends.cones[4 * bend], bends.cones[4 * bend + 1]
    into_x, into_y = bends.cones[4 * bend + 2], bends.cones[4 * bend + 3]
    return out_x * ny - out_y * nx >= -ANGLE_SLACK and nx * into_y - ny * into_x >= -ANGLE_SLACK


@inline
def angle_of(bends, bend, nx, ny):
    """The turn of a normal, in (-pi, pi]."""
    out_x, out_y = bends.cones[4 * bend], bends.cones[4 * bend + 1]
    return math.atan2(out_x * ny - out_y * nx, out_x * nx + out_y * ny)


@njit
def add_blocked_arc(arcs, n, start, end, span):
    """Add an arc from a turn on, which may go round, to the n sorted ones of a cone; returns how many."""
    turns = math.floor(start / (2.0 * math.pi)) * 2.0 * math.pi
    start -= turns
    end -= turns
    for _ in range(2):
        low, high = max(0.0, start), min(span, end)
        if low < high:
            i = n
            while i > 0 and arcs[2 * i - 2] > low:
                arcs[2 * i] = arcs[2 * i - 2]
                arcs[2 * i + 1] = arcs[2 * i - 1]
                i -= 1
            arcs[2 * i] = low
            arcs[2 * i + 1] = high
            n += 1
        start -= 2.0 * math.pi
        end -= 2.0 * math.pi
    return n


@inline
def block_near_wall(walls, bends, bend, wall, r, span, n):
    """Add the arc of a bend's circle that is nearer than r to a wall to its n blocked ones; returns how many.

    With v the corner and q on the wall, v + r n is nearer than r to q if n (q - v) > |q - v|^2 / 2 r: an arc
    about the direction of q. All q together give one arc, which ends with that of an end of the wall, or
    where the disc touches the wall between.
    """
    corner, other = bends.corners[bend], walls.following[wall]
    x, y = walls.x[corner], walls.y[corner]
    ax, ay, bx, by = walls.x[wall] - x, walls.y[wall] - y, walls.x[other] - x, walls.y[other] - y
    if segment_distance2(0.0, 0.0, ax, ay, bx, by) >= 4.0 * r * r:
        return n
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    dx /= length
    dy /= length
    # The wall's line is `height` away in the direction (toward_x, toward_y).
    height = ax * dy - ay * dx
    toward_x, toward_y = dy, -dx
    if height < 0.0:
        height, toward_x, toward_y = -height, -toward_x, -toward_y
    low, high = math.pi, -math.pi
    for k in range(2):
        qx, qy = (ax, ay) if k == 0 else (bx, by)
        d = math.sqrt(qx * qx + qy * qy)
        cos = (d * d + 2.0 * r * WALL_SLACK) / (2.0 * r * d)
        if cos < 1.0:
            middle = math.atan2(toward_x * qy - toward_y * qx, height)
            half = math.acos(cos)
            low, high = min(low, middle - half), max(high, middle + half)
    cos = (height + WALL_SLACK) / r - 1.0
    if cos < 1.0:
        half = math.acos(cos)
        aside = r * math.sin(half)
        at_a = toward_x * ay - toward_y * ax
        at_b = toward_x * by - toward_y * bx
        if min(at_a, at_b) < aside < max(at_a, at_b):
            high = max(high, half)
        if min(at_a, at_b) < -aside < max(at_a, at_b):
            low = min(low, -half)
    if low >= high:
        return n
    toward = angle_of(bends, bend, toward_x, toward_y)
    return add_blocked_arc(bends.arcs, n, toward + low, toward + high, span)


@njit
def find_blocked_arcs(walls, bends, r):
    """Find the blocked arcs of all bends; false where they are too many for the buffer."""
    n = 0
    for bend in range(bends.counts[N_BENDS]):
        corner = bends.corners[bend]
        bends.n_blocked[bend] = n
        span = angle_of(bends, bend, bends.cones[4 * bend + 2], bends.cones[4 * bend + 3])
        n_arcs = 0
        for wall in range(len(walls.x)):
            if wall != corner and wall != walls.preceding[corner]:
                n_arcs = block_near_wall(walls, bends, bend, wall, r, span, n_arcs)
        i = 0
        while i < n_arcs:
            if n == len(bends.blocked):
                return False
            low, high = bends.arcs[2 * i], bends.arcs[2 * i + 1]
            while i < n_arcs and bends.arcs[2 * i] <= high + ANGLE_SLACK:
                high = max(high, bends.arcs[2 * i + 1])
                i += 1
            bends.blocked[n] = 0.5 * (low + high)
            n += 1
    bends.n_blocked[bends.counts[N_BENDS]] = n
    return True
