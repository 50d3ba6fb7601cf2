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
    after,
    before,
    drop_triangle,
    join,
    take_triangle,
)


@inline
def turn(mesh, a, b, c):
    """`orient` of three vertices."""
    return orient(mesh.x[a], mesh.y[a], mesh.x[b], mesh.y[b], mesh.x[c], mesh.y[c])


@njit
def flip(mesh, e):
    """Replace edge a -> b between the far corners c and d by d -> c: triangles c, a, d and d, b, c.

    c -> a and d -> b stay where they are; e becomes a -> d, its twin b -> c.
    """
    f = mesh.twins[e]
    e1, f1 = after(e), after(f)
    mesh.corners[e1] = mesh.corners[before(f)]
    mesh.corners[f1] = mesh.corners[before(e)]
    join(mesh, f, mesh.twins[e1])
    mesh.owners[f] = mesh.owners[e1]
    join(mesh, e, mesh.twins[f1])
    mesh.owners[e] = mesh.owners[f1]
    join(mesh, e1, f1)
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
    c, d = mesh.corners[before(e)], mesh.corners[before(f)]
    if a == GHOST:
        return c != GHOST and d != GHOST and turn(mesh, b, c, d) > 0
    if b == GHOST:
        return c != GHOST and d != GHOST and turn(mesh, c, a, d) > 0
    if c == GHOST or d == GHOST:
        return False
    x, y = mesh.x, mesh.y
    return incircle(x[a], y[a], x[b], y[b], x[c], y[c], x[d], y[d]) > 0


@inline
def push(mesh, e):
    """Put an edge on the stack, unless it is there."""
    if mesh.marks[e] == 0:
        mesh.marks[e] = 1
        n = mesh.counts[N_STACK]
        mesh.stack[n] = e
        mesh.counts[N_STACK] = n + 1


@inline
def push_triangle(mesh, e):
    """Put the edges of a half-edge's triangle on the stack."""
    push(mesh, e)
    push(mesh, after(e))
    push(mesh, before(e))


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
            flip(mesh, e)
            push(mesh, e)
            push(mesh, before(e))
            push(mesh, f)
            push(mesh, before(f))


@njit
def legalise_star(mesh):
    """The same after a vertex was put in, with the edges opposite it on the stack: no others can be
    illegal.
    """
    while mesh.counts[N_STACK] > 0:
        n = mesh.counts[N_STACK] - 1
        e = mesh.stack[n]
        if is_illegal(mesh, e):
            f = before(mesh.twins[e])
            flip(mesh, e)
            mesh.stack[n + 1] = f
            mesh.counts[N_STACK] = n + 2
        else:
            mesh.counts[N_STACK] = n


@njit
def split_triangle(mesh, e, v):
    """Put a vertex into a half-edge's triangle, whose edges become illegal perhaps."""
    e1, e2 = after(e), before(e)
    a, b, c = mesh.corners[e], mesh.corners[e1], mesh.corners[e2]
    t, u = take_triangle(mesh, b, c, v), take_triangle(mesh, c, a, v)
    mesh.corners[e2] = v
    join(mesh, t, mesh.twins[e1])
    mesh.owners[t] = mesh.owners[e1]
    join(mesh, u, mesh.twins[e2])
    mesh.owners[u] = mesh.owners[e2]
    mesh.owners[e1] = mesh.owners[e2] = 0
    join(mesh, e1, t + 2)
    join(mesh, t + 1, u + 2)
    join(mesh, u + 1, e2)
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
def collapse(mesh, e):
    """Move the vertex in which an edge begins into the one where it ends; its two triangles go."""
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
        join(mesh, kept, moved)
    for k in range(4):
        g = mesh.twins[
            after(e) if k == 0 else before(e) if k == 1 else after(f) if k == 2 else before(f)
        ]
        if g & ~3 != e & ~3 and g & ~3 != f & ~3:
            mesh.starts[mesh.corners[g]] = g
            h = mesh.twins[g]
            mesh.starts[mesh.corners[h]] = h
    drop_triangle(mesh, e)
    drop_triangle(mesh, f)
