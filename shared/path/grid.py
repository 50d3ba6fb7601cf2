"""Grids in flat buffers: which cells are free, which steps are legal, what a step costs.

Moves are octile without cutting corners: a diagonal step needs both straight neighbours free, as in
the scenarios of Moving AI (N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE TCIAIG 4(2),
2012). A grid of `FOUR` moves has the straight ones alone.

A cell is a number: (y + 1) * stride + x + 1, with x to the right, y down and (0, 0) at the top left.
The stride is a multiple of 32, and all around the grid are blocked cells:

    x    -1 0 1 2 .. width-1 # .. #      cell - 1, cell + 1, cell - stride, cell + stride and the
    y=-1  # # # # ..    #    # .. #      diagonal ones are cells of the grid or blocked
    y=0   # . . # ..    .    # .. #
    y=1   # . . . ..    .    # .. #

Letters, in all of `shared/path`: N the numbers of cells, (height + 2) * stride.

    size     int64[N_SIZES]  see below
    moves    uint8[N]        bit d: the step in direction d is legal; none from a blocked cell
    rows     int64[N / 32]   bit cell % 32 of word cell // 32: it is free; 32 to a word, so that
                             two of them make a window of 63 bits
    columns  int64[*]        the same with x and y exchanged
    weights  uint8[N]        how many times its length a step into the cell costs, 1 or more

Directions are 0 east, 1 south, 2 west, 3 north, 4 south-east, 5 south-west, 6 north-west, 7 north-east.

Costs are whole numbers. A straight step costs STRAIGHT, a diagonal one DIAGONAL, two neighbours among
the convergents of sqrt 2 (Pell's numbers): s straight and d diagonal steps cost more than others
exactly if s + d sqrt 2 is greater, as long as they differ by fewer than STRAIGHT diagonal steps, and
the numbers s and d can be told from the cost. Sums of float64 differ by their order.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shared.core.jit import Bytes, Ints, byte_buffer, inline, int_buffer, kernel

STRAIGHT, DIAGONAL = 470_832, 665_857
# Of the many numbers for "none", the one that no cost and no cell is
NO_PATH = -1
UNREACHED = 1 << 44

WIDTH, HEIGHT, STRIDE, COLUMN_STRIDE, N_MOVES, RECIPROCAL, N_SIZES = range(7)
EAST, SOUTH, WEST, NORTH, SOUTH_EAST, SOUTH_WEST, NORTH_WEST, NORTH_EAST = range(8)
# Two bits a direction: the columns and the rows of a step, plus 1
EASTWARD, SOUTHWARD = 0x8246, 0x0A19
FOUR, EIGHT = 4, 8
WORD = 32  # cells to a word of bits
LARGEST = 1 << 22  # cells with their margin
ROUNDING = 44  # bits of RECIPROCAL behind the point: exact up to LARGEST cells


class Grid(NamedTuple):
    """A grid; see the module's docstring."""

    size: Ints
    moves: Bytes
    rows: Ints
    columns: Ints
    weights: Bytes


