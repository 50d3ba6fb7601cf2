"""The position of Infexion as bitboards, and constant tables.

Bit `7 r + q` of a mask is the cell (r, q); both coordinates wrap at 7 (RULES.md, section 1).

    state int64[6]
        STONES + player   cells of RED (player 0) and of BLUE (player 1).
        PLANES + i        cells whose power has bit i, i = 0..2.
        TURN              actions played so far; RED moves when it is even.

    setup int64[*]
        LINES + 7 (6 cell + direction) + k   the k cells next to `cell` in a direction, 0 <= k <= 6.
        KEYS + 49 (3 player + i) + cell      a random number for bit i of a player's cell.
        TURN_KEYS + turn                     a random number for each count of actions played.
"""

from ...core.jit import int_buffer
from ...core.rng import write_keys

SIDE = 7
N_CELLS = SIDE * SIDE
N_PLAYERS = 2
RED, BLUE = 0, 1
MAX_POWER = 6
MAX_TURNS = 343
N_PLANES = 3

STONES = 0
PLANES = 2
TURN = 5
STATE_SIZE = 6

# (dr, dq) of DownRight, Down, DownLeft, UpLeft, Up, UpRight.
DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
N_DIRECTIONS = len(DIRECTIONS)

LINES = 0
LINE_SIZE = MAX_POWER + 1
KEYS = LINES + N_CELLS * N_DIRECTIONS * LINE_SIZE
TURN_KEYS = KEYS + N_CELLS * N_PLAYERS * N_PLANES
SETUP_SIZE = TURN_KEYS + MAX_TURNS + 1
KEY_SEED = 2023


def new_setup():
    """Returns the tables: lines of cells, and 62-bit random numbers for position keys."""
    setup = int_buffer(SETUP_SIZE)
    for cell in range(N_CELLS):
        for direction, (dr, dq) in enumerate(DIRECTIONS):
            mask = 0
            for k in range(1, LINE_SIZE):
                r, q = (cell // SIDE + k * dr) % SIDE, (cell % SIDE + k * dq) % SIDE
                mask |= 1 << (SIDE * r + q)
                setup[LINES + LINE_SIZE * (N_DIRECTIONS * cell + direction) + k] = mask
    write_keys(setup, KEYS, KEY_SEED)
    return setup


def new_state():
    """Returns the empty board at the start."""
    return int_buffer(STATE_SIZE)


def power_at(state, cell):
    """Returns a cell's power, 0 if empty."""
    return sum((int(state[PLANES + i]) >> cell & 1) << i for i in range(N_PLANES))


def owner_at(state, cell):
    """Returns a cell's owner, RED, BLUE or -1 (empty)."""
    for player in range(N_PLAYERS):
        if int(state[STONES + player]) >> cell & 1:
            return player
    return -1


def place(state, cell, player, power):
    """Set the owner and power of any cell; power 0 empties it."""
    bit = 1 << cell
    for i in range(STONES, TURN):
        state[i] = int(state[i]) & ~bit
    if power:
        state[STONES + player] = int(state[STONES + player]) | bit
    for i in range(N_PLANES):
        if power >> i & 1:
            state[PLANES + i] = int(state[PLANES + i]) | bit
