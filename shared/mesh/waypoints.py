"""Paths over waypoints, straight from one to the next, then smoothed: the base of the plain
methods.

A* searches the waypoints of a caller. It tests each step for room: no path is wrong, but it may
miss a path. Smoothing joins each point to the farthest point in reach.
"""

import math
from typing import NamedTuple

from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, njit
from ..mesh.geometry import KEY_PARTS, NONE, UNREACHED
from ..mesh.walls import WALL_SLACK, find_near_wall
from ..path.open_lists import Heap, heap_clear, heap_push, new_heap
from ..path.statuses import NO_PATH

START, GOAL, FIRST = range(3)
N_POINTS = 0


class Waypoints(NamedTuple):
    """A search over N waypoints: the start, the goal, then all others.

    x, y     float64[N]    the place of each.
    costs    float64[N]    its distance from the start.
    parents  int64[N]      the waypoint before it.
    points   float64[2 N]  the path found, x and y of each point, start to goal.
    counts   int64[1]      N_POINTS: the points of the path.
    """

    x: Floats
    y: Floats
    costs: Floats
    parents: Ints
    points: Floats
    counts: Ints


def new_waypoints(n_way_points: int) -> tuple[Waypoints, Heap]:
    """Returns buffers for this many waypoints besides start and goal."""
    n = FIRST + n_way_points
    ways = Waypoints(
        x=float_buffer(n),
        y=float_buffer(n),
        costs=float_buffer(n),
        parents=int_buffer(n),
        points=float_buffer(2 * n),
        counts=int_buffer(1),
    )
    return ways, new_heap(n)


@inline
def begin_waypoints(ways, queue, n_nodes, start_x, start_y, goal_x, goal_y):
    """Begin a search over the waypoints up to n_nodes."""
    for node in range(n_nodes):
        ways.costs[node] = UNREACHED
    heap_clear(queue)
    ways.x[START], ways.y[START] = start_x, start_y
    ways.x[GOAL], ways.y[GOAL] = goal_x, goal_y
    ways.costs[START] = 0.0
    ways.counts[N_POINTS] = 0


@njit
def relax_step(walls, ways, queue, node, parent, r):
    """Record a straight step to a waypoint if it shortens its path and keeps r away from
    the walls.
    """
    x, y, from_x, from_y = ways.x[node], ways.y[node], ways.x[parent], ways.y[parent]
    cost = ways.costs[parent] + math.sqrt((x - from_x) * (x - from_x) + (y - from_y) * (y - from_y))
    if cost >= ways.costs[node]:
        return
    if find_near_wall(walls, from_x, from_y, x, y, r - WALL_SLACK, 0) != NONE:
        return
    ways.costs[node] = cost
    ways.parents[node] = parent
    dx, dy = ways.x[GOAL] - x, ways.y[GOAL] - y
    heap_push(queue, int((cost + math.sqrt(dx * dx + dy * dy)) * KEY_PARTS), node)


@inline
def write_points(ways):
    """Write the points of the path to the goal."""
    node, n = GOAL, 1
    while node != START:
        node = ways.parents[node]
        n += 1
    ways.counts[N_POINTS] = n
    node = GOAL
    for i in range(n - 1, -1, -1):
        ways.points[2 * i], ways.points[2 * i + 1] = ways.x[node], ways.y[node]
        node = ways.parents[node]


@inline
def smooth_points(walls, ways, r):
    """Join each path point to the farthest point in reach."""
    n, here = ways.counts[N_POINTS], 0
    points, kept = ways.points, 1
    while here < n - 1:
        there = n - 1
        while there > here + 1:
            if (
                find_near_wall(
                    walls,
                    points[2 * here],
                    points[2 * here + 1],
                    points[2 * there],
                    points[2 * there + 1],
                    r - WALL_SLACK,
                    0,
                )
                == NONE
            ):
                break
            there -= 1
        points[2 * kept] = points[2 * there]
        points[2 * kept + 1] = points[2 * there + 1]
        kept += 1
        here = there
    ways.counts[N_POINTS] = kept


@njit
def finish_path(walls, ways, r):
    """Smooth the path. Returns its length, or NO_PATH."""
    if ways.costs[GOAL] == UNREACHED:
        return float(NO_PATH)
    write_points(ways)
    smooth_points(walls, ways, r)
    points, length = ways.points, 0.0
    for i in range(ways.counts[N_POINTS] - 1):
        dx, dy = points[2 * i + 2] - points[2 * i], points[2 * i + 3] - points[2 * i + 1]
        length += math.sqrt(dx * dx + dy * dy)
    return length
