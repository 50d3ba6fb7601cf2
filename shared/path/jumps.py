"""What jump point search knows: an open list as a heap of whole numbers, and what was reached.

An entry is f << CELL_BITS | cell, so that a single comparison orders it and nothing says where a cell's
entry is: of a cell to which a better way turned up there are several, and only the one of its f counts.
Where the heap is full, the others are left out. The hole of what is taken sinks to the bottom before it
is filled (I. Wegener, "Bottom-Up-Heapsort", Theoretical Computer Science 118(1), 1993), which the
processor need not guess. Few keys are equal here: with `buckets.py` JPS+ took a fifth longer.

    counts   int64[N_COUNTS]  as in `records.py`
    records  int64[2 N]       the same
    path     int64[N]         the same
    heap     int64[N]         how many entries there are; those. f has 41 bits: of four cells in a square a
                              shortest path has at most three, and LARGEST bounds the cells.
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer
from shared.path.astar import octile
from shared.path.grid import Grid

CELL_BITS = 22


class Jumps(NamedTuple):
    """The state of jump point searches on a grid; see the module's docstring."""

    counts: Ints
    records: Ints
    path: Ints
    heap: Ints


def new_jumps(grid: Grid) -> Jumps:
    """Buffers for any number of jump point searches on a grid, one after the other."""
    n = len(grid.moves)
    return Jumps(int_buffer([0, n]), *map(int_buffer, (2 * n, n, n)))


@inline
def f_cost(grid, jumps, cell, goal):
    """f of a cell, by what is known of it."""
    return jumps.records[2 * cell + 1] + octile(grid, jumps, cell, goal)


@inline
def sift_up(heap, i, entry):
    """Put an entry into a hole, or into one above."""
    while i > 1 and heap[i >> 1] > entry:
        heap[i] = heap[i >> 1]
        i >>= 1
    heap[i] = entry


@inline
def jump_push(grid, jumps, cell, goal):
    """Put a cell in."""
    heap = jumps.heap
    if heap[0] + 1 == len(heap):
        n, heap[0] = heap[0], 0
        for i in range(1, n + 1):
            other = heap[i] & (1 << CELL_BITS) - 1
            if heap[i] >> CELL_BITS == f_cost(grid, jumps, other, goal):
                heap[0] += 1
                sift_up(heap, heap[0], heap[i])
    heap[0] += 1
    sift_up(heap, heap[0], f_cost(grid, jumps, cell, goal) << CELL_BITS | cell)


@inline
def jump_pop(grid, jumps, goal):
    """Take out the cell of the least f; -1 if there is none."""
    heap = jumps.heap
    while heap[0]:
        first, n = heap[1], heap[0]
        i, child = 1, 2
        while child < n:
            child += heap[child + 1] < heap[child]
            heap[i] = heap[child]
            i, child = child, 2 * child
        sift_up(heap, i, heap[n])
        heap[0] = n - 1
        cell = first & (1 << CELL_BITS) - 1
        if first >> CELL_BITS == f_cost(grid, jumps, cell, goal):
            return cell
    return -1
