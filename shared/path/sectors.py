"""Sectors of a grid for HPA*: squares of cells, the entrances between them, costs within them.

Source: A. Botea, M. Mueller, J. Schaeffer, "Near Optimal Hierarchical Path-Finding" (Journal of Game
Development 1(1), 2004). Along the border of two sectors each longest run of cells that are free on
both sides is an entrance: a short one has a transition in its middle, a long one at both ends. The
costs from a transition to all others of its sector are found when they are first asked for; a cell
that changes touches its sector and at most two borders. For grids of 8 moves whose weights are 1.

A gate is one side of a transition, in one of the sectors: gate = (sector * 4 + side) * K + place, for
the directions 0..3 as sides. The gate across has the same place on the opposite side of the neighbour.
Letters: Z the number of sectors, K the most transitions of a side, S cells the side of a sector.

    shape     int64[N_SHAPE]      S, sectors to a row, rows of them, K
    n_gates   int64[4 Z]          transitions of each side
    gates     int64[4 K Z]        the cell of each gate
    costs     int64[(4 K)^2 Z]    from a gate to all gates of its sector, staying in it
    known     int64[4 K Z]        the version of the sector of which a gate's costs are
    versions  int64[Z]            counts the changes of a sector, from 1 on
    local     int64[(S + 2)^2]    the costs of a sector's cells from one of them
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, kernel, njit
from shared.path.grid import (
    DIAGONAL,
    HEIGHT,
    STRAIGHT,
    STRIDE,
    UNREACHED,
    WIDTH,
    Grid,
    change_cell,
    is_free,
    require_equal_weights,
    row_of,
)

SIDE, N_COLUMNS, N_ROWS, MAX_GATES, N_SHAPE = range(5)
# Runs of so many cells and more have two transitions.
LONG_ENTRANCE = 6


class Sectors(NamedTuple):
    """The sectors of a grid; see the module's docstring."""

    shape: Ints
    n_gates: Ints
    gates: Ints
    costs: Ints
    known: Ints
    versions: Ints
    local: Ints


