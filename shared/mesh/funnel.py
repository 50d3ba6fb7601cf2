"""Funnels: the shortest ways from a start to both ends of an edge, in a channel of triangles.

They run together up to the apex; from there one bends round corners of the channel on its left, the other
round corners on its right. A corner that is added to one side takes away those behind which it lies, and
where it lies behind the other side's, the apex moves along that (B. Chazelle, 1982; D. Lee,
F. Preparata, "Euclidean Shortest Paths in the Presence of Rectilinear Barriers", 1984). For a disc the
corners are circles of its radius, the ways tangents and arcs of them: D. Demyen, M. Buro,
"Efficient Triangulation-Based Pathfinding" (AAAI 2006). For a point all directions compared are of whole
numbers, and exact.

Up to the apex a funnel's way is settled, as a chain of bends that many funnels share. A channel sees only its own corners,
so each bend is compared with all walls near it when it is made. And each bend is made once: one that
comes later than another to the same corner, and turns there no less far, leads nowhere that the other does not.

B bends, V vertices, F corners of funnels:

    vertices   int64[B]    where the bend is; START for the first
    sides      int64[B]    1 with the corner on the left, -1 on the right, 0 for the start
    previous   int64[B]    the bend before
    following  int64[B]    the next of the same vertex and side, NONE
    states     int64[B]    OPEN, CLOSED for one that nothing may go on from
    lengths    float64[B]  the way to where the bend begins
    ux, uy     float64[B]  in which direction it is reached
    x, y       float64[B]  where
    heads      int64[2 V]  1 + the first bend of a vertex, right and left; 0 for none
    corners    int64[F]    of all funnels: those on the right, the nearest last; the apex; those on the left
    place      float64[5]  the start, the goal, the radius
    counts     int64[N_COUNTS]  bends, corners of funnels, an edge at the start, whether room was missing
"""

import math
from typing import NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, njit
from shared.mesh.clearance import SLACK, hit_on_arc, hit_on_line
from shared.mesh.triangles import NONE, Mesh

START, GOAL = -1, -2
OPEN, CLOSED = range(2)
RADIUS = 4
N_BENDS, N_CORNERS, START_EDGE, WAS_FULL, N_COUNTS = range(5)
# Ways that differ by less are equally long.
EQUAL = 1e-9


class Funnels(NamedTuple):
    """Bends and funnels; see the module's docstring."""

    vertices: Ints
    sides: Ints
    previous: Ints
    following: Ints
    states: Ints
    lengths: Floats
    ux: Floats
    uy: Floats
    x: Floats
    y: Floats
    heads: Ints
    corners: Ints
    place: Floats
    counts: Ints


def new_funnels(mesh: Mesh, n_bends: int, n_corners: int) -> Funnels:
    """Room for so many bends, and corners of all funnels together."""
    ints, floats = (int_buffer(n_bends) for _ in range(5)), (
        float_buffer(n_bends) for _ in range(5)
    )
    return Funnels(
        *ints,
        *floats,
        int_buffer(2 * len(mesh.x)),
        int_buffer(n_corners),
        float_buffer(5),
        int_buffer(N_COUNTS),
    )


@njit
def begin_funnels(funnels, e, start_x, start_y, goal_x, goal_y, r):
    """Forget all bends, and settle the start, which lies in a half-edge's triangle."""
    for i in range(1, funnels.counts[N_BENDS]):
        v = funnels.vertices[i]
        if v >= 0:
            funnels.heads[2 * v] = funnels.heads[2 * v + 1] = 0
    funnels.vertices[0] = START
    funnels.sides[0] = funnels.states[0] = 0
    funnels.previous[0] = NONE
    funnels.lengths[0] = funnels.ux[0] = funnels.uy[0] = 0.0
    funnels.x[0] = funnels.place[0] = start_x
    funnels.y[0] = funnels.place[1] = start_y
    funnels.place[2], funnels.place[3], funnels.place[RADIUS] = goal_x, goal_y, r
    funnels.counts[N_BENDS], funnels.counts[N_CORNERS], funnels.counts[START_EDGE] = 1, 0, e
    funnels.counts[WAS_FULL] = 0


@inline
def place_x(mesh, funnels, v):
    """Where a vertex is, or the start or the goal."""
    return float(mesh.x[v]) if v >= 0 else funnels.place[-2 * v - 2]


@inline
def place_y(mesh, funnels, v):
    return float(mesh.y[v]) if v >= 0 else funnels.place[-2 * v - 1]


