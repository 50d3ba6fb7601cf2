"""D* Lite: one walker's shortest path to a goal, repaired after cells change.

Source: S. Koenig, M. Likhachev, "D* Lite" (AAAI 2002), the optimized version: a search from the
goal towards the walker, which continues where costs have changed. Every cell has two estimates of
its cost to the goal: g, and the one-step lookahead rhs by its neighbours' g. Inconsistent cells, of
g != rhs, are in the open list, by (min(g, rhs) + h from the walker + km, min(g, rhs)). km sums up
the walker's moves, so that no key changes when it moves. Changes near the walker change little of
the search: README.md beside this compares it with new searches. Weights and 4 moves are allowed.

    counts  int64[N_COUNTS]  see below
    nodes   int64[4 N]       of each cell: the search that reached it last, g, rhs, its heap place
    heap    int64[3 N + 3]   from place 1 on: both keys and the cell of each entry
"""

from typing import NamedTuple

from ..core.jit import Ints, inline, int_buffer, kernel, njit
from ..path.astar import manhattan, octile
from ..path.grid import N_MOVES, UNREACHED, Grid, offset_of, step_cost
from ..path.statuses import NO_PATH

SEARCH, KM, LAST, GOAL, N_QUEUED, N_EXPANDED, N_COUNTS = range(7)
KNOWN, G, RHS, PLACE = range(4)


class Walk(NamedTuple):
    """The state of a walker's search; see the module's docstring."""

    counts: Ints
    nodes: Ints
    heap: Ints


def new_walk(grid: Grid) -> Walk:
    """Returns buffers for walkers on a grid, one after the other."""
    n = len(grid.moves)
    return Walk(int_buffer(N_COUNTS), int_buffer(4 * n), int_buffer(3 * n + 3))


@inline
def g_of(walk, cell):
    """Returns g of a cell that the search has reached."""
    return walk.nodes[4 * cell + G]


@inline
def rhs_of(walk, cell):
    """Returns rhs of a cell that the search has reached."""
    return walk.nodes[4 * cell + RHS]


@inline
def place_in_heap(walk, cell):
    """Returns the place of a cell in the heap, 0 outside of it."""
    return walk.nodes[4 * cell + PLACE]


@inline
def set_g(walk, cell, cost):
    """Set g of a cell."""
    walk.nodes[4 * cell + G] = cost


@inline
def set_rhs(walk, cell, cost):
    """Set rhs of a cell."""
    walk.nodes[4 * cell + RHS] = cost


@inline
def set_place(walk, cell, place):
    """Set the place of a cell in the heap."""
    walk.nodes[4 * cell + PLACE] = place


@inline
def open_node(walk, cell):
    """Set infinite estimates of a cell on the search's first visit."""
    if walk.nodes[4 * cell + KNOWN] != walk.counts[SEARCH]:
        walk.nodes[4 * cell + KNOWN] = walk.counts[SEARCH]
        set_g(walk, cell, UNREACHED)
        set_rhs(walk, cell, UNREACHED)
        set_place(walk, cell, 0)


@inline
def h_cost(grid, walk, cell, start):
    """Returns a lower bound of the cost from a cell to the walker."""
    if grid.size[N_MOVES] == 8:
        return octile(grid, walk, cell, start)
    return manhattan(grid, walk, cell, start)


@inline
def is_entry_first(walk, i, first, second):
    """Returns True if the entry at a heap place precedes a pair of keys."""
    key = walk.heap[3 * i]
    return key < first or (key == first and walk.heap[3 * i + 1] < second)


@inline
def write_entry(walk, i, first, second, cell):
    """Write an entry to a place of the heap."""
    walk.heap[3 * i], walk.heap[3 * i + 1], walk.heap[3 * i + 2] = first, second, cell
    set_place(walk, cell, i)


@njit
def sift_entry(walk, i, first, second, cell):
    """Insert an entry at a hole of the heap, moved up or down by its keys."""
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
    """Queue an inconsistent cell by its present keys; unqueue a consistent one."""
    g, rhs, place = g_of(walk, cell), rhs_of(walk, cell), place_in_heap(walk, cell)
    if g != rhs:
        if place == 0:
            walk.counts[N_QUEUED] += 1
            place = walk.counts[N_QUEUED]
        least = min(g, rhs)
        first = least + h_cost(grid, walk, cell, start) + walk.counts[KM]
        sift_entry(walk, place, first, least, cell)
    elif place:
        n = walk.counts[N_QUEUED]
        walk.counts[N_QUEUED] = n - 1
        set_place(walk, cell, 0)
        if place < n:
            heap = walk.heap
            sift_entry(walk, place, heap[3 * n], heap[3 * n + 1], heap[3 * n + 2])


