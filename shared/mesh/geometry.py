"""Distances, arcs as polylines, and the sentinels of all modules in this folder.

An arc of a circle of radius r becomes a polyline of tangents, at its ends and at equal steps
between. Neighbours meet at r / cos(step / 2) from the centre, so that the polyline never comes
nearer to it than the arc. For an arc of `radians` it is longer by r (2 n tan(radians / 2 n) -
radians), about r radians step^2 / 12.

NONE stands for no vertex, half-edge, wall, node or chain. Lengths of paths that were not found are
UNREACHED. Open lists order whole numbers: lengths times KEY_PARTS.

Points are pairs of numbers in a buffer: points[2 i] is the x of point i, points[2 i + 1] its y.
"""

import math

from ..core.jit import inline, njit

NONE = -1
UNREACHED = math.inf
KEY_PARTS = float(1 << 20)
MAX_STEP = math.pi / 2


@inline
def distance(px, py, qx, qy):
    """Returns the distance between two points."""
    return math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py))


@inline
def segment_distance2(px, py, ax, ay, bx, by):
    """Returns the squared distance between a point and segment ab."""
    dx, dy = bx - ax, by - ay
    along = (px - ax) * dx + (py - ay) * dy
    length2 = dx * dx + dy * dy
    if along > 0.0:
        part = 1.0 if along >= length2 else along / length2
        ax += part * dx
        ay += part * dy
    return (px - ax) * (px - ax) + (py - ay) * (py - ay)


@njit
def length_via(ax, ay, bx, by, px, py, qx, qy):
    """Returns the length of the shortest polyline from p to q by segment ab."""
    dx, dy = bx - ax, by - ay
    side_p, side_q = dx * (py - ay) - dy * (px - ax), dx * (qy - ay) - dy * (qx - ax)
    far_p, far_q = abs(side_p), abs(side_q)
    along_p = (px - ax) * dx + (py - ay) * dy
    along_q = (qx - ax) * dx + (qy - ay) * dy
    length2 = dx * dx + dy * dy
    along = along_p
    # A q on p's side counts as its mirror image, which is as far along.
    if far_p + far_q > 0.0:
        along = (along_p * far_q + along_q * far_p) / (far_p + far_q)
    part = min(1.0, max(0.0, along / length2))
    x, y = ax + part * dx, ay + part * dy
    return distance(px, py, x, y) + distance(x, y, qx, qy)


@njit
def arc_length(r, side, ux, uy, wx, wy):
    """Returns the length of the arc from direction u to w; 0 for a turn to the other side."""
    across, along = side * (ux * wy - uy * wx), ux * wx + uy * wy
    # Half turns are rounded.
    return r * abs(math.atan2(across, along)) if across > min(0.0, 1e-9 * along) else 0.0


@inline
def arc_step(r, radians, error):
    """Returns the greatest step in radians for an excess of `error` over arcs of `radians`."""
    step = MAX_STEP
    while r * radians * (2.0 * math.tan(0.5 * step) / step - 1.0) > error:
        # The excess shrinks with the square of the step; 0.999 covers the rest of the series.
        excess = r * radians * (2.0 * math.tan(0.5 * step) / step - 1.0)
        step *= 0.999 * math.sqrt(error / excess)
    return step


@njit
def arc_step_in_room(r, radians, error, n_arcs, room):
    """Returns `arc_step`, enlarged to fit n arcs in `room` points; 0: no room."""
    if n_arcs > room:
        return 0.0
    step = arc_step(r, radians, error)
    if radians / step + n_arcs > room:
        return radians / (room - n_arcs) if n_arcs < room else 0.0
    return step


@inline
def n_arc_points(radians, step):
    """Returns the number of points of an arc's polyline."""
    return max(1, math.ceil(abs(radians) / step - 1e-9))


@inline
def write_arc(points, n, x, y, r, normal_x, normal_y, radians, step):
    """Write an arc about x, y behind n points, `radians` from a unit normal. Returns the new n."""
    count = n_arc_points(radians, step)
    half = 0.5 * radians / count
    cos, sin = math.cos(half), math.sin(half)
    out = r / cos
    for i in range(count):
        for turn in range(2):
            if turn == 1:
                points[2 * n] = x + out * normal_x
                points[2 * n + 1] = y + out * normal_y
                n += 1
            normal_x, normal_y = (
                normal_x * cos - normal_y * sin,
                normal_x * sin + normal_y * cos,
            )
    return n


@inline
def reverse_points(points, n):
    """Reverse the order of the first n points."""
    for i in range(n >> 1):
        for k in range(2):
            point = points[2 * i + k]
            points[2 * i + k] = points[2 * (n - 1 - i) + k]
            points[2 * (n - 1 - i) + k] = point
