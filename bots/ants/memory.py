"""A bot's knowledge of a map, and distances.

A *cell* is row * columns + column. Letters: C cells, A ants, K = 5 kinds of distances.

    numbers [N_NUMBERS]  scalars, indexed by the names below.
    rows, columns [C]    the row and the column of each cell.
    row_starts, wrapped  cell of (row + dr, column + dc) = row_starts[row + dr + MARGIN] +
                         wrapped[column + dc + MARGIN].
    steps [4 C]          the cell one step N, E, S, W of each.
    water, food [C]      1 where there is some, if known.
    last_seen [C]        the turn in which a cell was last in view, 0 for never.
    eyes                 offsets (dr, dc) of the cells in view.
    own, enemies [A]     the cells of ants; enemies include recently seen ones.
    sources [K C]        first the cells from which each kind of distance is counted.
    n_sources [K]        their number.
    distances [K C]      steps to the nearest of them, FAR for none.
    queue [C]            scratch space.
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, kernel
from shared.games.ants.protocol import Start
from shared.games.ants.state import disc, flat, torus

N_CELLS, MARGIN, TURN, N_OWN_ANTS, N_ENEMIES = range(5)
N_NUMBERS = 5
OWN_HILL, ENEMY_HILL, ENEMY, FRONTIER, INTRUDER = range(5)
N_KINDS = 5
FAR = 10**6
LEAST_MARGIN = 6  # the cells around an ant that matter in combat


class Memory(NamedTuple):
    """The buffers of a bot's knowledge; see the module."""

    numbers: Ints
    rows: Ints
    columns: Ints
    row_starts: Ints
    wrapped: Ints
    steps: Ints
    water: Ints
    food: Ints
    last_seen: Ints
    eyes: Ints
    own: Ints
    enemies: Ints
    sources: Ints
    n_sources: Ints
    distances: Ints
    queue: Ints


def new_memory(start: Start) -> Memory:
    """Returns a bot's knowledge at the start: sizes and radii."""
    rows, cols = start.rows, start.cols
    n_cells = rows * cols
    view = disc(start.radii.view, rows, cols)
    margin = max(int(max(start.radii) ** 0.5), LEAST_MARGIN)
    of_cells = {
        name: int_buffer(n_cells)
        for name in ("water", "food", "last_seen", "own", "enemies", "queue")
    }
    memory = Memory(
        numbers=int_buffer(N_NUMBERS),
        **torus(rows, cols, margin),
        eyes=flat(view),
        sources=int_buffer(N_KINDS * n_cells),
        n_sources=int_buffer(N_KINDS),
        distances=int_buffer(N_KINDS * n_cells),
        **of_cells,
    )
    memory.numbers[N_CELLS], memory.numbers[MARGIN] = n_cells, margin
    return memory


@kernel
def look_around(memory: Memory) -> None:
    """Note the cells that own ants see in this turn."""
    numbers, view, n_around = memory.numbers, memory.eyes, len(memory.eyes)
    for ant in range(numbers[N_OWN_ANTS]):
        row = memory.rows[memory.own[ant]] + numbers[MARGIN]
        column = memory.columns[memory.own[ant]] + numbers[MARGIN]
        for i in range(0, n_around, 2):
            cell = memory.row_starts[row + view[i]] + memory.wrapped[column + view[i + 1]]
            memory.last_seen[cell] = numbers[TURN]


@inline
def find_frontier(memory, stale):
    """Make cells unseen for this many turns, or never seen, sources of a distance."""
    numbers = memory.numbers
    n, start = 0, FRONTIER * numbers[N_CELLS]
    for cell in range(numbers[N_CELLS]):
        seen = memory.last_seen[cell]
        if not memory.water[cell] and (seen == 0 or numbers[TURN] - seen > stale):
            memory.sources[start + n] = cell
            n += 1
    memory.n_sources[FRONTIER] = n


@inline
def find_intruders(memory, within):
    """Make enemies within this many steps of an own hill sources of a distance."""
    n_cells = memory.numbers[N_CELLS]
    n = 0
    for i in range(memory.numbers[N_ENEMIES]):
        cell = memory.enemies[i]
        if memory.distances[OWN_HILL * n_cells + cell] <= within:
            memory.sources[INTRUDER * n_cells + n] = cell
            n += 1
    memory.n_sources[INTRUDER] = n


@inline
def measure_distances(memory, kind):
    """Count steps from the sources of a kind, over cells not known to be water."""
    n_cells = memory.numbers[N_CELLS]
    queue, steps, distances = memory.queue, memory.steps, memory.distances
    start = kind * n_cells
    for cell in range(start, start + n_cells):
        distances[cell] = FAR
    end = memory.n_sources[kind]
    for i in range(end):
        queue[i] = memory.sources[start + i]
        distances[start + queue[i]] = 0
    i = 0
    while i < end:
        cell = queue[i]
        further = distances[start + cell] + 1
        i += 1
        for step in range(4 * cell, 4 * cell + 4):
            near = steps[step]
            if distances[start + near] == FAR and not memory.water[near]:
                distances[start + near] = further
                queue[end] = near
                end += 1
