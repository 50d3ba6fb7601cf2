"""Shortest paths of a disc among polygons, by the tangent graph: exact, for maps of some hundred corners.

A disc of radius r fits where its centre is at least r from every wall. A shortest path of the centre is made
of arcs about convex corners of obstacles, of radius r, and of segments that touch those circles: the
visibility graph of curved obstacles (M. Pocchiola, G. Vegter, "The visibility complex", IJCGA 6(3), 1996, has
the theory; here every pair of corners is tried). The search is A*, the way left as the crow flies.

A touch is an end of a tangent at the circle of a bend, in its cone (`bends.py`). The tangents of two bends make
the touches 2 i and 2 i + 1, those of a query's start and goal follow while it lasts. The touches of a bend
are linked in the order of their turns; one gets from a touch to the next along the arc unless a part of
it is blocked, in which case the two are in different gaps.

C corners, T touches:

    counts  int64[1]  touches
    first   int64[C]  the touch of the least turn of a bend, NONE for none
    bend, turn, x, y, gap, before, after, length   of a touch [T]: the last is that of its tangent
"""

import math
from typing import NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit
from shared.mesh.arcs import step_within, write_arc
from shared.mesh.bends import (
    N_BENDS,
    Bends,
    find_bends,
    find_blocked,
    in_cone,
    new_bends,
    turn_of,
)
from shared.mesh.walls import NONE, SLACK, Walls, obstacle_near
from shared.path.heap import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap

N_TOUCHES = 0
NO_PATH = math.inf
FULL = -1.0
# Lengths are keys of the open list in such parts of a unit.
KEY_PARTS = float(1 << 20)


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
    """What a query finds: for each touch, and for START and GOAL, which come first, how far it is and whence.

    nodes: START, touches + 2 and GOAL along the path; counts: how many.
    """

    costs: Floats
    parents: Ints
    nodes: Ints
    counts: Ints


START, GOAL, FIRST = range(3)


def new_tangents(n_corners: int, n_touches: int) -> tuple[Bends, Tangents, Route, Heap]:
    """Buffers for maps of so many corners and so many touches; 40 a corner are mostly enough."""
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
    """Put a touch into its place among those of its bend."""
    corner = bends.corners[bend]
    turn = max(0.0, turn_of(bends, bend, nx, ny))
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
    """Take a touch out of the list of its bend."""
    before, after = graph.before[touch], graph.after[touch]
    if before == NONE:
        graph.first[graph.bend[touch]] = after
    else:
        graph.after[before] = after
    if after != NONE:
        graph.before[after] = before


@kernel
def build(walls: Walls, bends: Bends, graph: Tangents, r: float) -> bool:
    """Make the graph for a radius above 0; false where it is too large for the buffers."""
    find_bends(walls, bends)
    graph.counts[N_TOUCHES] = 0
    if not find_blocked(walls, bends, r):
        return False
    for bend in range(bends.counts[N_BENDS]):
        graph.first[bend] = NONE
    n, in_the_way = 0, 0
    for a in range(bends.counts[N_BENDS]):
        ax, ay = walls.x[bends.corners[a]], walls.y[bends.corners[a]]
        for b in range(a):
            dx, dy = walls.x[bends.corners[b]] - ax, walls.y[bends.corners[b]] - ay
            d = math.sqrt(dx * dx + dy * dy)
            dx /= d
            dy /= d
            for kind in range(4):
                # Which side of a the tangent touches, and whether it touches the other side of b.
                side = 1.0 if kind % 2 == 0 else -1.0
                sign, cos = 1.0, 0.0
                if kind > 1:
                    if d <= 2.0 * r:
                        break
                    sign, cos = -1.0, 2.0 * r / d
                sin = side * math.sqrt(1.0 - cos * cos)
                nx, ny = dx * cos - dy * sin, dy * cos + dx * sin
                if not (in_cone(bends, a, nx, ny) and in_cone(bends, b, sign * nx, sign * ny)):
                    continue
                px, py = ax + r * nx, ay + r * ny
                qx, qy = ax + d * dx + sign * r * nx, ay + d * dy + sign * r * ny
                hit = obstacle_near(walls, px, py, qx, qy, r - SLACK, in_the_way)
                if hit != NONE:
                    in_the_way = hit
                    continue
                if n + 2 > len(graph.turn):
                    return False
                length = math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py))
                add_touch(walls, bends, graph, n, a, r, nx, ny, length)
                add_touch(walls, bends, graph, n + 1, b, r, sign * nx, sign * ny, length)
                n += 2
    graph.counts[N_TOUCHES] = n
    return True


