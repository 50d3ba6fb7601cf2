"""Distance fields that are repaired, as `shared/path/distance_field.py` does, against fields filled
anew, by the number of cells changed at once, adjacent as in a building or scattered.
"""

import statistics
import time
from random import Random

import numpy as np

from shared.core.jit import int_buffer
from shared.path import breadth_first, distance_field
from shared.path.grid import new_grid, set_free
from tests.lab.paths.grids import MAPS
from tests.paths.maps import read_map

CHANGES = (1, 16, 64, 256, 1024)
TRIALS = 9


def cpu_us(do):
    """Returns the result of `do`, and the CPU us that it takes."""
    began = time.process_time_ns()
    found = do()
    return found, (time.process_time_ns() - began) / 1e3


class Repairs:
    """A map with a field of a random goal."""

    def __init__(self, name):
        self.rng = Random(3)
        self.grid = grid = new_grid(read_map(MAPS / "maps" / f"{name}.map"))
        self.steps = breadth_first.new_steps(grid)
        self.free = [cell for cell in range(len(grid.moves)) if grid.moves[cell]]
        # Most of the map is connected to the goal.
        reached = 0
        while 2 * reached < len(self.free):
            self.goal = int_buffer([self.rng.choice(self.free)])
            self.field, self.queue = distance_field.new_field(grid)
            reached = self.fill()

    def fill(self):
        return distance_field.fill(self.grid, self.field, self.queue, self.goal, 1)

    def cells(self, n, together):
        """Returns n free cells other than the goal: around one, or random."""
        if together:
            source = int_buffer([self.rng.choice(self.free)])
            if breadth_first.count_steps(self.grid, self.steps, source, 1, 1 << 40) <= n:
                return self.cells(n, together)
            cells = list(self.steps.waiting[: n + 1])
        else:
            cells = self.rng.sample(self.free, n + 1)
        return int_buffer([cell for cell in cells if cell != self.goal[0]][:n])

    def trial(self, n, together):
        """CPU us of filling, of repairing after cells were blocked, and after they were freed
        again; raises AssertionError where a repaired field differs from a filled one.
        """
        cells, times = self.cells(n, together), []
        for free in (False, True):
            for cell in cells:
                set_free(self.grid, cell, free)
            _, us = cpu_us(
                lambda: distance_field.repair(self.grid, self.field, self.queue, cells, len(cells))
            )
            repaired = np.copy(self.field.costs)
            _, of_fill = cpu_us(self.fill)
            assert np.array_equal(repaired, self.field.costs)
            times += [us, of_fill]
        return times[1], times[0], times[2]


def repair_rows(name):
    """A row for each number of changes: medians of CPU us and how many times faster than filling,
    the least and the greatest beside it.
    """
    board, rows = Repairs(name), []
    board.trial(1, False)  # compiled
    for together in (True, False):
        for n in CHANGES:
            filled, blocked, freed = zip(*(board.trial(n, together) for _ in range(TRIALS)))
            row = [name, "together" if together else "anywhere", f"{n:,}"]
            row.append(f"{statistics.median(filled):,.0f}")
            for us in (blocked, freed):
                ratios = [whole / one for whole, one in zip(filled, us)]
                row += [
                    f"{statistics.median(us):,.0f}",
                    f"{statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.0f})",
                ]
            rows.append(row)
    return rows


COLUMNS = [
    "map",
    "cells lie",
    "cells",
    "filling",
    "blocked",
    "times faster",
    "freed",
    "times faster",
]
