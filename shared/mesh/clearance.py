"""Whether a disc has room on a path, exactly: it is compared with all constraints near it.

The triangles are looked through from where the path begins, over edges that are no constraints and no
farther from it than the disc's radius, so that nothing else is touched.
"""

from shared.core.jit import inline, njit
from shared.mesh.paths import LOOK
from shared.mesh.triangles import NONE, after, around, before, is_ghostly
from shared.mesh.walls import apart2, is_near

# Rounding moves tangents and arcs by less.
SLACK = 1e-6


@inline
def ends_of(mesh, e):
    """Where a half-edge begins and ends: x, y, x, y."""
    a, b = mesh.corners[e], mesh.corners[after(e)]
    return float(mesh.x[a]), float(mesh.y[a]), float(mesh.x[b]), float(mesh.y[b])


@inline
def look_at(mesh, search, n, e):
    """Put a half-edge's triangle on the stack of n, unless it was there; how many it has then."""
    if search.stamps[e >> 2] != search.counts[LOOK] and not is_ghostly(mesh, e):
        search.stamps[e >> 2] = search.counts[LOOK]
        search.stack[n] = e & ~3
        n += 1
    return n


@njit
def look_round(mesh, search, e):
    """Begin to look round the vertex in which a half-edge begins; how many triangles are on the stack."""
    search.counts[LOOK] += 1
    n, f = 0, e
    while True:
        n = look_at(mesh, search, n, f)
        f = around(mesh, f)
        if f == e:
            return n


@njit
def hit_on_line(mesh, search, e, px, py, qx, qy, r):
    """A constraint nearer than r to segment pq, NONE if there is none; p lies round the beginning of e
    or in its triangle.
    """
    n = look_round(mesh, search, e)
    while n > 0:
        n -= 1
        t = search.stack[n]
        for g in range(t, t + 3):
            ax, ay, bx, by = ends_of(mesh, g)
            if is_near(ax, ay, bx, by, px, py, qx, qy, r):
                if mesh.owners[g] != 0:
                    return g
                n = look_at(mesh, search, n, mesh.twins[g])
    return NONE


@njit
def hit_on_arc(mesh, search, v, r, side, from_x, from_y, to_x, to_y):
    """A constraint nearer than r to an arc about v from a unit normal to another, counterclockwise for
    side 1, less than a half turn; NONE if there is none. Both its ends are free.
    """
    # So what is nearer to the arc is nearest to v in the arc's directions.
    x, y = float(mesh.x[v]), float(mesh.y[v])
    n = look_round(mesh, search, mesh.starts[v])
    reach2 = 4.0 * r * r
    while n > 0:
        n -= 1
        t = search.stack[n]
        for g in range(t, t + 3):
            ax, ay, bx, by = ends_of(mesh, g)
            if apart2(x, y, ax, ay, bx, by) >= reach2:
                continue
            if mesh.owners[g] == 0:
                n = look_at(mesh, search, n, mesh.twins[g])
            elif mesh.corners[g] != v and mesh.corners[after(g)] != v:
                dx, dy = bx - ax, by - ay
                part = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
                part = min(1.0, max(0.0, part))
                dx, dy = ax + part * dx - x, ay + part * dy - y
                if (
                    side * (from_x * dy - from_y * dx) >= 0.0
                    and side * (dx * to_y - dy * to_x) >= 0.0
                    and (from_x + to_x) * dx + (from_y + to_y) * dy > 0.0
                ):
                    return g
    return NONE


@njit
def is_wide(mesh, search, e, diameter):
    """Whether a disc fits between the far corner of a half-edge's triangle and what is beyond the edge."""
    # If both ends of the edge are far enough, what is nearer beyond it is not to the side.
    c = mesh.corners[before(e)]
    x, y = float(mesh.x[c]), float(mesh.y[c])
    least2 = diameter * diameter
    search.counts[LOOK] += 1
    search.stack[0] = e
    n = 1
    while n > 0:
        n -= 1
        g = search.stack[n]
        ax, ay, bx, by = ends_of(mesh, g)
        is_short = apart2(x, y, ax, ay, ax, ay) < least2 or apart2(x, y, bx, by, bx, by) < least2
        if g == e and is_short:
            return False
        if apart2(x, y, ax, ay, bx, by) < least2:
            if mesh.owners[g] != 0:
                return False
            f = mesh.twins[g]
            if search.stamps[f >> 2] != search.counts[LOOK] and not is_ghostly(mesh, f):
                search.stamps[f >> 2] = search.counts[LOOK]
                search.stack[n] = after(f)
                search.stack[n + 1] = before(f)
                n += 2
    return True
