"""Whether a disc has room on a path, exactly: it is compared with all constraints near it.

The triangles are looked through from where the path begins, over edges that are no constraints and no
farther from it than the disc's radius, so that nothing else is touched.
"""

from shared.core.jit import inline, njit
from shared.mesh.paths import VISIT
from shared.mesh.triangles import NONE, is_ghost, next_around, next_edge, previous_edge
from shared.mesh.walls import segment_distance2

# Rounding moves tangents and arcs by less.
DISC_SLACK = 1e-6


@inline
def edge_ends(mesh, e):
    """Where a half-edge begins and ends: x, y, x, y."""
    a, b = mesh.corners[e], mesh.corners[next_edge(e)]
    return float(mesh.x[a]), float(mesh.y[a]), float(mesh.x[b]), float(mesh.y[b])


@inline
def stack_beyond(mesh, search, n, e):
    """Put the two other edges of a half-edge's triangle on the stack of n, unless it was entered before or is
    outside of all; how many there are then.
    """
    if search.stamps[e >> 2] != search.counts[VISIT] and not is_ghost(mesh, e):
        search.stamps[e >> 2] = search.counts[VISIT]
        search.stack[n], search.stack[n + 1] = next_edge(e), previous_edge(e)
        n += 2
    return n


@njit
def begin_around(mesh, search, e):
    """Begin to look round the vertex in which a half-edge begins: its triangles' edges are put on the stack,
    those that end in it only if they are constraints; how many there are.
    """
    search.counts[VISIT] += 1
    n, f = 0, e
    while True:
        search.stamps[f >> 2] = search.counts[VISIT]
        if not is_ghost(mesh, f):
            search.stack[n] = next_edge(f)
            n += 1
        if mesh.owners[f] != 0:
            search.stack[n] = f
            n += 1
        f = next_around(mesh, f)
        if f == e:
            return n


@njit
def find_blocker(mesh, search, e, x, y, ux, uy, long, r):
    """A constraint nearer than r to a line from (x, y) in direction u, NONE if there is none; it begins round
    the beginning of e or in its triangle.
    """
    n = begin_around(mesh, search, e)
    while n > 0:
        n -= 1
        g = search.stack[n]
        ax, ay, bx, by = edge_ends(mesh, g)
        # How far both ends are along the line and to its left
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
        # Through the strip beside the line, or near one of its ends
        half, dx, dy = 0.5 * long, b - a, left_b - left_a
        if (
            min(a, b) < long
            and max(a, b) > 0.0
            and abs(dy * (half - a) + dx * left_a) < abs(dy) * half + abs(dx) * r
            or segment_distance2(0.0, 0.0, a, left_a, b, left_b) < r * r
            or segment_distance2(long, 0.0, a, left_a, b, left_b) < r * r
        ):
            return g
    return NONE


@njit
def is_arc_clear(mesh, search, v, r, from_x, from_y, to_x, to_y):
    """Whether no constraint is nearer than r to an arc about v, counterclockwise from a unit normal to another by
    less than a half turn. Both its ends are free.
    """
    # So what is nearer to the arc is nearest to v in the arc's directions.
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
            or mesh.corners[g] == v
            or mesh.corners[next_edge(g)] == v
        ):
            continue
        dx, dy = bx - ax, by - ay
        part = min(1.0, max(0.0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)))
        dx, dy = ax + part * dx, ay + part * dy
        if dx * dx + dy * dy >= 4.0 * r * r:
            continue
        if mesh.owners[g] == 0:
            n = stack_beyond(mesh, search, n, mesh.twins[g])
        elif (
            from_x * dy - from_y * dx >= 0.0
            and dx * to_y - dy * to_x >= 0.0
            and (from_x + to_x) * dx + (from_y + to_y) * dy > 0.0
        ):
            return False
    return True


@njit
def is_wide(mesh, search, e, diameter):
    """Whether a disc fits between the far corner of a half-edge's triangle and what is beyond the edge."""
    # If both ends of the edge are far enough, what is nearer beyond it is not to the side.
    c = mesh.corners[previous_edge(e)]
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
