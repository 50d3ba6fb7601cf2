"""Shortest paths of a point among polygons, by the visibility graph: exact, for some hundred
corners.

The simplest optimal method (M. Buro's lectures on planning in games). The nodes are the corners
that a path can bend around, an edge joins nodes that see each other, and a query adds start and
goal. The graph is dense, a change of the world may concern any part, and building takes time N^2 C.

Visibility is exact for starts and goals at whole numbers.

C corners, N of them nodes, E edges, each of them from both of its ends:

    counts    int64[2]       nodes, edges or FULL.
    corners   int64[C]       the corner of a node.
    first     int64[C + 1]   the first edge of a node.
    to        int64[E]       the node at the end of an edge.
    lengths   float64[E].
    from_start, to_goal      float64[C]  of the query, UNREACHED past a wall.
    costs, parents           of START, GOAL and the nodes, as far as they were reached.
"""

import math
from typing import NamedTuple

from ..core.jit import Floats, Ints, float_buffer, int_buffer, kernel, njit
from ..mesh.geometry import KEY_PARTS, UNREACHED
from ..mesh.walls import Walls, corner_cross
from ..path.open_lists import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap
from ..path.statuses import FULL, NO_PATH

N_NODES, N_EDGES = range(2)
START, GOAL, FIRST = range(3)


class Visibility(NamedTuple):
    """The graph and the state of a query; see the module's docstring."""

    counts: Ints
    corners: Ints
    first: Ints
    to: Ints
    lengths: Floats
    from_start: Floats
    to_goal: Floats
    costs: Floats
    parents: Ints


def new_visibility(n_corners: int, n_edges: int) -> tuple[Visibility, Heap]:
    """Returns buffers for maps of this many corners and edges, each edge counted from both ends."""
    graph = Visibility(
        counts=int_buffer(2),
        corners=int_buffer(n_corners),
        first=int_buffer(n_corners + 1),
        to=int_buffer(n_edges),
        lengths=float_buffer(n_edges),
        from_start=float_buffer(n_corners),
        to_goal=float_buffer(n_corners),
        costs=float_buffer(n_corners + FIRST),
        parents=int_buffer(n_corners + FIRST),
    )
    return graph, new_heap(n_corners + FIRST)


@njit
def can_see(walls, px, py, qx, qy):
    """Returns True if no wall and no corner lies between two points: a corner on the segment
    blocks, as it would be a bend of 0 degrees.
    """
    dx, dy = qx - px, qy - py
    for wall in range(len(walls.x)):
        other = walls.following[wall]
        ax, ay, bx, by = walls.x[wall], walls.y[wall], walls.x[other], walls.y[other]
        if max(ax, bx) < min(px, qx) or min(ax, bx) > max(px, qx):
            continue
        if max(ay, by) < min(py, qy) or min(ay, by) > max(py, qy):
            continue
        side_a = dx * (ay - py) - dy * (ax - px)
        side_b = dx * (by - py) - dy * (bx - px)
        if side_a == 0.0:
            along = (ax - px) * dx + (ay - py) * dy
            if 0.0 < along < dx * dx + dy * dy:
                return False
        if side_a * side_b < 0.0:
            side_p = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
            side_q = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
            if side_p * side_q < 0.0:
                return False
    return True


@njit
def leads_inside(walls, corner, x, y):
    """Returns True if the segment from a corner to a point begins inside of the obstacle."""
    last, following = walls.preceding[corner], walls.following[corner]
    cx, cy = walls.x[corner], walls.y[corner]
    before = (cx - walls.x[last]) * (y - cy) - (cy - walls.y[last]) * (x - cx)
    after = (walls.x[following] - cx) * (y - cy) - (walls.y[following] - cy) * (x - cx)
    return before < 0.0 and after < 0.0


@njit
def visible_distance(walls, corner, x, y):
    """Returns the distance of a point from a corner, UNREACHED if a wall hides the corner."""
    cx, cy = walls.x[corner], walls.y[corner]
    if leads_inside(walls, corner, x, y) or not can_see(walls, cx, cy, x, y):
        return UNREACHED
    return math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy))


