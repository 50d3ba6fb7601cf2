"""What a search on a grid knows about each cell: A*'s and jump point search's.

heap, keys, table, links  the open list: `buckets.py`
counts   int64[N_COUNTS]  see below
records  int64[2 N]       of each cell: the search that reached it last, whether it is closed (1 bit) and
                          the direction of the last step (3); g. What another search has reached counts
                          for nothing, so that a search costs nothing for cells that it does not touch.
path     int64[N]         from FIRST on: the cells of the path, start and goal included
guesses  int64[*]         what `astar.given` reads
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer
from shared.path.buckets import clear, new_buckets
from shared.path.grid import Grid, offset_of, step_cost

SEARCH, FIRST, N_COUNTS = range(3)
CLOSED = 8


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
    return Search(*new_buckets(n), *map(int_buffer, (N_COUNTS, 2 * n, n, 1)))


def cells_of(search: Search) -> list[int]:
    """The cells of the path that was found last, start and goal included; none without a path."""
    return [int(cell) for cell in search.path[int(search.counts[FIRST]) :]]


@inline
def begin(search):
    """Forget what all searches before found out."""
    clear(search)
    search.counts[SEARCH] += 1
    search.counts[FIRST] = len(search.path)


@inline
def is_known(search, cell):
    """Whether the search has reached a cell."""
    return search.records[2 * cell] >> 4 == search.counts[SEARCH]


@inline
def is_better(search, cell, cost):
    """Whether a cost is less than what the search knows of a cell."""
    return not is_known(search, cell) or cost < search.records[2 * cell + 1]


@inline
def remember(search, cell, cost, direction):
    """Record how a cell was reached."""
    search.records[2 * cell] = search.counts[SEARCH] << 4 | direction
    search.records[2 * cell + 1] = cost


@inline
def write_path(grid, search, start, goal):
    """Write the path to a goal that was reached, and return its cost. A run of steps begins in the first
    cell back whose cost is as much less as the steps cost.
    """
    records, cell, i = search.records, goal, len(search.path)
    direction, cost = 0, records[2 * goal + 1]
    while True:
        i -= 1
        search.path[i] = cell
        if is_known(search, cell) and records[2 * cell + 1] == cost:
            direction = records[2 * cell] & 7
        if cell == start:
            break
        cost -= step_cost(direction) * (grid.weights[cell] & 255)
        cell -= offset_of(grid, direction)
    search.counts[FIRST] = i
    return records[2 * goal + 1]
