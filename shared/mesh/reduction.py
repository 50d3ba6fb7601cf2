"""The reduction of a triangulation: its dead ends, corridors and forks.

Source: D. Demyen, M. Buro, "Efficient Triangulation-Based Pathfinding" (AAAI 2006). Triangles of
degree 1 form trees: they are removed from the leaves on, one by one, until each of the rest has two
neighbours or more. Triangles of degree 2 form corridors and rings. At triangles of degree 3 a path
has a choice; in free space with h holes they are 2 h - 2, whatever the number of corners. Triangles
of degree 0 are islands.

T triangles:

    degrees int64[T]  of a triangle; NONE for an unused one
    up      int64[T]  in a tree: the half-edge towards its root, NONE at the root of a component
                      that is a tree
    stack   int64[T]  triangles to be removed
"""

from typing import NamedTuple

from ..core.jit import Ints, int_buffer, kernel
from ..mesh.geometry import NONE
from ..mesh.triangulation import TRIANGLE_END, Mesh, is_ghost

TREE, CORRIDOR, FORK = range(1, 4)


class Reduction(NamedTuple):
    """The degree of each triangle; see the module's docstring."""

    degrees: Ints
    up: Ints
    stack: Ints


def new_reduction(mesh: Mesh) -> Reduction:
    """Returns buffers for the triangles of a mesh."""
    n = len(mesh.corners) // 4
    return Reduction(int_buffer(n), int_buffer(n), int_buffer(n))


@kernel
def find_degrees(mesh: Mesh, reduction: Reduction) -> None:
    """Recompute the degree of each triangle."""
    n = 0
    for t in range(0, mesh.counts[TRIANGLE_END], 4):
        degree = NONE
        if mesh.corners[t] >= 0 and not is_ghost(mesh, t):
            degree = 0
            for e in range(t, t + 3):
                if mesh.owners[e] == 0 and not is_ghost(mesh, mesh.twins[e]):
                    degree += 1
        reduction.degrees[t >> 2] = degree
        reduction.up[t >> 2] = NONE
        if degree == TREE:
            reduction.stack[n] = t
            n += 1
    # Triangles on the stack have at most one open neighbour; the degree of others counts theirs.
    while n > 0:
        n -= 1
        t = reduction.stack[n]
        for e in range(t, t + 3):
            other = mesh.twins[e] >> 2
            if (
                mesh.owners[e] != 0
                or reduction.degrees[other] == NONE
                or reduction.up[other] == mesh.twins[e]
            ):
                continue
            reduction.up[t >> 2] = e
            # If two leaves meet, the other one is the root.
            if reduction.degrees[other] > TREE:
                reduction.degrees[other] -= 1
                if reduction.degrees[other] == TREE:
                    reduction.stack[n] = other << 2
                    n += 1


def degree_sizes(mesh: Mesh, reduction: Reduction) -> list[int]:
    """Returns the number of triangles of each degree."""
    found = [int(degree) for degree in reduction.degrees[: int(mesh.counts[TRIANGLE_END]) >> 2]]
    return [found.count(degree) for degree in range(4)]
