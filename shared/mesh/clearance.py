"""Whether a disc has room on a path, exactly: it is compared with all constraints near it.

The triangles are looked through from where the path begins, over edges that are no constraints and no
farther from it than the disc's radius, so that nothing else is touched.

T triangles:

    stamps  int64[T]  the last time that a triangle was looked at
    stack   int64[T]  triangles that are still to be
    found   int64[V]  corners that were found
    counts  int64[1]  how often something was looked for
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, njit
from shared.mesh.predicates import orient
from shared.mesh.triangles import NONE, Mesh, after, around, before, is_ghostly
from shared.mesh.walls import apart2

# Rounding moves tangents and arcs by less.
SLACK = 1e-6


class Flood(NamedTuple):
    """What a look round needs; see the module's docstring."""

    stamps: Ints
    stack: Ints
    found: Ints
    counts: Ints


def new_flood(mesh: Mesh) -> Flood:
    """Buffers for the triangles of a mesh."""
    n = len(mesh.corners) // 4
    return Flood(int_buffer(n), int_buffer(n), int_buffer(len(mesh.x)), int_buffer(1))


@njit
def is_near(ax, ay, bx, by, px, py, qx, qy, r):
    """Whether segments ab and pq are nearer to each other than r."""
    if max(ax, bx) <= min(px, qx) - r or min(ax, bx) >= max(px, qx) + r:
        return False
    if max(ay, by) <= min(py, qy) - r or min(ay, by) >= max(py, qy) + r:
        return False
    side_a = (qx - px) * (ay - py) - (qy - py) * (ax - px)
    side_b = (qx - px) * (by - py) - (qy - py) * (bx - px)
    if side_a * side_b < 0.0:
        side_p = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        side_q = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
        if side_p * side_q < 0.0:
            return True
    r2 = r * r
    return (
        apart2(px, py, ax, ay, bx, by) < r2
        or apart2(qx, qy, ax, ay, bx, by) < r2
        or apart2(ax, ay, px, py, qx, qy) < r2
        or apart2(bx, by, px, py, qx, qy) < r2
    )


@inline
def look_at(mesh, flood, n, e):
    """Put a half-edge's triangle on the stack of n, unless it was there; how many it has then."""
    if flood.stamps[e >> 2] != flood.counts[0] and not is_ghostly(mesh, e):
        flood.stamps[e >> 2] = flood.counts[0]
        flood.stack[n] = e & ~3
        n += 1
    return n


@njit
def look_round(mesh, flood, e):
    """Begin to look round the vertex in which a half-edge begins; how many triangles are on the stack."""
    flood.counts[0] += 1
    n, f = 0, e
    while True:
        n = look_at(mesh, flood, n, f)
        f = around(mesh, f)
        if f == e:
            return n


@njit
def hit_on_line(mesh, flood, e, px, py, qx, qy, r):
    """A constraint nearer than r to segment pq, NONE if there is none; p lies round the beginning of e
    or in its triangle.
    """
    n = look_round(mesh, flood, e)
    while n > 0:
        n -= 1
        t = flood.stack[n]
        for g in range(t, t + 3):
            a, b = mesh.corners[g], mesh.corners[after(g)]
            ax, ay = float(mesh.x[a]), float(mesh.y[a])
            bx, by = float(mesh.x[b]), float(mesh.y[b])
            if is_near(ax, ay, bx, by, px, py, qx, qy, r):
                if mesh.owners[g] != 0:
                    return g
                n = look_at(mesh, flood, n, mesh.twins[g])
    return NONE


