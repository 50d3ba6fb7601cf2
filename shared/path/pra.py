"""PRA*: a path found on a small graph above the grid, and refined in a corridor, level by level.

Source: N. Sturtevant, M. Buro, "Partial Pathfinding Using Map Abstraction and Refinement" (AAAI
2005).

The graphs are clique abstractions. Scanned from the first node to the last, four nodes that are all
connected to each other become a node of the next level, then three, then two. A remaining single
node joins the only cluster beside it, or stands alone. Clusters are connected if any of their nodes
are; a cluster lies at the mean of its nodes. A component of one node has no node above it.

M the room for nodes of all levels, F the free cells, E the room for edges, in both directions:

    counts    int64[3]         nodes, edges and levels in use.
    first     int64[LEVELS+1]  the first node of each level, and one past the last.
    cells     int64[F]         the cells of the nodes of level 0.
    nodes     int64[N]         the node of each cell, -1 of a blocked one.
    x, y      int64[M]         the place of a node, SCALE to a cell.
    parents   int64[M]         the node above, or -1.
    children  int64[M]         the first node below.
    siblings  int64[M]         the next node with the same parent, or -1.
    ends      int64[M + 1]     one past the last edge of each node, the beginning of the next one's.
    edges     int64[E]         the nodes at the ends of edges.
    chosen    int64[9]         room for a clique, and for the edges tried.

A* begins halfway up to the level on which start and goal become one node, or lower. On each level
below it may use only nodes under the path found above and under that path's neighbours. The lower
it begins, the better the path, and the more nodes it expands: a node as large as the walls around
it is a poor estimate of the distance through it. That holds even if its edges cost the true
distances between cells in the middles of nodes (figures: README.md). Of a partial path only the
first steps are refined on each level.

    counts   int64[3]         see below.
    marks    int64[M]         the generation in which a node was reached.
    g        int64[M]         the cost to it, SCALE times that of `grid.py`.
    parents  int64[M]         the node before it.
    allowed  int64[M]         the generation in which the nodes below a node may be used.
    path     int64[M]         the nodes of the path, at last the cells.
"""

from typing import NamedTuple

from ..core.jit import Ints, inline, int_buffer, kernel, njit
from ..path.grid import (
    DIAGONAL,
    STRAIGHT,
    STRIDE,
    Grid,
    is_free,
    offset_of,
    require_equal_weights,
    row_of,
)
from ..path.open_lists import Buckets, bucket_clear, bucket_pop, bucket_push, new_buckets
from ..path.statuses import NO_PATH

N_NODES, N_EDGES, N_LEVELS = range(3)
LEVELS = 40
SCALE = 16


class Cliques(NamedTuple):
    """The abstractions of a grid; see the module's docstring."""

    counts: Ints
    first: Ints
    cells: Ints
    nodes: Ints
    x: Ints
    y: Ints
    parents: Ints
    children: Ints
    siblings: Ints
    ends: Ints
    edges: Ints
    chosen: Ints


def new_cliques(grid: Grid) -> Cliques:
    """Returns the abstractions of a grid, level by level, until no clusters form. Raises ValueError
    for weights other than 1.
    """
    require_equal_weights(grid)
    n_free = sum(1 for weight in grid.weights if weight)
    n = 2 * n_free + 2
    cliques = Cliques(
        counts=int_buffer(3),
        first=int_buffer(LEVELS + 2),
        cells=int_buffer(n_free),
        nodes=int_buffer(len(grid.moves)),
        x=int_buffer(n),
        y=int_buffer(n),
        parents=int_buffer(n),
        children=int_buffer(n),
        siblings=int_buffer(n),
        ends=int_buffer(n + 1),
        edges=int_buffer(16 * n_free + 16),
        chosen=int_buffer(9),
    )
    build(grid, cliques)
    return cliques


@inline
def first_edge(cliques, node):
    """Returns the number of the first edge of a node."""
    return cliques.ends[node - 1] if node > 0 else 0


@njit
def read_grid(grid, cliques):
    """Make the free cells the nodes of level 0."""
    n, stride = 0, grid.size[STRIDE]
    for cell in range(len(cliques.nodes)):
        cliques.nodes[cell] = -1
        if is_free(grid, cell):
            y = row_of(grid, cell)
            cliques.cells[n] = cell
            cliques.nodes[cell] = n
            cliques.x[n], cliques.y[n] = (cell - y * stride) * SCALE, y * SCALE
            cliques.parents[n] = -1
            n += 1
    n_edges = 0
    for node in range(n):
        cell = cliques.cells[node]
        legal = grid.moves[cell] & 255
        for direction in range(8):
            if legal >> direction & 1:
                cliques.edges[n_edges] = cliques.nodes[cell + offset_of(grid, direction)]
                n_edges += 1
        cliques.ends[node] = n_edges
    cliques.counts[N_NODES], cliques.counts[N_EDGES] = n, n_edges
    cliques.first[1] = n


@njit
def are_adjacent(cliques, node, other):
    """Returns True if an edge connects two nodes."""
    for i in range(first_edge(cliques, node), cliques.ends[node]):
        if cliques.edges[i] == other:
            return True
    return False


@njit
def attach_child(cliques, node, parent):
    """Put a node below another."""
    cliques.parents[node] = parent
    cliques.siblings[node] = cliques.children[parent]
    cliques.children[parent] = node


