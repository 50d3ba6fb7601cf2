"""JPS+: jump point search on a map that was measured beforehand.

Source: D. Harabor, A. Grastien, "Improving Jump Point Search" (ICAPS 2014); S. Rabin's name and
layout (Game AI Pro 2, chapter 14). For every cell and direction a table says how far a run goes, so
that a search looks up what `jps.py` scans for. Where the map changes it has to be made again.

    table  int64[2 N]  of each cell: its four straight runs, its four diagonal ones, 15 bits each,
                       LONGEST more than the distance; above them, of each straight direction that
                       leads here, a bit: a run may turn to its right, to its left
"""

from typing import Callable

from shared.core.jit import Ints, inline, int_buffer, kernel
from shared.path.grid import HEIGHT, STRIDE, WIDTH, Grid, is_free, offset_of
from shared.path.jps import forced_turns, make_jps, new_bits, straight_run
from shared.path.jumps import Jumps

RUN_BITS = 15
LONGEST, TURNS = 1 << RUN_BITS - 1, 4 * RUN_BITS


def new_table(grid: Grid) -> Ints:
    """The table of a grid. Raises ValueError if a side is longer than a run may be, and as `new_bits`."""
    if max(grid.size[WIDTH], grid.size[HEIGHT]) >= LONGEST:
        raise ValueError(f"JPS+ takes grids of less than {LONGEST} columns and rows")
    table = int_buffer(2 * len(grid.moves))
    build_table(grid, new_bits(grid), table)
    return table


@inline
def stored_run(grid, table, cell, direction):
    """How far a run goes; see `jps.run_length`."""
    runs = table[2 * cell + (direction >> 2)]
    return (runs >> RUN_BITS * (direction & 3) & 2 * LONGEST - 1) - LONGEST


@inline
def packed_run(distance, direction):
    """A distance as it stands in the table."""
    return distance + LONGEST << RUN_BITS * (direction & 3)


@inline
def stored_turns(grid, table, cell, direction):
    """The directions to go on in; see `jps.turns_at`."""
    left = direction + 3 & 3
    to_right = table[2 * cell] >> TURNS + direction & 1
    to_left = table[2 * cell + 1] >> TURNS + direction & 1
    return (
        1 << direction
        | to_right * (1 << (direction + 1 & 3) | 16 << direction)
        | to_left * (17 << left)
    )


@kernel
def build_table(grid: Grid, bits: Ints, table: Ints) -> None:
    """Fill in the table."""
    stride = grid.size[STRIDE]
    for cell in range(stride, len(grid.moves) - stride):
        runs = to_left = 0
        if is_free(grid, cell):
            for direction in range(4):
                runs |= packed_run(straight_run(grid, bits, cell, direction), direction)
                if is_free(grid, cell - offset_of(grid, direction)):
                    found = forced_turns(grid, bits, cell, direction)
                    runs |= (found >> 4 + direction & 1) << TURNS + direction
                    to_left |= (found >> 4 + (direction + 3 & 3) & 1) << TURNS + direction
        table[2 * cell], table[2 * cell + 1] = runs, to_left
    for direction in range(4, 8):
        offset = offset_of(grid, direction)
        for i in range(stride, len(grid.moves) - stride):
            # Where a run leads is measured before it.
            cell = i if offset < 0 else len(grid.moves) - 1 - i
            n = 0
            if grid.moves[cell] >> direction & 1:
                other = cell + offset
                n = 1
                if stored_run(grid, table, other, direction & 3) <= 0:
                    if stored_run(grid, table, other, direction + 1 & 3) <= 0:
                        further = stored_run(grid, table, other, direction)
                        n = further + 1 if further > 0 else further - 1
            table[2 * cell + 1] |= packed_run(n, direction)


def make_jps_plus() -> Callable[[Grid, Ints, Jumps, int, int], int]:
    """JPS+, to be compiled with `kernel`: as `jps.make_jps`, with the grid's table for the bits."""
    return make_jps(stored_run, stored_run, stored_turns)
