"""Three breadth-first searches for the walk that collects the most wanted items in a turn.

    search_walks  with parents: every cell where such a walk may end, and how to get there
    best_ends     without: the cells alone, a whole board of cells to a step
    greedy_ends   the same, always towards the closest item: far quicker, rarely an item short

Source: MSmits, "X-mas Rush Post Mortem" (CodinGame playground). A step of all cells at once takes a
dozen operations on boards (see `state.py`). A walk may pass a cell again, and wants only the quests
visible at its start. `right` and `down` are `sim.open_right` and `sim.open_down`.

    found  int64[6]  up to three pairs of boards (ends, taken): where walks end that take those
                     items; no ends close the list
    room   number    where in the same buffer `best_ends` has N_SETS numbers to work in
    walks  int64[WALKS_SIZE]  the cells of up to three items; for each node the node before it << 2
                     | direction, or NO_WAY; a queue. A node is set of items << 6 | cell
"""

from typing import NamedTuple

from shared.core.jit import inline, int_buffer, kernel
from shared.core.rng import random_below
from shared.games.xmas_rush.sim import MAX_STEPS, count_cells, open_down, open_right
from shared.games.xmas_rush.state import DOWN, MAX_VISIBLE, PLAYERS, RIGHT, TILE_BITS, UP, WANTED

N_SETS = 1 << MAX_VISIBLE
FOUND_SIZE = 2 * MAX_VISIBLE

CELL_BITS = 6
CELL = (1 << CELL_BITS) - 1
N_NODES = N_SETS << CELL_BITS
WAYS = MAX_VISIBLE
QUEUE = WAYS + N_NODES
WALKS_SIZE = QUEUE + N_NODES
NO_WAY, START = -1, -2


@inline
def grow(cells, right, down):
    """The cells of a board and all that are one step away."""
    return (
        cells
        | (cells & right) >> TILE_BITS
        | cells << TILE_BITS & right
        | (cells & down) << 1
        | cells >> 1 & down
    )


@inline
def random_cell(board, rng):
    """A board of one cell, at random among those of a board that is not empty."""
    for _ in range(random_below(rng, count_cells(board))):
        board &= board - 1
    return board & -board


@inline
def reach(right, down, start):
    """The cells within a turn's steps of `start`."""
    cells = start
    for _ in range(MAX_STEPS):
        grown = grow(cells, right, down)
        if grown == cells:
            break
        cells = grown
    return cells


@inline
def greedy_ends(right, down, wanted_0, start_0, wanted_1, start_1):
    """(ends, taken) of both players, who go to the closest wanted item, then on to the next.

    That two floods run at once, without a branch for an item, takes half the time.
    """
    cells_0, cells_1 = start_0, start_1
    taken_0, taken_1 = 0, 0
    for _ in range(MAX_STEPS):
        grown_0 = grow(cells_0, right, down)
        grown_1 = grow(cells_1, right, down)
        items_0 = grown_0 & wanted_0
        items_1 = grown_1 & wanted_1
        item_0 = items_0 & -items_0
        item_1 = items_1 & -items_1
        wanted_0 ^= item_0
        wanted_1 ^= item_1
        taken_0 |= item_0
        taken_1 |= item_1
        if item_0:
            grown_0 = item_0
        if item_1:
            grown_1 = item_1
        if grown_0 == cells_0 and grown_1 == cells_1:
            break
        cells_0 = grown_0
        cells_1 = grown_1
    return cells_0, taken_0, cells_1, taken_1


