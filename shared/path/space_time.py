"""A* in space and time: a way for one unit among others whose ways are known.

Source: D. Silver, "Cooperative Pathfinding" (AIIDE 2005). A node is a cell at a time; a unit goes to
one of 4 neighbours or waits, and each step costs 1 until it stays at its goal. What others have
reserved is forbidden: to be in a cell at a time, and to swap places with a unit, which is a step in
a direction that arrives at a time. Where nothing is forbidden later a node's time counts no more, so
that the search ends even where there is no way.

    keys      int64[2^k]  what is forbidden: 1 + number of the step, 0 for none (linear probing)
    used      int64[2^k]  places of `keys` that are in use
    last      int64[N]    of each cell: the last time at which it is forbidden, or -1
    parked    int64[N]    of each cell: the time from which a unit stays there, or NEVER
    counts    int64[2]    keys in use, last time at which anything is forbidden

    cells, times, parents   int64[M]   of each of M nodes
    closed    int64[2^k]  the cells and times that were expanded, kept as `keys`
    n_nodes   int64[2]    nodes in use, closed ones: N_OPENED, N_CLOSED
    path      int64[*]    the cells of the path, one a time
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, kernel, njit
from shared.path.grid import Grid, offset_of
from shared.path.open_lists import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap

NEVER = 1 << 40
N_KEYS, LATEST = range(2)
N_OPENED, N_CLOSED = range(2)
WAIT = 4
N_STEPS = 5
TIME_BITS = 20
GOLDEN = 0x4F1BBCDD  # as in buckets.py


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
    """Raises ValueError for a table that would always be full."""
    if bits < 1:
        raise ValueError(f"room is for 2^bits, of 1 or more bits, not {bits}")


def new_reservations(grid: Grid, bits: int = 16) -> Reservations:
    """Returns a reservation table without reservations, with room for half of 2^bits. Raises
    ValueError for less than 1 bit.
    """
    require_bits(bits)
    n = len(grid.moves)
    forbidden = Reservations(
        int_buffer(1 << bits), int_buffer(1 << bits), int_buffer(n), int_buffer(n), int_buffer(2)
    )
    clear_reservations(forbidden)
    return forbidden


def new_space_time(bits: int = 18) -> tuple[SpaceTime, Heap]:
    """Returns buffers of searches of at most half of 2^bits nodes, and their open list. Raises
    ValueError for less than 1 bit.
    """
    require_bits(bits)
    n = 1 << bits
    sizes = (n, n, n, n, n, 2, n)
    return SpaceTime(*map(int_buffer, sizes)), new_heap(n)


def cells_of(search: SpaceTime, n: int) -> list[int]:
    """Returns the first n cells of the path that was found last."""
    return [int(cell) for cell in search.path[:n]]


@inline
def slot_of(keys, key):
    """Returns the slot of a key, or the one for its insertion."""
    mask = len(keys) - 1
    place = (key ^ key >> 31) & 0x7FFFFFFF
    place = place * GOLDEN >> 20 & mask
    while keys[place] != 0 and keys[place] != key + 1:
        place = place + 1 & mask
    return place


@inline
def step_key(grid, cell, step, time):
    """Returns the number of a step from a cell that arrives at a time, with WAIT of any presence
    there.
    """
    return (time * len(grid.moves) + cell) * N_STEPS + step


@njit
def add_reservation(grid, forbidden, cell, step, time):
    """Reserve a step from a cell, or with WAIT the cell, at a time. Returns False without room."""
    key = step_key(grid, cell, step, time)
    place = slot_of(forbidden.keys, key)
    if forbidden.keys[place] == 0:
        if 2 * forbidden.counts[N_KEYS] >= len(forbidden.keys):
            return False
        forbidden.keys[place] = key + 1
        forbidden.used[forbidden.counts[N_KEYS]] = place
        forbidden.counts[N_KEYS] += 1
    if step == WAIT:
        forbidden.last[cell] = max(forbidden.last[cell], time)
    forbidden.counts[LATEST] = max(forbidden.counts[LATEST], time)
    return True


@kernel
def clear_reservations(forbidden: Reservations) -> None:
    """Remove all reservations."""
    for i in range(forbidden.counts[N_KEYS]):
        forbidden.keys[forbidden.used[i]] = 0
    for cell in range(len(forbidden.last)):
        forbidden.last[cell] = -1
        forbidden.parked[cell] = NEVER
    forbidden.counts[N_KEYS] = 0
    forbidden.counts[LATEST] = 0


@kernel
def reserve_step(grid: Grid, forbidden: Reservations, cell: int, step: int, time: int) -> bool:
    """Reserve a step from a cell (a direction) that arrives at a time, or with WAIT the cell at
    that time. Returns False without room.
    """
    return add_reservation(grid, forbidden, cell, step, time)


@kernel
def reserve_path(
    grid: Grid, forbidden: Reservations, path: Ints, n: int, time: int, parks: bool
) -> bool:
    """Reserve all that collides with a path of n cells that begins at a time; with `parks` also its
    last cell from then on. Returns False without room.
    """
    fits = True
    for i in range(n):
        fits &= add_reservation(grid, forbidden, path[i], WAIT, time + i)
        for direction in range(4):
            if i > 0 and path[i - 1] + offset_of(grid, direction) == path[i]:
                fits &= add_reservation(grid, forbidden, path[i], direction ^ 2, time + i)
    if parks:
        forbidden.parked[path[n - 1]] = time + n - 1
        forbidden.counts[LATEST] = max(forbidden.counts[LATEST], time + n - 1)
    return fits


@inline
def is_reserved(grid, forbidden, cell, step, other, time):
    """Returns True if a step from a cell to another must not arrive at a time."""
    if time >= forbidden.parked[other]:
        return True
    if time <= forbidden.last[other]:
        key = step_key(grid, other, WAIT, time)
        if forbidden.keys[slot_of(forbidden.keys, key)] != 0:
            return True
    if step == WAIT or time > forbidden.counts[LATEST]:
        return False
    return forbidden.keys[slot_of(forbidden.keys, step_key(grid, cell, step, time))] != 0


@kernel
def find(
    grid: Grid,
    forbidden: Reservations,
    search: SpaceTime,
    queue: Heap,
    distances: Ints,
    start: int,
    goal: int,
    time: int,
    horizon: int,
) -> int:
    """Find a shortest path from a cell at a time to a goal where the unit can stay; or one until
    the time `horizon`, the best by the remaining distance. Returns the number of its cells, 0 for
    none.

    distances int64[N]: steps from each cell to the goal, -1 without a path (`breadth_first.py`).
    """
    cells, times, parents, n_nodes = search.cells, search.times, search.parents, search.n_nodes
    for i in range(n_nodes[N_CLOSED]):
        search.closed[search.used[i]] = 0
    heap_clear(queue)
    n_nodes[N_OPENED] = n_nodes[N_CLOSED] = 0
    latest = forbidden.counts[LATEST]
    if distances[start] >= 0 and time < forbidden.parked[start]:
        cells[0], times[0], parents[0] = start, time, -1
        n_nodes[N_OPENED] = 1
        heap_push(queue, time + distances[start] << TIME_BITS, 0)
    while not heap_is_empty(queue):
        node = heap_pop(queue)
        cell, now = cells[node], times[node]
        can_stay = cell == goal and now > forbidden.last[goal] and forbidden.parked[goal] == NEVER
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
            if is_reserved(grid, forbidden, cell, step, other, now + 1):
                continue
            new = n_nodes[N_OPENED]
            n_nodes[N_OPENED] = new + 1
            cells[new], times[new], parents[new] = other, now + 1, node
            # Of equal f the later one first.
            f = now + 1 + distances[other]
            heap_push(queue, (f << TIME_BITS) - (now + 1), new)
    return 0