@njit
def tangent(mesh, funnels, v, side, w, other_side):
    """The direction, of any length, in which one goes from v's circle to that of w, and whether there
    is one: not if they overlap and it changes sides.
    """
    dx = place_x(mesh, funnels, w) - place_x(mesh, funnels, v)
    dy = place_y(mesh, funnels, w) - place_y(mesh, funnels, v)
    if side == other_side or funnels.place[RADIUS] == 0.0:
        return dx, dy, v != w
    across = (side - other_side) * funnels.place[RADIUS]
    along2 = dx * dx + dy * dy - across * across
    along = math.sqrt(max(along2, 0.0))
    return dx * along - dy * across, dx * across + dy * along, along2 >= 0.0


@njit
def arc_length(r, side, ux, uy, wx, wy):
    """The way round a circle from one direction to another, at most a half turn; 0 if it turns the
    other way.
    """
    across = side * (ux * wy - uy * wx)
    return r * math.atan2(across, ux * wx + uy * wy) if across > 0.0 else 0.0


@njit
def is_free_arc(mesh, flood, funnels, bend, wx, wy):
    """Whether a disc has room from where it reaches a bend to where it leaves it in direction w."""
    side, r = funnels.sides[bend], funnels.place[RADIUS]
    ux, uy = funnels.ux[bend], funnels.uy[bend]
    if side == 0 or side * (ux * wy - uy * wx) <= 0.0:
        return True
    v = funnels.vertices[bend]
    room = r - SLACK
    hit = hit_on_arc(mesh, flood, v, room, side, side * uy, -side * ux, side * wy, -side * wx)
    return hit == NONE


@njit
def is_dominated(mesh, flood, funnels, bend, other):
    """Whether from the other bend, at the same corner, one gets wherever one does from this one, as soon."""
    r, side = funnels.place[RADIUS], funnels.sides[bend]
    if funnels.states[other] == CLOSED:
        return False
    ux, uy = funnels.ux[bend], funnels.uy[bend]
    vx, vy = funnels.ux[other], funnels.uy[other]
    length = funnels.lengths[other]
    if r > 0.0:
        if side * (vx * uy - vy * ux) < -EQUAL:
            return False
        length += arc_length(r, side, vx, vy, ux, uy)
    if length > funnels.lengths[bend] + EQUAL:
        return False
    return r == 0.0 or is_free_arc(mesh, flood, funnels, other, ux, uy)


@njit
def settle(mesh, flood, funnels, previous, v, side):
    """The bend round a corner after another bend; NONE if a disc has no room there, or there is a better
    one.
    """
    if funnels.states[previous] == CLOSED:
        return NONE
    head = 0
    if v >= 0:
        head = 2 * v + (1 if side > 0 else 0)
        i = funnels.heads[head] - 1
        while i >= 0:
            if funnels.previous[i] == previous:
                return i if funnels.states[i] == OPEN else NONE
            i = funnels.following[i]
    i, r = funnels.counts[N_BENDS], funnels.place[RADIUS]
    if i >= len(funnels.vertices):
        funnels.counts[WAS_FULL] = 1
        return NONE
    before_v, before_side = funnels.vertices[previous], funnels.sides[previous]
    dx, dy, exists = tangent(mesh, funnels, before_v, before_side, v, side)
    if not exists:
        return NONE
    long = math.sqrt(dx * dx + dy * dy)
    ux, uy = dx / long, dy / long
    from_x = place_x(mesh, funnels, before_v) + before_side * r * uy
    from_y = place_y(mesh, funnels, before_v) - before_side * r * ux
    to_x = place_x(mesh, funnels, v) + side * r * uy
    to_y = place_y(mesh, funnels, v) - side * r * ux
    funnels.vertices[i], funnels.sides[i], funnels.previous[i] = v, side, previous
    funnels.ux[i], funnels.uy[i], funnels.x[i], funnels.y[i] = ux, uy, to_x, to_y
    arc = 0.0
    if before_side != 0:
        arc = arc_length(r, before_side, funnels.ux[previous], funnels.uy[previous], ux, uy)
    way = (to_x - from_x) * (to_x - from_x) + (to_y - from_y) * (to_y - from_y)
    funnels.lengths[i] = funnels.lengths[previous] + arc + math.sqrt(way)
    funnels.counts[N_BENDS] = i + 1
    is_open = True
    if r > 0.0:
        is_open = is_free_arc(mesh, flood, funnels, previous, ux, uy)
        if is_open:
            e = funnels.counts[START_EDGE] if before_v < 0 else mesh.starts[before_v]
            room = r - SLACK
            is_open = hit_on_line(mesh, flood, e, from_x, from_y, to_x, to_y, room) == NONE
    if v >= 0:
        j = funnels.heads[head] - 1
        while is_open and j >= 0:
            is_open = not is_dominated(mesh, flood, funnels, i, j)
            j = funnels.following[j]
        j = funnels.heads[head] - 1
        while is_open and j >= 0:
            if is_dominated(mesh, flood, funnels, j, i):
                funnels.states[j] = CLOSED
            j = funnels.following[j]
        funnels.following[i] = funnels.heads[head] - 1
        funnels.heads[head] = i + 1
    funnels.states[i] = OPEN if is_open else CLOSED
    return i if is_open else NONE


