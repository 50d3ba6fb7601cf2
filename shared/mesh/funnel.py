"""Funnels: the shortest paths from a start to both ends of an edge, in a channel of triangles.

Both paths are one up to the apex, the last settled turn. From there one bends around corners of the
channel on its left, the other around corners on its right. A corner added to one side removes the
corners that it cuts off; one beyond the other side moves the apex along that side (B. Chazelle,
1982; D. Lee, F. Preparata, "Euclidean Shortest Paths in the Presence of Rectilinear Barriers",
1984). For discs: D. Demyen, M. Buro, "Efficient Triangulation-Based Pathfinding" (AAAI 2006). The
paper leaves open that a disc may meet circles in another order than the channel's: a tangent may
touch behind the goal, or behind a later corner of the channel.

Turns are the corners of the settled part of a path, each with the shortest known path to it. For a
disc the corners are circles of its radius, the path consists of tangents and arcs of them. A
point's circles have radius 0: all compared directions are of whole numbers then, and exact. Paths
with a common beginning share their first turns. A channel of triangles sees only its own corners,
so a new turn is compared with all walls near it. Of the turns around a corner a dominated one is
closed: an earlier path to the corner that turns there no less far reaches all that the later one
does.

Clearance is exact: a disc is compared with all constraints near its path. The visit begins at the
beginning of the path, and crosses edges that are no constraints and no farther from it than the
radius, so that it touches nothing else.

The state of a search that carries funnels along (`ta_star.py`), of B turns, N nodes, T triangles, V
vertices, H hashes, F corners of funnels:

    vertices   int64[B]    of a turn: the corner; START for the first.
    sides      int64[B]    1 with the corner on the left, -1 on the right, 0 for start and goal.
    previous   int64[B]    the turn before.
    following  int64[B]    the next turn around this corner on this side, NONE.
    states     int64[B]    OPEN, CLOSED for one that no path continues.
    hits       int64[B]    the constraint in its way, or NONE.
    lengths    float64[B]  the length of the path up to the beginning of the turn.
    ux, uy     float64[B]  the direction of arrival.
    heads      int64[2 V]  1 + the last turn made around a vertex, on the right and on the left; 0.
    edges      int64[N]    of a node: 2 times the half-edge by which a triangle is left, 1 more if
                           it is entered on the right of that.
    funnels    int64[4 N]  its funnel: the last turn; in `corners` the first, the apex, the last.
    slots      int64[N]    of an expanded node: its place in `seen`.
    keys       float64[N]  a lower bound of the paths through it.
    corners    int64[F]    of all funnels: on the right, the nearest last; the apex; on the left.
    seen       int64[H]    hashes of edges with their funnels, or 0.
    marks      int64[T]    the last query with a triangle between the goal and the root of its
                           tree; 1 more for a triangle that has the goal.
    stamps     int64[T]    the last visit of a triangle.
    stack      int64[2 T]  half-edges to be visited.
    place      float64[6]  start, goal, radius; the length of the best path.
    counts     int64[N_COUNTS].

Counts: the turns, nodes and funnel corners in use. BLOCKER: the last constraint in the way.
WAS_FULL: a buffer was too small. VISIT, QUERY: the number of visits, and twice that of queries.
START_EDGE: a half-edge of the start's triangle. IS_REDUCED: TRA*. IS_INCONCLUSIVE: a channel was
given up. TURN, FIRST, APEX, LAST: the current funnel, as that of a node.
"""

import math
from typing import Any, NamedTuple

from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, njit
from ..mesh.geometry import NONE, arc_length, segment_distance2
from ..mesh.triangulation import Mesh, after, around, before, is_corner, is_ghost
from ..path.open_lists import Heap, new_heap

