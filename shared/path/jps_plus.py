"""JPS+: jump point search on a map that was measured beforehand.

Source: D. Harabor, A. Grastien, "Improving Jump Point Search" (ICAPS 2014); S. Rabin's name and
layout (Game AI Pro 2, chapter 14). For every cell and direction a table says how far a run goes, so
that a search looks up what `jps.py` scans for. Where the map changes it has to be made again.

    table  int64[2 N]  of each cell: its four straight runs, its four diagonal ones; 15 bits each,
                       LONGEST more than the distance
"""

from typing import Callable

from shared.core.jit import Ints, inline, int_buffer, kernel
from shared.path.grid import HEIGHT, STRIDE, WIDTH, Grid, is_free, offset_of
from shared.path.jps import make_jps, new_bits, straight_run
from shared.path.records import Search

RUN_BITS = 15
LONGEST = 1 << RUN_BITS - 1


def new_table(grid: Grid) -> Ints:
    """The table of a grid. Raises ValueError if a side is longer than a run may be."""
    if max(grid.size[WIDTH], grid.size[HEIGHT]) >= LONGEST:
        raise ValueError(f"JPS+ takes grids of less than {LONGEST} columns and rows")
    table = int_buffer(2 * len(grid.moves))
    measure(grid, new_bits(grid), table)
    return table


@inline
def run_of(grid, table, cell, direction):
    """How far a run goes; see `jps.run_length`."""
    runs = table[2 * cell + (direction >> 2)]
    return (runs >> RUN_BITS * (direction & 3) & 2 * LONGEST - 1) - LONGEST


@inline
def shifted_run(distance, direction):
    """A distance as it stands in the table."""
    return distance + LONGEST << RUN_BITS * (direction & 3)


@kernel
def measure(grid: Grid, bits: Ints, table: Ints) -> None:
    """Fill in the table."""
    stride = grid.size[STRIDE]
    for cell in range(stride, len(grid.moves) - stride):
        if is_free(grid, cell):
            runs = 0
            for direction in range(4):
                runs |= shifted_run(straight_run(grid, bits, cell, direction), direction)
            table[2 * cell] = runs
        table[2 * cell + 1] = 0
    for direction in range(4, 8):
        offset = offset_of(grid, direction)
        for i in range(stride, len(grid.moves) - stride):
            # Where a run leads is measured before it.
            cell = i if offset < 0 else len(grid.moves) - 1 - i
            n = 0
            if grid.moves[cell] >> direction & 1:
                other = cell + offset
                n = 1
                if run_of(grid, table, other, direction & 3) <= 0:
                    if run_of(grid, table, other, direction + 1 & 3) <= 0:
                        further = run_of(grid, table, other, direction)
                        n = further + 1 if further > 0 else further - 1
            table[2 * cell + 1] |= shifted_run(n, direction)


def make_jps_plus() -> Callable[[Grid, Ints, Search, int, int], int]:
    """JPS+, to be compiled with `kernel`: as `jps.make_jps`, with the grid's table for the bits."""
    return make_jps(run_of, run_of)