@inline
def best_ends(right, down, wanted, start, found, at, room):
    """Write into `found`, from `at` on, where the walks that take the most items end.

    The cell `start` holds none of them.
    """
    cells = reach(right, down, start)
    wanted &= cells
    if wanted == 0:
        found[at] = cells
        found[at + 1] = 0
        found[at + 2] = 0
        return
    first = wanted & -wanted
    second = (wanted ^ first) & -(wanted ^ first)
    third = wanted ^ first ^ second
    n_sets = 2 if second == 0 else 4 if third == 0 else N_SETS
    for taken in range(n_sets):
        found[room + taken] = 0
    found[room] = start
    for _ in range(MAX_STEPS):
        changed = False
        # From the largest set down: a set that gains an item has had its step already.
        for taken in range(n_sets - 1, -1, -1):
            before = found[room + taken]
            if before == 0:
                continue
            grown = grow(before, right, down)
            for i in range(MAX_VISIBLE):
                item = first if i == 0 else second if i == 1 else third
                if grown & item and not taken >> i & 1:
                    grown ^= item
                    if found[room + (taken | 1 << i)] & item == 0:
                        found[room + (taken | 1 << i)] |= item
                        changed = True
            if grown != before:
                found[room + taken] = grown
                changed = True
        if not changed or found[room + n_sets - 1] == cells:
            break
    most = 0
    n = 0
    for taken in range(n_sets):
        size = (taken & 1) + (taken >> 1 & 1) + (taken >> 2)
        if found[room + taken] and size >= most:
            if size > most:
                most = size
                n = 0
            found[at + 2 * n] = found[room + taken]
            found[at + 2 * n + 1] = (
                first * (taken & 1) | second * (taken >> 1 & 1) | third * (taken >> 2)
            )
            n += 1
    if n < MAX_VISIBLE:
        found[at + 2 * n] = 0


@kernel("void(int64[::1], int64, int64[::1])")
def search_walks(state, player, walks):
    """Find a shortest walk to every cell with every set of wanted items, within a turn's steps."""
    right = open_right(state)
    down = open_down(state)
    wanted = state[WANTED + player]
    for i in range(MAX_VISIBLE):
        walks[i] = wanted & -wanted
        wanted ^= walks[i]
    for node in range(N_NODES):
        walks[WAYS + node] = NO_WAY
    cell = 0
    while state[PLAYERS + player] >> cell != 1:
        cell += 1
    walks[WAYS + cell] = START
    walks[QUEUE] = cell
    n = 1
    begin = 0
    for _ in range(MAX_STEPS):
        end = n
        for i in range(begin, end):
            node = walks[QUEUE + i]
            place = 1 << (node & CELL)
            for direction in range(4):
                if direction == UP:
                    after = place >> 1 & down
                    cell = (node & CELL) - 1
                elif direction == RIGHT:
                    after = (place & right) >> TILE_BITS
                    cell = (node & CELL) - TILE_BITS
                elif direction == DOWN:
                    after = (place & down) << 1
                    cell = (node & CELL) + 1
                else:
                    after = place << TILE_BITS & right
                    cell = (node & CELL) + TILE_BITS
                if after == 0:
                    continue
                taken = node >> CELL_BITS
                for item in range(MAX_VISIBLE):
                    if after == walks[item]:
                        taken |= 1 << item
                reached = taken << CELL_BITS | cell
                if walks[WAYS + reached] == NO_WAY:
                    walks[WAYS + reached] = node << 2 | direction
                    walks[QUEUE + n] = reached
                    n += 1
        begin = end


class Walk(NamedTuple):
    """A walk to the board of one cell `end`, which takes the items on the board `taken`."""

    end: int
    taken: int
    directions: list


def best_walks(state, player):
    """The walks that take the most wanted items, a shortest one to each cell and set of items."""
    walks = int_buffer(WALKS_SIZE)
    search_walks(state, player, walks)
    reached = [node for node in range(N_NODES) if walks[WAYS + node] != NO_WAY]
    most = max((node >> CELL_BITS).bit_count() for node in reached)
    return [
        Walk(1 << (node & CELL), taken_items(walks, node), directions_to(walks, node))
        for node in reached
        if (node >> CELL_BITS).bit_count() == most
    ]


def taken_items(walks, node):
    """The board of the items that the walk to a node takes."""
    return sum(int(walks[i]) for i in range(MAX_VISIBLE) if node >> CELL_BITS + i & 1)


def directions_to(walks, node):
    directions = []
    while (way := int(walks[WAYS + node])) != START:
        directions.append(way & 3)
        node = way >> 2
    return directions[::-1]