START, GOAL = -1, -2
OPEN, CLOSED = range(2)
GOAL_X, GOAL_Y, RADIUS, BEST = range(2, 6)
N_TURNS, N_NODES, N_CORNERS, BLOCKER, WAS_FULL, VISIT, QUERY = range(7)
START_EDGE, BEST_TURN, IS_REDUCED, N_EXPANDED, IS_INCONCLUSIVE = range(7, 12)
TURN, FIRST, APEX, LAST, N_COUNTS = range(12, 17)


class FunnelSearch(NamedTuple):
    """The state of a search; see the module's docstring."""

    vertices: Ints
    sides: Ints
    previous: Ints
    following: Ints
    states: Ints
    hits: Ints
    lengths: Floats
    ux: Floats
    uy: Floats
    heads: Ints
    edges: Ints
    funnels: Ints
    slots: Ints
    keys: Floats
    corners: Ints
    seen: Ints
    marks: Ints
    stamps: Ints
    stack: Ints
    place: Floats
    counts: Ints


def new_funnel_search(mesh: Mesh, n_nodes: int = 1 << 13) -> tuple[FunnelSearch, Heap]:
    """Returns buffers for consecutive searches on a mesh, and their open list."""
    n, n_triangles = n_nodes, len(mesh.corners) // 4
    buffers: list[Any] = [
        *(int_buffer(n) for _ in range(6)),
        *(float_buffer(n) for _ in range(3)),
        *map(int_buffer, (2 * len(mesh.x), n, 4 * n, n)),
        float_buffer(n),
        *map(int_buffer, (32 * n, 1 << (4 * n - 1).bit_length())),
        *map(int_buffer, (n_triangles, n_triangles, 2 * n_triangles)),
        float_buffer(6),
        int_buffer(N_COUNTS),
    ]
    return FunnelSearch(*buffers), new_heap(n)


# Bounds the shift of tangents and arcs by rounding.
DISC_SLACK = 1e-6


@inline
def edge_ends(mesh, e):
    """Returns both ends of a half-edge: x, y, x, y."""
    a, b = mesh.corners[e], mesh.corners[after(e)]
    return float(mesh.x[a]), float(mesh.y[a]), float(mesh.x[b]), float(mesh.y[b])


@inline
def stack_beyond(mesh, search, n, e):
    """Push both other edges of e's triangle, unless visited or ghost. Returns the new n."""
    if search.stamps[e >> 2] != search.counts[VISIT] and not is_ghost(mesh, e):
        search.stamps[e >> 2] = search.counts[VISIT]
        search.stack[n], search.stack[n + 1] = after(e), before(e)
        n += 2
    return n


@njit
def begin_around(mesh, search, e):
    """Begin a visit around the origin of a half-edge: push each edge opposite the origin, and each
    constraint from there. Returns their number.
    """
    search.counts[VISIT] += 1
    n, f = 0, e
    while True:
        search.stamps[f >> 2] = search.counts[VISIT]
        if not is_ghost(mesh, f):
            search.stack[n] = after(f)
            n += 1
        if mesh.owners[f] != 0:
            search.stack[n] = f
            n += 1
        f = around(mesh, f)
        if f == e:
            return n


@njit
def find_blocker(mesh, search, e, x, y, ux, uy, long, r):
    """Returns a constraint nearer than r to a segment from (x, y) in direction u, or NONE. The
    visit begins around the origin of e.
    """
    n = begin_around(mesh, search, e)
    while n > 0:
        n -= 1
        g = search.stack[n]
        ax, ay, bx, by = edge_ends(mesh, g)
        # The coordinates of both ends along the line and to its left
        a, b = (ax - x) * ux + (ay - y) * uy, (bx - x) * ux + (by - y) * uy
        left_a, left_b = (ay - y) * ux - (ax - x) * uy, (by - y) * ux - (bx - x) * uy
        if (
            min(left_a, left_b) >= r
            or max(left_a, left_b) <= -r
            or min(a, b) >= long + r
            or max(a, b) <= -r
        ):
            continue
        if mesh.owners[g] == 0:
            n = stack_beyond(mesh, search, n, mesh.twins[g])
            continue
        # Across the strip beside the segment, or near one of its ends
        half, dx, dy = 0.5 * long, b - a, left_b - left_a
        if (
            (
                min(a, b) < long
                and max(a, b) > 0.0
                and abs(dy * (half - a) + dx * left_a) < abs(dy) * half + abs(dx) * r
            )
            or segment_distance2(0.0, 0.0, a, left_a, b, left_b) < r * r
            or segment_distance2(long, 0.0, a, left_a, b, left_b) < r * r
        ):
            return g
    return NONE