@njit
def is_free_place(walls, x, y):
    """Returns True for a point in free space or on a wall."""
    is_free = False
    for wall in range(len(walls.x)):
        other = walls.following[wall]
        ax, ay, bx, by = walls.x[wall], walls.y[wall], walls.x[other], walls.y[other]
        beside = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if beside == 0.0 and (ax - x) * (bx - x) + (ay - y) * (by - y) <= 0.0:
            return True
        if (ay > y) != (by > y) and (beside > 0.0) == (by > ay):
            is_free = not is_free
    return is_free


@kernel
def build(walls: Walls, graph: Visibility) -> int:
    """Build the graph. Returns the number of edges, or FULL without room."""
    n, n_edges = 0, 0
    graph.counts[N_EDGES] = FULL
    # A corner of a straight angle bends no path, but is on the way along its walls.
    for corner in range(len(walls.x)):
        if corner_cross(walls, corner) <= 0.0:
            graph.corners[n] = corner
            n += 1
    graph.counts[N_NODES] = n
    for a in range(n):
        graph.first[a] = n_edges
        corner = graph.corners[a]
        x, y = walls.x[corner], walls.y[corner]
        for b in range(n):
            if b == a or leads_inside(
                walls, corner, walls.x[graph.corners[b]], walls.y[graph.corners[b]]
            ):
                continue
            length = visible_distance(walls, graph.corners[b], x, y)
            if length < UNREACHED:
                if n_edges == len(graph.to):
                    return FULL
                graph.to[n_edges] = b
                graph.lengths[n_edges] = length
                n_edges += 1
    graph.first[n] = n_edges
    graph.counts[N_EDGES] = n_edges
    return n_edges


@njit
def relax(walls, graph, queue, node, cost, parent, goal_x, goal_y):
    """Record a path to a node if it is the shortest so far."""
    if cost < graph.costs[node]:
        graph.costs[node] = cost
        graph.parents[node] = parent
        if node >= FIRST:
            corner = graph.corners[node - FIRST]
            dx, dy = goal_x - walls.x[corner], goal_y - walls.y[corner]
            cost += math.sqrt(dx * dx + dy * dy)
        heap_push(queue, int(cost * KEY_PARTS), node)


@kernel
def find(
    walls: Walls,
    graph: Visibility,
    queue: Heap,
    start_x: float,
    start_y: float,
    goal_x: float,
    goal_y: float,
) -> float:
    """Returns the length of a shortest path, NO_PATH, or FULL if `build` returned FULL;
    `corners_of` has its corners.
    """
    for node in range(graph.counts[N_NODES] + FIRST):
        graph.costs[node] = UNREACHED
    heap_clear(queue)
    graph.costs[START] = 0.0
    if graph.counts[N_EDGES] == FULL:
        return FULL
    # No wall lies between them, but both may be on walls of one obstacle.
    if can_see(walls, start_x, start_y, goal_x, goal_y) and is_free_place(
        walls, 0.5 * (start_x + goal_x), 0.5 * (start_y + goal_y)
    ):
        dx, dy = goal_x - start_x, goal_y - start_y
        relax(walls, graph, queue, GOAL, math.sqrt(dx * dx + dy * dy), START, goal_x, goal_y)
    for a in range(graph.counts[N_NODES]):
        corner = graph.corners[a]
        graph.from_start[a] = visible_distance(walls, corner, start_x, start_y)
        graph.to_goal[a] = visible_distance(walls, corner, goal_x, goal_y)
        relax(walls, graph, queue, a + FIRST, graph.from_start[a], START, goal_x, goal_y)
    while not heap_is_empty(queue):
        node = heap_pop(queue)
        if node == GOAL:
            break
        a, cost = node - FIRST, graph.costs[node]
        relax(walls, graph, queue, GOAL, cost + graph.to_goal[a], node, goal_x, goal_y)
        for edge in range(graph.first[a], graph.first[a + 1]):
            to = graph.to[edge] + FIRST
            relax(walls, graph, queue, to, cost + graph.lengths[edge], node, goal_x, goal_y)
    return NO_PATH if graph.costs[GOAL] == UNREACHED else graph.costs[GOAL]


def corners_of(graph: Visibility) -> list[int]:
    """Returns the corners of the last path found, from the start on."""
    corners: list[int] = []
    node = int(graph.parents[GOAL]) if graph.costs[GOAL] < UNREACHED else START
    while node != START:
        corners.append(int(graph.corners[node - FIRST]))
        node = int(graph.parents[node])
    return corners[::-1]
