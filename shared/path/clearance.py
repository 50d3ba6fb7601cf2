"""Units larger than a cell: the clearance of cells, and the grid on which such a unit is a cell.

A unit of k x k cells stands at its upper left cell. The clearance of a cell is the largest k of a
unit that fits there (D. Harabor, A. Botea, "Hierarchical Path Planning for Multi-Size Agents in
Heterogeneous Environments", IEEE CIG 2008). In the unit's grid a cell is free where the unit fits,
and weighs as much as the heaviest cell under the unit. So each search of `shared/path` finds the
unit's paths, on which none of its cells cuts a corner.

    clearances  int64[N]  0 for a blocked cell
"""

from ..core.jit import Ints, byte_buffer, int_buffer, kernel
from ..path.grid import HEIGHT, STRIDE, WIDTH, Grid, legal_moves


def new_clearances(grid: Grid) -> Ints:
    """Returns the clearances of a grid."""
    clearances = int_buffer(len(grid.moves))
    find_clearances(grid, clearances)
    return clearances


def new_unit_grid(grid: Grid, clearances: Ints, k: int) -> Grid:
    """Returns the grid for a unit of k x k cells. Raises ValueError unless k is 1 or more."""
    if k < 1:
        raise ValueError(f"a unit has 1 x 1 cells or more, not {k} x {k}")
    n = len(grid.moves)
    unit_grid = Grid(int_buffer(grid.size), byte_buffer(n), byte_buffer(n))
    fit_unit(grid, clearances, k, unit_grid)
    return unit_grid


@kernel
def find_clearances(grid: Grid, clearances: Ints) -> None:
    """Set the clearances of all cells from the grid's present weights."""
    stride = grid.size[STRIDE]
    for y in range(grid.size[HEIGHT], 0, -1):
        for cell in range(y * stride + grid.size[WIDTH], y * stride, -1):
            clearances[cell] = 0
            if grid.weights[cell]:
                beside = min(clearances[cell + 1], clearances[cell + stride])
                clearances[cell] = 1 + min(beside, clearances[cell + stride + 1])


@kernel
def fit_unit(grid: Grid, clearances: Ints, k: int, unit_grid: Grid) -> None:
    """Set the weights and moves of `unit_grid`, of the grid's size, for a unit of k x k cells."""
    stride = grid.size[STRIDE]
    for cell in range(len(grid.moves)):
        weight = 0
        if clearances[cell] >= k:
            for row in range(k):
                for covered in range(cell + row * stride, cell + row * stride + k):
                    weight = max(weight, grid.weights[covered] & 255)
        unit_grid.weights[cell] = weight
    for cell in range(len(grid.moves)):
        unit_grid.moves[cell] = legal_moves(unit_grid, cell)
