"""What a search on a grid knows about each cell: A*'s and jump point search's.

counts   int64[N_COUNTS]  see below
records  int64[N]         what the last search knows about a cell: its generation (15 bits), g
                          (44), whether it is closed (1), the direction of the last step (3).
                          A record of another generation counts for nothing, so that a search
                          costs nothing for the cells that it does not touch.
path     int64[N]         the cells of the path, start and goal included
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline

GENERATION, N_EXPANDED, N_REOPENED, N_FALLS, N_PATH, N_COUNTS = range(6)
CLOSED = 8
COST_SHIFT, GENERATION_SHIFT = 4, 48
COST_MASK = (1 << GENERATION_SHIFT - COST_SHIFT) - 1
LAST_GENERATION = (1 << 15) - 1


class Search(NamedTuple):
    """The state of searches on a grid; see the module's docstring."""

    counts: Ints
    records: Ints
    path: Ints


def cells_of(search: Search) -> list[int]:
    """The cells of the path that was found last, start and goal included; none without a path."""
    return [int(cell) for cell in search.path[: int(search.counts[N_PATH])]]


@inline
def next_generation(search):
    """Forget what all searches before found out."""
    search.counts[GENERATION] += 1
    if search.counts[GENERATION] > LAST_GENERATION:
        for i in range(len(search.records)):
            search.records[i] = 0
        search.counts[GENERATION] = 1
    search.counts[N_PATH] = 0


@inline
def record_cost(record):
    """g of a record."""
    return record >> COST_SHIFT & COST_MASK
