"""Polyanya: shortest paths of a point in a triangulation, by intervals of its edges.

Source: M. Cui, D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh" (IJCAI
2017). A node is an interval of the edge by which a path enters a triangle, and a root that sees all
of it: the start, or the path's last corner. The parts of the triangle's other edges that the root
sees through the interval are intervals of the same root. A path reaches the other parts of these
edges by bending at an end of the interval that is a corner. Of nodes with one root only those with
the shortest path to it count.

N nodes, V vertices, T triangles:

    edges    int64[N]    the half-edge by which a triangle is entered, on the triangle's side.
    roots    int64[N]    the corner of the root, or START.
    parents  int64[N]    the node before, NONE for the first ones.
    ends     float64[4 N]  the interval: its left end x, y, its right end x, y.
    lengths  float64[N]  the length of the path to the root.
    reached  float64[V]  the length of the shortest path to a corner that is a root.
    marks    int64[V]    the query in which it was a root.
    goals    int64[T]    of a triangle: the query whose goal it has, inside or on its boundary.
    place    float64[N_PLACES]  start and goal.
    counts   int64[N_COUNTS]  the best path's last node among them.
"""

import math
from typing import Any, NamedTuple

from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit, unsigned
from ..mesh.funnel import START
from ..mesh.geometry import KEY_PARTS, NONE, UNREACHED, distance, length_via, reverse_points
from ..mesh.location import find_place, next_at, side_of
from ..mesh.predicates import orient
from ..mesh.triangulation import Mesh, after, before, is_corner, is_ghost
from ..path.open_lists import (
    Heap,
    heap_clear,
    heap_is_empty,
    heap_least_key,
    heap_pop,
    heap_push,
    new_heap,
)
from ..path.statuses import FULL, NO_PATH

N_NODES, QUERY, N_EXPANDED, WAS_FULL, BEST_NODE, N_COUNTS = range(6)
# Of counts[BEST_NODE] without a path; NONE for a straight one
NO_NODE = -2
START_X, START_Y, GOAL_X, GOAL_Y, N_PLACES = range(5)
# Fractions of an edge: shorter intervals are dropped, and an end so near a corner is that corner.
MIN_FRACTION = 1e-9
# Lengths that differ by less are equal.
TIE = 1e-7


class Polyanya(NamedTuple):
    """The state of a search; see the module's docstring."""

    edges: Ints
    roots: Ints
    parents: Ints
    ends: Floats
    lengths: Floats
    reached: Floats
    marks: Ints
    goals: Ints
    place: Floats
    counts: Ints