def new_grid(rows: Sequence[Iterable], n_moves: int = EIGHT) -> Grid:
    """The grid of some rows of cells, each true where it is free; `weights` are all 1.

    Raises ValueError if the rows differ in length, are none, or too many.
    """
    lines = [[1 if cell else 0 for cell in row] for row in rows]
    height, width = len(lines), len(lines[0]) if lines else 0
    if not width or any(len(line) != width for line in lines):
        raise ValueError("a grid has rows, all of one length of at least 1")
    if n_moves not in (FOUR, EIGHT):
        raise ValueError(f"a grid has {FOUR} or {EIGHT} moves, not {n_moves}")
    stride, column_stride = ((n + 1) // WORD * WORD + WORD for n in (width, height))
    n, n_across = (height + 2) * stride, (width + 2) * column_stride
    if max(n, n_across) > LARGEST:
        raise ValueError(
            f"{width} x {height} cells are too many: at most {LARGEST} with the margin"
        )
    free = bytearray(n)
    for y, line in enumerate(lines):
        first = (y + 1) * stride + 1
        free[first : first + width] = bytes(line)
    reciprocal = (1 << ROUNDING) // stride + 1
    grid = Grid(
        size=int_buffer([width, height, stride, column_stride, n_moves, reciprocal]),
        moves=byte_buffer(free),
        # A window reaches a word further.
        rows=int_buffer(n // WORD + 1),
        columns=int_buffer(n_across // WORD + 1),
        weights=byte_buffer(b"\1" * n),
    )
    read_moves(grid)
    return grid


def cell_at(grid: Grid, x: int, y: int) -> int:
    """The number of a cell. Raises ValueError beyond the grid."""
    width, height, stride = (int(number) for number in list(grid.size[: STRIDE + 1]))
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"({x}, {y}) is not on the grid of {width} x {height} cells")
    return (y + 1) * stride + x + 1


def position(grid: Grid, cell: int) -> tuple[int, int]:
    """(x, y) of a cell."""
    y, x = divmod(int(cell), int(grid.size[STRIDE]))
    return x - 1, y - 1


def steps(cost: int) -> tuple[int, int]:
    """(straight, diagonal) steps of a cost on a grid whose weights are 1; (-1, -1) for NO_PATH."""
    if cost < 0:
        return -1, -1
    n_diagonal = cost * pow(DIAGONAL, -1, STRAIGHT) % STRAIGHT
    return (cost - n_diagonal * DIAGONAL) // STRAIGHT, n_diagonal


def length(cost: int) -> float:
    """The length of a path by its cost, inf for NO_PATH."""
    n_straight, n_diagonal = steps(cost)
    return n_straight + n_diagonal * math.sqrt(2) if cost >= 0 else math.inf


@inline
def is_free(grid, cell):
    """1 where a cell is free, else 0."""
    return grid.rows[cell >> 5] >> (cell & 31) & 1


@inline
def row_of(grid, cell):
    """y of a cell, plus 1, without a division."""
    return cell * grid.size[RECIPROCAL] >> ROUNDING


@inline
def step_x(direction):
    """How many columns a step in a direction goes to the east."""
    return (EASTWARD >> 2 * direction & 3) - 1


@inline
def step_y(direction):
    """How many rows a step in a direction goes to the south."""
    return (SOUTHWARD >> 2 * direction & 3) - 1


@inline
def offset_of(direction, stride):
    """What a step in a direction adds to a cell's number."""
    return step_x(direction) + step_y(direction) * stride


@inline
def step_cost(direction):
    """The cost of a step where the weight is 1."""
    return STRAIGHT if direction < 4 else DIAGONAL


@inline
def legal_moves(grid, cell):
    """The directions of the legal steps from a cell, as bits, by the bits of the cells around."""
    if is_free(grid, cell) == 0:
        return 0
    stride = grid.size[STRIDE]
    east, south = is_free(grid, cell + 1), is_free(grid, cell + stride)
    west, north = is_free(grid, cell - 1), is_free(grid, cell - stride)
    found = east | south << 1 | west << 2 | north << 3
    if grid.size[N_MOVES] == EIGHT:
        found |= (east & south & is_free(grid, cell + stride + 1)) << 4
        found |= (west & south & is_free(grid, cell + stride - 1)) << 5
        found |= (west & north & is_free(grid, cell - stride - 1)) << 6
        found |= (east & north & is_free(grid, cell - stride + 1)) << 7
    return found


@inline
def set_bits(grid, cell, free):
    """Make a cell free (1) or blocked (0) in rows and columns."""
    y = row_of(grid, cell)
    x = cell - y * grid.size[STRIDE]
    across = x * grid.size[COLUMN_STRIDE] + y
    grid.rows[cell >> 5] = grid.rows[cell >> 5] & ~(1 << (cell & 31)) | free << (cell & 31)
    grid.columns[across >> 5] = grid.columns[across >> 5] & ~(1 << (across & 31)) | free << (
        across & 31
    )


@inline
def change_cell(grid, cell, free):
    """Make a cell free (1) or blocked (0), and right the moves around it."""
    set_bits(grid, cell, free)
    stride = grid.size[STRIDE]
    for row in range(-1, 2):
        for around in range(cell + row * stride - 1, cell + row * stride + 2):
            grid.moves[around] = legal_moves(grid, around)


@kernel
def read_moves(grid: Grid) -> None:
    """Find rows, columns and moves where `moves` says which cells are free."""
    for cell in range(len(grid.moves)):
        if grid.moves[cell] & 1:
            set_bits(grid, cell, 1)
    for cell in range(len(grid.moves)):
        grid.moves[cell] = legal_moves(grid, cell)


@kernel
def set_free(grid: Grid, cell: int, free: bool) -> None:
    """Make a cell free or blocked."""
    change_cell(grid, cell, 1 if free else 0)
