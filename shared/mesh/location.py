"""Point location in a triangulation: jump and walk.

The walk crosses an edge that has the point on its other side, triangle by triangle. Among
constraints it could go in circles if it always tried the edges in one order, so chance decides the
order: the remembering stochastic walk (O. Devillers, S. Pion, M. Teillaud, "Walking in a
Triangulation", 2002). It begins at the vertex inserted last in the point's square of a grid, or,
without a grid, at the nearest of some random vertices (E. Mücke, I. Saias, B. Zhu, "Fast
Randomized Point Location Without Preprocessing", 1996: the cube root of the number of vertices is
right for points spread evenly).

The place of a point is 4 times a half-edge plus its relation to the point: ON_VERTEX if it begins
there, ON_EDGE if it passes through, INSIDE if its triangle has the point inside, BEYOND if it
begins at the last of collinear vertices, beyond which the point lies. NONE reads as BEYOND.
"""

from ..core.jit import inline, kernel, njit, unsigned
from ..core.rng import random_below, random_bits
from ..mesh.geometry import NONE
from ..mesh.predicates import LARGEST, orient
from ..mesh.triangulation import (
    FREE,
    GHOST,
    N_STEPS,
    VERTEX_END,
    Mesh,
    after,
    around,
    before,
    bucket_at,
    is_ghost,
)

ON_VERTEX, ON_EDGE, INSIDE, BEYOND = range(4)


@inline
def side_of(mesh, e, x, y):
    """Returns > 0 for a point left of a half-edge, 0 on it."""
    a, b = unsigned(mesh.corners[unsigned(e)]), unsigned(mesh.corners[unsigned(after(e))])
    return orient(mesh.x[a], mesh.y[a], mesh.x[b], mesh.y[b], x, y)


@inline
def hull_edge(mesh, e):
    """Returns the half-edge of a ghost triangle without the ghost."""
    while mesh.corners[e] == GHOST or mesh.corners[after(e)] == GHOST:
        e = after(e)
    return e


@njit
def nearest_sample(mesh, n_samples, x, y):
    """Returns an edge from the nearest of random vertices, or NONE."""
    best, found = -1, NONE
    for _ in range(n_samples):
        v = 1 + random_below(mesh.rng, mesh.counts[VERTEX_END] - 1)
        if mesh.uses[v] == FREE or mesh.starts[v] == NONE:
            continue
        dx, dy = mesh.x[v] - x, mesh.y[v] - y
        if found == NONE or dx * dx + dy * dy < best:
            best, found = dx * dx + dy * dy, mesh.starts[v]
    return found


@njit
def nearby_edge(mesh, x, y):
    """Returns a half-edge near a point; NONE without triangles."""
    v = mesh.buckets[bucket_at(mesh, x, y)]
    last = mesh.counts[VERTEX_END]
    while v == 0 or mesh.uses[v] == FREE or mesh.starts[v] == NONE:
        last -= 1
        v = last
        if v <= 0:
            return NONE
    return mesh.starts[v]


@njit
def find_on_line(mesh, e, x, y):
    """Returns a point's place in a collinear mesh, from edge e."""
    e = hull_edge(mesh, e)
    beside = side_of(mesh, e, x, y)
    if beside != 0:
        return (e if beside > 0 else mesh.twins[e]) * 4 + INSIDE
    a, b = mesh.corners[e], mesh.corners[after(e)]
    along = (mesh.x[b] - mesh.x[a]) * (x - mesh.x[a]) + (mesh.y[b] - mesh.y[a]) * (y - mesh.y[a])
    if along < 0:
        e = mesh.twins[e]
    while True:
        a, b = mesh.corners[e], mesh.corners[after(e)]
        if mesh.x[a] == x and mesh.y[a] == y:
            return e * 4 + ON_VERTEX
        if mesh.x[b] == x and mesh.y[b] == y:
            return mesh.twins[e] * 4 + ON_VERTEX
        beyond = (mesh.x[b] - mesh.x[a]) * (x - mesh.x[b])
        beyond += (mesh.y[b] - mesh.y[a]) * (y - mesh.y[b])
        if beyond < 0:
            return e * 4 + ON_EDGE
        further = after(mesh.twins[after(e)])
        if mesh.twins[further] == e:
            return after(e) * 4 + BEYOND
        e = further


@njit
def walk_to(mesh, e, x, y):
    """Returns the place, walking from e."""
    if is_ghost(mesh, e):
        e = mesh.twins[hull_edge(mesh, e)]
        if is_ghost(mesh, e):
            return find_on_line(mesh, e, x, y)
    entered = NONE
    while True:
        mesh.counts[N_STEPS] += 1
        f = after(e) if random_bits(mesh.rng) & 64 else before(e)
        on, is_inside = NONE, True
        for k in range(3):
            # The two other edges in random order, then the one it came in by
            g = f if k == 0 else (after(e) + before(e) - f if k == 1 else e)
            if g == entered:
                continue
            beside = side_of(mesh, g, x, y)
            if beside < 0:
                e = entered = mesh.twins[unsigned(g)]
                is_inside = False
                break
            if beside == 0:
                if on != NONE:
                    # On two edges: the vertex they share
                    return (g if mesh.corners[g] == mesh.corners[after(on)] else on) * 4 + ON_VERTEX
                on = g
        if is_inside:
            return e * 4 + INSIDE if on == NONE else on * 4 + ON_EDGE
        if is_ghost(mesh, e):
            return hull_edge(mesh, e) * 4 + INSIDE


@njit
def locate_exactly(mesh, x, y):
    """Returns the place of a point, NONE without triangles."""
    e = nearby_edge(mesh, x, y)
    return NONE if e == NONE else walk_to(mesh, e, x, y)


@njit
def find_place(mesh, x, y):
    """Returns the place of a point, NONE outside of all triangles."""
    place = NONE if max(abs(x), abs(y)) > LARGEST else locate_exactly(mesh, x, y)
    return NONE if place & 3 == BEYOND or is_ghost(mesh, place >> 2) else place


@inline
def next_at(mesh, place, e):
    """Returns the half-edge at a place in the next triangle around."""
    if place & 3 == ON_VERTEX:
        return around(mesh, e)
    return mesh.twins[e] if place & 3 == ON_EDGE else e


@kernel
def locate_by_sampling(mesh: Mesh, n_samples: int, x: int, y: int) -> int:
    """Returns the same half-edge as `locate`, by a walk from the nearest of `n_samples` random
    vertices.
    """
    e = NONE
    while e == NONE:
        e = nearest_sample(mesh, n_samples, x, y)
    place = walk_to(mesh, e, x, y)
    return NONE if place & 3 == BEYOND or is_ghost(mesh, place >> 2) else place >> 2


@kernel
def locate(mesh: Mesh, x: int, y: int) -> int:
    """Returns the half-edge of a point's place; NONE outside of all triangles."""
    return find_place(mesh, x, y) >> 2
