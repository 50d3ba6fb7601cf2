"""Polylines in the place of arcs, longer than these by no more than a given error.

An arc of a circle of radius r is replaced by tangents, at its ends and at equal steps between: they meet at
r / cos(step / 2) from the centre, so that the polyline never comes nearer to it than the arc. For an arc of
so many radians it is longer by r (2 n tan(radians / 2 n) - radians), about r radians step^2 / 12.

Points are pairs of numbers in a buffer.
"""

import math

from shared.core.jit import inline

MAX_STEP = math.pi / 2


@inline
def arc_step(r, radians, error):
    """The greatest step, in radians, at which arcs of so many radians in all are longer by at most `error`."""
    step = MAX_STEP
    while r * radians * (2.0 * math.tan(0.5 * step) / step - 1.0) > error:
        # What is missing shrinks with the square of the step; a little less for the rest of the series.
        excess = r * radians * (2.0 * math.tan(0.5 * step) / step - 1.0)
        step *= 0.999 * math.sqrt(error / excess)
    return step


@inline
def n_arc_points(radians, step):
    """Into how many points an arc becomes."""
    return max(1, math.ceil(abs(radians) / step - 1e-9))


@inline
def write_arc(points, n, x, y, r, normal_x, normal_y, radians, step):
    """Write an arc about x, y behind n points, from where the unit normal points, counterclockwise by so many
    radians; returns how many points there are then.
    """
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