@njit
def is_arc_clear(mesh, search, v, r, from_x, from_y, to_x, to_y):
    """Returns True if no constraint is nearer than r to an arc about v, counterclockwise from a
    unit normal to another, by a half turn at most. Assumes clear ends.
    """
    # So a nearer constraint has its nearest point to v within the arc's directions.
    x, y = float(mesh.x[v]), float(mesh.y[v])
    n = begin_around(mesh, search, mesh.starts[v])
    while n > 0:
        n -= 1
        g = search.stack[n]
        ax, ay, bx, by = edge_ends(mesh, g)
        ax, ay, bx, by = ax - x, ay - y, bx - x, by - y
        if (
            max(from_x * ay - from_y * ax, from_x * by - from_y * bx) < 0.0
            or max(ax * to_y - ay * to_x, bx * to_y - by * to_x) < 0.0
        ):
            continue
        dx, dy = bx - ax, by - ay
        part = min(1.0, max(0.0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)))
        dx, dy = ax + part * dx, ay + part * dy
        if mesh.corners[g] == v or mesh.corners[after(g)] == v:
            dx, dy = ax + bx, ay + by  # a wall amid a half turn
        elif dx * dx + dy * dy >= 4.0 * r * r:
            continue
        if mesh.owners[g] == 0:
            n = stack_beyond(mesh, search, n, mesh.twins[g])
        elif (
            from_x * dy - from_y * dx >= 0.0
            and dx * to_y - dy * to_x >= 0.0
            and (from_x + to_x - from_y + to_y) * dx + (from_y + to_y + from_x - to_x) * dy > 0.0
        ):
            return False
    return True


@njit
def is_wide(mesh, search, e, diameter):
    """Returns True if a disc fits between a triangle's far corner and the walls beyond an edge."""
    # If both ends of the edge are far enough, a nearer wall lies straight beyond it.
    c = mesh.corners[before(e)]
    x, y = float(mesh.x[c]), float(mesh.y[c])
    least2 = diameter * diameter
    ax, ay, bx, by = edge_ends(mesh, e)
    if (
        segment_distance2(x, y, ax, ay, ax, ay) < least2
        or segment_distance2(x, y, bx, by, bx, by) < least2
    ):
        return False
    search.counts[VISIT] += 1
    search.stack[0] = e
    n = 1
    while n > 0:
        n -= 1
        g = search.stack[n]
        ax, ay, bx, by = edge_ends(mesh, g)
        if segment_distance2(x, y, ax, ay, bx, by) < least2:
            if mesh.owners[g] != 0:
                return False
            n = stack_beyond(mesh, search, n, mesh.twins[g])
    return True


# Lengths that differ by less are equal.
EQUAL = 1e-9


@inline
def point_of(mesh, search, v):
    """Returns x and y of a vertex, start or goal."""
    if v >= 0:
        return float(mesh.x[v]), float(mesh.y[v])
    return search.place[-2 * v - 2], search.place[-2 * v - 1]


@inline
def offset(mesh, search, v, w):
    """Returns x and y of w from v."""
    x, y = point_of(mesh, search, v)
    to_x, to_y = point_of(mesh, search, w)
    return to_x - x, to_y - y


