"""Flips: how a triangulation becomes a Delaunay one again after a change.

An edge that is no constraint is illegal if one of its triangles' circles has the other triangle's
far corner inside. Each flip of an illegal edge makes the circles smaller, and where no edge is illegal the
triangulation is the constrained Delaunay one (C. Lawson, "Software for C1 Surface Interpolation", 1977).
"""

from shared.core.jit import inline, njit
from shared.mesh.predicates import incircle, orient
from shared.mesh.triangles import (
    GHOST,
    N_FLIPS,
    N_STACK,
    free_triangle,
    link_twins,
    new_triangle,
    next_edge,
    previous_edge,
)


@inline
def orient_vertices(mesh, a, b, c):
    """`orient` of three vertices."""
    return orient(mesh.x[a], mesh.y[a], mesh.x[b], mesh.y[b], mesh.x[c], mesh.y[c])


@njit
def flip_edge(mesh, e):
    """Replace edge a -> b between the far corners c and d by d -> c: triangles c, a, d and d, b, c.

    c -> a and d -> b stay where they are; e becomes a -> d, its twin b -> c.
    """
    f = mesh.twins[e]
    e1, f1 = next_edge(e), next_edge(f)
    mesh.corners[e1] = mesh.corners[previous_edge(f)]
    mesh.corners[f1] = mesh.corners[previous_edge(e)]
    link_twins(mesh, f, mesh.twins[e1])
    mesh.owners[f] = mesh.owners[e1]
    link_twins(mesh, e, mesh.twins[f1])
    mesh.owners[e] = mesh.owners[f1]
    link_twins(mesh, e1, f1)
    mesh.owners[e1] = mesh.owners[f1] = 0
    mesh.starts[mesh.corners[e]] = e
    mesh.starts[mesh.corners[f]] = f
    mesh.starts[mesh.corners[e1]] = e1
    mesh.starts[mesh.corners[f1]] = f1
    mesh.counts[N_FLIPS] += 1


@njit
def is_illegal(mesh, e):
    """Whether an edge has to be flipped."""
    if mesh.owners[e] != 0:
        return False
    f = mesh.twins[e]
    a, b = mesh.corners[e], mesh.corners[f]
    c, d = mesh.corners[previous_edge(e)], mesh.corners[previous_edge(f)]
    if a == GHOST:
        return c != GHOST and d != GHOST and orient_vertices(mesh, b, c, d) > 0
    if b == GHOST:
        return c != GHOST and d != GHOST and orient_vertices(mesh, c, a, d) > 0
    if c == GHOST or d == GHOST:
        return False
    x, y = mesh.x, mesh.y
    return incircle(x[a], y[a], x[b], y[b], x[c], y[c], x[d], y[d]) > 0


@inline
def stack_edge(mesh, e):
    """Put an edge on the stack, unless it is there."""
    if mesh.marks[e] == 0:
        mesh.marks[e] = 1
        n = mesh.counts[N_STACK]
        mesh.stack[n] = e
        mesh.counts[N_STACK] = n + 1


@inline
def stack_edges(mesh, e):
    """Put the edges of a half-edge's triangle on the stack."""
    stack_edge(mesh, e)
    stack_edge(mesh, next_edge(e))
    stack_edge(mesh, previous_edge(e))


@njit
def legalise(mesh):
    """Flip what is illegal among the edges on the stack, and what that makes illegal."""
    while mesh.counts[N_STACK] > 0:
        n = mesh.counts[N_STACK] - 1
        mesh.counts[N_STACK] = n
        e = mesh.stack[n]
        mesh.marks[e] = 0
        # A triangle may be gone since.
        if mesh.corners[e & ~3] >= 0 and is_illegal(mesh, e):
            f = mesh.twins[e]
            flip_edge(mesh, e)
            stack_edge(mesh, e)
            stack_edge(mesh, previous_edge(e))
            stack_edge(mesh, f)
            stack_edge(mesh, previous_edge(f))


@njit
def legalise_star(mesh):
    """The same after a vertex was put in, with the edges opposite it on the stack: no others can be
    illegal.
    """
    while mesh.counts[N_STACK] > 0:
        n = mesh.counts[N_STACK] - 1
        e = mesh.stack[n]
        if is_illegal(mesh, e):
            f = previous_edge(mesh.twins[e])
            flip_edge(mesh, e)
            mesh.stack[n + 1] = f
            mesh.counts[N_STACK] = n + 2
        else:
            mesh.counts[N_STACK] = n


@njit
def split_triangle(mesh, e, v):
    """Put a vertex into a half-edge's triangle, whose edges become illegal perhaps."""
    e1, e2 = next_edge(e), previous_edge(e)
    a, b, c = mesh.corners[e], mesh.corners[e1], mesh.corners[e2]
    t, u = new_triangle(mesh, b, c, v), new_triangle(mesh, c, a, v)
    mesh.corners[e2] = v
    link_twins(mesh, t, mesh.twins[e1])
    mesh.owners[t] = mesh.owners[e1]
    link_twins(mesh, u, mesh.twins[e2])
    mesh.owners[u] = mesh.owners[e2]
    mesh.owners[e1] = mesh.owners[e2] = 0
    link_twins(mesh, e1, t + 2)
    link_twins(mesh, t + 1, u + 2)
    link_twins(mesh, u + 1, e2)
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
    """Move the vertex in which an edge begins into the one where it ends; its two triangles go."""
    f = mesh.twins[e]
    v, u = mesh.corners[e], mesh.corners[f]
    g = e
    while True:
        mesh.corners[g] = u
        g = mesh.twins[previous_edge(g)]
        if g == e:
            break
    mesh.starts[v] = -1
    for k in range(2):
        g = e if k == 0 else f
        kept, moved = mesh.twins[next_edge(g)], mesh.twins[previous_edge(g)]
        if k == 1:
            kept, moved = moved, kept
        mesh.owners[moved] = mesh.owners[kept]
        link_twins(mesh, kept, moved)
    for k in range(4):
        g = mesh.twins[
            (
                next_edge(e)
                if k == 0
                else previous_edge(e) if k == 1 else next_edge(f) if k == 2 else previous_edge(f)
            )
        ]
        if g & ~3 != e & ~3 and g & ~3 != f & ~3:
            mesh.starts[mesh.corners[g]] = g
            h = mesh.twins[g]
            mesh.starts[mesh.corners[h]] = h
    free_triangle(mesh, e)
    free_triangle(mesh, f)
