"""The reduction of a triangulation: its dead ends, corridors and forks.

Source: D. Demyen, M. Buro, "Efficient Triangulation-Based Pathfinding" (AAAI 2006). Triangles of
level 1 form trees: they are removed from the leaves on, one by one, until each of the others has
two neighbours or more. Those of level 2 have exactly two: corridors and rings. At those of level 3
a path has a choice; their number is the holes of the free space around, doubled, minus two,
whatever the number of corners. Triangles of level 0 are islands.

T triangles:

    levels  int64[T]  of a triangle; NONE for an unused one
    up      int64[T]  in a tree: the half-edge towards its root, NONE at the root of a component
                      that is a tree
    stack   int64[T]  triangles to be removed
"""

from typing import NamedTuple

from shared.core.jit import Ints, int_buffer, kernel
from shared.mesh.geometry import NONE
from shared.mesh.triangulation import TRIANGLE_END, Mesh, is_ghost

TREE, CORRIDOR, FORK = range(1, 4)


class Reduction(NamedTuple):
    """The level of each triangle; see the module's docstring."""

    levels: Ints
    up: Ints
    stack: Ints


def new_reduction(mesh: Mesh) -> Reduction:
    """Returns buffers for the triangles of a mesh."""
    n = len(mesh.corners) // 4
    return Reduction(int_buffer(n), int_buffer(n), int_buffer(n))


@kernel
def find_levels(mesh: Mesh, levels: Reduction) -> None:
    """Recompute the level of each triangle."""
    n = 0
    for t in range(0, mesh.counts[TRIANGLE_END], 4):
        degree = NONE
        if mesh.corners[t] >= 0 and not is_ghost(mesh, t):
            degree = 0
            for e in range(t, t + 3):
                if mesh.owners[e] == 0 and not is_ghost(mesh, mesh.twins[e]):
                    degree += 1
        levels.levels[t >> 2] = degree
        levels.up[t >> 2] = NONE
        if degree == TREE:
            levels.stack[n] = t
            n += 1
    # Triangles on the stack have at most one open neighbour; the level of others counts theirs.
    while n > 0:
        n -= 1
        t = levels.stack[n]
        for e in range(t, t + 3):
            other = mesh.twins[e] >> 2
            if (
                mesh.owners[e] != 0
                or levels.levels[other] == NONE
                or levels.up[other] == mesh.twins[e]
            ):
                continue
            levels.up[t >> 2] = e
            # If two leaves meet, the other one is the root.
            if levels.levels[other] > TREE:
                levels.levels[other] -= 1
                if levels.levels[other] == TREE:
                    levels.stack[n] = other << 2
                    n += 1


def level_sizes(mesh: Mesh, levels: Reduction) -> list[int]:
    """Returns the number of triangles of each level."""
    found = [int(level) for level in levels.levels[: int(mesh.counts[TRIANGLE_END]) >> 2]]
    return [found.count(level) for level in range(4)]
