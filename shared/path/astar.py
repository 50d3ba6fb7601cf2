"""A*: an optimal path from a cell to another; with a heuristic of 0 it is Dijkstra's algorithm.

Sources: P. Hart, N. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum
Cost Paths" (IEEE Trans. SSC 4(2), 1968). With a consistent heuristic no cell is expanded twice and
f never falls; with another a cell to which a better way turns up is opened again, so that the path
is optimal wherever h overestimates nothing. Costs are whole numbers, so that rounding cannot make
h inconsistent. What a search knows is in `records.py`.
"""

from typing import Callable

from shared.core.jit import inline
from shared.path.buckets import bucket_clear, bucket_pop, bucket_push
from shared.path.grid import DIAGONAL, NO_PATH, STRAIGHT, STRIDE, Grid, offset_of, row_of, step_cost
from shared.path.records import Search, begin, is_better, remember, trace_path


@inline
def octile(grid, search, cell, goal):
    """The cost over free cells with 8 moves: consistent."""
    rows = row_of(grid, goal) - row_of(grid, cell)
    dx, dy = abs(goal - cell - rows * grid.size[STRIDE]), abs(rows)
    return STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)


@inline
def manhattan(grid, search, cell, goal):
    """The cost over free cells with 4 moves: consistent there."""
    rows = row_of(grid, goal) - row_of(grid, cell)
    return STRAIGHT * (abs(goal - cell - rows * grid.size[STRIDE]) + abs(rows))


@inline
def zero(grid, search, cell, goal):
    """0, as in Dijkstra's algorithm."""
    return 0


@inline
def tabulated(grid, search, cell, goal):
    """What `search.guesses` says, consistent or not."""
    return search.guesses[cell]


def make_astar(heuristic: Callable = octile) -> Callable[[Grid, Search, int, int], int]:
    """A*, to be compiled with `kernel`: find(grid, search, start, goal) is the cost of an optimal path,
    whose cells are in `search.path`, or NO_PATH. heuristic(grid, search, cell, goal) estimates the
    cost; on a grid of 4 moves `manhattan` knows more than `octile`.
    """

    def find(grid: Grid, search: Search, start: int, goal: int) -> int:
        begin(search)
        bucket_clear(search)
        if grid.weights[start] == 0 or grid.weights[goal] == 0:
            return NO_PATH
        remember(search, start, 0, 0, 0)
        cell = start
        while cell != goal:
            legal, cost = grid.moves[cell] & 255, search.records[2 * cell + 1]
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
