"""Segments as edges of a triangulation, each with all its owners.

In: what crosses the segment is flipped away (S. Sloan, "A Fast Algorithm for Generating Constrained Delaunay
Triangulations", 1993). Where another segment crosses it, both are split at the nearest whole
point, and go on as pieces that may be bent there. Out: an edge is a constraint until its last owner
goes.
"""

from shared.core.jit import inline, njit
from shared.mesh.flips import flip_edge, legalise, orient_vertices, stack_edge, stack_edges
from shared.mesh.triangles import (
    FREE_CELL,
    GHOST,
    IS_FULL,
    NONE,
    find_edge,
    next_around,
    next_edge,
    previous_edge,
)
from shared.mesh.vertices import insert_vertex


@inline
def add_owner(mesh, e, segment):
    """Make a segment an owner of an edge."""
    cell = mesh.counts[FREE_CELL]
    mesh.counts[FREE_CELL] = mesh.cells[2 * cell + 1]
    if mesh.counts[FREE_CELL] == 0:
        mesh.counts[IS_FULL] = 1
    mesh.cells[2 * cell] = segment
    mesh.cells[2 * cell + 1] = mesh.owners[e]
    mesh.owners[e] = mesh.owners[mesh.twins[e]] = cell


@njit
def remove_owner(mesh, e, segment):
    """End a segment's ownership of an edge; whether it had any."""
    last, cell, found = 0, mesh.owners[e], False
    while cell != 0:
        following = mesh.cells[2 * cell + 1]
        if mesh.cells[2 * cell] == segment:
            found = True
            if last == 0:
                mesh.owners[e] = mesh.owners[mesh.twins[e]] = following
            else:
                mesh.cells[2 * last + 1] = following
            mesh.cells[2 * cell + 1] = mesh.counts[FREE_CELL]
            mesh.counts[FREE_CELL] = cell
        else:
            last = cell
        cell = following
    return found


@njit
def first_edge_along(mesh, a, b):
    """How a segment leaves its beginning: 2 times an edge it goes along, or 1 and an edge that it
    crosses, with its beginning on the right.
    """
    e = mesh.starts[a]
    while True:
        u, w = mesh.corners[next_edge(e)], mesh.corners[previous_edge(e)]
        if u != GHOST:
            beside = orient_vertices(mesh, a, b, u)
            if beside == 0:
                along = (mesh.x[u] - mesh.x[a]) * (mesh.x[b] - mesh.x[a])
                along += (mesh.y[u] - mesh.y[a]) * (mesh.y[b] - mesh.y[a])
                if along > 0:
                    return 2 * e
            elif beside < 0 and w != GHOST and orient_vertices(mesh, a, b, w) > 0:
                return 2 * next_edge(e) + 1
        e = next_around(mesh, e)


@njit
def queue_edge(mesh, i, v, w):
    """Write a pair into place i of the queue."""
    n = len(mesh.queue) >> 1
    mesh.queue[2 * (i % n)] = v
    mesh.queue[2 * (i % n) + 1] = w


@njit
def flip_crossings(mesh, a, b, n):
    """Flip away the edges that segment a -> b crosses, the first n pairs of the queue."""
    first, last = 0, n
    room = len(mesh.queue) >> 1
    while first < last:
        v, w = mesh.queue[2 * (first % room)], mesh.queue[2 * (first % room) + 1]
        first += 1
        e = find_edge(mesh, v, w)
        f = mesh.twins[e]
        c, d = mesh.corners[previous_edge(e)], mesh.corners[previous_edge(f)]
        if orient_vertices(mesh, d, w, c) <= 0 or orient_vertices(mesh, c, v, d) <= 0:
            queue_edge(mesh, last, v, w)
            last += 1
            continue
        stack_edges(mesh, e)
        stack_edges(mesh, f)
        flip_edge(mesh, e)
        sign_c, sign_d = orient_vertices(mesh, a, b, c), orient_vertices(mesh, a, b, d)
        if (sign_c > 0 and sign_d < 0) or (sign_c < 0 and sign_d > 0):
            queue_edge(mesh, last, c, d)
            last += 1


@njit
def insert_crossing(mesh, a, b, u, w):
    """The vertex at the whole point nearest to where a -> b crosses u -> w; NONE without room."""
    area_u, area_w = orient_vertices(mesh, a, b, u), orient_vertices(mesh, a, b, w)
    share = area_u / (area_u - area_w)
    x = mesh.x[u] + int(round(share * (mesh.x[w] - mesh.x[u])))
    y = mesh.y[u] + int(round(share * (mesh.y[w] - mesh.y[u])))
    return insert_vertex(mesh, x, y)


@njit
def push_piece(mesh, n, a, b, owner):
    """Put a piece on the stack of pieces, above the n there are; how many there are then."""
    if 3 * n + 3 > len(mesh.pieces):
        mesh.counts[IS_FULL] = 1
        return n
    mesh.pieces[3 * n] = a
    mesh.pieces[3 * n + 1] = b
    mesh.pieces[3 * n + 2] = owner
    return n + 1


@njit
def split_crossing(mesh, n, e, a, b, owner):
    """Split a piece and the constraint that it crosses; how many pieces are pending then."""
    u, w = mesh.corners[e], mesh.corners[next_edge(e)]
    cell = mesh.owners[e]
    mesh.owners[e] = mesh.owners[mesh.twins[e]] = 0
    v = insert_crossing(mesh, a, b, u, w)
    if v == NONE:
        v = w
    e = find_edge(mesh, u, w)
    if e != NONE and mesh.owners[e] == 0:
        stack_edge(mesh, e)
        legalise(mesh)
    n = push_piece(mesh, n, v, b, owner)
    n = push_piece(mesh, n, a, v, owner)
    while cell != 0:
        n = push_piece(mesh, n, u, v, mesh.cells[2 * cell])
        n = push_piece(mesh, n, v, w, mesh.cells[2 * cell])
        following = mesh.cells[2 * cell + 1]
        mesh.cells[2 * cell + 1] = mesh.counts[FREE_CELL]
        mesh.counts[FREE_CELL] = cell
        cell = following
    return n


@njit
def insert_segment(mesh, a, b, owner):
    """Make a segment between two vertices edges of the triangulation."""
    n = push_piece(mesh, 0, a, b, owner)
    while n > 0 and mesh.counts[IS_FULL] == 0:
        n -= 1
        a, b, owner = mesh.pieces[3 * n], mesh.pieces[3 * n + 1], mesh.pieces[3 * n + 2]
        while a != b:
            found = first_edge_along(mesh, a, b)
            e = found >> 1
            if found & 1 == 0:
                add_owner(mesh, e, owner)
                a = mesh.corners[next_edge(e)]
                continue
            n_crossed, beside, far = 0, 1, b
            while mesh.owners[e] == 0:
                queue_edge(mesh, n_crossed, mesh.corners[e], mesh.corners[next_edge(e)])
                n_crossed += 1
                e = mesh.twins[e]
                far = mesh.corners[previous_edge(e)]
                beside = orient_vertices(mesh, a, b, far)
                if beside == 0:
                    break
                e = previous_edge(e) if beside < 0 else next_edge(e)
            if beside != 0:
                n = split_crossing(mesh, n, e, a, b, owner)
                break
            flip_crossings(mesh, a, far, n_crossed)
            e = find_edge(mesh, a, far)
            add_owner(mesh, e, owner)
            legalise(mesh)
            a = far
