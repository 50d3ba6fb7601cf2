"""The value of the players' places in X-mas Rush, for the evaluation."""

from typing import NamedTuple

from bots.xmas_rush.paths import grow
from shared.core.jit import inline
from shared.games.xmas_rush.sim import count_cells, open_down, open_right
from shared.games.xmas_rush.state import PATHS, PLAYERS, ROWS, SIZE, TILE_BITS, WANTED

# Steps considered from players, and from their items
ROOM_STEPS, REACH_STEPS = 6, 4


class Places(NamedTuple):
    """Weights. near: each column and row between a player and its nearest item. ways: each path of
    the tiles under its items. room: each cell that it can reach in ROOM_STEPS. reach: each cell
    from which an item can be reached in REACH_STEPS.
    """

    near: float = 1.0
    ways: float = 2.0
    room: float = 0.5
    reach: float = 1.0


@inline
def paths_and_distance(state, player):
    """Returns (paths of the tiles under a player's items, distance to the nearest)."""
    place = count_cells(state[PLAYERS + player] - 1)
    items = state[WANTED + player]
    n_paths, nearest = 0, 2 * SIZE
    while items:
        cell = count_cells((items & -items) - 1)
        items &= items - 1
        x, y = cell // TILE_BITS, cell % TILE_BITS
        n_paths += count_cells(state[ROWS + y] >> TILE_BITS * x & PATHS)
        nearest = min(nearest, abs(x - place // TILE_BITS) + abs(y - place % TILE_BITS))
    return n_paths, nearest


def make_lead_in_place(weights):
    """Returns lead_in_place(state), player 0's lead."""
    near, ways, room, reach = weights

    @inline
    def lead_in_place(state):
        paths_0, nearest_0 = paths_and_distance(state, 0)
        paths_1, nearest_1 = paths_and_distance(state, 1)
        right, down = open_right(state), open_down(state)
        cells_0, cells_1 = state[PLAYERS], state[PLAYERS + 1]
        for _ in range(ROOM_STEPS):
            cells_0, cells_1 = grow(cells_0, right, down), grow(cells_1, right, down)
        around_0, around_1 = state[WANTED], state[WANTED + 1]
        for _ in range(REACH_STEPS):
            around_0, around_1 = grow(around_0, right, down), grow(around_1, right, down)
        lead = ways * (paths_0 - paths_1) - near * (nearest_0 - nearest_1)
        lead += room * (count_cells(cells_0) - count_cells(cells_1))
        return lead + reach * (count_cells(around_0) - count_cells(around_1))

    return lead_in_place
