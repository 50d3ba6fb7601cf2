"""Funnels: the shortest ways from a start to both ends of an edge, in a channel of triangles.

They run together up to the apex, the last turn that is settled; from there one goes round corners of the channel on its left, the other
round corners on its right. A corner that is added to one side takes away those behind which it lies, and
where it lies behind the other side's, the apex moves along that (B. Chazelle, 1982; D. Lee,
F. Preparata, "Euclidean Shortest Paths in the Presence of Rectilinear Barriers", 1984). For discs: D. Demyen, M. Buro,
"Efficient Triangulation-Based Pathfinding" (AAAI 2006). What they leave open is that the channel's order is not always
that in which a disc meets circles: a tangent may touch behind the goal, or behind a corner that
comes later in the channel.
"""

import math

from shared.core.jit import njit
from shared.mesh.paths import APEX, BLOCKER, FIRST, LAST, N_CORNERS, RADIUS, TURN, WAS_FULL
from shared.mesh.triangles import NONE, next_edge
from shared.mesh.turns import add_turn, tangent_between, vertex_x, vertex_y

# How often a corner that is in the way becomes a turn when one is added to a funnel
MAX_REPAIRS = 32


@njit
def blocks(mesh, search, near, near_side, v, side, target, target_side):
    """Whether the straight way from one corner to a target would be on the wrong side of a third, v."""
    dx, dy, _ = tangent_between(mesh, search, near, near_side, v, side)
    wx, wy, _ = tangent_between(mesh, search, near, near_side, target, target_side)
    along, across = dx * wx + dy * wy, side * (dx * wy - dy * wx)
    if along < 0.0 and across > 0.0:
        # More than half a turn the other way looks so, of tangents or of centres.
        x, y = vertex_x(mesh, search, near), vertex_y(mesh, search, near)
        dx, dy = vertex_x(mesh, search, v) - x, vertex_y(mesh, search, v) - y
        wx, wy = vertex_x(mesh, search, target) - x, vertex_y(mesh, search, target) - y
        across = side * (dx * wy - dy * wx)
    return across > 0.0 or (across == 0.0 and along > 0.0 and side == target_side)


@njit
def comes_first(mesh, search, near, near_side, v, side, target, target_side):
    """Whether on the way from one corner to a target one comes past a third, v, before that; side 0: v is
    not of the channel.
    """
    # For a point that is always so, and rounding has no say in it.
    if search.place[RADIUS] == 0.0:
        return True
    wx, wy, _ = tangent_between(mesh, search, near, near_side, target, target_side)
    to_x, to_y = vertex_x(mesh, search, target), vertex_y(mesh, search, target)
    at_x, at_y = vertex_x(mesh, search, v), vertex_y(mesh, search, v)
    dx, dy = to_x - at_x, to_y - at_y
    if dx * wx + dy * wy > 0.0:
        return True
    # What lies beyond the target and on the wrong side is what one turns back round.
    x, y = vertex_x(mesh, search, near), vertex_y(mesh, search, near)
    is_wrong = side * ((at_x - x) * (to_y - y) - (at_y - y) * (to_x - x)) > 0.0
    return is_wrong and (target < 0 or side * (wx * dy - wy * dx) > 0.0)


@njit
def taut_turn(mesh, search, turn, v, side):
    """The last turn, up to one, round which the shortest way to a corner goes as well: what comes later in
    the channel may be met sooner.
    """
    while search.place[RADIUS] > 0.0 and turn > 0:
        at, at_side, before = search.vertices[turn], search.sides[turn], search.previous[turn]
        if at == v and at_side == side:
            break
        dx, dy, _ = tangent_between(mesh, search, at, at_side, v, side)
        if at_side * (search.ux[turn] * dy - search.uy[turn] * dx) >= 0.0:
            near, near_side = search.vertices[before], search.sides[before]
            if v >= 0 or comes_first(mesh, search, near, near_side, at, at_side, v, side):
                break
        turn = before
    return turn


