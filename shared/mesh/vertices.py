"""Points put into a triangulation, and taken out again.

Out: flips lead edges away from the vertex as long as what they leave is a triangle (O. Devillers, "On
Deletion in Delaunay Triangulations", 2002), then it is moved into a neighbour: any of the last three, or the
ghost where it lies on the hull.
"""

from shared.core.jit import njit
from shared.mesh.flips import (
    collapse_edge,
    flip_edge,
    legalise,
    legalise_star,
    orient_vertices,
    split_triangle,
    stack_edges,
)
from shared.mesh.locate import BEYOND, ON_EDGE, ON_VERTEX, locate_exactly
from shared.mesh.triangles import (
    FREE,
    FREE_CELL,
    GHOST,
    N_STACK,
    N_VERTICES,
    NONE,
    VERTEX_END,
    bucket_at,
    free_triangle,
    free_vertex,
    is_ghost,
    link_twins,
    new_triangle,
    new_vertex,
    next_around,
    next_edge,
    previous_edge,
)


@njit
def insert_first_edge(mesh, v, w):
    """The first two vertices: an edge with a ghost triangle on both sides."""
    t, u = new_triangle(mesh, v, w, GHOST), new_triangle(mesh, w, v, GHOST)
    link_twins(mesh, t, u)
    link_twins(mesh, t + 1, u + 2)
    link_twins(mesh, t + 2, u + 1)
    mesh.starts[v], mesh.starts[w], mesh.starts[GHOST] = t, u, t + 2


@njit
def extend_line(mesh, e, v):
    """A vertex beyond the last one, w, of those on a line, where e goes from w to the ghost."""
    f, w = mesh.twins[e], mesh.corners[e]
    t, u = new_triangle(mesh, w, v, GHOST), new_triangle(mesh, v, w, GHOST)
    link_twins(mesh, t, u)
    link_twins(mesh, t + 1, u + 2)
    link_twins(mesh, t + 2, e)
    link_twins(mesh, u + 1, f)
    mesh.starts[v], mesh.starts[w] = u, t


@njit
def copy_owners(mesh, cell):
    """A copy of a list of owners."""
    copied = 0
    while cell != 0:
        new = mesh.counts[FREE_CELL]
        mesh.counts[FREE_CELL] = mesh.cells[2 * new + 1]
        mesh.cells[2 * new] = mesh.cells[2 * cell]
        mesh.cells[2 * new + 1] = copied
        copied = new
        cell = mesh.cells[2 * cell + 1]
    return copied


@njit
def split_edge(mesh, e, v):
    """Put a vertex on an edge; the pieces of a constraint stay constraints."""
    owners = mesh.owners[e]
    f = mesh.twins[e]
    split_triangle(mesh, e, v)
    flip_edge(mesh, e)
    # Before the flip e was opposite the vertex, now it and before(f) are.
    n = mesh.counts[N_STACK]
    mesh.stack[n] = previous_edge(f)
    mesh.counts[N_STACK] = n + 1
    piece = previous_edge(e)
    mesh.owners[piece] = mesh.owners[mesh.twins[piece]] = owners
    mesh.owners[f] = mesh.owners[mesh.twins[f]] = copy_owners(mesh, owners)


@njit
def insert_vertex(mesh, x, y):
    """The vertex at a point, which is put in if it is new; NONE if there is no room."""
    place = locate_exactly(mesh, x, y)
    if place == NONE:
        for v in range(1, mesh.counts[VERTEX_END]):
            if mesh.uses[v] != FREE:
                if mesh.x[v] == x and mesh.y[v] == y:
                    return v
                w = new_vertex(mesh, x, y)
                if w != NONE:
                    insert_first_edge(mesh, v, w)
                return w
        return new_vertex(mesh, x, y)
    e = place >> 2
    if place & 3 == ON_VERTEX:
        mesh.buckets[bucket_at(mesh, x, y)] = mesh.corners[e]
        return mesh.corners[e]
    v = new_vertex(mesh, x, y)
    if v == NONE:
        return NONE
    if place & 3 == BEYOND:
        extend_line(mesh, e, v)
        return v
    if place & 3 == ON_EDGE:
        split_edge(mesh, e, v)
    else:
        split_triangle(mesh, e, v)
    legalise_star(mesh)
    return v


@njit
def cut_ears(mesh, v):
    """Flip edges away from a vertex until three are left, or on the hull all that can."""
    degree, is_on_hull = 0, False
    e = mesh.starts[v]
    while True:
        degree += 1
        is_on_hull |= mesh.corners[next_edge(e)] == GHOST
        e = next_around(mesh, e)
        if e == mesh.starts[v]:
            break
    # Three corners on a line with the vertex inside: only where nothing else is left
    flat, n_tried = 0, 0
    while flat < 2 and (degree > 3 or is_on_hull):
        b = mesh.corners[next_edge(e)]
        c, d = mesh.corners[previous_edge(e)], mesh.corners[previous_edge(mesh.twins[e])]
        is_ear = b != GHOST and c != GHOST and d != GHOST and orient_vertices(mesh, d, b, c) > 0
        if is_ear and orient_vertices(mesh, d, c, v) >= 1 - flat:
            stack_edges(mesh, mesh.twins[e])
            flip_edge(mesh, e)
            degree -= 1
            flat = n_tried = 0
        else:
            e = next_around(mesh, e)
            n_tried += 1
            if n_tried > degree:
                flat, n_tried = flat + 1, 0


@njit
def is_collinear(mesh, v):
    """Whether a vertex has ghost triangles alone."""
    e = mesh.starts[v]
    while is_ghost(mesh, e):
        e = next_around(mesh, e)
        if e == mesh.starts[v]:
            return True
    return False


@njit
def remove_vertex(mesh, v):
    """Take a vertex out that has no constraints."""
    if mesh.counts[N_VERTICES] <= 2:
        e = mesh.starts[v]
        if e != NONE:
            mesh.starts[mesh.corners[next_edge(e)]] = mesh.starts[
                mesh.corners[previous_edge(e)]
            ] = NONE
            free_triangle(mesh, mesh.twins[e])
            free_triangle(mesh, e)
        free_vertex(mesh, v)
        return
    is_line = is_collinear(mesh, v)
    if not is_line:
        cut_ears(mesh, v)
    # Where to: on a line into another vertex if it has two neighbours, on the hull into the ghost
    e, target, n_real = mesh.starts[v], NONE, 0
    first = e
    while True:
        if mesh.corners[next_edge(e)] == GHOST:
            if target == NONE:
                target = e
        else:
            n_real += 1
            if is_line and n_real == 2:
                target = e
        stack_edges(mesh, e)
        e = next_around(mesh, e)
        if e == first:
            break
    collapse_edge(mesh, e if target == NONE else target)
    free_vertex(mesh, v)
    legalise(mesh)
