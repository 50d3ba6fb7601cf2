"""A triangulation of points and segments that changes: its state, and how to find one's way in it.

Triangles are three half-edges, counterclockwise; a half-edge is a number 4 t + i, i < 3, of triangle t. Round
the convex hull lie triangles with the vertex GHOST, so that each half-edge has a twin, and one rule
serves inside and outside: the circle of a ghost triangle is the half-plane beyond its edge. Points on one
line have ghost triangles on both sides of it, and no others; a single point has none at all.

Segments are constraints: what they cross is split. Whoever inserts one owns it, and an edge knows all its owners,
so that it is a constraint until the last one goes. A vertex goes with the last segment that ends
there, unless two segments cross in it (M. Kallmann, H. Bieri, D. Thalmann, "Fully Dynamic Constrained
Delaunay Triangulations", 2003).

    x, y       int64[V]   vertices; vertex 0 is the ghost, which lies nowhere
    starts     int64[V]   a half-edge that begins there; NONE without triangles
    uses       int64[V]   ends of segments there; FREE for a vertex that is none, `starts` is the next such
    corners    int64[4 T] where a half-edge begins; FREE in the first of a triangle that is none
    twins      int64[4 T] the same edge from the other side; of a triangle that is none: the next such
    owners     int64[4 T] the first cell of an edge's owners, 0 for no constraint
    cells      int64[2 C] (segment, next cell) pairs
    ends       int64[2 S] the vertices in which a segment begins and ends
    following  int64[S]   the next segment of a chain, or the next unused one
    marks      int64[4 T] 1 for half-edges on the stack
    stack      int64[4 T] half-edges to be looked at
    queue      int64[Q]   edges to be flipped away, as pairs of vertices
    pieces     int64[P]   pieces of segments to be inserted: (from, to, owner)
    touched    int64[V]   vertices that may have to go
    buckets    int64[B]   by square of a grid: a vertex in it that was inserted last, 0 for none
    rng        int64[1]
    counts     int64[N_COUNTS]
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, kernel, njit
from shared.core.rng import seed_rng

GHOST = 0
NONE = -1
FREE = -2
# Beyond the last one of each kind, the first unused one before that, how many there are; the half-edge at
# which a walk begins; the grid of buckets.
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
    cells: Ints
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
    """An empty triangulation with room for so many points and as many segments, those of crossings
    included.

    box: x and y from, x and y to, of most of the points; it speeds up finding them, no more.
    """
    n = n_points + 2
    left, bottom, right, top = box
    size = max(right - left, top - bottom, 1)
    shift = 0
    # About one vertex a square
    while (size >> shift) ** 2 > 2 * n and size >> shift > 1:
        shift += 1
    columns = (size >> shift) + 1
    sizes = [n] * 4 + [8 * n] * 4 + [2 * n, n] + [8 * n] * 3 + [12 * n, n, columns**2, 1, N_COUNTS]
    mesh = Mesh(*map(int_buffer, sizes))
    mesh.counts[COLUMNS], mesh.counts[BUCKET_SHIFT] = columns, shift
    mesh.counts[LEFT], mesh.counts[BOTTOM] = left, bottom
    clear_mesh(mesh)
    seed_rng(mesh.rng, 1)
    return mesh


@kernel
def clear_mesh(mesh: Mesh) -> None:
    """Take everything out."""
    for i in range(COLUMNS):
        mesh.counts[i] = 0
    mesh.counts[VERTEX_END] = 1
    mesh.counts[FREE_VERTEX] = mesh.counts[FREE_TRIANGLE] = mesh.starts[GHOST] = NONE
    # Unused ones lead to the next; cell 0 is the end of each list.
    n = len(mesh.following)
    for i in range(1, 4 * n - 1):
        mesh.cells[2 * i + 1] = i + 1
    mesh.cells[8 * n - 1] = 0
    mesh.counts[FREE_CELL] = 1
    for i in range(n):
        mesh.following[i] = i + 1 if i + 1 < n else NONE
    for i in range(len(mesh.buckets)):
        mesh.buckets[i] = 0


@inline
def next_edge(e):
    """The next half-edge of the triangle."""
    return e - 2 if e & 3 == 2 else e + 1


@inline
def previous_edge(e):
    """The last half-edge of the triangle."""
    return e + 2 if e & 3 == 0 else e - 1


@inline
def is_ghost(mesh, e):
    """Whether a half-edge's triangle has the ghost as a corner."""
    t = e & ~3
    return mesh.corners[t] == GHOST or mesh.corners[t + 1] == GHOST or mesh.corners[t + 2] == GHOST


@inline
def next_around(mesh, e):
    """The next half-edge from the same vertex, counterclockwise."""
    return mesh.twins[previous_edge(e)]


@njit
def find_edge(mesh, v, w):
    """The half-edge v -> w, NONE if there is no such edge."""
    first = mesh.starts[v]
    e = first
    while mesh.corners[next_edge(e)] != w:
        e = next_around(mesh, e)
        if e == first:
            return NONE
    return e


@inline
def link_twins(mesh, e, f):
    """Make two half-edges the sides of one edge."""
    mesh.twins[e] = f
    mesh.twins[f] = e


@njit
def new_triangle(mesh, a, b, c):
    """The first half-edge of a new triangle; its twins are to be set."""
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
    """Give a triangle up."""
    t &= ~3
    mesh.corners[t] = FREE
    mesh.twins[t] = mesh.counts[FREE_TRIANGLE]
    mesh.counts[FREE_TRIANGLE] = t
    mesh.counts[N_TRIANGLES] -= 1


@inline
def bucket_at(mesh, x, y):
    """Which bucket a place belongs to."""
    last = mesh.counts[COLUMNS] - 1
    shift = mesh.counts[BUCKET_SHIFT]
    column = min(max((x - mesh.counts[LEFT]) >> shift, 0), last)
    row = min(max((y - mesh.counts[BOTTOM]) >> shift, 0), last)
    return row * (last + 1) + column


@njit
def new_vertex(mesh, x, y):
    """A new vertex, with no triangle yet; NONE if there is no room."""
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
    """Give a vertex up that has no triangle any more."""
    bucket = bucket_at(mesh, mesh.x[v], mesh.y[v])
    if mesh.buckets[bucket] == v:
        mesh.buckets[bucket] = 0
    mesh.uses[v] = FREE
    mesh.starts[v] = mesh.counts[FREE_VERTEX]
    mesh.counts[FREE_VERTEX] = v
    mesh.counts[N_VERTICES] -= 1
