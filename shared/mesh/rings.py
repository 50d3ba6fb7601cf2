"""Points, lines of segments and polygons that come and go in a triangulation.

All are chains of segments, known by the number of their first. The state does not depend on how it came
about: it is the constrained Delaunay triangulation of what is there.
"""

from shared.core.jit import Ints, kernel, njit
from shared.mesh.constraints import insert_segment, push_piece, remove_owner
from shared.mesh.flips import legalise, stack_edge
from shared.mesh.triangles import (
    FREE_CELL,
    FREE_SEGMENT,
    IS_FULL,
    N_TOUCHED,
    NONE,
    Mesh,
    next_around,
    next_edge,
)
from shared.mesh.vertices import insert_vertex, remove_vertex


@njit
def mark_touched(mesh, v):
    """Remember that a vertex may have to go."""
    for i in range(mesh.counts[N_TOUCHED]):
        if mesh.touched[i] == v:
            return
    mesh.touched[mesh.counts[N_TOUCHED]] = v
    mesh.counts[N_TOUCHED] += 1


@kernel
def insert_chain(mesh: Mesh, xs: Ints, ys: Ints, n: int, is_closed: bool) -> int:
    """Put in the n points, joined by segments, the last one to the first if it is closed.

    Returns the number of the chain, for `remove_chain`; NONE where there was no room, and the mesh
    is of no use any more.
    """
    n_segments = n if is_closed or n == 1 else n - 1
    first = last = NONE
    v = start = insert_vertex(mesh, xs[0], ys[0])
    for i in range(n_segments):
        w = start if i + 1 == n else insert_vertex(mesh, xs[i + 1], ys[i + 1])
        segment = mesh.counts[FREE_SEGMENT]
        if v == NONE or w == NONE or segment == NONE:
            mesh.counts[IS_FULL] = 1
            return NONE
        mesh.counts[FREE_SEGMENT] = mesh.following[segment]
        mesh.following[segment] = NONE
        if last == NONE:
            first = segment
        else:
            mesh.following[last] = segment
        last = segment
        mesh.ends[2 * segment] = v
        mesh.ends[2 * segment + 1] = w
        mesh.uses[v] += 1
        mesh.uses[w] += 1
        insert_segment(mesh, v, w, segment)
        v = w
    return NONE if mesh.counts[IS_FULL] else first


@njit
def remove_segment(mesh, segment):
    """End a segment's ownership of all edges it goes along."""
    n = push_piece(mesh, 0, mesh.ends[2 * segment], NONE, NONE)
    while n > 0:
        n -= 1
        v = mesh.pieces[3 * n]
        mark_touched(mesh, v)
        first = mesh.starts[v]
        if first == NONE:
            continue
        e = first
        while True:
            if mesh.owners[e] != 0 and remove_owner(mesh, e, segment):
                n = push_piece(mesh, n, mesh.corners[next_edge(e)], NONE, NONE)
                if mesh.owners[e] == 0:
                    stack_edge(mesh, e)
            e = next_around(mesh, e)
            if e == first:
                break
    for k in range(2):
        v = mesh.ends[2 * segment + k]
        mesh.uses[v] -= 1
        mark_touched(mesh, v)


@njit
def have_same_owners(mesh, e, f):
    """Whether two constraints belong to the same segments, each of which owns an edge at most once."""
    difference, cell = 0, mesh.owners[e]
    while cell != 0:
        difference += 1
        other = mesh.owners[f]
        while other != 0 and mesh.cells[2 * other] != mesh.cells[2 * cell]:
            other = mesh.cells[2 * other + 1]
        if other == 0:
            return False
        cell = mesh.cells[2 * cell + 1]
    cell = mesh.owners[f]
    while cell != 0:
        difference -= 1
        cell = mesh.cells[2 * cell + 1]
    return difference == 0


@njit
def remove_unused_vertex(mesh, v):
    """Take a vertex out in which no segment ends, if none crosses another there either."""
    e = f = NONE
    first = mesh.starts[v]
    if first != NONE:
        g = first
        while True:
            if mesh.owners[g] != 0:
                if f != NONE:
                    return
                e, f = g, e
            g = next_around(mesh, g)
            if g == first:
                break
    if f == NONE:
        if e == NONE:
            remove_vertex(mesh, v)
        return
    if not have_same_owners(mesh, e, f):
        return
    a, b = mesh.corners[next_edge(e)], mesh.corners[next_edge(f)]
    cell, other = mesh.owners[e], mesh.owners[f]
    mesh.owners[e] = mesh.owners[mesh.twins[e]] = 0
    mesh.owners[f] = mesh.owners[mesh.twins[f]] = 0
    remove_vertex(mesh, v)
    while other != 0:
        following = mesh.cells[2 * other + 1]
        mesh.cells[2 * other + 1] = mesh.counts[FREE_CELL]
        mesh.counts[FREE_CELL] = other
        other = following
    while cell != 0:
        segment, following = mesh.cells[2 * cell], mesh.cells[2 * cell + 1]
        mesh.cells[2 * cell + 1] = mesh.counts[FREE_CELL]
        mesh.counts[FREE_CELL] = cell
        insert_segment(mesh, a, b, segment)
        cell = following


@kernel
def remove_chain(mesh: Mesh, chain: int) -> None:
    """Take a chain out again, by its number."""
    mesh.counts[N_TOUCHED] = 0
    segment = chain
    while segment != NONE:
        following = mesh.following[segment]
        remove_segment(mesh, segment)
        mesh.following[segment] = mesh.counts[FREE_SEGMENT]
        mesh.counts[FREE_SEGMENT] = segment
        segment = following
    legalise(mesh)
    for i in range(mesh.counts[N_TOUCHED]):
        v = mesh.touched[i]
        if mesh.uses[v] == 0:
            remove_unused_vertex(mesh, v)
