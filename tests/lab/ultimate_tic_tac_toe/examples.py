"""Examples for the network from recorded positions, each turned or mirrored at random: the rules
are symmetric.
"""

import numpy as np

from bots.ultimate_tic_tac_toe.features import (
    N_BITS,
    SHAPE,
    images_of_cells,
    output_of,
    value_row,
    write_features,
)
from shared.core.jit import Ints, inline, kernel
from shared.games.ultimate_tic_tac_toe.sim import N_ACTIONS
from shared.games.ultimate_tic_tac_toe.sim import legal as list_legal
from shared.games.ultimate_tic_tac_toe.state import (
    ANY,
    CLOSED,
    N_CELLS,
    NEXT,
    STATE_SIZE,
    TURN,
    WON,
    new_setup,
)
from shared.learn.network_training import Examples
from shared.learn.searched_games import Positions

TABLES = new_setup()
VALUE_SHARE = 0.5  # weight of the search's value, if it is no proof; the rest is the game's result


@inline
def moved(mask, places, first):
    """The mask with each cell moved by `places[first:]`."""
    found = 0
    for cell in range(N_CELLS):
        found |= (mask >> cell & 1) << places[first + cell]
    return found


@kernel
def look(
    tables: Ints, states: Ints, places: Ints, images: Ints, words: Ints, legal: Ints, rows: Ints
) -> None:
    """Write the words, the legal outputs and the row of the value's weights of each position, moved
    by its symmetry.

    states [N S], places [8 9], images [N], words [N 9], legal [N 81] of 0 or 1, rows [N]; room for
    one more position behind `states`, and for its actions behind `legal`.
    """
    n = len(images)
    state = states[STATE_SIZE * n :]
    actions = legal[81 * n :]
    seen = words[N_CELLS * n :]
    for k in range(n):
        old = STATE_SIZE * k
        first = N_CELLS * images[k]
        for board in range(N_CELLS):
            cells = states[old + board]
            mask = moved(cells, places, first) | moved(cells >> N_CELLS, places, first) << N_CELLS
            state[places[first + board]] = mask
        won = states[old + WON]
        state[WON] = 0
        for shift in (0, N_CELLS, CLOSED):
            state[WON] |= moved(won >> shift, places, first) << shift
        following = states[old + NEXT]
        state[NEXT] = places[first + following] if following < ANY else following
        state[TURN] = states[old + TURN]
        rows[k] = value_row(tables, state)
        write_features(tables, state, state[TURN] & 1, seen)
        for board in range(N_CELLS):
            words[N_CELLS * k + board] = seen[board]
        for i in range(81):
            legal[81 * k + i] = 0
        n_actions = list_legal(tables, state, actions)
        for i in range(n_actions):
            legal[81 * k + output_of(actions[i])] = 1


def examples_of(positions: Positions, rng: np.random.Generator) -> Examples:
    """An example of each position."""
    n = len(positions.values)
    places, images = images_of_cells(), rng.integers(0, 8, n)
    rows = np.zeros(n, np.int64)
    states = np.zeros((n + 1, STATE_SIZE), np.int64)
    states[:n] = positions.states
    words, legal = np.zeros((n + 1) * N_CELLS, np.int64), np.zeros(n * 81 + N_ACTIONS, np.int64)
    look(TABLES, states.ravel(), places.ravel(), images, words, legal, rows)
    as_bytes = words.astype("<i8").view(np.uint8).reshape(-1, N_CELLS, 8)[:n]
    bits = np.unpackbits(as_bytes, axis=2, bitorder="little")[:, :, :N_BITS].reshape(n, -1)
    shares = positions.shares.reshape(n, N_CELLS, 16)[:, :, :N_CELLS]
    moved_shares = np.empty((n, N_CELLS, N_CELLS), np.uint8)
    for k in range(8):
        own = np.flatnonzero(images == k)
        back = np.argsort(places[k])
        moved_shares[own] = shares[own][:, back][:, :, back]
    proven = np.isin(positions.values, (-1.0, 0.0, 1.0))
    shares_of_values = np.where(proven, 1.0, VALUE_SHARE)
    values = positions.results + shares_of_values * (positions.values - positions.results)
    return Examples(
        features=np.packbits(bits, axis=1),
        values=values.astype(np.float32),
        shares=moved_shares.reshape(n, SHAPE.actions),
        legal=np.packbits(legal[: 81 * n].astype(np.uint8).reshape(n, -1), axis=1),
        chosen=rows.astype(np.uint8),
    )
