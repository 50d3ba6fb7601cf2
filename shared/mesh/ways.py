"""What TA* and TRA* found, as a polyline: longer than the path by at most a given error, or by as little as there
is room for.
"""

from shared.core.jit import Floats, kernel
from shared.mesh.arcs import arc_step, write_arc
from shared.mesh.paths import BEST_TURN, RADIUS, FunnelSearch
from shared.mesh.triangles import NONE, Mesh
from shared.mesh.turns import arc_length


@kernel
def write_path(mesh: Mesh, search: FunnelSearch, error: float, points: Floats) -> int:
    """Write the inner points of a polyline along the best path. Returns how many; NONE where there is no
    path, or no room for all its turns.
    """
    if search.counts[BEST_TURN] == NONE:
        return NONE
    r, radians, n_turns = search.place[RADIUS], 0.0, 0
    last = search.counts[BEST_TURN]
    turn = search.previous[last]
    while turn > 0:
        ux, uy, wx, wy = search.ux[turn], search.uy[turn], search.ux[last], search.uy[last]
        radians += arc_length(1.0, search.sides[turn], ux, uy, wx, wy)
        n_turns += 1
        last, turn = turn, search.previous[turn]
    room = len(points) >> 1
    if n_turns > room:
        return NONE
    step = arc_step(r, radians, error) if radians > 0.0 else 1.0
    if radians / step + n_turns > room:
        if n_turns == room:
            return NONE
        step = radians / (room - n_turns)
    # From the goal to the start, then the other way round
    n, last = 0, search.counts[BEST_TURN]
    turn = search.previous[last]
    while turn > 0:
        side = search.sides[turn]
        ux, uy, wx, wy = search.ux[turn], search.uy[turn], search.ux[last], search.uy[last]
        radians = side * arc_length(1.0, side, ux, uy, wx, wy)
        v = search.vertices[turn]
        x, y = float(mesh.x[v]), float(mesh.y[v])
        n = write_arc(points, n, x, y, r, side * wy, -side * wx, -radians, step)
        last, turn = turn, search.previous[turn]
    for i in range(n >> 1):
        for k in range(2):
            point = points[2 * i + k]
            points[2 * i + k] = points[2 * (n - 1 - i) + k]
            points[2 * (n - 1 - i) + k] = point
    return n
