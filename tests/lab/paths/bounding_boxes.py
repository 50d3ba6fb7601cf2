"""Gains and costs of bounding boxes of goals for JPS+ (S. Rabin, N. Sturtevant,
"Combining Bounding Boxes and JPS to Prune Grid Pathfinding", AAAI 2016).

    python -m tests.lab.paths.bounding_boxes [--queries 10] [--maps AR0602SR]...

For each cell and direction the smallest box around all goals to which a shortest path from the cell
begins in that direction: if the goal is outside the box, a search need not take the direction. Each
cell takes a flood of the map. All boxes of a map of 512 x 512 take half an hour and more, so they
are made on demand only for the cells that the measured queries expand; the total cost is
extrapolated.
"""

import statistics
import time
from typing import Annotated, Optional

import typer

from shared.core.jit import Ints, inline, int_buffer, kernel
from shared.path import jps
from shared.path.grid import STRIDE, UNREACHED, Grid, offset_of, row_of, step_cost
from shared.path.open_lists import Buckets, bucket_clear, bucket_pop, bucket_push, new_buckets
from tests.lab.paths.grids import NAMES, Map, Way

N_BOXES = 8
BITS = 14  # bits of a column or a row
FULL = (1 << BITS) - 1


@kernel
def bound(grid: Grid, costs: Ints, firsts: Ints, queue: Buckets, table: Ints, cell: int) -> int:
    """Make the boxes of a cell, behind the runs of all cells in the table; returns how many cells
    were reached.

    costs, firsts int64[N]: the cost from the cell; the directions in which shortest paths begin, as
    bits.
    """
    bucket_clear(queue)
    for i in range(len(costs)):
        costs[i] = UNREACHED
    first_box = 2 * len(costs) + N_BOXES * cell
    for direction in range(8):
        # left, top, right, bottom
        table[first_box + direction] = FULL << 3 * BITS | FULL << 2 * BITS
    costs[cell] = 0
    firsts[cell] = 0
    n, here = 0, cell
    while here >= 0:
        n += 1
        cost, began = costs[here], firsts[here]
        y = row_of(grid, here)
        x = here - y * grid.size[STRIDE]
        for direction in range(8):
            if began >> direction & 1:
                box = table[first_box + direction]
                left, top = min(box >> 3 * BITS, x), min(box >> 2 * BITS & FULL, y)
                right, bottom = max(box >> BITS & FULL, x), max(box & FULL, y)
                table[first_box + direction] = (
                    left << 3 * BITS | top << 2 * BITS | right << BITS | bottom
                )
        legal = grid.moves[here] & 255
        for direction in range(8):
            if legal >> direction & 1:
                other = here + offset_of(grid, direction)
                new = cost + step_cost(direction)
                begins = 1 << direction if here == cell else began
                if new < costs[other]:
                    costs[other], firsts[other] = new, begins
                    bucket_push(queue, new, other)
                elif new == costs[other]:
                    firsts[other] |= begins
        here = bucket_pop(queue)
    return n


@inline
def can_lead(grid, table, cell, goal):
    """The directions whose box has the goal, as bits."""
    first_box = 2 * len(grid.moves) + N_BOXES * cell
    y = row_of(grid, goal)
    x, found = goal - y * grid.size[STRIDE], 0
    for direction in range(8):
        box = table[first_box + direction]
        if box >> 3 * BITS <= x <= box >> BITS & FULL and box >> 2 * BITS & FULL <= y <= box & FULL:
            found |= 1 << direction
    return found


# After the boxes: the start and the goal of the search, the first cell it met without boxes, and
# the number of cells it expanded.
N_SLOTS = 4


@inline
def bounded_turns(grid, table, cell, direction):
    """The directions to continue in that may lead to the goal."""
    slots = len(table) - N_SLOTS
    table[slots + 3] += 1
    if table[2 * len(grid.moves) + N_BOXES * cell] == 0 and table[slots + 2] == 0:
        table[slots + 2] = cell
    found = jps.stored_turns(grid, table, cell, direction)
    return found & can_lead(grid, table, cell, table[slots + 1])


