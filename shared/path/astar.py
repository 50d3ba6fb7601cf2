"""A*: an optimal path from a cell to another; with a heuristic of 0 it is Dijkstra's algorithm.

Source: P. Hart, N. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum
Cost Paths" (IEEE Trans. SSC 4(2), 1968). With a consistent heuristic A* expands no cell twice, and
f never falls. With another heuristic A* reopens a cell that a better path reaches; the path is
optimal if h overestimates nothing. Costs are whole numbers, so that rounding cannot make h
inconsistent.

The state of a search; jump point search has the same counts, records and path:

    heap, keys, table, links  the open list: Buckets of `open_lists.py`
    counts     int64[N_COUNTS]  see below
    records    int64[2 N]       of each cell: the search that reached it last, the number of steps
                                (N_BITS bits) and the direction (3) of its arrival; g. Records of
                                other searches are ignored, so that a search costs nothing for cells
                                that it does not reach.
    path       int64[N]         from FIRST on: the cells of the path, start and goal included
    estimates  int64[*]         read by `tabulated`
"""

from typing import Any, Callable, NamedTuple

from ..core.jit import Ints, inline, int_buffer
from ..path.grid import DIAGONAL, STRAIGHT, STRIDE, Grid, offset_of, row_of, step_cost
from ..path.open_lists import bucket_clear, bucket_pop, bucket_push, new_buckets
from ..path.statuses import NO_PATH

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
    estimates: Ints


def new_search(grid: Grid) -> Search:
    """Returns buffers for consecutive searches on a grid."""
    n = len(grid.moves)
    return Search(*new_buckets(n), int_buffer([0, n]), *map(int_buffer, (2 * n, n, 1)))


def cells_of(search: Any) -> list[int]:
    """Returns the cells of the last path found, with start and goal; [] without a path."""
    return [int(cell) for cell in search.path[int(search.counts[FIRST]) :]]


@inline
def begin(search):
    """Discard the results of all earlier searches."""
    search.counts[SEARCH] += 1
    search.counts[FIRST] = len(search.path)


@inline
def is_reached(search, cell):
    """Returns True if the search has reached a cell."""
    return search.records[2 * cell] >> N_BITS + 3 == search.counts[SEARCH]


@inline
def g_cost(search, cell):
    """Returns the cost by which a cell was reached."""
    return search.records[2 * cell + 1]


@inline
def arrival(search, cell):
    """Returns the direction in which a cell was reached."""
    return search.records[2 * cell] & 7


@inline
def is_better(search, cell, cost):
    """Returns True if a cost is less than the cell's best cost so far."""
    return not is_reached(search, cell) or cost < g_cost(search, cell)


@inline
def remember(search, cell, cost, direction, n):
    """Record the arrival in a cell: by n steps in a direction, at a cost."""
    search.records[2 * cell] = (search.counts[SEARCH] << N_BITS | n) << 3 | direction
    search.records[2 * cell + 1] = cost


@inline
def trace_path(grid, search, start, goal):
    """Write the path to a goal that was reached. Returns its cost."""
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
    return g_cost(search, goal)


# The search


@inline
def octile(grid, search, cell, goal):
    """Returns the cost to the goal without walls: consistent for 8 moves."""
    rows = row_of(grid, goal) - row_of(grid, cell)
    dx, dy = abs(goal - cell - rows * grid.size[STRIDE]), abs(rows)
    return STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)


@inline
def manhattan(grid, search, cell, goal):
    """Returns the cost to the goal without walls: consistent for 4 moves."""
    rows = row_of(grid, goal) - row_of(grid, cell)
    return STRAIGHT * (abs(goal - cell - rows * grid.size[STRIDE]) + abs(rows))


@inline
def zero(grid, search, cell, goal):
    """Returns 0, as in Dijkstra's algorithm."""
    return 0


@inline
def tabulated(grid, search, cell, goal):
    """Returns the estimate in `search.estimates`, consistent or not."""
    return search.estimates[cell]


def make_astar(heuristic: Callable = octile) -> Callable[[Grid, Search, int, int], int]:
    """Returns A*, to be compiled with `kernel`: find(grid, search, start, goal) returns the cost of
    an optimal path, or NO_PATH, and leaves its cells in `search.path`. heuristic(grid, search,
    cell, goal) estimates the cost; on a grid of 4 moves `manhattan` is a tighter bound than
    `octile`.
    """

    def find(grid: Grid, search: Search, start: int, goal: int) -> int:
        begin(search)
        bucket_clear(search)
        if grid.weights[start] == 0 or grid.weights[goal] == 0:
            return NO_PATH
        remember(search, start, 0, 0, 0)
        cell = start
        while cell != goal:
            legal, cost = grid.moves[cell] & 255, g_cost(search, cell)
            for direction in range(8):
                if legal >> direction & 1:
                    other = cell + offset_of(grid, direction)
                    new = cost + step_cost(direction) * (grid.weights[other] & 255)
                    if is_better(search, other, new):
                        remember(search, other, new, direction, 1)
                        bucket_push(search, new + heuristic(grid, search, other, goal), other)
            cell = bucket_pop(search)
            if cell < 0:
                return NO_PATH
        return trace_path(grid, search, start, goal)

    return find
