"""Lines on a grid: as many diagonal steps as it takes, and straight ones, in this order or the other."""

from shared.core.jit import inline, njit
from shared.path.grid import DIAGONAL, STRAIGHT, STRIDE, offset_of, row_of


@inline
def write_steps(grid, path, n, cell, direction, n_steps):
    """Write so many steps from a cell to places n..; false where one is not legal."""
    offset = offset_of(grid, direction)
    for i in range(n_steps):
        if grid.moves[cell] >> direction & 1 == 0:
            return False
        cell += offset
        path[n + i] = cell
    return True


@njit
def write_line(grid, path, n, cell, end):
    """Write a line behind the n cells of a path that ends in a cell; returns how many there are then, 0 where
    neither line is free.
    """
    stride = grid.size[STRIDE]
    y, end_y = row_of(grid, cell), row_of(grid, end)
    dx, dy = end - end_y * stride - cell + y * stride, end_y - y
    n_diagonal = min(abs(dx), abs(dy))
    n_straight = max(abs(dx), abs(dy)) - n_diagonal
    if dx > 0:
        diagonal = 4 if dy > 0 else 7
    else:
        diagonal = 5 if dy > 0 else 6
    if abs(dx) > abs(dy):
        straight = 0 if dx > 0 else 2
    else:
        straight = 1 if dy > 0 else 3
    turn = cell + n_diagonal * offset_of(grid, diagonal)
    if write_steps(grid, path, n, cell, diagonal, n_diagonal):
        if write_steps(grid, path, n + n_diagonal, turn, straight, n_straight):
            return n + n_diagonal + n_straight
    turn = cell + n_straight * offset_of(grid, straight)
    if write_steps(grid, path, n, cell, straight, n_straight):
        if write_steps(grid, path, n + n_straight, turn, diagonal, n_diagonal):
            return n + n_diagonal + n_straight
    return 0


@njit
def path_cost(grid, path, n):
    """What a path of n cells costs, weights aside."""
    stride, cost = grid.size[STRIDE], 0
    for i in range(1, n):
        by = abs(path[i] - path[i - 1])
        cost += STRAIGHT if by == 1 or by == stride else DIAGONAL
    return cost