@inline
def one_step_cost(grid, walk, cell):
    """Returns the least cost of a cell by the g of its neighbours."""
    best, legal = UNREACHED, grid.moves[cell] & 255
    for direction in range(8):
        if legal >> direction & 1:
            other = cell + offset_of(grid, direction)
            open_node(walk, other)
            cost = g_of(walk, other) + step_cost(direction) * (grid.weights[other] & 255)
            best = min(best, cost)
    return best


@njit
def compute_shortest_path(grid, walk, start):
    """Make the cells of a shortest path from the start consistent. Returns its cost, or NO_PATH."""
    heap, counts = walk.heap, walk.counts
    goal = counts[GOAL]
    open_node(walk, start)
    if grid.weights[start] == 0 or grid.weights[goal] == 0:
        return NO_PATH
    while counts[N_QUEUED]:
        first, second, cell = heap[3], heap[4], heap[5]
        g, rhs = g_of(walk, start), rhs_of(walk, start)
        least = min(g, rhs)
        if rhs <= g and not is_entry_first(walk, 1, least + counts[KM], least):
            break
        new_first = second + h_cost(grid, walk, cell, start) + counts[KM]
        if first < new_first:
            sift_entry(walk, 1, new_first, second, cell)
            continue
        counts[N_EXPANDED] += 1
        weight, legal = grid.weights[cell] & 255, grid.moves[cell] & 255
        g, rhs = g_of(walk, cell), rhs_of(walk, cell)
        if g > rhs:
            set_g(walk, cell, rhs)
            update_vertex(grid, walk, cell, start)
            for direction in range(8):
                if legal >> direction & 1:
                    other = cell + offset_of(grid, direction)
                    open_node(walk, other)
                    cost = rhs + step_cost(direction) * weight
                    if cost < rhs_of(walk, other):
                        set_rhs(walk, other, cost)
                        update_vertex(grid, walk, other, start)
        else:
            set_g(walk, cell, UNREACHED)
            update_vertex(grid, walk, cell, start)
            for direction in range(8):
                if legal >> direction & 1:
                    other = cell + offset_of(grid, direction)
                    open_node(walk, other)
                    cost = g + step_cost(direction) * weight
                    if other != goal and rhs_of(walk, other) == cost:
                        set_rhs(walk, other, one_step_cost(grid, walk, other))
                        update_vertex(grid, walk, other, start)
    cost = rhs_of(walk, start)
    return cost if cost < UNREACHED else NO_PATH


@kernel
def plan(grid: Grid, walk: Walk, start: int, goal: int) -> int:
    """Start a new plan from a walker's cell to its goal. Returns the cost of its path, or
    NO_PATH.
    """
    counts = walk.counts
    counts[SEARCH] += 1
    counts[KM] = counts[N_QUEUED] = 0
    counts[LAST], counts[GOAL] = start, goal
    open_node(walk, goal)
    set_rhs(walk, goal, 0)
    update_vertex(grid, walk, goal, start)
    return compute_shortest_path(grid, walk, start)


@kernel
def replan(grid: Grid, walk: Walk, start: int, cells: Ints, n_cells: int) -> int:
    """Continue from the walker's present cell after cells[:n_cells] were freed, blocked or given
    another weight. Returns the cost of its path, or NO_PATH.
    """
    counts, stride = walk.counts, offset_of(grid, 1)
    counts[KM] += h_cost(grid, walk, counts[LAST], start)
    counts[LAST] = start
    for i in range(n_cells):
        for row in range(-1, 2):
            for cell in range(cells[i] + row * stride - 1, cells[i] + row * stride + 2):
                open_node(walk, cell)
                if cell != counts[GOAL]:
                    rhs = one_step_cost(grid, walk, cell)
                    if rhs != rhs_of(walk, cell):
                        set_rhs(walk, cell, rhs)
                        update_vertex(grid, walk, cell, start)
    return compute_shortest_path(grid, walk, start)


@kernel
def next_cell(grid: Grid, walk: Walk, cell: int) -> int:
    """Returns the next cell of the path from a cell on it, the goal at the goal; NO_PATH without a
    path.
    """
    best, following, legal = UNREACHED, NO_PATH, grid.moves[cell] & 255
    if cell == walk.counts[GOAL]:
        return cell
    for direction in range(8):
        if legal >> direction & 1:
            other = cell + offset_of(grid, direction)
            open_node(walk, other)
            cost = g_of(walk, other) + step_cost(direction) * (grid.weights[other] & 255)
            if cost < best:
                best, following = cost, other
    return following
