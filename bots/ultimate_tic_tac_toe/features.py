"""The network's input features: 52 bits of each small board, from the view of a player.

    bit  0..8   own cells            18..26  empty cells that would win it for the player
         9..17  the rival's          27..35  for the rival
         36     own                  39      playable
         37     the rival's          40      winning it wins the game for the player
         38     full, nobody's       41      for the rival
         42     one of 18..26        43      one of 27..35
         44     two of them          45      two of them
         46     42 and playable      47      43 and playable
         48     42 and 40            49      43 and 41
         50     lost to the player   51      to the rival: the other has a cell of each line

A closed board has only the bit of its owner. Bits from 42 on sum up what a layer cannot: a unit
adds its inputs, without counting several as one. Boards and cells are turned and mirrored
alike.
"""

import numpy as np

from shared.core.jit import inline
from shared.games.ultimate_tic_tac_toe.sim import DIGIT, boards_won, open_boards, playable
from shared.games.ultimate_tic_tac_toe.state import ALL, ANY, BLOCKS, N_CELLS, NEXT, WINS
from shared.search.network import Shape, Symmetries

N_BITS = 52
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
            plays = may_play >> board & 1
            own_goal, other_goal = own_goals >> board & 1, other_goals >> board & 1
            own_found, other_found = tables[WINS + own], tables[WINS + other]
            own_wins, other_wins = own_found & empty, other_found & empty
            own_one, other_one = 1 if own_wins else 0, 1 if other_wins else 0
            own_two = 1 if own_wins & (own_wins - 1) else 0
            other_two = 1 if other_wins & (other_wins - 1) else 0
            is_lost, is_held = 1 if other_found & BLOCKS else 0, 1 if own_found & BLOCKS else 0
            word = own | other << 9 | own_wins << 18 | other_wins << 27
            word |= plays << 39 | own_goal << 40 | other_goal << 41
            word |= own_one << 42 | other_one << 43 | own_two << 44 | other_two << 45
            word |= (plays & own_one) << 46 | (plays & other_one) << 47
            word |= (own_goal & own_one) << 48 | (other_goal & other_one) << 49
            word |= is_lost << 50 | is_held << 51
        else:
            is_own, is_other = own_boards >> board & 1, other_boards >> board & 1
            word = is_own << 36 | is_other << 37 | (1 - is_own - is_other) << 38
        seen[board] = word


@inline
def value_row(tables, state):
    """Returns the row of value weights: the board to play in, 9 for any."""
    return state[NEXT]


@inline
def output_of(action):
    """Returns the number of an action's output: 9 a small board."""
    return N_CELLS * (action >> DIGIT) + (action & 15)


def images_of_cells():
    """Returns int64[8, 9]: the image of each cell by each symmetry of a square."""
    cells = np.arange(N_CELLS).reshape(3, 3)
    turned = [np.rot90(board, k) for board in (cells, cells.T) for k in range(4)]
    return np.array([board.ravel() for board in turned])


def symmetries():
    """Returns the Symmetries of features, outputs and value rows."""
    cells, bits = images_of_cells(), np.arange(N_BITS)
    bits = np.where(bits < 4 * N_CELLS, bits // N_CELLS * N_CELLS + cells[:, bits % N_CELLS], bits)
    boards = cells[:, :, None]
    features = (N_BITS * boards + bits[:, None]).reshape(len(cells), -1)
    actions = (N_CELLS * boards + cells[:, None]).reshape(len(cells), -1)
    return Symmetries(features, actions, np.pad(cells, ((0, 0), (0, 1)), constant_values=ANY))
