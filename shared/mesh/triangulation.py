"""A constrained Delaunay triangulation that changes: its state, the moves along its half-edges,
and flips.

Triangles have three half-edges, counterclockwise; half-edge 4 t + i, i < 3, belongs to triangle t.
Around the convex hull lie triangles with the vertex GHOST, so that each half-edge has a twin, and
one rule serves inside and outside: the circle of a ghost triangle is the half-plane beyond its
edge. Collinear points have ghost triangles on both sides of their line, and no others; a single
point has none.

An edge that is no constraint is illegal if the circle of one of its triangles contains the far
corner of the other. Each flip of an illegal edge makes the circles smaller. A triangulation
without illegal edges is the constrained Delaunay one (C. Lawson, "Software for C1 Surface
Interpolation", 1977).

Segments are constraints, split at their crossings. An edge knows its owners, all the segments
along it, and stays a constraint until the last one goes. A vertex goes with the last segment that
ends there, unless two segments cross in it (M. Kallmann, H. Bieri, D. Thalmann, "Fully Dynamic
Constrained Delaunay Triangulations", 2003). `constraints.py` inserts and removes them.

    x, y       int64[V]   vertices; vertex 0 is the ghost, which has no place.
    starts     int64[V]   a half-edge that begins there; NONE without triangles.
    uses       int64[V]   ends of segments there; FREE for an unused vertex, `starts` is the next.
    corners    int64[4 T] the origin of a half-edge; FREE in the first one of an unused triangle.
    twins      int64[4 T] the same edge from the other side; the next unused triangle.
    owners     int64[4 T] the first cell of the list of an edge's owners, 0 for no constraint.
    list_segments, list_next  int64[C]  of a cell of such a list: the segment, the next cell.
    ends       int64[2 S] the vertices at both ends of a segment.
    following  int64[S]   the next segment of a chain, or the next unused one.
    marks      int64[4 T] 1 for half-edges on the stack.
    stack      int64[4 T] half-edges to be checked.
    queue      int64[Q]   edges to be flipped away, as pairs of vertices.
    pieces     int64[P]   pieces of segments to be inserted: (from, to, owner).
    touched    int64[V]   vertices to be checked for removal.
    buckets    int64[B]   of each square of a grid: the vertex inserted there last, or 0.
    rng        int64[1].
    counts     int64[N_COUNTS]  of vertices and of triangles: the end of those ever used, the first
                                unused one, their number; the first unused cell and segment; ...
"""

from typing import NamedTuple

from ..core.jit import Ints, inline, int_buffer, kernel, njit, unsigned
from ..core.rng import seed_rng
from ..mesh.geometry import NONE
from ..mesh.predicates import incircle, orient

GHOST = 0
FREE = -2
VERTEX_END, FREE_VERTEX, N_VERTICES, TRIANGLE_END, FREE_TRIANGLE, N_TRIANGLES = range(6)
FREE_CELL, FREE_SEGMENT, N_STACK, N_TOUCHED, N_FLIPS, N_STEPS, IS_FULL = range(6, 13)
COLUMNS, BUCKET_SHIFT, LEFT, BOTTOM, N_COUNTS = range(13, 18)


class Mesh(NamedTuple):
    """A triangulation; see the module's docstring."""

    x: Ints
    y: Ints
    starts: Ints
    uses: Ints
    corners: Ints
    twins: Ints
    owners: Ints
    list_segments: Ints
    list_next: Ints
    ends: Ints
    following: Ints
    marks: Ints
    stack: Ints
    queue: Ints
    pieces: Ints
    touched: Ints
    buckets: Ints
    rng: Ints
    counts: Ints


def new_mesh(n_points: int, box: tuple[int, int, int, int] = (0, 0, 10_000, 10_000)) -> Mesh:
    """Returns an empty triangulation with room for `n_points` points, crossings included, and as
    many segments.

    box: left, bottom, right, top of most points: it speeds up point location.
    """
    n = n_points + 2
    left, bottom, right, top = box
    size = max(right - left, top - bottom, 1)
    shift = 0
    # About one vertex per square
    while (size >> shift) ** 2 > 2 * n and size >> shift > 1:
        shift += 1
    columns = (size >> shift) + 1
    sizes = (
        [n] * 4
        + [8 * n] * 3
        + [4 * n] * 2
        + [2 * n, n]
        + [8 * n] * 3
        + [12 * n, n, columns**2, 1, N_COUNTS]
    )
    mesh = Mesh(*map(int_buffer, sizes))
    mesh.counts[COLUMNS], mesh.counts[BUCKET_SHIFT] = columns, shift
    mesh.counts[LEFT], mesh.counts[BOTTOM] = left, bottom
    clear_mesh(mesh)
    seed_rng(mesh.rng, 1)
    return mesh


