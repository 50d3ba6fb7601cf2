"""Grids in flat buffers: free cells, legal steps, the costs of steps and lines.

Moves are octile without cutting corners: a diagonal step needs both straight neighbours free, as in
the scenarios of Moving AI (N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE TCIAIG
4(2), 2012). A grid without diagonals has only straight moves.

A cell is a number: (y + 1) * stride + x + 1, with x to the right, y down and (0, 0) at the top
left. The stride is a multiple of 32, and all around the grid are blocked cells:

    x    -1 0 1 2 .. width-1 # .. #      cell - 1, cell + 1, cell - stride, cell + stride and the
    y=-1  # # # # ..    #    # .. #      diagonal ones are cells of the grid or blocked
    y=0   # . . # ..    .    # .. #
    y=1   # . . . ..    .    # .. #

In all of `shared/path`: N = (height + 2) * stride, the number of cell numbers.

    size     int64[N_SIZES + 8]  see below; the difference of cell numbers of a step by direction.
    moves    uint8[N]            bit d: the step in direction d is legal; none from a blocked cell.
    weights  uint8[N]            the factor on the cost of a step into the cell; 0 for a blocked one

Directions are 0 east, 1 south, 2 west, 3 north, 4 south-east, 5 south-west, 6 north-west and 7
north-east.

Costs are whole numbers. A straight step costs STRAIGHT, a diagonal step DIAGONAL; DIAGONAL /
STRAIGHT is a convergent of sqrt 2 (Pell's numbers). So s straight and d diagonal steps cost more
than others exactly if s + d sqrt 2 is greater, as long as they differ by fewer than STRAIGHT
diagonal steps. A cost determines s and d. Sums of float64 would differ by their order.

A line between two cells has first all its diagonal steps, then its straight steps, or the reverse.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..core.jit import Bytes, Ints, byte_buffer, inline, int_buffer, kernel, njit

STRAIGHT, DIAGONAL = 470_832, 665_857
UNREACHED = 0x4_0000_0000_0000  # exceeds the cost of LARGEST cells of weight 255

WIDTH, HEIGHT, STRIDE, RECIPROCAL, N_MOVES, N_SIZES = range(6)
WORD_MASK = 0xFFFF_FFFF  # of 32 cells, one bit each
LARGEST = 0x400_000  # cells with their margin for which `row_of` is exact


class Grid(NamedTuple):
    """A grid; see the module's docstring."""

    size: Ints
    moves: Bytes
    weights: Bytes


def new_grid(rows: Sequence[Iterable], diagonals: bool = True) -> Grid:
    """Returns the grid of rows of cells, each its weight up to 255, 0 if blocked; True weighs 1.

    Raises ValueError for rows that differ in length, without cells, for too many cells, and for
    other weights.
    """
    lines = [weights_of(list(row)) for row in rows]
    height, width = len(lines), len(lines[0]) if lines else 0
    if not width or {len(line) for line in lines} != {width}:
        raise ValueError("a grid has rows, all of one length of at least 1")
    # Two columns between the rows, so that all cells around the last one are in the buffers
    stride = (width + 1) // 32 * 32 + 32
    weights = bytearray((height + 2) * stride)
    if len(weights) > LARGEST:
        raise ValueError(f"{width} x {height} cells are too many: at most {LARGEST} with margins")
    for y, line in enumerate(lines, 1):
        weights[y * stride + 1 : y * stride + width + 1] = line
    sizes = [width, height, stride, (1 << 44) // stride + 1, 8 if diagonals else 4]
    sizes += [1, stride, -1, -stride, stride + 1, stride - 1, -stride - 1, 1 - stride]
    grid = Grid(int_buffer(sizes), byte_buffer(len(weights)), byte_buffer(weights))
    read_moves(grid)
    return grid


def weight_of(number: Any) -> int:
    """Returns the weight as an int from a number of any type or a digit. Raises ValueError unless
    it is whole, from 0 to 255.
    """
    try:
        weight = int(number)
        is_whole = weight == float(number)
    except (TypeError, ValueError, OverflowError):
        weight, is_whole = 0, False
    if not is_whole or not 0 <= weight <= 255:
        raise ValueError(f"weights are whole numbers from 0 to 255, not {number!r}")
    return weight


def weights_of(row: list) -> bytes:
    """Returns the weights of a row. Raises ValueError as `weight_of`."""
    try:
        return bytes(row)
    except (TypeError, ValueError):
        return bytes(map(weight_of, row))  # slow, for numbers of any type


def require_equal_weights(grid: Grid) -> None:
    """Raises ValueError unless all free cells of a grid weigh 1."""
    if max(bytes(grid.weights)) > 1:
        raise ValueError("this search takes grids whose free cells weigh 1: use A* or a field")


def cell_at(grid: Grid, x: int, y: int) -> int:
    """Returns the number of a cell. Raises ValueError beyond the grid."""
    width, height, stride = (int(size) for size in grid.size[:3])
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"({x}, {y}) is not on the grid of {width} x {height} cells")
    return (y + 1) * stride + x + 1


