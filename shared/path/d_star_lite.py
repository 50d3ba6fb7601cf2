"""D* Lite: one walker's shortest path to a goal, repaired where cells change.

Source: S. Koenig, M. Likhachev, "D* Lite" (AAAI 2002), the optimized version: a search from the goal
towards the walker, which goes on where costs have changed. Every cell has two estimates of its cost
to the goal, g and what its neighbours' g make of it (rhs); those that differ are in the open list, by
(min(g, rhs) + h from the walker + km, min(g, rhs)), where km sums up how far the walker has come
since, so that no key has to be changed when it moves. What changes near the walker changes little of
that: README.md beside this says where it is faster than a new search. Weights and 4 moves are taken.

    counts  int64[N_COUNTS]  see below
    nodes   int64[4 N]       of each cell: the search that reached it last, g, rhs, its place in the heap
    heap    int64[3 N + 3]   from place 1 on: both keys and the cell of each entry
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, kernel, njit
from shared.path.astar import manhattan, octile
from shared.path.grid import N_MOVES, NO_PATH, UNREACHED, Grid, offset_of, step_cost

SEARCH, KM, LAST, GOAL, N_QUEUED, N_EXPANDED, N_COUNTS = range(7)
KNOWN, G, RHS, PLACE = range(4)


class Walk(NamedTuple):
    """What is known of a walker's way; see the module's docstring."""

    counts: Ints
    nodes: Ints
    heap: Ints


def new_walk(grid: Grid) -> Walk:
    """Buffers for walkers on a grid, one after the other."""
    n = len(grid.moves)
    return Walk(int_buffer(N_COUNTS), int_buffer(4 * n), int_buffer(3 * n + 3))


@inline
def open_node(walk, cell):
    """Where what is known of a cell stands, which is nothing before the search reaches it."""
    nodes, base = walk.nodes, 4 * cell
    if nodes[base] != walk.counts[SEARCH]:
        nodes[base] = walk.counts[SEARCH]
        nodes[base + G] = nodes[base + RHS] = UNREACHED
        nodes[base + PLACE] = 0
    return base


@inline
def h_cost(grid, walk, cell, start):
    """What it costs at least from a cell to the walker."""
    if grid.size[N_MOVES] == 8:
        return octile(grid, walk, cell, start)
    return manhattan(grid, walk, cell, start)


@inline
def is_entry_first(walk, i, first, second):
    """Whether the entry at a place of the heap comes before keys."""
    key = walk.heap[3 * i]
    return key < first or (key == first and walk.heap[3 * i + 1] < second)


@inline
def write_entry(walk, i, first, second, cell):
    """Write an entry to a place of the heap."""
    walk.heap[3 * i], walk.heap[3 * i + 1], walk.heap[3 * i + 2] = first, second, cell
    walk.nodes[4 * cell + PLACE] = i


@njit
def sift_entry(walk, i, first, second, cell):
    """Put an entry into a hole of the heap, or where it belongs above or below."""
    heap, n = walk.heap, walk.counts[N_QUEUED]
    while i > 1 and not is_entry_first(walk, i >> 1, first, second):
        above = 3 * (i >> 1)
        write_entry(walk, i, heap[above], heap[above + 1], heap[above + 2])
        i >>= 1
    while 2 * i <= n:
        below = 2 * i
        if below < n and is_entry_first(walk, below + 1, heap[3 * below], heap[3 * below + 1]):
            below += 1
        if not is_entry_first(walk, below, first, second):
            break
        write_entry(walk, i, heap[3 * below], heap[3 * below + 1], heap[3 * below + 2])
        i = below
    write_entry(walk, i, first, second, cell)


@inline
def update_vertex(grid, walk, cell, start):
    """Put a cell whose estimates differ in the open list, by its present keys; take another out."""
    base = 4 * cell
    g, rhs, place = walk.nodes[base + G], walk.nodes[base + RHS], walk.nodes[base + PLACE]
    if g != rhs:
        if place == 0:
            walk.counts[N_QUEUED] += 1
            place = walk.counts[N_QUEUED]
        least = min(g, rhs)
        sift_entry(
            walk, place, least + h_cost(grid, walk, cell, start) + walk.counts[KM], least, cell
        )
    elif place:
        n = walk.counts[N_QUEUED]
        walk.counts[N_QUEUED] = n - 1
        walk.nodes[base + PLACE] = 0
        if place < n:
            heap = walk.heap
            sift_entry(walk, place, heap[3 * n], heap[3 * n + 1], heap[3 * n + 2])


@inline
def one_step_cost(grid, walk, cell):
    """What the neighbours' g make of a cell's cost."""
    best, legal = UNREACHED, grid.moves[cell] & 255
    for direction in range(8):
        if legal >> direction & 1:
            other = cell + offset_of(grid, direction)
            base = open_node(walk, other)
            cost = walk.nodes[base + G] + step_cost(direction) * (grid.weights[other] & 255)
            best = min(best, cost)
    return best


@njit
def compute_shortest_path(grid, walk, start):
    """Make the cells of a shortest path from the start consistent; returns its cost, or NO_PATH."""
    nodes, heap, counts = walk.nodes, walk.heap, walk.counts
    goal = counts[GOAL]
    the_start = open_node(walk, start)
    if grid.weights[start] == 0 or grid.weights[goal] == 0:
        return NO_PATH
    while counts[N_QUEUED]:
        first, second, cell = heap[3], heap[4], heap[5]
        g, rhs = nodes[the_start + G], nodes[the_start + RHS]
        least = min(g, rhs)
        if rhs <= g and not is_entry_first(walk, 1, least + counts[KM], least):
            break
        base = 4 * cell
        new_first = second + h_cost(grid, walk, cell, start) + counts[KM]
        if first < new_first:
            sift_entry(walk, 1, new_first, second, cell)
            continue
        counts[N_EXPANDED] += 1
        weight, legal = grid.weights[cell] & 255, grid.moves[cell] & 255
        g, rhs = nodes[base + G], nodes[base + RHS]
        if g > rhs:
            nodes[base + G] = rhs
            update_vertex(grid, walk, cell, start)
            for direction in range(8):
                if legal >> direction & 1:
                    other = cell + offset_of(grid, direction)
                    there = open_node(walk, other)
                    cost = rhs + step_cost(direction) * weight
                    if cost < nodes[there + RHS]:
                        nodes[there + RHS] = cost
                        update_vertex(grid, walk, other, start)
        else:
            nodes[base + G] = UNREACHED
            update_vertex(grid, walk, cell, start)
            for direction in range(8):
                if legal >> direction & 1:
                    other = cell + offset_of(grid, direction)
                    there = open_node(walk, other)
                    if other != goal and nodes[there + RHS] == g + step_cost(direction) * weight:
                        nodes[there + RHS] = one_step_cost(grid, walk, other)
                        update_vertex(grid, walk, other, start)
    cost = nodes[the_start + RHS]
    return cost if cost < UNREACHED else NO_PATH


@kernel
def plan(grid: Grid, walk: Walk, start: int, goal: int) -> int:
    """Begin anew, with a walker's cell and its goal; returns the cost of its way, or NO_PATH."""
    counts = walk.counts
    counts[SEARCH] += 1
    counts[KM] = counts[N_QUEUED] = 0
    counts[LAST], counts[GOAL] = start, goal
    walk.nodes[open_node(walk, goal) + RHS] = 0
    update_vertex(grid, walk, goal, start)
    return compute_shortest_path(grid, walk, start)