@kernel
def clear_mesh(mesh: Mesh) -> None:
    """Remove everything."""
    for i in range(COLUMNS):
        mesh.counts[i] = 0
    mesh.counts[VERTEX_END] = 1
    mesh.counts[FREE_VERTEX] = mesh.counts[FREE_TRIANGLE] = mesh.starts[GHOST] = NONE
    # Each unused cell leads to the next; cell 0 ends each list.
    n = len(mesh.following)
    for i in range(1, 4 * n - 1):
        mesh.list_next[i] = i + 1
    mesh.list_next[4 * n - 1] = 0
    mesh.counts[FREE_CELL] = 1
    for i in range(n):
        mesh.following[i] = i + 1 if i + 1 < n else NONE
    for i in range(len(mesh.buckets)):
        mesh.buckets[i] = 0


@inline
def after(e):
    """Returns the next half-edge of the triangle."""
    return e - 2 if e & 3 == 2 else e + 1


@inline
def before(e):
    """Returns the previous half-edge of the triangle."""
    return e + 2 if e & 3 == 0 else e - 1


@inline
def is_ghost(mesh, e):
    """Returns True if a half-edge's triangle has the ghost."""
    t = unsigned(e & ~3)
    return mesh.corners[t] == GHOST or mesh.corners[t + 1] == GHOST or mesh.corners[t + 2] == GHOST


@inline
def around(mesh, e):
    """Returns the next half-edge from the same vertex, counterclockwise."""
    return mesh.twins[unsigned(before(e))]


@njit
def find_edge(mesh, v, w):
    """Returns the half-edge v -> w, NONE without one."""
    first = mesh.starts[v]
    e = first
    while mesh.corners[after(e)] != w:
        e = around(mesh, e)
        if e == first:
            return NONE
    return e


@njit
def is_corner(mesh, v):
    """Returns True for a vertex with constraints: a path may bend there."""
    first = e = mesh.starts[unsigned(v)]
    while mesh.owners[unsigned(e)] == 0:
        e = around(mesh, e)
        if e == first:
            return False
    return True


@inline
def link(mesh, e, f):
    """Make two half-edges the sides of one edge."""
    mesh.twins[e] = f
    mesh.twins[f] = e


@njit
def new_triangle(mesh, a, b, c):
    """Returns the first half-edge of a new triangle; its twins are to be set."""
    t = mesh.counts[FREE_TRIANGLE]
    if t == NONE:
        t = mesh.counts[TRIANGLE_END]
        mesh.counts[TRIANGLE_END] = t + 4
    else:
        mesh.counts[FREE_TRIANGLE] = mesh.twins[t]
    mesh.counts[N_TRIANGLES] += 1
    mesh.corners[t] = a
    mesh.corners[t + 1] = b
    mesh.corners[t + 2] = c
    for i in range(3):
        mesh.owners[t + i] = 0
    return t


@njit
def free_triangle(mesh, t):
    """Release a triangle for reuse."""
    t &= ~3
    mesh.corners[t] = FREE
    mesh.twins[t] = mesh.counts[FREE_TRIANGLE]
    mesh.counts[FREE_TRIANGLE] = t
    mesh.counts[N_TRIANGLES] -= 1


@inline
def bucket_at(mesh, x, y):
    """Returns the bucket of a point."""
    last = mesh.counts[COLUMNS] - 1
    shift = mesh.counts[BUCKET_SHIFT]
    column = min(max((x - mesh.counts[LEFT]) >> shift, 0), last)
    row = min(max((y - mesh.counts[BOTTOM]) >> shift, 0), last)
    return row * (last + 1) + column


@njit
def new_vertex(mesh, x, y):
    """Returns a new vertex without a triangle, NONE without room."""
    v = mesh.counts[FREE_VERTEX]
    if v == NONE:
        v = mesh.counts[VERTEX_END]
        if v >= len(mesh.x):
            mesh.counts[IS_FULL] = 1
            return NONE
        mesh.counts[VERTEX_END] = v + 1
    else:
        mesh.counts[FREE_VERTEX] = mesh.starts[v]
    mesh.counts[N_VERTICES] += 1
    mesh.x[v] = x
    mesh.y[v] = y
    mesh.starts[v] = NONE
    mesh.uses[v] = 0
    mesh.buckets[bucket_at(mesh, x, y)] = v
    return v


@njit
def free_vertex(mesh, v):
    """Release a vertex that has no triangle any more."""
    bucket = bucket_at(mesh, mesh.x[v], mesh.y[v])
    if mesh.buckets[bucket] == v:
        mesh.buckets[bucket] = 0
    mesh.uses[v] = FREE
    mesh.starts[v] = mesh.counts[FREE_VERTEX]
    mesh.counts[FREE_VERTEX] = v
    mesh.counts[N_VERTICES] -= 1


@inline
def orient_at(mesh, a, b, c):
    """Returns `orient` of vertices."""
    return orient(mesh.x[a], mesh.y[a], mesh.x[b], mesh.y[b], mesh.x[c], mesh.y[c])


