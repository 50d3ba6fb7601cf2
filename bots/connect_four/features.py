"""The network's view of connect four: both players' stones, and the cells that would complete four.

Word 0 has the stones of the player, word 1 the rival's; words 2 and 3 their winning cells, which a
layer cannot derive from stones. An output is a column.
"""

import numpy as np

from shared.core.jit import inline
from shared.games.connect_four.game import GAME, HEIGHT, OWN, STONES, WIDTH, all_cells
from shared.search.network import Shape, Symmetries

ROWS = HEIGHT + 1
CELLS = all_cells()
SHAPE = Shape(words=4, word_bits=WIDTH * ROWS, hidden=64, actions=WIDTH)
to_move = GAME.to_move


@inline
def completing(stones, free):
    """Returns the free cells that would complete four stones, if no stones are above."""
    cells = stones << 1 & stones << 2 & stones << 3
    for step in range(HEIGHT, HEIGHT + 3):
        pairs = stones << step & stones << 2 * step
        cells |= pairs & (stones << 3 * step | stones >> step)
        pairs = stones >> step & stones >> 2 * step
        cells |= pairs & (stones >> 3 * step | stones << step)
    return cells & free


@inline
def write_stones(setup, state, player, seen):
    """Write words of a player's and its rival's stones."""
    own = state[OWN]
    other = own ^ state[STONES]
    is_mover = to_move(setup, state) == player
    seen[0] = own if is_mover else other
    seen[1] = other if is_mover else own


@inline
def write_features(setup, state, player, seen):
    """Write the words of a position from a player's view."""
    write_stones(setup, state, player, seen)
    free = CELLS & ~state[STONES]
    seen[2] = completing(seen[0], free)
    seen[3] = completing(seen[1], free)


@inline
def output_of(action):
    """The column."""
    return action


def symmetries():
    """Returns identity and mirror image."""
    cells = np.arange(4 * WIDTH * ROWS).reshape(4, WIDTH, ROWS)
    columns = np.arange(WIDTH)
    features = np.array([cells.ravel(), cells[:, ::-1].ravel()])
    return Symmetries(features, np.array([columns, columns[::-1]]), np.zeros((2, 1), int))
