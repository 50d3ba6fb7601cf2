"""The state of Tron as a flat int64 buffer, and a setup with scratch space in another.

    state    owner[CELLS] head[4] mover   owner: player + 1, 0 empty, WALL; head: a cell, 0 when out
    setup    players, then scratch space of a flood fill: owner[CELLS] queue[CELLS]

The grid of 30 x 20 has a wall around it: cell WIDTH * y + x, x and y from 1.
"""

from shared.core.jit import int_buffer

WIDTH, HEIGHT, MAX_PLAYERS = 32, 22, 4
CELLS = WIDTH * HEIGHT
WALL = 9
HEADS = CELLS
MOVER = HEADS + MAX_PLAYERS
STATE_SIZE = MOVER + 1
N_PLAYERS, FLOOD, SETUP_SIZE = 0, 1, 1 + 2 * CELLS


def new_setup(n_players):
    """Returns the setup of a game of this many players."""
    setup = int_buffer(SETUP_SIZE)
    setup[N_PLAYERS] = n_players
    return setup


def new_state(heads):
    """The state before the first turn, each player's head in its cell."""
    state = int_buffer(STATE_SIZE)
    for cell in range(CELLS):
        y, x = divmod(cell, WIDTH)
        state[cell] = 0 if 0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1 else WALL
    for player, head in enumerate(heads):
        state[HEADS + player], state[head] = head, player + 1
    return state
