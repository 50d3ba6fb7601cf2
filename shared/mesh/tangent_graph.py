"""Shortest paths of a disc among polygons, by the tangent graph: exact, for some hundred corners.

A disc of radius r fits if its centre is at least r from every wall. A shortest path of the centre
consists of arcs of radius r about convex corners of obstacles, and of segments that touch those
circles: the visibility graph of curved obstacles (M. Pocchiola, G. Vegter, "The visibility
complex", IJCGA 6(3), 1996, has the theory; here every pair of corners is tried). The search is A*,
with the straight distance to the goal as its heuristic.

A bend is such a convex corner. The normals of free space at it form a cone: counterclockwise from
`out`, the normal of the wall that begins there, to `into`, that of the wall that ends there. Angles
of a bend count from `out`, in radians. A part of the arc nearer than r to another wall is blocked.

A touch is an end of a tangent at the circle of a bend, in its cone. The tangents of two bends have
the touches 2 i and 2 i + 1; a query adds the touches of its start and goal behind. The touches of a
bend are linked in the order of their angles. The path along the arc leads from a touch to the next
unless a blocked part separates them: the two are in different gaps then.

C corners, B blocked arcs, T touches. Of Bends:

    counts     int64[1]      bends.
    corners    int64[C]      the corner of a bend.
    cones      float64[4 C]  of a bend: out x, y, into x, y.
    blocked    float64[B]    the middle angles of the blocked arcs, bend by bend.
    n_blocked  int64[C + 1]  the number of blocked arcs of earlier bends.
    arcs       float64[4 C]  the blocked arcs of one bend, during `build`: from, to.

Of Tangents:

    counts  int64[1]  touches, or FULL.
    first   int64[C]  the touch of the least angle of a bend, or NONE.
    bend, turn, x, y, gap, before, after, length   of a touch [T]: `turn` is its angle, `length`
                      that of its tangent, `before` and `after` are its neighbours on the bend.
"""

import math
from typing import NamedTuple

from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit
from ..mesh.geometry import (
    KEY_PARTS,
    NONE,
    UNREACHED,
    arc_step_in_room,
    segment_distance2,
    write_arc,
)
from ..mesh.walls import WALL_SLACK, Walls, corner_cross, find_near_wall
from ..path.open_lists import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap
from ..path.statuses import FULL, NO_PATH

N_BENDS = 0
ANGLE_SLACK = 1e-9  # radians, margin for rounding


class Bends(NamedTuple):
    """The corners to bend around; see the module's docstring."""

    counts: Ints
    corners: Ints
    cones: Floats
    blocked: Floats
    n_blocked: Ints
    arcs: Floats


def new_bends(n_corners: int, n_blocked: int) -> Bends:
    """Returns buffers for this many corners and blocked arcs."""
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
    """Find the bends and their cones."""
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
def cone_of(bends, bend):
    """Returns the ends of a bend's cone: out x, y, into x, y."""
    i = 4 * bend
    return bends.cones[i], bends.cones[i + 1], bends.cones[i + 2], bends.cones[i + 3]


@inline
def in_cone(bends, bend, nx, ny):
    """Returns True for a normal in a bend's cone."""
    out_x, out_y, into_x, into_y = cone_of(bends, bend)
    return out_x * ny - out_y * nx >= -ANGLE_SLACK and nx * into_y - ny * into_x >= -ANGLE_SLACK


@inline
def angle_of(bends, bend, nx, ny):
    """Returns the angle of a normal from `out`, in (-pi, pi]."""
    out_x, out_y, _, _ = cone_of(bends, bend)
    return math.atan2(out_x * ny - out_y * nx, out_x * nx + out_y * ny)


