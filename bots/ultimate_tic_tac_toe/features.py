"""The network's input features: 42 bits of each small board, from the view of a player.

    bit  0..8   own cells            18..26  empty cells that would win it for the player
         9..17  the rival's          27..35  for the rival
         36     own                  39      playable
         37     the rival's          40      winning it wins the game for the player
         38     full, nobody's       41      for the rival

A closed board has only the bit of its owner. Boards and their cells are turned and mirrored alike.
"""

import numpy as np

from shared.core.jit import inline
from shared.games.ultimate_tic_tac_toe.sim import DIGIT, boards_won, open_boards, playable
from shared.games.ultimate_tic_tac_toe.state import ALL, ANY, N_CELLS, NEXT, WINS
from shared.search.network import Shape, Symmetries

N_BITS = 42
SHAPE = Shape(words=N_CELLS, word_bits=N_BITS, hidden=512, actions=N_CELLS * N_CELLS, values=10)


@inline
def write_features(tables, state, player, seen):
    """Write the words of all small boards from a player's view."""
    own_shift = N_CELLS if player else 0
    other_shift = N_CELLS - own_shift
    own_boards = boards_won(state, player)
    other_boards = boards_won(state, 1 - player)
    still_open = open_boards(state)
    may_play = playable(state)
    own_goals = tables[WINS + own_boards] & still_open
    other_goals = tables[WINS + other_boards] & still_open
    for board in range(N_CELLS):
        if still_open >> board & 1:
            own = state[board] >> own_shift & ALL
            other = state[board] >> other_shift & ALL
            empty = ~(own | other) & ALL
            word = own | other << 9
            word |= (tables[WINS + own] & empty) << 18 | (tables[WINS + other] & empty) << 27
            word |= (may_play >> board & 1) << 39
            word |= (own_goals >> board & 1) << 40 | (other_goals >> board & 1) << 41
        else:
            is_own, is_other = own_boards >> board & 1, other_boards >> board & 1
            word = is_own << 36 | is_other << 37 | (1 - is_own - is_other) << 38
        seen[board] = word


@inline
def value_row(tables, state):
    """The row of the value's weights: the board to play in, or 9 for any."""
    return state[NEXT]


@inline
def output_of(action):
    """The number of an action among the outputs: 9 a small board."""
    return N_CELLS * (action >> DIGIT) + (action & 15)


def images_of_cells():
    """int64[8, 9]: where the rotations and reflections of a square take its cells."""
    cells = np.arange(N_CELLS).reshape(3, 3)
    turned = [np.rot90(board, k) for board in (cells, cells.T) for k in range(4)]
    return np.array([board.ravel() for board in turned])


def symmetries():
    """The Symmetries of features, outputs and rows of the value's weights."""
    cells, bits = images_of_cells(), np.arange(N_BITS)
    bits = np.where(bits < 4 * N_CELLS, bits // N_CELLS * N_CELLS + cells[:, bits % N_CELLS], bits)
    boards = cells[:, :, None]
    features = (N_BITS * boards + bits[:, None]).reshape(len(cells), -1)
    actions = (N_CELLS * boards + cells[:, None]).reshape(len(cells), -1)
    return Symmetries(features, actions, np.pad(cells, ((0, 0), (0, 1)), constant_values=ANY))
