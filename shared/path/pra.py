"""PRA*: a path found on a small graph above the grid, and refined in a corridor, level by level.

Source: N. Sturtevant, M. Buro, "Partial Pathfinding Using Map Abstraction and Refinement" (AAAI 2005).
A* begins halfway up to where start and goal become one node (`cliques.py`), or lower; on each level
below it may use only nodes under the path found above and under that path's neighbours. The lower
it begins, the better the path, and the more nodes are looked at: a node as large as the walls around
it says little about how far it is through it, even where its edges cost the true distances between
cells in the middles of nodes (README.md beside this has the figures). Of a partial path only the first
steps are refined on each level.

    counts   int64[N_COUNTS]  see below
    marks    int64[M]         the generation in which a node was reached
    g        int64[M]         the cost to it, SCALE times that of `grid.py`
    parents  int64[M]         the node before it
    allowed  int64[M]         the generation in which what lies below a node may be used
    path     int64[M]         the nodes of the path, at last the cells
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, kernel, njit
from shared.path.buckets import Buckets, bucket_clear, bucket_pop, bucket_push, new_buckets
from shared.path.cliques import SCALE, Cliques, first_edge
from shared.path.grid import DIAGONAL, NO_PATH, STRAIGHT, Grid, is_free

GENERATION, N_PATH, N_EXPANDED, N_COUNTS = range(4)


class Corridor(NamedTuple):
    """What a search knows; see the module's docstring."""

    counts: Ints
    marks: Ints
    g: Ints
    parents: Ints
    allowed: Ints
    path: Ints


def new_corridor(cliques: Cliques) -> tuple[Corridor, Buckets]:
    """Buffers for searches on a grid's abstractions, and their open list."""
    n = len(cliques.parents)
    return Corridor(int_buffer(N_COUNTS), *(int_buffer(n) for _ in range(5))), new_buckets(n)


def cells_of(corridor: Corridor) -> list[int]:
    """The cells of the path that was found last."""
    return [int(cell) for cell in corridor.path[: int(corridor.counts[N_PATH])]]


@inline
def octile_between(cliques, node, other):
    """The octile cost from where a node lies to where another does, SCALE times as in `grid.py`."""
    dx, dy = abs(cliques.x[node] - cliques.x[other]), abs(cliques.y[node] - cliques.y[other])
    return STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)


@njit
def search_level(cliques, corridor, queue, start, goal, is_bounded):
    """A* from a node to another of its level, with `is_bounded` only below nodes that are allowed;
    false where there is no path.
    """
    counts, marks, g = corridor.counts, corridor.marks, corridor.g
    allowed = counts[GENERATION]
    counts[GENERATION] += 1
    generation = counts[GENERATION]
    bucket_clear(queue)
    marks[start], g[start] = generation, 0
    node = start
    while node >= 0:
        if node == goal:
            n = 1
            while node != start:
                node = corridor.parents[node]
                n += 1
            counts[N_PATH] = n
            node = goal
            for i in range(n - 1, 0, -1):
                corridor.path[i] = node
                node = corridor.parents[node]
            corridor.path[0] = start
            return True
        counts[N_EXPANDED] += 1
        cost = g[node]
        for i in range(first_edge(cliques, node), cliques.ends[node]):
            other = cliques.edges[i]
            if is_bounded and corridor.allowed[cliques.parents[other]] != allowed:
                continue
            new = cost + octile_between(cliques, node, other)
            if marks[other] == generation and g[other] <= new:
                continue
            marks[other], g[other] = generation, new
            corridor.parents[other] = node
            bucket_push(queue, new + octile_between(cliques, other, goal), other)
        node = bucket_pop(queue)
    return False


@inline
def allow_corridor(cliques, corridor, n):
    """Allow the first n nodes of the path and their neighbours."""
    generation = corridor.counts[GENERATION]
    for i in range(n):
        node = corridor.path[i]
        corridor.allowed[node] = generation
        for j in range(first_edge(cliques, node), cliques.ends[node]):
            corridor.allowed[cliques.edges[j]] = generation


@inline
def ancestor(cliques, node, n_levels):
    """The node so many levels above another."""
    for _ in range(n_levels):
        node = cliques.parents[node]
    return node


@kernel
def find(
    grid: Grid,
    cliques: Cliques,
    corridor: Corridor,
    queue: Buckets,
    start: int,
    goal: int,
    n_steps: int,
    top: int,
) -> int:
    """The cost of a path, or of the beginning of one, of which about so many nodes are refined on
    each level (0: all), from the level `top` (at most the one halfway up, as with LEVELS) down;
    NO_PATH where there is none, and for cells that were blocked when the abstractions were made.
    """
    counts = corridor.counts
    counts[N_PATH] = counts[N_EXPANDED] = 0
    if not is_free(grid, start) or not is_free(grid, goal):
        return NO_PATH
    first, last = cliques.nodes[start], cliques.nodes[goal]
    if first < 0 or last < 0:
        return NO_PATH
    height, node, other = 0, first, last
    while cliques.parents[node] != cliques.parents[other]:
        node, other = cliques.parents[node], cliques.parents[other]
        if node < 0 or other < 0:
            return NO_PATH
        height += 1
    # Where nothing is above both, only a search up there says whether they are connected.
    is_known = cliques.parents[node] >= 0 or node == other
    level = min(height // 2 if is_known else height, top)
    node, other = ancestor(cliques, first, level), ancestor(cliques, last, level)
    if not search_level(cliques, corridor, queue, node, other, False):
        return NO_PATH
    while level > 0:
        n = counts[N_PATH]
        if 0 < n_steps < n:
            n = n_steps
        end = corridor.path[n - 1]
        allow_corridor(cliques, corridor, n)
        level -= 1
        node, other = ancestor(cliques, first, level), ancestor(cliques, last, level)
        if cliques.parents[other] != end:
            other = cliques.children[end]
        search_level(cliques, corridor, queue, node, other, True)
    end = corridor.path[counts[N_PATH] - 1]
    for i in range(counts[N_PATH]):
        corridor.path[i] = cliques.cells[corridor.path[i]]
    return corridor.g[end] // SCALE