@njit
def add_blocked_arc(arcs, n, start, end, span):
    """Add an arc, which may pass angle 0, to the n sorted arcs of a cone. Returns their number."""
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
    """Block the arc of a bend's circle nearer than r to a wall. Returns the number of its blocked
    arcs.

    With v the corner and q on the wall, v + r n is nearer than r to q if n (q - v) > |q - v|^2 / (2
    r): an arc about the direction of q. All q together give one arc. It ends with the arc of an end
    of the wall, or where the disc touches the wall between.
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
    """Find the blocked arcs of all bends. Returns False if they exceed the buffer."""
    n = 0
    for bend in range(bends.counts[N_BENDS]):
        corner = bends.corners[bend]
        bends.n_blocked[bend] = n
        _, _, into_x, into_y = cone_of(bends, bend)
        span = angle_of(bends, bend, into_x, into_y)
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


N_TOUCHES = 0


class Tangents(NamedTuple):
    """The graph for one radius; see the module's docstring."""

    counts: Ints
    first: Ints
    bend: Ints
    turn: Floats
    x: Floats
    y: Floats
    gap: Ints
    before: Ints
    after: Ints
    length: Floats


class Route(NamedTuple):
    """The state of a query: for START, GOAL and each touch the cost and the parent.

    nodes: START, touches + 2 and GOAL along the path; counts: their number.
    """

    costs: Floats
    parents: Ints
    nodes: Ints
    counts: Ints


START, GOAL, FIRST = range(3)


def new_tangents(n_corners: int, n_touches: int) -> tuple[Bends, Tangents, Route, Heap]:
    """Returns buffers for these numbers; 40 touches a corner mostly suffice."""
    graph = Tangents(
        counts=int_buffer(1),
        first=int_buffer(n_corners),
        bend=int_buffer(n_touches),
        turn=float_buffer(n_touches),
        x=float_buffer(n_touches),
        y=float_buffer(n_touches),
        gap=int_buffer(n_touches),
        before=int_buffer(n_touches),
        after=int_buffer(n_touches),
        length=float_buffer(n_touches),
    )
    n = n_touches + FIRST
    route = Route(float_buffer(n), int_buffer(n), int_buffer(n), int_buffer(1))
    return new_bends(n_corners, n_touches), graph, route, new_heap(n)


@njit
def add_touch(walls, bends, graph, touch, bend, r, nx, ny, length):
    """Insert a touch into the list of its bend."""
    corner = bends.corners[bend]
    turn = max(0.0, angle_of(bends, bend, nx, ny))
    graph.bend[touch] = bend
    graph.turn[touch] = turn
    graph.x[touch] = walls.x[corner] + r * nx
    graph.y[touch] = walls.y[corner] + r * ny
    graph.length[touch] = length
    gap = bends.n_blocked[bend]
    while gap < bends.n_blocked[bend + 1] and bends.blocked[gap] < turn:
        gap += 1
    graph.gap[touch] = gap
    before, after = NONE, graph.first[bend]
    while after != NONE and graph.turn[after] < turn:
        before, after = after, graph.after[after]
    graph.before[touch], graph.after[touch] = before, after
    if before == NONE:
        graph.first[bend] = touch
    else:
        graph.after[before] = touch
    if after != NONE:
        graph.before[after] = touch


@inline
def remove_touch(graph, touch):
    """Remove a touch from the list of its bend."""
    before, after = graph.before[touch], graph.after[touch]
    if before == NONE:
        graph.first[graph.bend[touch]] = after
    else:
        graph.after[before] = after
    if after != NONE:
        graph.before[after] = before