@njit
def add_turn_past(mesh, search, last, v, side):
    """Settle a corner after a turn, or what is in the way there: (turn, whether the corner is passed)."""
    is_first, is_passed, w, w_side = True, True, v, side
    for _ in range(MAX_REPAIRS):
        last = taut_turn(mesh, search, last, w, w_side)
        if search.vertices[last] == w and search.sides[last] == w_side:
            settled, e = last, NONE
        else:
            settled, e = add_turn(mesh, search, last, w, w_side), search.counts[BLOCKER]
        if settled != NONE and (w != v or w_side != side):
            # It was in the way to v, which is next.
            last, w, w_side = settled, v, side
            continue
        if settled != NONE or e == NONE:
            return settled, is_passed
        at, at_side = search.vertices[last], search.sides[last]
        dx, dy, _ = tangent_between(mesh, search, at, at_side, w, w_side)
        out = at_side * search.place[RADIUS] * math.sqrt(dx * dx + dy * dy)
        x, y = vertex_x(mesh, search, at), vertex_y(mesh, search, at)
        best, best_side = NONE, 0
        for k in range(2):
            u = mesh.corners[e if k == 0 else next_edge(e)]
            own = 1 if dx * (mesh.y[u] - y) - dy * (mesh.x[u] - x) + out > 0.0 else -1
            if u != w and u != at and blocks(mesh, search, at, at_side, u, own, w, w_side):
                if best == NONE or blocks(mesh, search, at, at_side, u, own, best, best_side):
                    best, best_side = u, own
        if best == NONE:
            break
        is_before = comes_first(mesh, search, at, at_side, best, 0, w, w_side)
        if not is_before and best_side != w_side:
            break
        if is_first:
            is_passed = not is_before
        if is_first or (not is_before and w == v and w_side == side):
            # What was in the way first, or in its place, is what this is about from now on.
            is_first, v, side = False, best, best_side
        w, w_side = best, best_side
    return NONE, True


@njit
def restore_convexity(mesh, search, turn, apex, other_end, side):
    """Make the other side of a funnel convex again after its apex changed; the new end of that side."""
    corners = search.corners
    end, i = apex, apex
    while i != other_end:
        i -= side
        v = corners[i]
        while end != apex:
            near = end + side
            near_side = search.sides[turn] if near == apex else -side
            if blocks(mesh, search, corners[near], near_side, corners[end], -side, v, -side):
                break
            end = near
        end -= side
        corners[end] = v
    return end


@njit
def narrow_funnel(mesh, search, v, side):
    """Add a corner to the left, side 1, or the right, -1, or the GOAL; false if there is no way then. The
    funnel is written anew behind all others.
    """
    turn, apex, corners = search.counts[TURN], search.counts[APEX], search.corners
    first, last = search.counts[FIRST], search.counts[LAST]
    moved = search.counts[N_CORNERS] + 1 - first
    if last + moved + 2 > len(corners):
        search.counts[WAS_FULL] = 1
        return False
    for i in range(first, last + 1):
        corners[i + moved] = corners[i]
    apex, end, other_end = apex + moved, last + moved, first + moved
    if side < 0:
        end, other_end = other_end, end
    own_side, n_repairs = side if v >= 0 else 0, 0
    while end != apex:
        near = end - side
        at, at_side = corners[near], search.sides[turn] if near == apex else side
        if blocks(mesh, search, at, at_side, corners[end], side, v, own_side):
            if v >= 0 or comes_first(mesh, search, at, at_side, corners[end], side, v, own_side):
                break
        end = near
    # Once round and back: nothing begins so that is the shortest.
    for i in range(apex + side, end, side):
        if corners[i] == v:
            return False
    while end == apex:
        at, at_side = search.vertices[turn], search.sides[turn]
        near, is_passed = v if apex == other_end else corners[apex - side], False
        if near == v or not blocks(mesh, search, at, at_side, near, -side, v, own_side):
            taut = taut_turn(mesh, search, turn, v, own_side)
            if taut == turn:
                break
            turn = taut
        elif comes_first(mesh, search, at, at_side, near, -side, v, own_side):
            turn, is_passed = add_turn_past(mesh, search, turn, near, -side)
            if is_passed:
                apex -= side
                end = apex
        elif v >= 0:
            # It comes before all of the other side.
            turn, is_passed = add_turn_past(mesh, search, turn, v, side)
        else:
            break
        n_repairs += 1
        if turn == NONE or n_repairs > MAX_REPAIRS:
            return False
        corners[apex] = search.vertices[turn]
        other_end = restore_convexity(mesh, search, turn, apex, other_end, side)
        if is_passed and corners[apex] == v:
            break
    at, at_side = search.vertices[turn], search.sides[turn]
    if end != apex:
        at, at_side = corners[end], side
    # It may be what the funnel ends with.
    if at != v or at_side != own_side:
        if not tangent_between(mesh, search, at, at_side, v, own_side)[2]:
            return False
        end += side
        corners[end] = v
    search.counts[TURN], search.counts[APEX] = turn, apex
    search.counts[FIRST], search.counts[LAST] = min(end, other_end), max(end, other_end)
    search.counts[N_CORNERS] = max(end, other_end) + 1
    return True