@kernel
def replan(grid: Grid, walk: Walk, start: int, cells: Ints, n_cells: int) -> int:
    """Go on where the walker is now, after the first n of some cells have become free or blocked, or
    have changed their weights; returns the cost of its way, or NO_PATH.
    """
    counts, stride = walk.counts, offset_of(grid, 1)
    counts[KM] += h_cost(grid, walk, counts[LAST], start)
    counts[LAST] = start
    for i in range(n_cells):
        for row in range(-1, 2):
            for cell in range(cells[i] + row * stride - 1, cells[i] + row * stride + 2):
                base = open_node(walk, cell)
                if cell != counts[GOAL]:
                    rhs = one_step_cost(grid, walk, cell)
                    if rhs != walk.nodes[base + RHS]:
                        walk.nodes[base + RHS] = rhs
                        update_vertex(grid, walk, cell, start)
    return compute_shortest_path(grid, walk, start)


@kernel
def next_cell(grid: Grid, walk: Walk, cell: int) -> int:
    """The next cell of the way from a cell on it, the goal from itself; NO_PATH without a way."""
    best, after, legal = UNREACHED, NO_PATH, grid.moves[cell] & 255
    if cell == walk.counts[GOAL]:
        return cell
    for direction in range(8):
        if legal >> direction & 1:
            other = cell + offset_of(grid, direction)
            base = open_node(walk, other)
            cost = walk.nodes[base + G] + step_cost(direction) * (grid.weights[other] & 255)
            if cost < best:
                best, after = cost, other
    return after
