"""Polyanya: shortest paths of a point in a triangulation, by intervals of its edges.

Source: M. Cui, D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh" (IJCAI 2017). A node is
an interval of an edge by which a triangle is entered, and a root from which all of it is seen: the start, or
the last corner the way bends round. What is seen through the interval in the triangle are intervals with
the same root; the rest of its edges is reached by bending round an end of the interval that is a corner. Of
nodes with the same root those count that reach it soonest.

N nodes, V vertices:

    edges    int64[N]    the half-edge by which a triangle is entered, on the triangle's side
    roots    int64[N]    the corner that is the root, START for the start
    parents  int64[N]    the node from which it was reached, NONE for the first ones
    ends     float64[4 N]  the interval: its left end x, y, its right end x, y
    lengths  float64[N]  the way to the root
    reached  float64[V]  the shortest way to a corner that is a root
    marks    int64[V]    the query in which it was one
    place    float64[5]  start, goal; the length of the path
    counts   int64[N_COUNTS]  the best path's last node among them
"""

import math
from typing import Any, NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit
from shared.mesh.locate import locate
from shared.mesh.paths import START
from shared.mesh.predicates import orient
from shared.mesh.ta_star import KEY_PARTS, length_over
from shared.mesh.triangles import NONE, Mesh, after, before, is_ghostly
from shared.path.heap import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap

N_NODES, QUERY, N_EXPANDED, WAS_FULL, BEST_NODE, N_COUNTS = range(6)
NO_PATH = math.inf
# Parts of an edge: shorter intervals count for nothing, and an end so near a corner is that corner.
NARROW = 1e-9
# Ways that differ by less are equally long.
EQUAL = 1e-7


class Polyanya(NamedTuple):
    """What a search knows; see the module's docstring."""

    edges: Ints
    roots: Ints
    parents: Ints
    ends: Floats
    lengths: Floats
    reached: Floats
    marks: Ints
    place: Floats
    counts: Ints


def new_polyanya(mesh: Mesh, n_nodes: int = 1 << 14) -> tuple[Polyanya, Heap]:
    """Buffers for any number of searches on a mesh, one after the other, and their open list."""
    n, n_vertices = n_nodes, len(mesh.x)
    buffers: list[Any] = [
        *(int_buffer(n) for _ in range(3)),
        *map(float_buffer, (4 * n, n, n_vertices)),
        int_buffer(n_vertices),
        float_buffer(5),
        int_buffer(N_COUNTS),
    ]
    return Polyanya(*buffers), new_heap(n)


@inline
def root_place(mesh, search, root):
    """Where a root is."""
    if root == START:
        return search.place[0], search.place[1]
    return float(mesh.x[root]), float(mesh.y[root])


@njit
def add(mesh, search, heap, e, root, length, parent, left, right):
    """Put a node into the open list: an interval of an edge, given by parts of it from its left end."""
    n, query = search.counts[N_NODES], search.counts[QUERY]
    f = mesh.twins[e]
    if right - left < NARROW or mesh.owners[e] != 0 or is_ghostly(mesh, f):
        return
    if root >= 0:
        if search.marks[root] == query and search.reached[root] < length - EQUAL:
            return
        search.marks[root], search.reached[root] = query, length
    if n >= len(search.edges):
        search.counts[WAS_FULL] = 1
        return
    a, b = mesh.corners[f], mesh.corners[after(f)]
    ax, ay, dx, dy = mesh.x[a], mesh.y[a], mesh.x[b] - mesh.x[a], mesh.y[b] - mesh.y[a]
    ends = ax + left * dx, ay + left * dy, ax + right * dx, ay + right * dy
    x, y = root_place(mesh, search, root)
    h = length_over(ends[0], ends[1], ends[2], ends[3], x, y, search.place[2], search.place[3])
    search.edges[n], search.roots[n], search.parents[n] = f, root, parent
    search.lengths[n] = length
    for i in range(4):
        search.ends[4 * n + i] = ends[i]
    search.counts[N_NODES] = n + 1
    heap_push(heap, int((length + h) * KEY_PARTS), n)


@inline
def part_of(ax, ay, bx, by, px, py, qx, qy):
    """At which part of edge ab, from a, the ray from p through q meets it."""
    side_a, side_b = orient(px, py, qx, qy, ax, ay), orient(px, py, qx, qy, bx, by)
    part = 0.0 if side_a == side_b else side_a / (side_a - side_b)
    return 0.0 if part < NARROW else (1.0 if part > 1.0 - NARROW else part)


