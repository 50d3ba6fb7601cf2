"""The position of Ultimate Tic-Tac-Toe as bitboards of nine bits, and constant tables.

Small boards and the cells of each are numbered alike, row by row; bit i of a mask is cell i, or
small board i of the large board.

        0 | 1 | 2
        3 | 4 | 5
        6 | 7 | 8

    state int64[12]
        0..8  player 0's cells of each small board; player 1's cells from bit 9 on
        WON   the boards won by player 0, by player 1 from bit 9 on; closed boards from bit 18 on
        NEXT  the small board to play in, ANY or OVER
        TURN  actions played so far; player 0 moves when it is even

    setup int64[*]
        CELLS + mask        its cells as hexadecimal digits from the lowest; digit 10 counts them
        WINS + mask         the cells that would complete a line; HAS_LINE if the mask has a line,
                            BLOCKS if it meets all lines
        KEYS + bit of a small board's word, 18 a board; NEXT_KEYS + next: random numbers
"""

from ...core.jit import Ints, int_buffer
from ...core.rng import write_keys

N_PLAYERS = 2
SIDE = 9  # cells in a row of the whole board
N_CELLS = 9  # cells of a small board, and small boards of the large one
MAX_TURNS = N_CELLS * N_CELLS
ALL = (1 << N_CELLS) - 1

WON, NEXT, TURN = range(9, 12)
STATE_SIZE = 12
CLOSED = 2 * N_CELLS  # first bit of the closed boards in WON
ANY, OVER = 9, 10  # values of NEXT

ROWS = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
CELLS = 0
COUNT = 4 * N_CELLS  # first bit of the number of cells
WINS = CELLS + ALL + 1
HAS_LINE, BLOCKS = 1 << N_CELLS, 2 << N_CELLS
KEYS = WINS + ALL + 1
NEXT_KEYS = KEYS + N_CELLS * 2 * N_CELLS
SETUP_SIZE = NEXT_KEYS + OVER + 1
KEY_SEED = 2022


def completing(mask: int) -> int:
    """Returns the cells that complete a line of a mask, HAS_LINE if the mask has a line, and
    BLOCKS if it meets all lines.
    """
    found = BLOCKS if all(mask & row for row in ROWS) else 0
    for row in ROWS:
        missing = row & ~mask
        if missing == 0:
            found |= HAS_LINE
        elif missing & (missing - 1) == 0:
            found |= missing
    return found


def new_setup() -> Ints:
    """Returns the tables, and random numbers of 62 bits for the keys of positions."""
    setup = int_buffer(SETUP_SIZE)
    for mask in range(ALL + 1):
        cells = [cell for cell in range(N_CELLS) if mask >> cell & 1]
        setup[CELLS + mask] = sum(cell << 4 * i for i, cell in enumerate(cells))
        setup[CELLS + mask] += len(cells) << COUNT
        setup[WINS + mask] = completing(mask)
    write_keys(setup, KEYS, KEY_SEED)
    return setup


def new_state() -> Ints:
    """Returns the empty board at the start."""
    state = int_buffer(STATE_SIZE)
    state[NEXT] = ANY
    return state
