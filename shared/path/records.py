"""What a search on a grid knows about each cell: A*'s and jump point search's.

heap, keys, table, links  the open list: `buckets.py`
counts   int64[N_COUNTS]  see below
records  int64[2 N]       of each cell: the search that reached it last, by how many steps (N_BITS bits) in
                          which direction (3); g. What another search has reached counts for nothing, so
                          that a search costs nothing for cells that it does not touch.
path     int64[N]         from FIRST on: the cells of the path, start and goal included
guesses  int64[*]         what `astar.given` reads
"""

from typing import Any, NamedTuple

from shared.core.jit import Ints, inline, int_buffer
from shared.path.buckets import new_buckets
from shared.path.grid import Grid, offset_of

SEARCH, FIRST, N_COUNTS = range(3)
N_BITS = 22


class Search(NamedTuple):
    """The state of searches on a grid; see the module's docstring."""

    heap: Ints
    keys: Ints
    table: Ints
    links: Ints
    counts: Ints
    records: Ints
    path: Ints
    guesses: Ints


def new_search(grid: Grid) -> Search:
    """Buffers for any number of searches on a grid, one after the other."""
    n = len(grid.moves)
    return Search(*new_buckets(n), int_buffer([0, n]), *map(int_buffer, (2 * n, n, 1)))


def cells_of(search: Any) -> list[int]:
    """The cells of the path that was found last, start and goal included; none without a path."""
    return [int(cell) for cell in search.path[int(search.counts[FIRST]) :]]


@inline
def begin(search):
    """Forget what all searches before found out."""
    search.counts[SEARCH] += 1
    search.counts[FIRST] = len(search.path)


@inline
def is_reached(search, cell):
    """Whether the search has reached a cell."""
    return search.records[2 * cell] >> N_BITS + 3 == search.counts[SEARCH]


@inline
def is_better(search, cell, cost):
    """Whether a cost is less than what the search knows of a cell."""
    return not is_reached(search, cell) or cost < search.records[2 * cell + 1]


@inline
def remember(search, cell, cost, direction, n):
    """Record how a cell was reached: by n steps in a direction."""
    search.records[2 * cell] = (search.counts[SEARCH] << N_BITS | n) << 3 | direction
    search.records[2 * cell + 1] = cost


@inline
def trace_path(grid, search, start, goal):
    """Write the path to a goal that was reached, and return its cost."""
    cell, i = goal, len(search.path) - 1
    while cell != start:
        record = search.records[2 * cell]
        offset = offset_of(grid, record & 7)
        for _ in range(record >> 3 & (1 << N_BITS) - 1):
            search.path[i] = cell
            cell -= offset
            i -= 1
    search.path[i] = start
    search.counts[FIRST] = i
    return search.records[2 * goal + 1]