@njit
def tangent(mesh, search, v, side, w, other_side):
    """Returns dx, dy along the tangent from v's circle to w's, and False if there is none."""
    dx, dy = offset(mesh, search, v, w)
    if side == other_side or search.place[RADIUS] == 0.0:
        return dx, dy, dx != 0.0 or dy != 0.0
    across = (side - other_side) * search.place[RADIUS]
    along2 = dx * dx + dy * dy - across * across
    along = math.sqrt(max(along2, 0.0))
    return dx * along - dy * across, dx * across + dy * along, along2 >= 0.0


@inline
def touch_point(mesh, search, v, side, ux, uy):
    """Returns the place at which a tangent in direction u touches v's circle."""
    x, y = point_of(mesh, search, v)
    out = side * search.place[RADIUS]
    return x + out * uy, y - out * ux


@njit
def is_turn_clear(mesh, search, turn, wx, wy):
    """Returns True if a turn's arc is clear for the disc up to direction w."""
    side, ux, uy = search.sides[turn], search.ux[turn], search.uy[turn]
    if side == 0 or arc_length(1.0, side, ux, uy, wx, wy) == 0.0:
        return True
    v, room = search.vertices[turn], search.place[RADIUS] - DISC_SLACK
    # Reverse a clockwise arc.
    if side < 0:
        ux, uy, wx, wy = -wx, -wy, -ux, -uy
    return is_arc_clear(mesh, search, v, room, uy, -ux, wy, -wx)


@njit
def is_dominated(mesh, search, turn, other, slack):
    """Returns True if another turn around the corner serves as well, longer by at most a slack."""
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
    """Returns True if a disc has room from a turn on, in direction u; else sets counts[BLOCKER]."""
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
    """Returns the turn around a corner after `last`; NONE without room, or if dominated."""
    search.counts[BLOCKER] = NONE
    head = 2 * v + (1 if side > 0 else 0)
    i = search.heads[head] - 1 if v >= 0 else NONE
    while i >= 0:
        if search.previous[i] == last:
            search.counts[BLOCKER] = search.hits[i]
            return i if search.states[i] == OPEN else NONE
        i = search.following[i]
    i, at, at_side = search.counts[N_TURNS], search.vertices[last], search.sides[last]
    dx, dy, exists = tangent(mesh, search, at, at_side, v, side)
    if not exists or search.states[last] == CLOSED or (v >= 0 and not is_corner(mesh, v)):
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
        # Of equal paths the first counts.
        while is_open and j >= 0:
            if is_dominated(mesh, search, j, i, -EQUAL):
                search.states[j] = CLOSED
            j = search.following[j]
        search.following[i], search.heads[head] = first, i + 1
    search.states[i] = OPEN if is_open else CLOSED
    return i if is_open else NONE


# Turns around corners in the way, for each corner that is added to a funnel
MAX_REPAIRS = 32


@njit
def blocks(mesh, search, near, near_side, v, side, target, target_side):
    """Returns True if the segment from a corner to a target passes v on its wrong side."""
    dx, dy, _ = tangent(mesh, search, near, near_side, v, side)
    wx, wy, _ = tangent(mesh, search, near, near_side, target, target_side)
    along, across = dx * wx + dy * wy, side * (dx * wy - dy * wx)
    if along < 0.0 and across > 0.0:
        # Over a half turn to the other side, the test is ambiguous: compare the centres.
        dx, dy = offset(mesh, search, near, v)
        wx, wy = offset(mesh, search, near, target)
        across = side * (dx * wy - dy * wx)
    return across > 0.0 or (across == 0.0 and along > 0.0 and side == target_side)


@njit
def comes_first(mesh, search, near, near_side, v, side, target, target_side):
    """Returns True if the path from a corner passes v before the target; side 0: v is not a corner
    of the channel.
    """
    # Always true for a point, without rounding.
    if search.place[RADIUS] == 0.0:
        return True
    wx, wy, _ = tangent(mesh, search, near, near_side, target, target_side)
    dx, dy = offset(mesh, search, v, target)
    if dx * wx + dy * wy > 0.0:
        return True
    # The path turns back around a corner beyond the target on its wrong side.
    x, y = offset(mesh, search, near, v)
    is_wrong = side * (x * dy - y * dx) > 0.0
    return is_wrong and (target < 0 or side * (wx * dy - wy * dx) > 0.0)


