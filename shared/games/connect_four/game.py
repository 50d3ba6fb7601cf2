"""Connect four on boards up to 7 x 6 or any other of at most 62 bits, as bitboards: for tests and
measurements of searches.

A stone falls to the lowest free cell of its column; four in a line win. The layout of the boards is
Tromp's (Fhourstones): column by column from below, with one cell above each column that always
stays empty, so that no line runs round an edge.

        .  .  .  .  .  .  .
        5 12 19 26 33 40 47
        4 11 18 25 32 39 46
        3 10 17 24 31 38 45
        2  9 16 23 30 37 44
        1  8 15 22 29 36 43
        0  7 14 21 28 35 42

    setup   width, height, the lowest cell of every column, all cells.
    state   stones of the player to move, all stones, plies played, 1 when the last won.
    action  the column, from 0.
"""

from ...core.game import AlternatingGame
from ...core.jit import inline, int_buffer
from ...core.rng import random_below

WIDTH, HEIGHT, BOTTOM, CELLS = range(4)
OWN, STONES, PLIES, WON = range(4)
MAX_WIDTH = 15
KEY_MASK = (1 << 62) - 1


def new_setup(width=7, height=6):
    """The setup of a board. Raises ValueError if it does not fit into 62 bits."""
    if width < 1 or height < 1 or width > MAX_WIDTH or width * (height + 1) > 62:
        raise ValueError(
            f"a board of {width} x {height} does not fit:"
            f" 1 to {MAX_WIDTH} columns, columns x (rows + 1) at most 62"
        )
    bottom = sum(1 << column * (height + 1) for column in range(width))
    return int_buffer([width, height, bottom, bottom * ((1 << height) - 1)])


def new_state(setup, columns=()):
    """The empty board, or the position after stones fell into `columns` in turn."""
    state = int_buffer(4)
    for column in columns:
        apply(setup, state, column, state)
    return state


@inline
def to_move(setup, state):
    """0 for the first player, 1 for the second."""
    return state[PLIES] & 1


@inline
def is_open(setup, stones, column):
    """True if the column has a free cell."""
    return not stones >> (column * (setup[HEIGHT] + 1) + setup[HEIGHT] - 1) & 1


@inline
def legal(setup, state, actions):
    """The columns with room, from the left."""
    n = 0
    for column in range(setup[WIDTH]):
        if is_open(setup, state[STONES], column):
            actions[n] = column
            n += 1
    return n


@inline
def sample(setup, state, rng):
    """Any column with room."""
    column = random_below(rng, setup[WIDTH])
    while not is_open(setup, state[STONES], column):
        column = random_below(rng, setup[WIDTH])
    return column


@inline
def apply(setup, state, action, after):
    """Drop a stone into the column."""
    stones = state[STONES]
    height = setup[HEIGHT]
    dropped = stones | (stones + (1 << action * (height + 1)))
    mover = state[OWN] | (dropped ^ stones)
    after[OWN] = state[OWN] ^ stones
    after[STONES] = dropped
    after[PLIES] = state[PLIES] + 1
    after[WON] = has_four(mover, height)


@inline
def has_four(stones, height):
    """1 where four of the stones stand in a line, else 0."""
    pairs = stones & stones >> 1
    fours = pairs & pairs >> 2
    for step in range(height, height + 3):
        pairs = stones & stones >> step
        fours |= pairs & pairs >> 2 * step
    return 1 if fours != 0 else 0


@inline
def is_over(setup, state):
    """True if the last stone won, or the board is full."""
    return state[WON] == 1 or state[STONES] == setup[CELLS]


@inline
def result(setup, state):
    """-1 if the player to move has lost, else 0."""
    return -state[WON]


@inline
def count_fours(stones, height):
    """The number of lines of four cells that the stones fill."""
    n = 0
    for step in (1, height, height + 1, height + 2):
        pairs = stones & stones >> step
        fours = pairs & pairs >> 2 * step
        while fours:
            fours &= fours - 1
            n += 1
    return n


@inline
def evaluate(setup, state):
    """The mover's lines of four that are still open, less the other player's."""
    other = state[OWN] ^ state[STONES]
    height = setup[HEIGHT]
    return count_fours(setup[CELLS] & ~other, height) - count_fours(
        setup[CELLS] & ~state[OWN], height
    )


@inline
def key(setup, state):
    """A number unique to each position: the mover's stones, plus one bit above each column's stones
    (Tromp's code).

    Invertible xorshifts spread it over the low bits, which index tables.
    """
    code = state[OWN] + state[STONES] + setup[BOTTOM]
    code ^= code >> 29
    code ^= (code << 17) & KEY_MASK
    return code ^ code >> 32


GAME = AlternatingGame(
    max_actions=MAX_WIDTH,
    state_size=4,
    to_move=to_move,
    legal=legal,
    sample=sample,
    apply=apply,
    is_over=is_over,
    result=result,
    evaluate=evaluate,
    key=key,
)