@inline
def bounded_run(grid, table, cell, direction):
    """Returns the length of a run; 0 from the start if it does not lead to the goal."""
    slots = len(table) - N_SLOTS
    if cell == table[slots] and not can_lead(grid, table, cell, table[slots + 1]) >> direction & 1:
        return 0
    return jps.stored_run(grid, table, cell, direction)


class Bounded:
    """JPS+ with boxes of the cells requested so far."""

    def __init__(self, board):
        self.grid, n = board.grid, len(board.grid.moves)
        runs = jps.new_table(self.grid)
        self.table = int_buffer(len(runs) + N_BOXES * n + N_SLOTS)
        self.table[: len(runs)] = runs
        self.costs, self.firsts, self.queue = int_buffer(n), int_buffer(n), new_buckets(n)
        self.search = board.searches["JPS+"].before[2]
        self.find = kernel(jps.make_jps(bounded_run, bounded_run, bounded_turns))
        self.flood_ms, self.unknown = [], len(self.table) - N_SLOTS + 2

    def bound(self, cell):
        began = time.process_time()
        bound(self.grid, self.costs, self.firsts, self.queue, self.table, cell)
        self.flood_ms.append((time.process_time() - began) * 1e3)

    def prepare(self, start, goal):
        """Compute boxes until a search needs no further one; returns the path's cost."""
        self.table[self.unknown - 2], self.table[self.unknown - 1] = start, goal
        if not self.table[2 * len(self.costs) + N_BOXES * start]:
            self.bound(start)
        while True:
            self.table[self.unknown] = self.table[self.unknown + 1] = 0
            cost = self.find(self.grid, self.table, self.search, start, goal)
            cell = int(self.table[self.unknown])
            # The search does not continue from the goal.
            if cell == 0:
                return cost
            self.bound(cell)


def bounding_row(name, n_queries):
    """A row of a map; see COLUMNS. Raises AssertionError if a cost differs."""
    board = Map(name, n_queries)
    bounded, ways = Bounded(board), {key: board.searches[key] for key in ("JPS", "JPS+")}
    us = {key: [] for key in (*ways, "boxes")}
    n_expanded = []
    for ends in board.ends:
        cost = bounded.prepare(*ends)
        assert cost == ways["JPS+"].ask(*ends), ends
        n_expanded.append(int(bounded.table[bounded.unknown + 1]))
        ways["boxes"] = Way(bounded.find, (board.grid, bounded.table, bounded.search))
        for key, way in ways.items():
            us[key].append(way.us_inside([ends]))
    flood = statistics.median(bounded.flood_ms)
    n_free = sum(1 for moves in board.grid.moves if moves)
    middle = {key: statistics.median(values) for key, values in us.items()}
    return [
        name,
        f"{len(bounded.flood_ms):,} of {n_free:,}",
        f"{flood:.1f}",
        f"{flood * n_free / 60e3:.0f}",
        f"{8 * N_BOXES * len(bounded.costs) / 2**20:.0f}",
        *(f"{value:.1f}" for value in middle.values()),
        f"{middle['JPS+'] / middle['boxes']:.1f}",
        f"{middle['JPS'] / middle['boxes']:.1f}",
        f"{statistics.median(n_expanded):.0f}",
    ]


COLUMNS = [
    "map",
    "cells flooded",
    "ms a cell",
    "minutes for all",
    "MB",
    "JPS us",
    "JPS+ us",
    "with boxes us",
]
COLUMNS += ["JPS+ / boxes", "JPS / boxes", "cells expanded"]


def main(
    queries: Annotated[int, typer.Option(min=2, help="Queries of each map.")] = 10,
    maps: Annotated[Optional[list[str]], typer.Option(help="Maps of Moving AI.")] = None,
):
    """Print the cost and gain of boxes, a line a map."""
    for name in maps or NAMES:
        print(" | ".join(bounding_row(name, queries)), flush=True)


if __name__ == "__main__":
    print(" | ".join(COLUMNS))
    typer.run(main)