@njit
def add_tangents(walls, bends, graph, r, px, py, n):
    """Add the tangents from a point behind n touches; returns how many there are then, NONE where they are too
    many for the buffers.
    """
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
            hit = obstacle_near(walls, px, py, qx, qy, r - SLACK, in_the_way)
            if hit != NONE:
                in_the_way = hit
                continue
            if n == len(graph.turn):
                return NONE
            length = math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py))
            add_touch(walls, bends, graph, n, bend, r, nx, ny, length)
            n += 1
    return n


@njit
def reach(graph, route, queue, node, cost, parent, goal_x, goal_y):
    """Take note of a way to a node if it is the shortest so far."""
    if cost < route.costs[node]:
        route.costs[node] = cost
        route.parents[node] = parent
        if node >= FIRST:
            dx, dy = goal_x - graph.x[node - FIRST], goal_y - graph.y[node - FIRST]
            cost += math.sqrt(dx * dx + dy * dy)
        heap_push(queue, int(cost * KEY_PARTS), node)


@inline
def search_route(graph, route, queue, r, n_first, n_second, n, goal_x, goal_y):
    """A* from the touches of the start's tangents, n_first to n_second, to the goal's, up to n."""
    while not heap_is_empty(queue):
        node = heap_pop(queue)
        if node == GOAL:
            break
        touch, cost = node - FIRST, route.costs[node]
        for link in range(2):
            to = graph.before[touch] if link == 0 else graph.after[touch]
            if to != NONE and graph.gap[to] == graph.gap[touch]:
                way = r * abs(graph.turn[touch] - graph.turn[to])
                reach(graph, route, queue, to + FIRST, cost + way, node, goal_x, goal_y)
        if touch < n_first:
            to = (touch ^ 1) + FIRST
        elif touch >= n_second:
            to = GOAL
        else:
            continue
        reach(graph, route, queue, to, cost + graph.length[touch], node, goal_x, goal_y)


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
    """The length of a shortest path, NO_PATH without one, FULL where the buffers are too small.

    Start and goal are at least r from every wall.
    """
    n_first = graph.counts[N_TOUCHES]
    n_second = add_tangents(walls, bends, graph, r, start_x, start_y, n_first)
    n = NONE
    if n_second != NONE:
        n = add_tangents(walls, bends, graph, r, goal_x, goal_y, n_second)
    if n == NONE:
        return FULL
    for node in range(n + FIRST):
        route.costs[node] = NO_PATH
    heap_clear(queue)
    route.costs[START] = 0.0
    for touch in range(n_first, n_second):
        reach(graph, route, queue, touch + FIRST, graph.length[touch], START, goal_x, goal_y)
    if obstacle_near(walls, start_x, start_y, goal_x, goal_y, r - SLACK, 0) == NONE:
        dx, dy = goal_x - start_x, goal_y - start_y
        reach(graph, route, queue, GOAL, math.sqrt(dx * dx + dy * dy), START, goal_x, goal_y)
    search_route(graph, route, queue, r, n_first, n_second, n, goal_x, goal_y)
    for touch in range(n - 1, n_first - 1, -1):
        remove_touch(graph, touch)
    route.counts[0] = 0
    if route.costs[GOAL] < NO_PATH:
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
def next_bend(graph, route, i):
    """The number in a route of the last touch of the circle whose first is number i."""
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
    """Write the inner points of a polyline along the path that was found last, longer than it by at most
    `error`, or by as little as there is room for; returns how many, NONE where there is not room.
    """
    radians, n_bends, i = 0.0, 0, 1
    while i < route.counts[0] - 1:
        last = next_bend(graph, route, i)
        turn = graph.turn[route.nodes[last] - FIRST] - graph.turn[route.nodes[i] - FIRST]
        radians += abs(turn)
        n_bends += 1
        i = last + 1
    room = len(points) // 2
    if n_bends > room:
        return NONE
    step = step_within(r, radians, error)
    if radians / step + n_bends > room:
        if n_bends == room:
            return NONE
        step = radians / (room - n_bends)
    n, i = 0, 1
    while i < route.counts[0] - 1:
        last = next_bend(graph, route, i)
        touch = route.nodes[i] - FIRST
        corner = bends.corners[graph.bend[touch]]
        x, y = walls.x[corner], walls.y[corner]
        turn = graph.turn[route.nodes[last] - FIRST] - graph.turn[touch]
        n = write_arc(
            points, n, x, y, r, (graph.x[touch] - x) / r, (graph.y[touch] - y) / r, turn, step
        )
        i = last + 1
    return n