@njit
def taut_turn(mesh, search, turn, v, side):
    """Returns `turn` or the last before it on the shortest path to a corner: a disc may meet later
    corners of a channel sooner.
    """
    while search.place[RADIUS] > 0.0 and turn > 0:
        at, at_side, before = search.vertices[turn], search.sides[turn], search.previous[turn]
        if at == v and at_side == side:
            break
        dx, dy, _ = tangent(mesh, search, at, at_side, v, side)
        if at_side * (search.ux[turn] * dy - search.uy[turn] * dx) >= 0.0:
            near, near_side = search.vertices[before], search.sides[before]
            if v >= 0 or comes_first(mesh, search, near, near_side, at, at_side, v, side):
                break
        turn = before
    return turn


@njit
def add_turn_past(mesh, search, last, v, side):
    """Add a turn after `last` around a corner, or an obstacle before it. Returns the turn or NONE,
    and True if the corner is passed.
    """
    is_first, is_passed, w, w_side = True, True, v, side
    for _ in range(MAX_REPAIRS):
        last = taut_turn(mesh, search, last, w, w_side)
        if search.vertices[last] == w and search.sides[last] == w_side:
            settled, e = last, NONE
        else:
            settled, e = add_turn(mesh, search, last, w, w_side), search.counts[BLOCKER]
        if settled != NONE and (w != v or w_side != side):
            # That corner was in the way to v and comes next.
            last, w, w_side = settled, v, side
            continue
        if settled != NONE or e == NONE:
            return settled, is_passed
        at, at_side = search.vertices[last], search.sides[last]
        dx, dy, _ = tangent(mesh, search, at, at_side, w, w_side)
        out = at_side * search.place[RADIUS] * math.sqrt(dx * dx + dy * dy)
        x, y = point_of(mesh, search, at)
        best, best_side = NONE, 0
        for k in range(2):
            u = mesh.corners[e if k == 0 else after(e)]
            own = 1 if dx * (mesh.y[u] - y) - dy * (mesh.x[u] - x) + out > 0.0 else -1
            if (
                u != w
                and u != at
                and blocks(mesh, search, at, at_side, u, own, w, w_side)
                and (best == NONE or blocks(mesh, search, at, at_side, u, own, best, best_side))
            ):
                best, best_side = u, own
        if best == NONE:
            break
        is_before = comes_first(mesh, search, at, at_side, best, 0, w, w_side)
        if not is_before and best_side != w_side:
            break
        if is_first:
            is_passed = not is_before
        if is_first or (not is_before and w == v and w_side == side):
            # From here on, this adds the first corner in the way, or its substitute.
            is_first, v, side = False, best, best_side
        w, w_side = best, best_side
    return NONE, True


@njit
def restore_convexity(mesh, search, turn, apex, other_end, side):
    """Make a funnel's other side convex for a new apex. Returns the side's end."""
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
    """Add a corner on the left (side 1) or right (-1), or the GOAL. Returns False without a path.
    The funnel is copied behind all others.
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
        if blocks(mesh, search, at, at_side, corners[end], side, v, own_side) and (
            v >= 0 or comes_first(mesh, search, at, at_side, corners[end], side, v, own_side)
        ):
            break
        end = near
    # A shortest path never goes around a corner and comes back.
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
            # The new corner comes before all corners of the other side.
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
    # The funnel may already end with this corner.
    if at != v or at_side != own_side:
        if not tangent(mesh, search, at, at_side, v, own_side)[2]:
            return False
        end += side
        corners[end] = v
    search.counts[TURN], search.counts[APEX] = turn, apex
    search.counts[FIRST], search.counts[LAST] = min(end, other_end), max(end, other_end)
    search.counts[N_CORNERS] = max(end, other_end) + 1
    return True