def position(grid: Grid, cell: int) -> tuple[int, int]:
    """Returns (x, y) of a cell."""
    y, x = divmod(int(cell), int(grid.size[STRIDE]))
    return x - 1, y - 1


def steps(cost: int) -> tuple[int, int]:
    """Returns the (straight, diagonal) steps of a cost on a grid of weights 1; (-1, -1) for
    NO_PATH.
    """
    if cost < 0:
        return -1, -1
    n_diagonal = cost * pow(DIAGONAL, -1, STRAIGHT) % STRAIGHT
    return (cost - n_diagonal * DIAGONAL) // STRAIGHT, n_diagonal


def length(cost: int) -> float:
    """Returns the length of a path by its cost, inf for NO_PATH."""
    n_straight, n_diagonal = steps(cost)
    return n_straight + n_diagonal * math.sqrt(2) if cost >= 0 else math.inf


@inline
def is_free(grid, cell):
    """Returns 1 for a free cell, else 0."""
    return 1 if grid.weights[cell] else 0


@inline
def row_of(grid, cell):
    """Returns y + 1 of a cell, without a division."""
    return cell * grid.size[RECIPROCAL] >> 44


# Two bits a direction: the columns of a step, plus 1; then the rows
@inline
def step_x(direction):
    """Returns the columns that a step in a direction goes to the east."""
    return (0x8246 >> 2 * direction & 3) - 1


@inline
def step_y(direction):
    """Returns the rows that a step in a direction goes to the south."""
    return (0x0A19 >> 2 * direction & 3) - 1


@inline
def offset_of(grid, direction):
    """Returns the difference of cell numbers of a step in a direction."""
    return grid.size[N_SIZES + direction]


@inline
def step_cost(direction):
    """Returns the cost of a step into a cell of weight 1."""
    return STRAIGHT if direction < 4 else DIAGONAL


@inline
def legal_moves(grid, cell):
    """Returns the directions of the legal steps from a cell, as bits."""
    found = 0
    if grid.weights[cell]:
        for direction in range(grid.size[N_MOVES]):
            # The diagonal direction 4 is between 0 and 1, and so on.
            beside = 1 << (direction & 3) | 1 << (direction + 1 & 3)
            if (direction < 4 or found & beside == beside) and grid.weights[
                cell + offset_of(grid, direction)
            ]:
                found |= 1 << direction
    return found


@inline
def change_cell(grid, cell, weight):
    """Give a cell a weight, 0 to block it, and update the moves around it."""
    grid.weights[cell] = weight
    stride = grid.size[STRIDE]
    for row in range(-1, 2):
        for around in range(cell + row * stride - 1, cell + row * stride + 2):
            grid.moves[around] = legal_moves(grid, around)


@kernel
def read_moves(grid: Grid) -> None:
    """Set the moves of all cells from the weights."""
    for cell in range(len(grid.moves)):
        grid.moves[cell] = legal_moves(grid, cell)


@kernel
def set_free(grid: Grid, cell: int, free: bool) -> None:
    """Make a cell free, of weight 1, or blocked."""
    change_cell(grid, cell, 1 if free else 0)


# Lines


@inline
def write_steps(grid, path, n, cell, direction, n_steps):
    """Append `n_steps` steps from a cell to the n cells of a path. Returns False at an illegal
    step.
    """
    offset = offset_of(grid, direction)
    for i in range(n_steps):
        if grid.moves[cell] >> direction & 1 == 0:
            return False
        cell += offset
        path[n + i] = cell
    return True


@njit
def write_line(grid, path, n, cell, end):
    """Append a line from a cell to `end` to the n cells of a path: its diagonal steps first, or its
    straight steps. Returns the new number of cells, 0 if neither line is free.
    """
    stride = grid.size[STRIDE]
    y, end_y = row_of(grid, cell), row_of(grid, end)
    dx, dy = end - end_y * stride - cell + y * stride, end_y - y
    n_diagonal = min(abs(dx), abs(dy))
    n_straight = max(abs(dx), abs(dy)) - n_diagonal
    horizontal, vertical = 0 if dx > 0 else 2, 1 if dy > 0 else 3
    straight = horizontal if abs(dx) > abs(dy) else vertical
    # The diagonal direction 4 is between 0 and 1, and so on.
    diagonal = 4 + (horizontal if vertical == (horizontal + 1 & 3) else vertical)
    turn = cell + n_diagonal * offset_of(grid, diagonal)
    if write_steps(grid, path, n, cell, diagonal, n_diagonal) and write_steps(
        grid, path, n + n_diagonal, turn, straight, n_straight
    ):
        return n + n_diagonal + n_straight
    turn = cell + n_straight * offset_of(grid, straight)
    if write_steps(grid, path, n, cell, straight, n_straight) and write_steps(
        grid, path, n + n_straight, turn, diagonal, n_diagonal
    ):
        return n + n_diagonal + n_straight
    return 0


@njit
def path_cost(grid, path, n):
    """Returns the cost of a path of n cells, weights aside."""
    stride, cost = grid.size[STRIDE], 0
    for i in range(1, n):
        by = abs(path[i] - path[i - 1])
        cost += STRAIGHT if by == 1 or by == stride else DIAGONAL
    return cost
