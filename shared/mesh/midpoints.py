"""Paths through the midpoints of a triangulation's edges: the naive search of M. Buro's lectures
on planning in games.

The search measures distances between edges at their midpoints, and visits each edge once: it is
fast and about right, but its paths are not optimal, neither before smoothing (`waypoints.py`) nor
after.
"""

from ..core.jit import inline, kernel
from ..mesh.geometry import NONE
from ..mesh.location import locate
from ..mesh.triangulation import TRIANGLE_END, Mesh, after, is_ghost
from ..mesh.walls import Walls
from ..mesh.waypoints import (
    FIRST,
    GOAL,
    START,
    Waypoints,
    begin_waypoints,
    finish_path,
    new_waypoints,
    relax_step,
)
from ..path.open_lists import Heap, heap_is_empty, heap_pop
from ..path.statuses import NO_PATH


def new_midpoints(mesh: Mesh) -> tuple[Waypoints, Heap]:
    """Returns buffers for a triangulation; an edge's lower half-edge is its waypoint's number."""
    return new_waypoints(len(mesh.corners))


@inline
def is_crossable(mesh, e):
    """Returns True if paths may cross an edge."""
    return mesh.owners[e] == 0 and not is_ghost(mesh, e) and not is_ghost(mesh, mesh.twins[e])


@inline
def set_midpoints(mesh, ways):
    """Put a waypoint into the middle of each crossable edge."""
    for t in range(0, mesh.counts[TRIANGLE_END], 4):
        if mesh.corners[t] >= 0:
            for e in range(t, t + 3):
                if e < mesh.twins[e] and is_crossable(mesh, e):
                    v, w = mesh.corners[e], mesh.corners[after(e)]
                    ways.x[FIRST + e] = 0.5 * (mesh.x[v] + mesh.x[w])
                    ways.y[FIRST + e] = 0.5 * (mesh.y[v] + mesh.y[w])


@kernel
def find(
    mesh: Mesh,
    walls: Walls,
    ways: Waypoints,
    queue: Heap,
    r: float,
    start_x: int,
    start_y: int,
    goal_x: int,
    goal_y: int,
) -> float:
    """Returns the length of a path that keeps r > 0 from all walls, NO_PATH if none was found;
    `ways` has its points.

    walls: the constraints of the mesh.
    """
    set_midpoints(mesh, ways)
    begin_waypoints(
        ways,
        queue,
        FIRST + mesh.counts[TRIANGLE_END],
        float(start_x),
        float(start_y),
        float(goal_x),
        float(goal_y),
    )
    here, there = locate(mesh, start_x, start_y), locate(mesh, goal_x, goal_y)
    if here == NONE or there == NONE:
        return float(NO_PATH)
    node = START
    while node != GOAL:
        for side in range(2):
            if node == START:
                t = here & ~3
            else:
                t = (node - FIRST if side == 0 else mesh.twins[node - FIRST]) & ~3
            if t == there & ~3:
                relax_step(walls, ways, queue, GOAL, node, r)
            for e in range(t, t + 3):
                if is_crossable(mesh, e):
                    relax_step(walls, ways, queue, FIRST + min(e, mesh.twins[e]), node, r)
        if heap_is_empty(queue):
            break
        node = heap_pop(queue)
    return finish_path(walls, ways, r)