@njit
def flip_edge(mesh, e):
    """Replace edge a -> b between the far corners c and d by d -> c: triangles c, a, d and d, b, c.

    c -> a and d -> b stay; e becomes a -> d, its twin b -> c.
    """
    f = mesh.twins[e]
    e1, f1 = after(e), after(f)
    mesh.corners[e1] = mesh.corners[before(f)]
    mesh.corners[f1] = mesh.corners[before(e)]
    link(mesh, f, mesh.twins[e1])
    mesh.owners[f] = mesh.owners[e1]
    link(mesh, e, mesh.twins[f1])
    mesh.owners[e] = mesh.owners[f1]
    link(mesh, e1, f1)
    mesh.owners[e1] = mesh.owners[f1] = 0
    mesh.starts[mesh.corners[e]] = e
    mesh.starts[mesh.corners[f]] = f
    mesh.starts[mesh.corners[e1]] = e1
    mesh.starts[mesh.corners[f1]] = f1
    mesh.counts[N_FLIPS] += 1


@njit
def is_illegal(mesh, e):
    """Returns True if an edge is illegal."""
    if mesh.owners[e] != 0:
        return False
    f = mesh.twins[e]
    a, b = mesh.corners[e], mesh.corners[f]
    c, d = mesh.corners[before(e)], mesh.corners[before(f)]
    if a == GHOST:
        return c != GHOST and d != GHOST and orient_at(mesh, b, c, d) > 0
    if b == GHOST:
        return c != GHOST and d != GHOST and orient_at(mesh, c, a, d) > 0
    if c == GHOST or d == GHOST:
        return False
    x, y = mesh.x, mesh.y
    return incircle(x[a], y[a], x[b], y[b], x[c], y[c], x[d], y[d]) > 0


@inline
def stack_edge(mesh, e):
    """Push an edge to be checked."""
    if mesh.marks[e] == 0:
        mesh.marks[e] = 1
        n = mesh.counts[N_STACK]
        mesh.stack[n] = e
        mesh.counts[N_STACK] = n + 1


@inline
def stack_edges(mesh, e):
    """Push the edges of a triangle to be checked."""
    stack_edge(mesh, e)
    stack_edge(mesh, after(e))
    stack_edge(mesh, before(e))


@njit
def legalise(mesh):
    """Flip illegal edges from the stack, and edges that become illegal."""
    while mesh.counts[N_STACK] > 0:
        n = mesh.counts[N_STACK] - 1
        mesh.counts[N_STACK] = n
        e = mesh.stack[n]
        mesh.marks[e] = 0
        # The triangle may have been freed.
        if mesh.corners[e & ~3] >= 0 and is_illegal(mesh, e):
            f = mesh.twins[e]
            flip_edge(mesh, e)
            stack_edge(mesh, e)
            stack_edge(mesh, before(e))
            stack_edge(mesh, f)
            stack_edge(mesh, before(f))


@njit
def legalise_star(mesh):
    """Legalise after an insertion, with the edges opposite the vertex on the stack: no others can
    be illegal.
    """
    while mesh.counts[N_STACK] > 0:
        n = mesh.counts[N_STACK] - 1
        e = mesh.stack[n]
        if is_illegal(mesh, e):
            f = before(mesh.twins[e])
            flip_edge(mesh, e)
            mesh.stack[n + 1] = f
            mesh.counts[N_STACK] = n + 2
        else:
            mesh.counts[N_STACK] = n


@njit
def split_triangle(mesh, e, v):
    """Insert a vertex into a triangle, and stack its edges."""
    e1, e2 = after(e), before(e)
    a, b, c = mesh.corners[e], mesh.corners[e1], mesh.corners[e2]
    t, u = new_triangle(mesh, b, c, v), new_triangle(mesh, c, a, v)
    mesh.corners[e2] = v
    link(mesh, t, mesh.twins[e1])
    mesh.owners[t] = mesh.owners[e1]
    link(mesh, u, mesh.twins[e2])
    mesh.owners[u] = mesh.owners[e2]
    mesh.owners[e1] = mesh.owners[e2] = 0
    link(mesh, e1, t + 2)
    link(mesh, t + 1, u + 2)
    link(mesh, u + 1, e2)
    mesh.starts[a] = e
    mesh.starts[b] = t
    mesh.starts[c] = u
    mesh.starts[v] = e2
    n = mesh.counts[N_STACK]
    mesh.stack[n] = e
    mesh.stack[n + 1] = t
    mesh.stack[n + 2] = u
    mesh.counts[N_STACK] = n + 3


@njit
def collapse_edge(mesh, e):
    """Move the origin of an edge into its end, and remove both triangles."""
    f = mesh.twins[e]
    v, u = mesh.corners[e], mesh.corners[f]
    g = e
    while True:
        mesh.corners[g] = u
        g = mesh.twins[before(g)]
        if g == e:
            break
    mesh.starts[v] = -1
    for k in range(2):
        g = e if k == 0 else f
        kept, moved = mesh.twins[after(g)], mesh.twins[before(g)]
        if k == 1:
            kept, moved = moved, kept
        mesh.owners[moved] = mesh.owners[kept]
        link(mesh, kept, moved)
    for k in range(4):
        g = mesh.twins[
            (after(e) if k == 0 else before(e) if k == 1 else after(f) if k == 2 else before(f))
        ]
        if g & ~3 != e & ~3 and g & ~3 != f & ~3:
            mesh.starts[mesh.corners[g]] = g
            h = mesh.twins[g]
            mesh.starts[mesh.corners[h]] = h
    free_triangle(mesh, e)
    free_triangle(mesh, f)