@njit
def blocks(mesh, funnels, near, near_side, v, side, target, target_side):
    """Whether the straight way from one corner to a target would be on the wrong side of a third, v."""
    dx, dy, _ = tangent(mesh, funnels, near, near_side, v, side)
    wx, wy, _ = tangent(mesh, funnels, near, near_side, target, target_side)
    across = side * (dx * wy - dy * wx)
    return across > 0.0 or (across == 0.0 and dx * wx + dy * wy > 0.0 and side == target_side)


@njit
def comes_first(mesh, funnels, near, near_side, v, target, target_side):
    """Whether on the way from one corner to a target one comes past a third, v, before that. For a
    point that is always so, and rounding has no say in it.
    """
    if funnels.place[RADIUS] == 0.0:
        return True
    wx, wy, _ = tangent(mesh, funnels, near, near_side, target, target_side)
    dx = place_x(mesh, funnels, target) - place_x(mesh, funnels, v)
    dy = place_y(mesh, funnels, target) - place_y(mesh, funnels, v)
    return dx * wx + dy * wy > 0.0


@njit
def turn_first(mesh, funnels, apex, other_end, side):
    """Make the other side of a funnel convex again after its apex became a corner of this side; the new
    end of the other side.
    """
    corners = funnels.corners
    end, i = apex, apex
    while i != other_end:
        i -= side
        v = corners[i]
        while end != apex:
            near = end + side
            near_side = side if near == apex else -side
            if blocks(mesh, funnels, corners[near], near_side, corners[end], -side, v, -side):
                break
            end = near
        end -= side
        corners[end] = v
    return end


@njit
def narrow_funnel(mesh, flood, funnels, bend, span, v, side):
    """Add a corner to one side of a funnel, which is written behind all others.

    span: (first, apex, last) of the funnel in `corners`, the corner of the apex being that of `bend`;
    v: a corner on the left for side 1, on the right for -1, GOAL for either. Returns (bend, first,
    apex, last), with a bend of NONE if there is no way.
    """
    first, apex, last = span
    corners = funnels.corners
    own_side = side if v >= 0 else 0
    end, other_end = (last, first) if side > 0 else (first, last)
    while end != apex:
        near = end - side
        near_side = funnels.sides[bend] if near == apex else side
        if blocks(mesh, funnels, corners[near], near_side, corners[end], side, v, own_side) and (
            v >= 0
            or comes_first(mesh, funnels, corners[near], near_side, corners[end], v, own_side)
        ):
            break
        end = near
    is_first = False
    while end == apex and apex != other_end:
        at, at_side, near = corners[apex], funnels.sides[bend], corners[apex - side]
        if not blocks(mesh, funnels, at, at_side, near, -side, v, own_side):
            break
        if not comes_first(mesh, funnels, at, at_side, near, v, own_side):
            is_first = v >= 0
            break
        bend = settle(mesh, flood, funnels, bend, near, -side)
        if bend == NONE:
            return NONE, 0, 0, 0
        apex -= side
        end = apex
    at_side = funnels.sides[bend] if end == apex else side
    if not tangent(mesh, funnels, corners[end], at_side, v, own_side)[2]:
        return NONE, 0, 0, 0
    n = funnels.counts[N_CORNERS]
    first, last = (other_end, end) if side > 0 else (end, other_end)
    if n + last - first + 2 > len(corners):
        funnels.counts[WAS_FULL] = 1
        return NONE, 0, 0, 0
    if side < 0 and not is_first:
        corners[n] = v
        n += 1
    moved = n - first
    for i in range(first, last + 1):
        corners[i + moved] = corners[i]
    first, apex, last = first + moved, apex + moved, last + moved
    n = last + 1
    if is_first:
        # What comes before all of the other side is settled itself.
        bend = settle(mesh, flood, funnels, bend, v, side)
        corners[apex] = v
        other_end = turn_first(mesh, funnels, apex, first if side > 0 else last, side)
        first, last = (other_end, apex) if side > 0 else (apex, other_end)
    elif side > 0:
        corners[n] = v
        last, n = n, n + 1
    else:
        first -= 1
    funnels.counts[N_CORNERS] = n
    return bend, first, apex, last
