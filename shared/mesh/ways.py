"""What TA* and TRA* found, as a polyline."""

from shared.core.jit import Floats, kernel
from shared.mesh.arcs import step_within, write_arc
from shared.mesh.funnel import RADIUS, Funnels, arc_length
from shared.mesh.ta_star import BEST_BEND, Search
from shared.mesh.triangles import NONE, Mesh


@kernel
def write_way(mesh: Mesh, funnels: Funnels, search: Search, error: float, points: Floats) -> int:
    """Write the inner points of a polyline along the best path, longer than it by at most `error`, or
    by as little as there is room for. Returns how many; NONE where there is no path, or no room for all
    its bends.
    """
    if search.counts[BEST_BEND] == NONE:
        return NONE
    r, radians, n_bends = funnels.place[RADIUS], 0.0, 0
    last = search.counts[BEST_BEND]
    bend = funnels.previous[last]
    while bend > 0:
        ux, uy, wx, wy = funnels.ux[bend], funnels.uy[bend], funnels.ux[last], funnels.uy[last]
        radians += arc_length(1.0, funnels.sides[bend], ux, uy, wx, wy)
        n_bends += 1
        last, bend = bend, funnels.previous[bend]
    room = len(points) >> 1
    if n_bends > room:
        return NONE
    step = step_within(r, radians, error) if radians > 0.0 else 1.0
    if radians / step + n_bends > room:
        if n_bends == room:
            return NONE
        step = radians / (room - n_bends)
    # From the goal to the start, then the other way round
    n, last = 0, search.counts[BEST_BEND]
    bend = funnels.previous[last]
    while bend > 0:
        side = funnels.sides[bend]
        ux, uy, wx, wy = funnels.ux[bend], funnels.uy[bend], funnels.ux[last], funnels.uy[last]
        turn = side * arc_length(1.0, side, ux, uy, wx, wy)
        v = funnels.vertices[bend]
        x, y = float(mesh.x[v]), float(mesh.y[v])
        n = write_arc(points, n, x, y, r, side * wy, -side * wx, -turn, step)
        last, bend = bend, funnels.previous[bend]
    for i in range(n >> 1):
        for k in range(2):
            point = points[2 * i + k]
            points[2 * i + k] = points[2 * (n - 1 - i) + k]
            points[2 * (n - 1 - i) + k] = point
    return n
