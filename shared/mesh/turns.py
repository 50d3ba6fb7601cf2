"""Turns: the corners round which a way goes that is settled, each with the shortest way to it that is known.

For a disc the corners are circles of its radius, the ways tangents and arcs of them; a point's are
circles of radius 0, and all directions compared are of whole numbers then, and exact. Ways that begin
alike share their first turns. A channel of triangles sees only its own corners, so a turn is compared
with all walls near it when it is made. And of the turns round a corner those are closed that lead
nowhere sooner than another: a way that comes earlier to a corner, turning there no less far, gets
wherever the other does.
"""

import math

from shared.core.jit import inline, njit
from shared.mesh.clearance import DISC_SLACK, find_blocker, is_arc_clear
from shared.mesh.paths import (
    BLOCKER,
    CLOSED,
    N_TURNS,
    OPEN,
    RADIUS,
    START_EDGE,
    WAS_FULL,
)
from shared.mesh.triangles import NONE

# Ways that differ by less are equally long.
EQUAL = 1e-9


@inline
def vertex_x(mesh, search, v):
    """Where a vertex is, or the start or the goal."""
    return float(mesh.x[v]) if v >= 0 else search.place[-2 * v - 2]


@inline
def vertex_y(mesh, search, v):
    return float(mesh.y[v]) if v >= 0 else search.place[-2 * v - 1]


@njit
def tangent_between(mesh, search, v, side, w, other_side):
    """The direction, of any length, in which one goes from v's circle to that of w, and whether there
    is one: not if they overlap and it changes sides.
    """
    dx = vertex_x(mesh, search, w) - vertex_x(mesh, search, v)
    dy = vertex_y(mesh, search, w) - vertex_y(mesh, search, v)
    if side == other_side or search.place[RADIUS] == 0.0:
        return dx, dy, v != w
    across = (side - other_side) * search.place[RADIUS]
    along2 = dx * dx + dy * dy - across * across
    along = math.sqrt(max(along2, 0.0))
    return dx * along - dy * across, dx * across + dy * along, along2 >= 0.0


@njit
def arc_length(r, side, ux, uy, wx, wy):
    """The way round a circle from one direction to another; 0 if it turns the other way."""
    across = side * (ux * wy - uy * wx)
    return r * math.atan2(across, ux * wx + uy * wy) if across > 0.0 else 0.0


@inline
def touch_point(mesh, search, v, side, ux, uy):
    """Where a way in direction u touches v's circle."""
    out = side * search.place[RADIUS]
    return vertex_x(mesh, search, v) + out * uy, vertex_y(mesh, search, v) - out * ux


@njit
def is_turn_clear(mesh, search, turn, wx, wy):
    """Whether a disc has room from where it reaches a turn to where it leaves it in direction w."""
    side, ux, uy = search.sides[turn], search.ux[turn], search.uy[turn]
    if side == 0 or side * (ux * wy - uy * wx) <= 0.0:
        return True
    v, room = search.vertices[turn], search.place[RADIUS] - DISC_SLACK
    # Counterclockwise
    if side < 0:
        ux, uy, wx, wy = -wx, -wy, -ux, -uy
    return is_arc_clear(mesh, search, v, room, uy, -ux, wy, -wx)


@njit
def is_dominated(mesh, search, turn, other, slack):
    """Whether from another turn round the corner one gets wherever one does from this one, longer by
    no more than a slack.
    """
    r, side, length = search.place[RADIUS], search.sides[turn], search.lengths[other]
    ux, uy, vx, vy = search.ux[turn], search.uy[turn], search.ux[other], search.uy[other]
    if search.states[other] == CLOSED or (r > 0.0 and side * (vx * uy - vy * ux) < -EQUAL):
        return False
    length += arc_length(r, side, vx, vy, ux, uy)
    if length > search.lengths[turn] + slack:
        return False
    return r == 0.0 or is_turn_clear(mesh, search, other, ux, uy)


@njit
def has_room(mesh, search, last, ux, uy, long):
    """Whether a disc has room from a turn on, so far in direction u; else counts[HIT] is in its way."""
    v, side, r = search.vertices[last], search.sides[last], search.place[RADIUS]
    if r == 0.0:
        return True
    if not is_turn_clear(mesh, search, last, ux, uy):
        return False
    e = search.counts[START_EDGE] if v < 0 else mesh.starts[v]
    x, y = touch_point(mesh, search, v, side, ux, uy)
    search.counts[BLOCKER] = find_blocker(mesh, search, e, x, y, ux, uy, long, r - DISC_SLACK)
    return search.counts[BLOCKER] == NONE


@njit
def add_turn(mesh, search, last, v, side):
    """The turn round a corner after another one; NONE if a disc has no room there, or there is a better
    one.
    """
    search.counts[BLOCKER] = NONE
    head = 2 * v + (1 if side > 0 else 0)
    i = search.heads[head] - 1 if v >= 0 else NONE
    while i >= 0:
        if search.previous[i] == last:
            search.counts[BLOCKER] = search.hits[i]
            return i if search.states[i] == OPEN else NONE
        i = search.following[i]
    i, at, at_side = search.counts[N_TURNS], search.vertices[last], search.sides[last]
    dx, dy, exists = tangent_between(mesh, search, at, at_side, v, side)
    if not exists or search.states[last] == CLOSED:
        return NONE
    if i >= len(search.vertices):
        search.counts[WAS_FULL] = 1
        return NONE
    long = math.sqrt(dx * dx + dy * dy)
    ux, uy = dx / long, dy / long
    x, y = touch_point(mesh, search, at, at_side, ux, uy)
    to_x, to_y = touch_point(mesh, search, v, side, ux, uy)
    long = math.sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y))
    way = long + arc_length(search.place[RADIUS], at_side, search.ux[last], search.uy[last], ux, uy)
    search.vertices[i], search.sides[i], search.previous[i] = v, side, last
    search.ux[i], search.uy[i], search.lengths[i] = ux, uy, search.lengths[last] + way
    search.counts[N_TURNS] = i + 1
    is_open = has_room(mesh, search, last, ux, uy, long)
    search.hits[i] = search.counts[BLOCKER]
    if v >= 0:
        first = search.heads[head] - 1
        j = first
        while is_open and j >= 0:
            is_open = not is_dominated(mesh, search, i, j, EQUAL)
            j = search.following[j]
        j = first
        # Of equal ways the first counts.
        while is_open and j >= 0:
            if is_dominated(mesh, search, j, i, -EQUAL):
                search.states[j] = CLOSED
            j = search.following[j]
        search.following[i], search.heads[head] = first, i + 1
    search.states[i] = OPEN if is_open else CLOSED
    return i if is_open else NONE
