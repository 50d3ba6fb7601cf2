"""States of X-mas Rush laid out for tests."""

from shared.games.xmas_rush import sim
from shared.games.xmas_rush.state import (
    DECK,
    HANDS,
    N_KNOWN,
    N_QUESTS,
    N_VISIBLE,
    PATH_BITS,
    PLAYERS,
    ROWS,
    SIZE,
    TILE_BITS,
    cell_at,
    item_number,
    new_state,
    pack_deck,
)

CROSSING, BLOCKED = 0b1111, 0b0000


def state_of(
    items=(), places=((0, 0), (6, 6)), deck=("KEY", "MASK", "FISH", "BOOK"), tile=CROSSING
):
    """A state at the start of a turn, all tiles alike except those in hand: 0001 and 0010.

    items: (name, owner, x, y), in hand with x = -1 or -2. Three quests of the deck are visible.
    """
    state = new_state()
    for y in range(SIZE):
        state[ROWS + y] = sum(tile << TILE_BITS * x for x in range(SIZE))
    state[HANDS], state[HANDS + 1] = 0b0001, 0b0010
    for name, owner, x, y in items:
        carried = item_number(name, owner) << PATH_BITS
        if x < 0:
            state[HANDS - 1 - x] |= carried
        else:
            state[ROWS + y] |= carried << TILE_BITS * (SIZE - 1 - x)
    for player, (x, y) in enumerate(places):
        state[PLAYERS + player] = 1 << cell_at(x, y)
    state[DECK], state[N_KNOWN], state[N_QUESTS] = pack_deck(deck), len(deck), len(deck)
    state[N_VISIBLE] = 3
    sim.reveal_quests(state)
    return state
