"""Properties of X-mas Rush: the exact searches of walks against plain search."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.xmas_rush import paths
from shared.core.jit import int_buffer, kernel
from shared.games.xmas_rush import sim
from shared.games.xmas_rush.state import (
    HANDS,
    MAX_VISIBLE,
    N_PLAYERS,
    NAMES,
    PATH_BITS,
    PLAYERS,
    ROWS,
    SIZE,
    TILE_BITS,
    TURN,
    VISIBLE,
    WANTED,
    board_places,
    cell_at,
    item_name,
    item_number,
    new_state,
    tile_at,
)
from tests.property.literal_xmas import Board

pytestmark = pytest.mark.slow("draws many positions, beside golden games")

# Straights, bends and crossings; tiles with many paths make many walks, bends make long ones.
MIXED = ("0110", "1101", "0111", "1010", "1111", "0011", "1001", "1100", "0101")
CROSSINGS = ("1111", "0111", "1101", "1011", "1110")
WINDING = ("0101", "1010", "0110", "0011", "1100", "1001", "1111")
positions = st.tuples(st.integers(0, 2**32), st.sampled_from([MIXED, CROSSINGS, WINDING]))


@kernel("void(int64[::1], int64, int64[::1])")
def find_best(state, player, found):
    """Write the best ends to `found` int64[FOUND_SIZE + N_SETS]: the pairs, then scratch space."""
    right, down = sim.open_right(state), sim.open_down(state)
    wanted, place = state[WANTED + player], state[PLAYERS + player]
    paths.best_ends(right, down, wanted, place, found, 0, paths.FOUND_SIZE)


def random_board(seed, tiles):
    """All 24 items on the board and in the hands, any three quests of each player visible,
    nothing underfoot.
    """
    rng = Random(seed)
    grid = [[[rng.choice(tiles), None] for _ in range(SIZE)] for _ in range(SIZE)]
    hands = [[rng.choice(tiles), None] for _ in range(N_PLAYERS)]
    places = [[rng.randrange(SIZE), rng.randrange(SIZE)] for _ in range(N_PLAYERS)]
    free = [grid[y][x] for y in range(SIZE) for x in range(SIZE) if [x, y] not in places] + hands
    items = [(name, owner) for name in NAMES for owner in range(N_PLAYERS)]
    for tile, item in zip(rng.sample(free, len(items)), items):
        tile[1] = item
    return Board(grid, hands, places, [rng.sample(NAMES, MAX_VISIBLE) for _ in range(N_PLAYERS)])


def tile_of(tile):
    """A tile of the literal board as a number."""
    paths_, item = tile
    return int(paths_, 2) | (item_number(*item) << PATH_BITS if item else 0)


def state_of(board):
    """The board as a state, without a deck."""
    state = new_state()
    state[TURN] = 1
    for y, row in enumerate(board.grid):
        for x, tile in enumerate(row):
            state[ROWS + y] |= tile_of(tile) << TILE_BITS * (SIZE - 1 - x)
            name, owner = tile[1] or ("", 0)
            if name in board.wanted[owner]:
                state[WANTED + owner] |= 1 << cell_at(x, y)
    for player in range(N_PLAYERS):
        state[HANDS + player] = tile_of(board.hands[player])
        state[PLAYERS + player] = 1 << cell_at(*board.places[player])
        for name in board.wanted[player]:
            state[VISIBLE] |= 1 << item_number(name, player)
    return state


def names_on(board, player, state):
    """The names of a player's items on the cells of a board."""
    items = [tile_at(state, x, y) >> PATH_BITS for x, y in board_places(int(board))]
    assert all(item_name(item)[1] == player for item in items)
    return frozenset(item_name(item)[0] for item in items)


@settings(max_examples=400, deadline=None)
@given(positions)
def test_both_exact_searches_find_all_the_best_walks(position):
    """`best_walks` and `best_ends` find the ends and items of a plain search, and each walk is
    shortest.
    """
    board = random_board(*position)
    state = state_of(board)
    found = int_buffer(paths.FOUND_SIZE + paths.N_SETS)
    for player in range(N_PLAYERS):
        expected = board.best_walks(player)
        walks = {}
        for (end, taken), directions in paths.best_walks(state, player).items():
            ((x, y),) = board_places(end)
            walks[(x, y), names_on(taken, player, state)] = len(directions)
        assert walks == expected
        find_best(state, player, found)
        ends = set()
        for pair in range(MAX_VISIBLE):
            if not found[2 * pair]:
                break
            names = names_on(found[2 * pair + 1], player, state)
            ends |= {(place, names) for place in board_places(int(found[2 * pair]))}
        assert ends == set(expected)
