"""Paths of any angle: straight legs between the middles of cells, in view of each other.

A cell is in view of another if all cells are free that the line between their middles touches,
with the cells on both sides of a corner through which it passes: as a diagonal step needs both
straight neighbours. Theta* is A* in which the parent of a cell is the parent of the cell from which
it was reached, if that is in view (K. Daniel, A. Nash, S. Koenig, A. Felner, "Theta*: Any-Angle
Path Planning on Grids", JAIR 39, 2010). `pull_string` straightens the path of any other search.
Neither is always shortest. Among the walls' outlines `shared/mesh` finds shortest paths, which may
touch corners.

A search keeps its state in the buffers of A*: of each cell its parent, and its cost in units of
1 / STRAIGHT.
"""

import math

from ..core.jit import Ints, kernel, njit
from ..path.astar import (
    FIRST,
    N_BITS,
    Search,
    begin,
    g_cost,
    is_better,
    new_search,
    remember,
)
from ..path.grid import STRAIGHT, STRIDE, Grid, offset_of, require_equal_weights, row_of
from ..path.open_lists import bucket_clear, bucket_pop, bucket_push

NO_LENGTH = -1.0


def new_any_angle(grid: Grid) -> Search:
    """Returns buffers for consecutive searches on a grid. Raises ValueError for weights other than
    1.
    """
    require_equal_weights(grid)
    return new_search(grid)


@njit
def sees(grid, cell, other):
    """Returns True if all cells are free that the line between two cells touches."""
    stride = grid.size[STRIDE]
    rows = row_of(grid, other) - row_of(grid, cell)
    columns = other - cell - rows * stride
    across, down = 1 if columns > 0 else -1, stride if rows > 0 else -stride
    dx, dy = abs(columns), abs(rows)
    if grid.weights[cell] == 0:
        return False
    # Positive where the line leaves the cell by a side, 0 by a corner
    ahead = dx - dy
    while cell != other:
        step = 0
        if ahead >= 0:
            if grid.weights[cell + across] == 0:
                return False
            step += across
        if ahead <= 0:
            if grid.weights[cell + down] == 0:
                return False
            step += down
        ahead += (2 * dx if ahead <= 0 else 0) - (2 * dy if ahead >= 0 else 0)
        cell += step
        if grid.weights[cell] == 0:
            return False
    return True


@njit
def leg_length(grid, cell, other):
    """Returns the length of the line between two cells."""
    rows = row_of(grid, other) - row_of(grid, cell)
    columns = other - cell - rows * grid.size[STRIDE]
    return math.sqrt(1.0 * (columns * columns + rows * rows))


@njit
def leg_cost(grid, cell, other):
    """Returns `leg_length` in whole 1 / STRAIGHT."""
    return int(leg_length(grid, cell, other) * STRAIGHT + 0.5)


@kernel
def is_visible(grid: Grid, cell: int, other: int) -> bool:
    """Returns True if two cells are in view of each other."""
    return sees(grid, cell, other)


@kernel
def pull_string(grid: Grid, path: Ints, n: int, bends: Ints) -> int:
    """Write the cells in which a path of n cells has to bend, with both ends: each bend is the last
    cell of the path in view from the bend before. Returns their number, at most n.
    """
    if n == 0:
        return 0
    bends[0] = path[0]
    n_bends = 1
    for i in range(1, n):
        if i > 1 and not sees(grid, bends[n_bends - 1], path[i]):
            bends[n_bends] = path[i - 1]
            n_bends += 1
    if n > 1:
        bends[n_bends] = path[n - 1]
        n_bends += 1
    return n_bends


# Theta*


@njit
def parent_of(search, cell):
    """Returns the parent of a cell."""
    return search.records[2 * cell] >> 3 & (1 << N_BITS) - 1


@njit
def write_bends(grid, search, start, goal):
    """Write the ends and bends of the path to a goal. Returns its length."""
    cell, at, length = goal, len(search.path) - 1, 0.0
    while cell != start:
        search.path[at] = cell
        at -= 1
        parent = parent_of(search, cell)
        length += leg_length(grid, parent, cell)
        cell = parent
    search.path[at] = start
    search.counts[FIRST] = at
    return length


@kernel
def find(grid: Grid, search: Search, start: int, goal: int) -> float:
    """Find a short path of straight legs. Returns its length in cells, NO_LENGTH without a path;
    `astar.cells_of` has its start, bends and goal. All free cells weigh 1.
    """
    begin(search)
    bucket_clear(search)
    if grid.weights[start] == 0 or grid.weights[goal] == 0:
        return NO_LENGTH
    remember(search, start, 0, 0, start)
    cell = start
    while cell >= 0:
        if cell == goal:
            return write_bends(grid, search, start, goal)
        parent, legal = parent_of(search, cell), grid.moves[cell] & 255
        for direction in range(8):
            if legal >> direction & 1:
                other = cell + offset_of(grid, direction)
                via, new = parent, g_cost(search, parent) + leg_cost(grid, parent, other)
                if is_better(search, other, new) and not sees(grid, parent, other):
                    via, new = cell, g_cost(search, cell) + leg_cost(grid, cell, other)
                if is_better(search, other, new):
                    remember(search, other, new, 0, via)
                    bucket_push(search, new + leg_cost(grid, other, goal), other)
        cell = bucket_pop(search)
    return NO_LENGTH