@njit
def find_clique(cliques, node, size, chosen):
    """Returns True if a node is in a clique of `size` nodes without parents, found depth-first and
    written to chosen[:size].
    """
    begin, end = first_edge(cliques, node), cliques.ends[node]
    # At each depth: the edge of `node` to try next
    depth = 1
    chosen[0], chosen[5] = node, begin
    while depth > 0:
        i = chosen[4 + depth]
        if i == end:
            depth -= 1
            continue
        chosen[4 + depth] = i + 1
        other = cliques.edges[i]
        # Cliques with a lower node were tried before.
        fits = other > node and cliques.parents[other] < 0
        for j in range(1, depth):
            fits = fits and are_adjacent(cliques, chosen[j], other)
        if not fits:
            continue
        chosen[depth] = other
        depth += 1
        if depth == size:
            return True
        chosen[4 + depth] = i + 1
    return False


@njit
def cluster_level(cliques, level, chosen):
    """Give the nodes of a level parents. Returns the number of parents, or -1 without room."""
    begin, end = cliques.first[level], cliques.first[level + 1]
    n = end
    room = len(cliques.parents)
    for size in range(4, 0, -1):
        for node in range(begin, end):
            if cliques.parents[node] >= 0 or first_edge(cliques, node) == cliques.ends[node]:
                continue
            if size == 1:
                only, n_around = -1, 0
                for i in range(first_edge(cliques, node), cliques.ends[node]):
                    beside = cliques.parents[cliques.edges[i]]
                    if beside >= 0 and beside != only:
                        only = beside
                        n_around += 1
                if n_around == 1:
                    attach_child(cliques, node, only)
                    continue
                chosen[0] = node
            elif not find_clique(cliques, node, size, chosen):
                continue
            if n == room:
                return -1
            cliques.children[n] = cliques.parents[n] = -1
            for i in range(size):
                attach_child(cliques, chosen[i], n)
            n += 1
    return n - end


@njit
def connect_level(cliques, level):
    """Place a level's nodes; connect nodes of connected children. Returns False without room."""
    n_edges = cliques.counts[N_EDGES]
    for node in range(cliques.first[level], cliques.first[level + 1]):
        x, y, n = 0, 0, 0
        begin = n_edges
        child = cliques.children[node]
        while child >= 0:
            x += cliques.x[child]
            y += cliques.y[child]
            n += 1
            for i in range(first_edge(cliques, child), cliques.ends[child]):
                other = cliques.parents[cliques.edges[i]]
                is_new = other != node
                for j in range(begin, n_edges):
                    is_new = is_new and cliques.edges[j] != other
                if is_new:
                    if n_edges == len(cliques.edges):
                        return False
                    cliques.edges[n_edges] = other
                    n_edges += 1
            child = cliques.siblings[child]
        cliques.x[node], cliques.y[node] = x // n, y // n
        cliques.ends[node] = n_edges
    cliques.counts[N_EDGES] = n_edges
    return True


@njit
def forget_parents(cliques, level):
    """Remove the parents of a level's nodes, so that it is the last level."""
    for node in range(cliques.first[level], cliques.first[level + 1]):
        cliques.parents[node] = -1


@kernel
def build(grid: Grid, cliques: Cliques) -> None:
    """Build all levels."""
    read_grid(grid, cliques)
    level = 0
    while level + 2 < LEVELS:
        n = cluster_level(cliques, level, cliques.chosen)
        cliques.first[level + 2] = cliques.first[level + 1] + max(n, 0)
        if n <= 0 or not connect_level(cliques, level + 1):
            forget_parents(cliques, level)
            break
        level += 1
        cliques.counts[N_NODES] = cliques.first[level + 1]
    cliques.counts[N_LEVELS] = level + 1


# The search


GENERATION, N_PATH, N_EXPANDED = range(3)


class Corridor(NamedTuple):
    """The state of a search; see the module's docstring."""

    counts: Ints
    marks: Ints
    g: Ints
    parents: Ints
    allowed: Ints
    path: Ints


def new_corridor(cliques: Cliques) -> tuple[Corridor, Buckets]:
    """Returns buffers for searches on a grid's abstractions, and their open list."""
    n = len(cliques.parents)
    return Corridor(int_buffer(3), *(int_buffer(n) for _ in range(5))), new_buckets(n)


def cells_of(corridor: Corridor) -> list[int]:
    """Returns the cells of the path that was found last."""
    return [int(cell) for cell in corridor.path[: int(corridor.counts[N_PATH])]]


@inline
def octile_between(cliques, node, other):
    """Returns the octile cost between the places of two nodes, SCALE times that of `grid.py`."""
    dx, dy = abs(cliques.x[node] - cliques.x[other]), abs(cliques.y[node] - cliques.y[other])
    return STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)


@njit
def search_level(cliques, corridor, queue, start, goal, is_bounded):
    """Run A* from a node to another of its level, with `is_bounded` only below allowed nodes.
    Returns False without a path.
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
    """Allow the first n nodes of the path and their neighbours on the level."""
    generation = corridor.counts[GENERATION]
    for i in range(n):
        node = corridor.path[i]
        corridor.allowed[node] = generation
        for j in range(first_edge(cliques, node), cliques.ends[node]):
            corridor.allowed[cliques.edges[j]] = generation


@inline
def ancestor(cliques, node, n_levels):
    """Returns the node `n_levels` above another."""
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
    """Returns the cost of a path, or of its beginning if n_steps ends it early. Returns NO_PATH
    also for cells that were blocked when the abstractions were built.

    n_steps: refine about this many nodes on each level, 0 for all. top: the highest level to
    begin at; LEVELS begins halfway up.
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
    # Without a common ancestor only a search tells if they are connected.
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