@kernel
def build(walls: Walls, bends: Bends, graph: Tangents, r: float) -> int:
    """Build the graph for r > 0. Returns the number of touches, or FULL for too small buffers."""
    find_bends(walls, bends)
    graph.counts[N_TOUCHES] = FULL
    if not find_blocked_arcs(walls, bends, r):
        return FULL
    for bend in range(bends.counts[N_BENDS]):
        graph.first[bend] = NONE
    n, in_the_way, room = 0, 0, len(graph.turn) - 4 * bends.counts[N_BENDS]
    for a in range(bends.counts[N_BENDS]):
        ax, ay = walls.x[bends.corners[a]], walls.y[bends.corners[a]]
        for b in range(a):
            dx, dy = walls.x[bends.corners[b]] - ax, walls.y[bends.corners[b]] - ay
            d = math.sqrt(dx * dx + dy * dy)
            dx /= d
            dy /= d
            for kind in range(4):
                # The tangent touches either side of a, then the same or the other side of b.
                side = 1.0 if kind % 2 == 0 else -1.0
                sign, cos = 1.0, 0.0
                if kind > 1:
                    if d <= 2.0 * r - WALL_SLACK:
                        break
                    sign, cos = -1.0, min(1.0, 2.0 * r / d)
                sin = side * math.sqrt(1.0 - cos * cos)
                nx, ny = dx * cos - dy * sin, dy * cos + dx * sin
                if not (in_cone(bends, a, nx, ny) and in_cone(bends, b, sign * nx, sign * ny)):
                    continue
                px, py = ax + r * nx, ay + r * ny
                qx, qy = ax + d * dx + sign * r * nx, ay + d * dy + sign * r * ny
                hit = find_near_wall(walls, px, py, qx, qy, r - WALL_SLACK, in_the_way)
                if hit != NONE:
                    in_the_way = hit
                    continue
                if n + 2 > room:
                    return FULL
                length = math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py))
                add_touch(walls, bends, graph, n, a, r, nx, ny, length)
                add_touch(walls, bends, graph, n + 1, b, r, sign * nx, sign * ny, length)
                n += 2
    graph.counts[N_TOUCHES] = n
    return FULL if n > room else n


@njit
def add_point_tangents(walls, bends, graph, r, px, py, n):
    """Add the tangents from a point behind n touches. Returns the new number."""
    in_the_way = 0
    for bend in range(bends.counts[N_BENDS]):
        x, y = walls.x[bends.corners[bend]], walls.y[bends.corners[bend]]
        d = math.sqrt((px - x) * (px - x) + (py - y) * (py - y))
        dx, dy = (px - x) / d, (py - y) / d
        cos = min(1.0, r / d)
        for kind in range(2):
            sin = math.sqrt(1.0 - cos * cos)
            if kind == 1:
                sin = -sin
            nx, ny = dx * cos - dy * sin, dy * cos + dx * sin
            if not in_cone(bends, bend, nx, ny):
                continue
            qx, qy = x + r * nx, y + r * ny
            hit = find_near_wall(walls, px, py, qx, qy, r - WALL_SLACK, in_the_way)
            if hit != NONE:
                in_the_way = hit
                continue
            length = math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py))
            add_touch(walls, bends, graph, n, bend, r, nx, ny, length)
            n += 1
    return n


@njit
def relax(graph, route, queue, node, cost, parent, goal_x, goal_y):
    """Record a path to a node if it is the shortest so far."""
    if cost < route.costs[node]:
        route.costs[node] = cost
        route.parents[node] = parent
        if node >= FIRST:
            dx, dy = goal_x - graph.x[node - FIRST], goal_y - graph.y[node - FIRST]
            cost += math.sqrt(dx * dx + dy * dy)
        heap_push(queue, int(cost * KEY_PARTS), node)


@inline
def search_graph(graph, route, queue, r, n_first, n_second, n, goal_x, goal_y):
    """Run A* from the start's touches, n_first on, to the goal's, n_second on."""
    while not heap_is_empty(queue):
        node = heap_pop(queue)
        if node == GOAL:
            break
        touch, cost = node - FIRST, route.costs[node]
        for link in range(2):
            to = graph.before[touch] if link == 0 else graph.after[touch]
            if to != NONE and graph.gap[to] == graph.gap[touch]:
                way = r * abs(graph.turn[touch] - graph.turn[to])
                relax(graph, route, queue, to + FIRST, cost + way, node, goal_x, goal_y)
        if touch < n_first:
            to = (touch ^ 1) + FIRST
        elif touch >= n_second:
            to = GOAL
        else:
            continue
        relax(graph, route, queue, to, cost + graph.length[touch], node, goal_x, goal_y)