def new_sectors(grid: Grid, side: int = 16) -> Sectors:
    """The sectors of a grid, with so many cells to a side. Raises ValueError for less than 2, and for
    weights other than 1.
    """
    require_equal_weights(grid)
    if side < 2:
        raise ValueError(f"a sector has 2 or more cells to a side, not {side}")
    n_columns, n_rows = (int(-(-grid.size[i] // side)) for i in (WIDTH, HEIGHT))
    most, n = (side + 1) // 2, n_columns * n_rows
    sectors = Sectors(
        shape=int_buffer([side, n_columns, n_rows, most]),
        n_gates=int_buffer(4 * n),
        gates=int_buffer(4 * most * n),
        costs=int_buffer(16 * most * most * n),
        known=int_buffer(4 * most * n),
        versions=int_buffer(n),
        local=int_buffer((side + 2) ** 2),
    )
    find_entrances(grid, sectors)
    return sectors


@inline
def sector_of(grid, sectors, cell):
    """The sector of a cell."""
    y = row_of(grid, cell)
    x = cell - y * grid.size[STRIDE]
    side = sectors.shape[SIDE]
    return (y - 1) // side * sectors.shape[N_COLUMNS] + (x - 1) // side


@inline
def corner_of(grid, sectors, sector):
    """The cell at the top left of a sector."""
    y, side = sector // sectors.shape[N_COLUMNS], sectors.shape[SIDE]
    x = sector - y * sectors.shape[N_COLUMNS]
    return (y * side + 1) * grid.size[STRIDE] + x * side + 1


@inline
def gate_across(sectors, gate):
    """The gate on the other side of the border."""
    most = sectors.shape[MAX_GATES]
    side = gate // most & 3
    by = 1 if side & 1 == 0 else sectors.shape[N_COLUMNS]
    sector_step = by if side < 2 else -by
    side_step = 2 if side < 2 else -2
    return gate + (4 * sector_step + side_step) * most


@njit
def flood(grid, sectors, sector, source):
    """Find the costs from a cell of a sector to all of its cells, staying in it. Sweeping over the
    square, down and up, until nothing changes is faster than a queue for so few cells.
    """
    local, side, stride = sectors.local, sectors.shape[SIDE], grid.size[STRIDE]
    wide = side + 2
    for i in range(len(local)):
        local[i] = UNREACHED
    corner = corner_of(grid, sectors, sector)
    y = (source - corner) // stride
    local[(y + 1) * wide + source - corner - y * stride + 1] = 0
    n_rows = min(side, grid.size[HEIGHT] + 1 - row_of(grid, corner))
    # A sector may be wider than the grid.
    n_columns = min(side, stride)
    first = y
    changed = True
    while changed:
        changed = False
        for row in range(first, n_rows):
            for column in range(n_columns):
                legal = grid.moves[corner + row * stride + column] & 255
                if legal == 0:
                    continue
                i = (row + 1) * wide + column + 1
                best = local[i]
                if legal & 4:
                    best = min(best, local[i - 1] + STRAIGHT)
                if legal & 8:
                    best = min(best, local[i - wide] + STRAIGHT)
                if legal & 64:
                    best = min(best, local[i - wide - 1] + DIAGONAL)
                if legal & 128:
                    best = min(best, local[i - wide + 1] + DIAGONAL)
                if best < local[i]:
                    local[i] = best
                    changed = True
        if first > 0 and not changed:
            changed = True
        first = 0
        for row in range(n_rows - 1, -1, -1):
            for column in range(n_columns - 1, -1, -1):
                legal = grid.moves[corner + row * stride + column] & 255
                if legal == 0:
                    continue
                i = (row + 1) * wide + column + 1
                best = local[i]
                if legal & 1:
                    best = min(best, local[i + 1] + STRAIGHT)
                if legal & 2:
                    best = min(best, local[i + wide] + STRAIGHT)
                if legal & 16:
                    best = min(best, local[i + wide + 1] + DIAGONAL)
                if legal & 32:
                    best = min(best, local[i + wide - 1] + DIAGONAL)
                if best < local[i]:
                    local[i] = best
                    changed = True


@inline
def local_index(grid, sectors, corner, cell):
    """Where `local` has a cell of the sector with that corner."""
    y = (cell - corner) // grid.size[STRIDE]
    return (y + 1) * (sectors.shape[SIDE] + 2) + cell - corner - y * grid.size[STRIDE] + 1


@inline
def copy_gate_costs(grid, sectors, sector, costs, first):
    """Copy the costs of all gates of a sector from `local`."""
    most = sectors.shape[MAX_GATES]
    corner = corner_of(grid, sectors, sector)
    for side in range(4):
        for place in range(sectors.n_gates[4 * sector + side]):
            gate = (4 * sector + side) * most + place
            costs[first + side * most + place] = sectors.local[
                local_index(grid, sectors, corner, sectors.gates[gate])
            ]


@inline
def gate_costs(grid, sectors, gate):
    """Where the costs from a gate to the gates of its sector begin, which are found if need be."""
    most = sectors.shape[MAX_GATES]
    sector = gate // (4 * most)
    first = gate * 4 * most
    if sectors.known[gate] != sectors.versions[sector]:
        flood(grid, sectors, sector, sectors.gates[gate])
        copy_gate_costs(grid, sectors, sector, sectors.costs, first)
        sectors.known[gate] = sectors.versions[sector]
    return first


@inline
def add_transition(sectors, border, cell, step, across):
    """Add a transition from a cell across a border."""
    most, place = sectors.shape[MAX_GATES], sectors.n_gates[border]
    gate = border * most + place
    sectors.gates[gate] = cell
    other = gate_across(sectors, gate)
    sectors.gates[other] = cell + across
    sectors.n_gates[border] = place + 1
    sectors.n_gates[other // most] = place + 1


@njit
def find_border_entrances(grid, sectors, sector, side):
    """Find the entrances along a sector's border to the east (side 0) or to the south (side 1)."""
    border = 4 * sector + side
    n_columns = sectors.shape[N_COLUMNS]
    column = sector % n_columns
    if column == n_columns - 1 if side == 0 else sector + n_columns >= len(sectors.versions):
        return
    stride, length = grid.size[STRIDE], sectors.shape[SIDE]
    corner = corner_of(grid, sectors, sector)
    across, along = 1 if side == 0 else stride, stride if side == 0 else 1
    other = sector + (1 if side == 0 else n_columns)
    sectors.versions[sector] += 1
    sectors.versions[other] += 1
    sectors.n_gates[border] = sectors.n_gates[4 * other + side + 2] = 0
    first = corner + (length - 1) * across
    if side == 0:
        length = min(length, grid.size[HEIGHT] + 1 - row_of(grid, corner))
    else:
        length = min(length, stride)
    run = 0
    for i in range(length + 1):
        cell = first + i * along
        if i < length and is_free(grid, cell) and is_free(grid, cell + across):
            run += 1
        elif run > 0:
            if run < LONG_ENTRANCE:
                add_transition(sectors, border, cell - (run + 1) // 2 * along, run, across)
            else:
                add_transition(sectors, border, cell - run * along, run, across)
                add_transition(sectors, border, cell - along, run, across)
            run = 0


@kernel
def find_entrances(grid: Grid, sectors: Sectors) -> None:
    """Find all entrances, and forget all costs."""
    for sector in range(len(sectors.versions)):
        sectors.versions[sector] += 1
    for sector in range(len(sectors.versions)):
        find_border_entrances(grid, sectors, sector, 0)
        find_border_entrances(grid, sectors, sector, 1)


@kernel
def change(grid: Grid, sectors: Sectors, cell: int, free: bool) -> None:
    """Make a cell free or blocked, and right the sectors; costs are found when they are needed."""
    change_cell(grid, cell, 1 if free else 0)
    sector = sector_of(grid, sectors, cell)
    sectors.versions[sector] += 1
    stride, side = grid.size[STRIDE], sectors.shape[SIDE]
    corner = corner_of(grid, sectors, sector)
    y = (cell - corner) // stride
    x = cell - corner - y * stride
    if x == 0 and sector % sectors.shape[N_COLUMNS] > 0:
        find_border_entrances(grid, sectors, sector - 1, 0)
    if x == side - 1:
        find_border_entrances(grid, sectors, sector, 0)
    if y == 0 and sector >= sectors.shape[N_COLUMNS]:
        find_border_entrances(grid, sectors, sector - sectors.shape[N_COLUMNS], 1)
    if y == side - 1:
        find_border_entrances(grid, sectors, sector, 1)
