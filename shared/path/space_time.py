"""A* in space and time: a path for one unit among others whose paths are known.

Source: D. Silver, "Cooperative Pathfinding" (AIIDE 2005). A node is a cell at a time; a unit goes
to one of 4 neighbours or waits, and each step costs 1 until it stays at its goal. The reservations
of others exclude being in a cell at a time, and swapping places with a unit: a step in a direction
that arrives at a time. After the last reservation the time of a node is ignored, so that the search
ends even without a path.

    keys      int64[2^k]  reserved: 1 + number of the step, or 0 (linear probing)
    used      int64[2^k]  slots of `keys` in use
    last      int64[N]    of each cell: the last time at which it is reserved, or -1
    parked    int64[N]    of each cell: the time from which a unit stays there, or NEVER
    counts    int64[2]    keys in use, last time of any reservation

    cells, times, parents  int64[M]  of each of M nodes
    closed    int64[2^k]  table of expanded cells and times, as `keys`
    n_nodes   int64[2]    nodes in use, closed ones: N_OPENED, N_CLOSED
    path      int64[*]    the cells of the path, one per time
"""

from typing import NamedTuple

from ..core.jit import Ints, inline, int_buffer, kernel, njit
from ..path.grid import Grid, offset_of
from ..path.open_lists import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap

NEVER = 1 << 40
N_KEYS, LATEST = range(2)
N_OPENED, N_CLOSED = range(2)
WAIT = 4
N_STEPS = 5
TIME_BITS = 20
GOLDEN = 0x4F1BBCDD  # a multiplier for hashing (D. Knuth's golden ratio)


class Reservations(NamedTuple):
    """The steps that other units have reserved; see the module's docstring."""

    keys: Ints
    used: Ints
    last: Ints
    parked: Ints
    counts: Ints


class SpaceTime(NamedTuple):
    """The state of a search; see the module's docstring."""

    cells: Ints
    times: Ints
    parents: Ints
    closed: Ints
    used: Ints
    n_nodes: Ints
    path: Ints


def require_bits(bits: int) -> None:
    """Raises ValueError for a table size that leaves no free slot."""
    if bits < 1:
        raise ValueError(f"room is for 2^bits, of 1 or more bits, not {bits}")


def new_reservations(grid: Grid, bits: int = 16) -> Reservations:
    """Returns an empty reservation table, with room for half of 2^bits. Raises ValueError for less
    than 1 bit.
    """
    require_bits(bits)
    n = len(grid.moves)
    reservations = Reservations(
        int_buffer(1 << bits), int_buffer(1 << bits), int_buffer(n), int_buffer(n), int_buffer(2)
    )
    clear_reservations(reservations)
    return reservations


def new_space_time(bits: int = 18) -> tuple[SpaceTime, Heap]:
    """Returns buffers of searches of at most half of 2^bits nodes, and their open list. Raises
    ValueError for less than 1 bit.
    """
    require_bits(bits)
    n = 1 << bits
    sizes = (n, n, n, n, n, 2, n)
    return SpaceTime(*map(int_buffer, sizes)), new_heap(n)


def cells_of(search: SpaceTime, n: int) -> list[int]:
    """Returns the first n cells of the last path found."""
    return [int(cell) for cell in search.path[:n]]


@inline
def slot_of(keys, key):
    """Returns the slot of a key, or the free slot for its insertion."""
    mask = len(keys) - 1
    place = (key ^ key >> 31) & 0x7FFFFFFF
    place = place * GOLDEN >> 20 & mask
    while keys[place] != 0 and keys[place] != key + 1:
        place = place + 1 & mask
    return place


@inline
def step_key(grid, cell, step, time):
    """Returns the number of a step from a cell that arrives at a time; WAIT: of being there."""
    return (time * len(grid.moves) + cell) * N_STEPS + step


@njit
def add_reservation(grid, reservations, cell, step, time):
    """Reserve a step from a cell, or with WAIT the cell, at a time. Returns False without room."""
    key = step_key(grid, cell, step, time)
    place = slot_of(reservations.keys, key)
    if reservations.keys[place] == 0:
        if 2 * reservations.counts[N_KEYS] >= len(reservations.keys):
            return False
        reservations.keys[place] = key + 1
        reservations.used[reservations.counts[N_KEYS]] = place
        reservations.counts[N_KEYS] += 1
    if step == WAIT:
        reservations.last[cell] = max(reservations.last[cell], time)
    reservations.counts[LATEST] = max(reservations.counts[LATEST], time)
    return True


