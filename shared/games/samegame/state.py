"""The board of SameGame in a flat buffer.

    state  [16]  15 columns, column 0 the left one, then the score

A column is an int of 15 digits of 4 bits, the lowest digit its bottom cell: 0 for an empty cell,
else the colour + 1. A set of cells of a column has the lowest bit of each cell's digit.

    setup  [45 + 112]  scratch space of the rules: the columns' cells of one colour, of a region,
                       of the regions listed so far; a list of actions

An action is 15 x + y, any cell of a region of two cells or more, with y counted from the bottom.
"""

from ...core.jit import int_buffer

SIDE = 15
N_CELLS = SIDE * SIDE
N_COLOURS = 5
N_PLAYERS = 1
MAX_ACTIONS = N_CELLS // 2  # regions at once
MAX_TURNS = 115  # the site's limit
DIGIT = 4  # bits of a cell

SCORE = SIDE
STATE_SIZE = SIDE + 1
# Scratch space in setup
LIKE, REGION, LISTED, ACTIONS = range(0, 4 * SIDE, SIDE)
SETUP_SIZE = ACTIONS + MAX_ACTIONS


def new_setup():
    """Returns scratch space."""
    return int_buffer(SETUP_SIZE)


def new_state():
    """An empty board."""
    return int_buffer(STATE_SIZE)


def write_board(rows, state):
    """Write a board: 15 rows of 15 colours, the top row first, -1 for an empty cell."""
    for x in range(SIDE):
        state[x] = 0
        for row in rows:
            state[x] = state[x] << DIGIT | row[x] + 1
    state[SCORE] = 0


def board_of(state):
    """Returns a state's rows, as in `write_board`."""
    return [
        [(int(state[x]) >> DIGIT * y & 15) - 1 for x in range(SIDE)]
        for y in range(SIDE - 1, -1, -1)
    ]