@kernel
def find(
    walls: Walls,
    bends: Bends,
    graph: Tangents,
    route: Route,
    queue: Heap,
    r: float,
    start_x: float,
    start_y: float,
    goal_x: float,
    goal_y: float,
) -> float:
    """Returns the length of a shortest path; NO_PATH, also for a start or goal nearer than r to a
    wall; or FULL if `build` returned FULL.
    """
    n_first = graph.counts[N_TOUCHES]
    route.counts[0] = 0
    if n_first == FULL:
        return float(FULL)
    for node in range(FIRST):
        x, y = (start_x, start_y) if node == START else (goal_x, goal_y)
        if find_near_wall(walls, x, y, x, y, r - WALL_SLACK, 0) != NONE:
            return float(NO_PATH)
    n_second = add_point_tangents(walls, bends, graph, r, start_x, start_y, n_first)
    n = add_point_tangents(walls, bends, graph, r, goal_x, goal_y, n_second)
    for node in range(n + FIRST):
        route.costs[node] = UNREACHED
    heap_clear(queue)
    route.costs[START] = 0.0
    for touch in range(n_first, n_second):
        relax(graph, route, queue, touch + FIRST, graph.length[touch], START, goal_x, goal_y)
    if find_near_wall(walls, start_x, start_y, goal_x, goal_y, r - WALL_SLACK, 0) == NONE:
        dx, dy = goal_x - start_x, goal_y - start_y
        relax(graph, route, queue, GOAL, math.sqrt(dx * dx + dy * dy), START, goal_x, goal_y)
    search_graph(graph, route, queue, r, n_first, n_second, n, goal_x, goal_y)
    for touch in range(n - 1, n_first - 1, -1):
        remove_touch(graph, touch)
    if route.costs[GOAL] == UNREACHED:
        return float(NO_PATH)
    node, count = GOAL, 1
    while node != START:
        node = route.parents[node]
        count += 1
    route.counts[0] = count
    node = GOAL
    for i in range(count - 1, -1, -1):
        route.nodes[i] = node
        node = route.parents[node]
    return route.costs[GOAL]


@njit
def last_touch_of_bend(graph, route, i):
    """Returns the place in a route of the last touch of the circle at place i."""
    bend = graph.bend[route.nodes[i] - FIRST]
    last = i
    while route.nodes[last + 1] != GOAL and graph.bend[route.nodes[last + 1] - FIRST] == bend:
        last += 1
    return last


@kernel
def write_path(
    walls: Walls,
    bends: Bends,
    graph: Tangents,
    route: Route,
    r: float,
    error: float,
    points: Floats,
) -> int:
    """Write the inner points of a polyline along the last path, at most `error` longer, or more
    where `points` is too small for that. Returns their number, NONE without a path or room.
    """
    if route.counts[0] == 0:
        return NONE
    radians, n_bends, i = 0.0, 0, 1
    while i < route.counts[0] - 1:
        last = last_touch_of_bend(graph, route, i)
        turn = graph.turn[route.nodes[last] - FIRST] - graph.turn[route.nodes[i] - FIRST]
        radians += abs(turn)
        n_bends += 1
        i = last + 1
    step = arc_step_in_room(r, radians, error, n_bends, len(points) >> 1)
    if step == 0.0:
        return NONE
    n, i = 0, 1
    while i < route.counts[0] - 1:
        last = last_touch_of_bend(graph, route, i)
        touch = route.nodes[i] - FIRST
        corner = bends.corners[graph.bend[touch]]
        x, y = walls.x[corner], walls.y[corner]
        turn = graph.turn[route.nodes[last] - FIRST] - graph.turn[touch]
        n = write_arc(
            points, n, x, y, r, (graph.x[touch] - x) / r, (graph.y[touch] - y) / r, turn, step
        )
        i = last + 1
    return n