@kernel
def clear_reservations(reservations: Reservations) -> None:
    """Remove all reservations."""
    for i in range(reservations.counts[N_KEYS]):
        reservations.keys[reservations.used[i]] = 0
    for cell in range(len(reservations.last)):
        reservations.last[cell] = -1
        reservations.parked[cell] = NEVER
    reservations.counts[N_KEYS] = 0
    reservations.counts[LATEST] = 0


@kernel
def reserve_step(grid: Grid, reservations: Reservations, cell: int, step: int, time: int) -> bool:
    """Reserve a step from a cell (a direction) that arrives at a time, or with WAIT the cell at
    that time. Returns False without room.
    """
    return add_reservation(grid, reservations, cell, step, time)


@kernel
def reserve_path(
    grid: Grid, reservations: Reservations, path: Ints, n: int, time: int, parks: bool
) -> bool:
    """Reserve all cells and opposite steps of a path of n cells from a time on; with `parks` also
    its last cell for good. Returns False without room.
    """
    fits = True
    for i in range(n):
        fits &= add_reservation(grid, reservations, path[i], WAIT, time + i)
        for direction in range(4):
            if i > 0 and path[i - 1] + offset_of(grid, direction) == path[i]:
                fits &= add_reservation(grid, reservations, path[i], direction ^ 2, time + i)
    if parks:
        reservations.parked[path[n - 1]] = time + n - 1
        reservations.counts[LATEST] = max(reservations.counts[LATEST], time + n - 1)
    return fits


@inline
def is_reserved(grid, reservations, cell, step, other, time):
    """Returns True if a step from a cell to another must not arrive at a time."""
    if time >= reservations.parked[other]:
        return True
    if time <= reservations.last[other]:
        key = step_key(grid, other, WAIT, time)
        if reservations.keys[slot_of(reservations.keys, key)] != 0:
            return True
    if step == WAIT or time > reservations.counts[LATEST]:
        return False
    return reservations.keys[slot_of(reservations.keys, step_key(grid, cell, step, time))] != 0


@kernel
def find(
    grid: Grid,
    reservations: Reservations,
    search: SpaceTime,
    queue: Heap,
    distances: Ints,
    start: int,
    goal: int,
    time: int,
    horizon: int,
) -> int:
    """Find a shortest path from a cell at a time to a goal where the unit can stay, or the best to
    the time `horizon` by remaining distance. Returns the number of cells, 0 without a path or room.

    distances int64[N]: steps from each cell to the goal, -1 without a path (`breadth_first.py`).
    """
    cells, times, parents, n_nodes = search.cells, search.times, search.parents, search.n_nodes
    for i in range(n_nodes[N_CLOSED]):
        search.closed[search.used[i]] = 0
    heap_clear(queue)
    n_nodes[N_OPENED] = n_nodes[N_CLOSED] = 0
    latest = reservations.counts[LATEST]
    if distances[start] >= 0 and time < reservations.parked[start]:
        cells[0], times[0], parents[0] = start, time, -1
        n_nodes[N_OPENED] = 1
        heap_push(queue, time + distances[start] << TIME_BITS, 0)
    while not heap_is_empty(queue):
        node = heap_pop(queue)
        cell, now = cells[node], times[node]
        can_stay = (
            cell == goal and now > reservations.last[goal] and reservations.parked[goal] == NEVER
        )
        if can_stay or now >= horizon:
            n = now - time + 1
            for i in range(n):
                search.path[n - 1 - i] = cells[node]
                node = parents[node]
            return n
        key = min(now, latest + 1) * len(grid.moves) + cell
        place = slot_of(search.closed, key)
        if search.closed[place] != 0:
            continue
        search.closed[place] = key + 1
        search.used[n_nodes[N_CLOSED]] = place
        n_nodes[N_CLOSED] += 1
        if n_nodes[N_OPENED] + N_STEPS > len(cells) or 2 * n_nodes[N_CLOSED] >= len(search.closed):
            return 0
        for step in range(N_STEPS):
            other = cell
            if step < WAIT:
                if grid.moves[cell] >> step & 1 == 0:
                    continue
                other += offset_of(grid, step)
            if is_reserved(grid, reservations, cell, step, other, now + 1):
                continue
            new = n_nodes[N_OPENED]
            n_nodes[N_OPENED] = new + 1
            cells[new], times[new], parents[new] = other, now + 1, node
            # Among equal f the later time comes first.
            f = now + 1 + distances[other]
            heap_push(queue, (f << TIME_BITS) - (now + 1), new)
    return 0