def new_polyanya(mesh: Mesh, n_nodes: int = 1 << 14) -> tuple[Polyanya, Heap]:
    """Returns buffers for consecutive searches on a mesh, and their open list."""
    n, n_vertices = n_nodes, len(mesh.x)
    buffers: list[Any] = [
        *(int_buffer(n) for _ in range(3)),
        *map(float_buffer, (4 * n, n, n_vertices)),
        int_buffer(n_vertices),
        int_buffer(len(mesh.corners) // 4),
        float_buffer(N_PLACES),
        int_buffer(N_COUNTS),
    ]
    return Polyanya(*buffers), new_heap(n)


@inline
def root_point(mesh, search, root):
    """Returns the point of a root."""
    if root == START:
        return search.place[START_X], search.place[START_Y]
    v = unsigned(root)
    return float(mesh.x[v]), float(mesh.y[v])


@inline
def interval_of(search, i):
    """Returns the interval of a node: its left end x, y, its right end x, y."""
    j = 4 * unsigned(i)
    return search.ends[j], search.ends[j + 1], search.ends[j + 2], search.ends[j + 3]


@inline
def set_interval(search, i, lx, ly, rx, ry):
    """Set the interval of a node."""
    j = 4 * unsigned(i)
    search.ends[j], search.ends[j + 1] = lx, ly
    search.ends[j + 2], search.ends[j + 3] = rx, ry


@njit
def push_interval(mesh, search, heap, e, root, length, parent, left, right):
    """Push an interval by two fractions of an edge, unless tiny, blocked or dominated."""
    n, query = search.counts[N_NODES], search.counts[QUERY]
    f, n = unsigned(mesh.twins[unsigned(e)]), unsigned(n)
    if right - left < MIN_FRACTION or mesh.owners[unsigned(e)] != 0 or is_ghost(mesh, f):
        return
    if root >= 0:
        v = unsigned(root)
        if search.marks[v] == query and search.reached[v] < length - TIE:
            return
        search.marks[v], search.reached[v] = query, length
    if n >= len(search.edges):
        search.counts[WAS_FULL] = 1
        return
    a, b = unsigned(mesh.corners[f]), unsigned(mesh.corners[unsigned(after(f))])
    ax, ay, dx, dy = mesh.x[a], mesh.y[a], mesh.x[b] - mesh.x[a], mesh.y[b] - mesh.y[a]
    ends = ax + left * dx, ay + left * dy, ax + right * dx, ay + right * dy
    x, y = root_point(mesh, search, root)
    h = length_via(
        ends[0], ends[1], ends[2], ends[3], x, y, search.place[GOAL_X], search.place[GOAL_Y]
    )
    search.edges[n], search.roots[n], search.parents[n] = f, root, parent
    search.lengths[n] = length
    set_interval(search, n, *ends)
    search.counts[N_NODES] = n + 1
    heap_push(heap, int((length + h) * KEY_PARTS), n)


@inline
def edge_fraction(ax, ay, bx, by, px, py, qx, qy):
    """Returns the fraction of edge ab, from a, where the ray from p through q meets ab."""
    side_a, side_b = orient(px, py, qx, qy, ax, ay), orient(px, py, qx, qy, bx, by)
    part = 0.0 if side_a == side_b else side_a / (side_a - side_b)
    return 0.0 if part < MIN_FRACTION else (1.0 if part > 1.0 - MIN_FRACTION else part)


@njit
def expand_interval(mesh, search, heap, i):
    """Push the successors of a node."""
    i = unsigned(i)
    e, root, length = unsigned(search.edges[i]), search.roots[i], search.lengths[i]
    a, b = unsigned(mesh.corners[e]), unsigned(mesh.corners[unsigned(after(e))])
    c = unsigned(mesh.corners[unsigned(before(e))])
    px, py = root_point(mesh, search, root)
    lx, ly, rx, ry = interval_of(search, i)
    ax, ay, bx, by = float(mesh.x[a]), float(mesh.y[a]), float(mesh.x[b]), float(mesh.y[b])
    cx, cy = float(mesh.x[c]), float(mesh.y[c])
    is_left, is_right = lx == ax and ly == ay, rx == bx and ry == by
    sees_all = orient(ax, ay, bx, by, px, py) == 0.0
    # The start may lie on the edge.
    is_between = (px - ax) * (px - bx) + (py - ay) * (py - by) <= 0.0
    if sees_all and not is_between:
        # The path goes along the edge, and continues from its nearer corner.
        root = a if abs(px - ax) + abs(py - ay) < abs(px - bx) + abs(py - by) else b
        if not (is_left if root == a else is_right) or not is_corner(mesh, root):
            return
        qx, qy = (ax, ay) if root == a else (bx, by)
        length += math.sqrt((px - qx) * (px - qx) + (py - qy) * (py - qy))
    # The seen intervals of c -> a and b -> c, as fractions from a to c and from c to b
    from_left, to_right, left_seen, right_seen = 0.0, 1.0, 1.0, 0.0
    if not sees_all:
        if orient(px, py, lx, ly, cx, cy) < 0.0:
            from_left = edge_fraction(ax, ay, cx, cy, px, py, lx, ly)
        else:
            from_left, right_seen = 1.0, edge_fraction(cx, cy, bx, by, px, py, lx, ly)
        if orient(px, py, rx, ry, cx, cy) > 0.0:
            to_right = edge_fraction(cx, cy, bx, by, px, py, rx, ry)
        else:
            to_right, left_seen = 0.0, edge_fraction(ax, ay, cx, cy, px, py, rx, ry)
    push_interval(mesh, search, heap, before(e), root, length, i, from_left, left_seen)
    push_interval(mesh, search, heap, after(e), root, length, i, right_seen, to_right)
    if sees_all:
        return
    if is_left and is_corner(mesh, a):
        way = length + math.sqrt((px - ax) * (px - ax) + (py - ay) * (py - ay))
        push_interval(mesh, search, heap, before(e), a, way, i, 0.0, from_left)
        push_interval(mesh, search, heap, after(e), a, way, i, 0.0, right_seen)
    if is_right and is_corner(mesh, b):
        way = length + math.sqrt((px - bx) * (px - bx) + (py - by) * (py - by))
        push_interval(mesh, search, heap, after(e), b, way, i, to_right, 1.0)
        push_interval(mesh, search, heap, before(e), b, way, i, left_seen, 1.0)


@njit
def length_through(mesh, search, i):
    """Returns the length of the path through a node in the goal's triangle, and the corner at which
    it bends behind the root, or NONE.
    """
    e = search.edges[i]
    px, py = root_point(mesh, search, search.roots[i])
    goal_x, goal_y = search.place[GOAL_X], search.place[GOAL_Y]
    lx, ly, rx, ry = interval_of(search, i)
    side_l = orient(px, py, goal_x, goal_y, lx, ly)
    side_r = orient(px, py, goal_x, goal_y, rx, ry)
    length = search.lengths[i]
    if side_l >= 0.0 and side_r <= 0.0:
        return length + distance(px, py, goal_x, goal_y), NONE
    v = mesh.corners[e] if side_l < 0.0 else mesh.corners[after(e)]
    x, y = (lx, ly) if side_l < 0.0 else (rx, ry)
    # A shortest path bends at no other place, but the place is rounded.
    if x != mesh.x[v] or y != mesh.y[v]:
        v = NONE
    return length + distance(px, py, x, y) + distance(x, y, goal_x, goal_y), v


@kernel
def find(
    mesh: Mesh,
    search: Polyanya,
    heap: Heap,
    start_x: int,
    start_y: int,
    goal_x: int,
    goal_y: int,
) -> float:
    """Returns the length of a shortest path of a point, NO_PATH, or FULL for too few nodes."""
    search.counts[N_NODES] = search.counts[N_EXPANDED] = search.counts[WAS_FULL] = 0
    search.counts[QUERY] += 1
    search.counts[BEST_NODE] = NO_NODE
    heap_clear(heap)
    search.place[START_X], search.place[START_Y] = float(start_x), float(start_y)
    search.place[GOAL_X], search.place[GOAL_Y] = float(goal_x), float(goal_y)
    start, goal = find_place(mesh, start_x, start_y), find_place(mesh, goal_x, goal_y)
    if start == NONE or goal == NONE:
        return float(NO_PATH)
    e = goal >> 2
    while search.goals[e >> 2] != search.counts[QUERY]:
        search.goals[e >> 2] = search.counts[QUERY]
        e = next_at(mesh, goal, e)
    best, first, e = UNREACHED, NONE, start >> 2
    while e != first:
        first = start >> 2
        if not is_ghost(mesh, e):
            if search.goals[e >> 2] == search.counts[QUERY]:
                search.counts[BEST_NODE] = NONE
                return distance(float(start_x), float(start_y), float(goal_x), float(goal_y))
            for f in range(e & ~3, (e & ~3) + 3):
                if side_of(mesh, f, start_x, start_y) > 0:
                    push_interval(mesh, search, heap, f, START, 0.0, NONE, 0.0, 1.0)
        e = next_at(mesh, start, e)
    while not heap_is_empty(heap) and heap_least_key(heap) < best * KEY_PARTS:
        i = unsigned(heap_pop(heap))
        root = search.roots[i]
        if root >= 0 and search.reached[unsigned(root)] < search.lengths[i] - TIE:
            continue
        search.counts[N_EXPANDED] += 1
        if search.goals[unsigned(search.edges[i] >> 2)] == search.counts[QUERY]:
            length = length_through(mesh, search, i)[0]
            if length < best:
                best, search.counts[BEST_NODE] = length, i
        expand_interval(mesh, search, heap, i)
    if search.counts[WAS_FULL]:
        return float(FULL)
    return float(NO_PATH) if best == UNREACHED else best


@kernel
def write_path(mesh: Mesh, search: Polyanya, points: Floats) -> int:
    """Write the corners of the best path of the last search, as x, y. Returns their number, NONE
    without a path or room.
    """
    i, n, last = search.counts[BEST_NODE], 0, NONE
    if i == NO_NODE:
        return NONE
    v = NONE if i == NONE else length_through(mesh, search, i)[1]
    # From the goal to the start, then reversed
    while i != NONE:
        if v >= 0 and v != last:
            if 2 * n + 2 > len(points):
                return NONE
            points[2 * n], points[2 * n + 1] = float(mesh.x[v]), float(mesh.y[v])
            n, last = n + 1, v
        v, i = search.roots[i], search.parents[i]
    reverse_points(points, n)
    return n