@njit
def expand(mesh, search, heap, i):
    """Add the nodes that follow one."""
    e, root, length = search.edges[i], search.roots[i], search.lengths[i]
    a, b, c = mesh.corners[e], mesh.corners[after(e)], mesh.corners[before(e)]
    px, py = root_place(mesh, search, root)
    lx, ly, rx, ry = (
        search.ends[4 * i],
        search.ends[4 * i + 1],
        search.ends[4 * i + 2],
        search.ends[4 * i + 3],
    )
    ax, ay, bx, by = float(mesh.x[a]), float(mesh.y[a]), float(mesh.x[b]), float(mesh.y[b])
    cx, cy = float(mesh.x[c]), float(mesh.y[c])
    is_left, is_right = lx == ax and ly == ay, rx == bx and ry == by
    sees_all = orient(ax, ay, bx, by, px, py) == 0.0
    # The start may lie on the edge.
    is_between = (px - ax) * (px - bx) + (py - ay) * (py - by) <= 0.0
    if sees_all and not is_between:
        # Along the edge: on from its nearer corner
        root = a if abs(px - ax) + abs(py - ay) < abs(px - bx) + abs(py - by) else b
        if not (is_left if root == a else is_right):
            return
        qx, qy = (ax, ay) if root == a else (bx, by)
        length += math.sqrt((px - qx) * (px - qx) + (py - qy) * (py - qy))
    # Seen of c -> a and b -> c, as parts from a to c and from c to b
    from_left, to_right, left_seen, right_seen = 0.0, 1.0, 1.0, 0.0
    if not sees_all:
        if orient(px, py, lx, ly, cx, cy) < 0.0:
            from_left = part_of(ax, ay, cx, cy, px, py, lx, ly)
        else:
            from_left, right_seen = 1.0, part_of(cx, cy, bx, by, px, py, lx, ly)
        if orient(px, py, rx, ry, cx, cy) > 0.0:
            to_right = part_of(cx, cy, bx, by, px, py, rx, ry)
        else:
            to_right, left_seen = 0.0, part_of(ax, ay, cx, cy, px, py, rx, ry)
    add(mesh, search, heap, before(e), root, length, i, from_left, left_seen)
    add(mesh, search, heap, after(e), root, length, i, right_seen, to_right)
    if sees_all:
        return
    if is_left:
        way = length + math.sqrt((px - ax) * (px - ax) + (py - ay) * (py - ay))
        add(mesh, search, heap, before(e), a, way, i, 0.0, from_left)
        add(mesh, search, heap, after(e), a, way, i, 0.0, right_seen)
    if is_right:
        way = length + math.sqrt((px - bx) * (px - bx) + (py - by) * (py - by))
        add(mesh, search, heap, after(e), b, way, i, to_right, 1.0)
        add(mesh, search, heap, before(e), b, way, i, left_seen, 1.0)


@inline
def distance(px, py, qx, qy):
    return math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py))


@njit
def way_through(mesh, search, i):
    """The length of the path through a node in the goal's triangle, and the corner at which it bends on the way
    from the root, NONE if it does not; NO_PATH if it has to bend where no corner is.
    """
    e = search.edges[i]
    px, py = root_place(mesh, search, search.roots[i])
    goal_x, goal_y = search.place[2], search.place[3]
    side_l = orient(px, py, goal_x, goal_y, search.ends[4 * i], search.ends[4 * i + 1])
    side_r = orient(px, py, goal_x, goal_y, search.ends[4 * i + 2], search.ends[4 * i + 3])
    length = search.lengths[i]
    if side_l >= 0.0 and side_r <= 0.0:
        return length + distance(px, py, goal_x, goal_y), NONE
    v = mesh.corners[e] if side_l < 0.0 else mesh.corners[after(e)]
    k = 0 if side_l < 0.0 else 2
    x, y = search.ends[4 * i + k], search.ends[4 * i + k + 1]
    if x != mesh.x[v] or y != mesh.y[v]:
        return NO_PATH, NONE
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
    """The length of a shortest path of a point; NO_PATH if there is none. Start and goal lie in free space."""
    search.counts[N_NODES] = search.counts[N_EXPANDED] = search.counts[WAS_FULL] = 0
    search.counts[QUERY] += 1
    search.counts[BEST_NODE] = NONE
    heap_clear(heap)
    search.place[0], search.place[1] = float(start_x), float(start_y)
    search.place[2], search.place[3] = float(goal_x), float(goal_y)
    t, goal_triangle = locate(mesh, start_x, start_y) >> 2, locate(mesh, goal_x, goal_y) >> 2
    if t < 0 or goal_triangle < 0:
        return NO_PATH
    if t == goal_triangle:
        return distance(float(start_x), float(start_y), float(goal_x), float(goal_y))
    for e in range(4 * t, 4 * t + 3):
        add(mesh, search, heap, e, START, 0.0, NONE, 0.0, 1.0)
    best = NO_PATH
    while not heap_is_empty(heap) and heap.heap[0] < best * KEY_PARTS:
        i = heap_pop(heap)
        root = search.roots[i]
        if root >= 0 and search.reached[root] < search.lengths[i] - EQUAL:
            continue
        search.counts[N_EXPANDED] += 1
        if search.edges[i] >> 2 == goal_triangle:
            length = way_through(mesh, search, i)[0]
            if length < best:
                best, search.counts[BEST_NODE] = length, i
        expand(mesh, search, heap, i)
    return best


@kernel
def write_corners(mesh: Mesh, search: Polyanya, points: Floats) -> int:
    """Write the corners at which the path bends that was found last, as x, y; how many there are, NONE if
    there is not room for them.
    """
    i, n, last = search.counts[BEST_NODE], 0, NONE
    v = NONE if i == NONE else way_through(mesh, search, i)[1]
    # From the goal to the start, then the other way round
    while i != NONE:
        if v >= 0 and v != last:
            if 2 * n + 2 > len(points):
                return NONE
            points[2 * n], points[2 * n + 1] = float(mesh.x[v]), float(mesh.y[v])
            n, last = n + 1, v
        v, i = search.roots[i], search.parents[i]
    for i in range(n >> 1):
        for k in range(2):
            point = points[2 * i + k]
            points[2 * i + k] = points[2 * (n - 1 - i) + k]
            points[2 * (n - 1 - i) + k] = point
    return n
