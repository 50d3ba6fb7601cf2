"""Three breadth-first searches for the walk that collects the most wanted items in a turn.

    best_walks   the ends of such walks, with the directions that lead there.
    best_ends    the ends alone; steps move a board of cells.
    greedy_ends  the ends, always towards the closest item: far quicker, rarely an item short.

Source: MSmits, "X-mas Rush Post Mortem" (CodinGame playground). A walk may pass a cell again.

    found  int64[6]  up to three pairs of boards: the ends of walks, and the items that they take;
                     an empty board closes the list
"""

from shared.core.jit import inline
from shared.core.rng import random_below
from shared.games.xmas_rush.sim import MAX_STEPS, count_cells, neighbours, open_down, open_right
from shared.games.xmas_rush.state import MAX_VISIBLE, PLAYERS, WANTED

N_SETS = 1 << MAX_VISIBLE
FOUND_SIZE = 2 * MAX_VISIBLE


def best_walks(state, player):
    """Returns {(end, taken): directions} of shortest walks to most items."""
    right, down = int(open_right(state)), int(open_down(state))
    wanted = int(state[WANTED + player])
    walks = {(int(state[PLAYERS + player]), 0): ()}
    queue = list(walks)
    for walk in queue:
        if len(walks[walk]) == MAX_STEPS:
            break
        for direction, end in enumerate(neighbours(walk[0], right, down)):
            longer = end, walk[1] | end & wanted
            if end and longer not in walks:
                walks[longer] = (*walks[walk], direction)
                queue.append(longer)
    most = max(bin(taken).count("1") for _, taken in walks)
    return {walk: walks[walk] for walk in queue if bin(walk[1]).count("1") == most}


@inline
def grow(cells, right, down):
    """Returns cells and their neighbours."""
    above, after, below, before = neighbours(cells, right, down)
    return cells | above | after | below | before


@inline
def random_cell(board, rng):
    """Returns a random cell of a nonempty board."""
    for _ in range(random_below(rng, count_cells(board))):
        board &= board - 1
    return board & -board


@inline
def greedy_ends(state):
    """Returns (ends, taken, ends, taken) of both players, flooded at once."""
    right, down = open_right(state), open_down(state)
    wanted_0, wanted_1 = state[WANTED], state[WANTED + 1]
    cells_0, cells_1 = state[PLAYERS], state[PLAYERS + 1]
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
    """Write to `found`, from `at` on, the ends of walks from `start`.

    From `room` on are N_SETS numbers of scratch space: the cells reached with each set of items.
    """
    cells = start
    for _ in range(MAX_STEPS):
        grown = grow(cells, right, down)
        if grown == cells:
            break
        cells = grown
    wanted &= cells
    if wanted == 0:
        found[at], found[at + 1], found[at + 2] = cells, 0, 0
        return
    first = wanted & -wanted
    rest = wanted ^ first
    second = rest & -rest
    third = rest ^ second
    n_sets = 2 if second == 0 else 4 if third == 0 else N_SETS
    for taken in range(n_sets):
        found[room + taken] = 0
    found[room] = start
    for _ in range(MAX_STEPS):
        changed = False
        # From the largest set down: a set that gains an item has already been stepped.
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
    most = n = 0
    for taken in range(n_sets):
        size = count_cells(taken)
        if found[room + taken] and size >= most:
            if size > most:
                most, n = size, 0
            found[at + 2 * n] = found[room + taken]
            found[at + 2 * n + 1] = (
                first * (taken & 1) | second * (taken >> 1 & 1) | third * (taken >> 2)
            )
            n += 1
    if n < MAX_VISIBLE:
        found[at + 2 * n] = 0