@njit
def hit_on_arc(mesh, flood, v, r, side, from_x, from_y, to_x, to_y):
    """A constraint nearer than r to an arc about vertex v between two unit normals, counterclockwise for
    side 1, clockwise for -1, less than a half turn; NONE if there is none.

    Both ends are free: so what is nearer to the arc is nearest to v in the arc's directions.
    """
    x, y = float(mesh.x[v]), float(mesh.y[v])
    n = look_round(mesh, flood, mesh.starts[v])
    reach2 = 4.0 * r * r
    while n > 0:
        n -= 1
        t = flood.stack[n]
        for g in range(t, t + 3):
            a, b = mesh.corners[g], mesh.corners[after(g)]
            ax, ay = float(mesh.x[a]), float(mesh.y[a])
            bx, by = float(mesh.x[b]), float(mesh.y[b])
            if apart2(x, y, ax, ay, bx, by) >= reach2:
                continue
            if mesh.owners[g] == 0:
                n = look_at(mesh, flood, n, mesh.twins[g])
            elif a != v and b != v:
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
def is_wide(mesh, flood, e, diameter):
    """Whether a disc fits between the far corner of a half-edge's triangle and what is beyond the edge.

    Nothing beyond it that is nearer lies to the side of the triangle, if both of the edge's ends are
    farther.
    """
    c = mesh.corners[before(e)]
    x, y = float(mesh.x[c]), float(mesh.y[c])
    least2 = diameter * diameter
    flood.counts[0] += 1
    flood.stack[0] = e
    n, is_first = 1, True
    while n > 0:
        n -= 1
        g = flood.stack[n]
        a, b = mesh.corners[g], mesh.corners[after(g)]
        ax, ay = float(mesh.x[a]), float(mesh.y[a])
        bx, by = float(mesh.x[b]), float(mesh.y[b])
        if is_first:
            is_first = False
            if (ax - x) * (ax - x) + (ay - y) * (ay - y) < least2:
                return False
            if (bx - x) * (bx - x) + (by - y) * (by - y) < least2:
                return False
        if apart2(x, y, ax, ay, bx, by) < least2:
            if mesh.owners[g] != 0:
                return False
            f = mesh.twins[g]
            if flood.stamps[f >> 2] != flood.counts[0] and not is_ghostly(mesh, f):
                flood.stamps[f >> 2] = flood.counts[0]
                flood.stack[n] = after(f)
                flood.stack[n + 1] = before(f)
                n += 2
    return True


@njit
def corners_beyond(mesh, flood, e, r, pivot_x, pivot_y, from_x, from_y, to_x, to_y, side):
    """Find the corners beyond an edge that keep a disc away from it, in the order in which a way comes past
    them that turns round the pivot, clockwise for side 1, from one place to another; how many.
    """
    flood.counts[0] += 1
    a, b = mesh.corners[e], mesh.corners[after(e)]
    ax, ay = float(mesh.x[a]), float(mesh.y[a])
    bx, by = float(mesh.x[b]), float(mesh.y[b])
    n, n_found = look_at(mesh, flood, 0, mesh.twins[e]), 0
    flood.stamps[e >> 2] = flood.counts[0]
    while n > 0:
        n -= 1
        t = flood.stack[n]
        for g in range(t, t + 3):
            v, w = mesh.corners[g], mesh.corners[after(g)]
            vx, vy = float(mesh.x[v]), float(mesh.y[v])
            wx, wy = float(mesh.x[w]), float(mesh.y[w])
            if not is_near(vx, vy, wx, wy, ax, ay, bx, by, r):
                continue
            if mesh.owners[g] == 0:
                n = look_at(mesh, flood, n, mesh.twins[g])
                continue
            for k in range(2):
                u, x, y = (v, vx, vy) if k == 0 else (w, wx, wy)
                if (
                    u == a
                    or u == b
                    or side * orient(pivot_x, pivot_y, from_x, from_y, x, y) >= 0
                    or side * orient(pivot_x, pivot_y, x, y, to_x, to_y) >= 0
                ):
                    continue
                i = n_found
                while i > 0:
                    last = flood.found[i - 1]
                    turn = side * orient(pivot_x, pivot_y, x, y, mesh.x[last], mesh.y[last])
                    if turn > 0 or u == last:
                        break
                    i -= 1
                if i > 0 and flood.found[i - 1] == u:
                    continue
                for j in range(n_found, i, -1):
                    flood.found[j] = flood.found[j - 1]
                flood.found[i] = u
                n_found += 1
    return n_found
