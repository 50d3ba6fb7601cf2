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

    setup   empty: the board's size is a constant in machine code.
    state   stones of the player to move, all stones.
    action  the column, from 0.
"""

from ...core.bits import count_bits
from ...core.game import AlternatingGame
from ...core.jit import inline, int_buffer
from ...core.rng import random_below

OWN, STONES = range(2)
WIDTH, HEIGHT = 7, 6
KEY_MASK = (1 << 62) - 1


def new_setup():
    """Returns a setup."""
    return int_buffer(0)


def column_bits(width, height, cells):
    """Repeat the cells of one column in every column."""
    return sum(cells << column * (height + 1) for column in range(width))


def all_cells(width=WIDTH, height=HEIGHT):
    """Set every cell's bit."""
    return column_bits(width, height, (1 << height) - 1)


def make_connect_four(width=WIDTH, height=HEIGHT):
    """Returns the game. Raises ValueError if a board exceeds 62 bits."""
    if width < 1 or height < 1 or width * (height + 1) > 62:
        raise ValueError(
            f"a board of {width} x {height} does not fit: columns x (rows + 1) must be 1 to 62"
        )
    rows, bottom, cells = height + 1, column_bits(width, height, 1), all_cells(width, height)

    @inline
    def to_move(setup, state):
        """Returns 0 for the first player, else 1."""
        return count_bits(state[STONES]) & 1

    @inline
    def is_open(stones, column):
        """Returns True if a column has room."""
        return not stones >> (column * rows + height - 1) & 1

    @inline
    def following(setup, state, action):
        """Returns the next column with room, or -1."""
        action += 1
        while action < width and not is_open(state[STONES], action):
            action += 1
        return action if action < width else -1

    @inline
    def legal(setup, state, actions):
        """Write and count columns with room."""
        n = 0
        for column in range(width):
            if is_open(state[STONES], column):
                actions[n] = column
                n += 1
        return n

    @inline
    def sample(setup, state, rng):
        """Draw a free column."""
        column = random_below(rng, width)
        while not is_open(state[STONES], column):
            column = random_below(rng, width)
        return column

    @inline
    def apply(setup, state, action, after):
        """Drop a stone into the column."""
        stones = state[STONES]
        after[OWN] = state[OWN] ^ stones
        after[STONES] = stones | (stones + (1 << action * rows))

    @inline
    def has_four(stones):
        """Returns True if four stones are in line."""
        pairs = stones & stones >> 1
        fours = pairs & pairs >> 2
        pairs = stones & stones >> height
        fours |= pairs & pairs >> 2 * height
        pairs = stones & stones >> height + 1
        fours |= pairs & pairs >> 2 * (height + 1)
        pairs = stones & stones >> height + 2
        fours |= pairs & pairs >> 2 * (height + 2)
        return fours != 0

    @inline
    def is_over(setup, state):
        """Returns True after a win or on a full board."""
        return has_four(state[OWN] ^ state[STONES]) or state[STONES] == cells

    @inline
    def result(setup, state):
        """Returns -1 if the mover has lost, else 0."""
        return -1 if has_four(state[OWN] ^ state[STONES]) else 0

    @inline
    def count_fours(stones):
        """Returns the number of lines of four among stones."""
        n = 0
        for step in (1, height, height + 1, height + 2):
            pairs = stones & stones >> step
            n += count_bits(pairs & pairs >> 2 * step)
        return n

    @inline
    def evaluate(setup, state):
        """Returns the mover's number of open lines less the rival's."""
        other = state[OWN] ^ state[STONES]
        return count_fours(cells & ~other) - count_fours(cells & ~state[OWN])

    @inline
    def key(setup, state):
        """Returns a unique number of a position: the mover's stones, plus a bit above each column
        (Tromp's code).

        Invertible xorshifts spread it over the low bits, which are the index in tables.
        """
        code = state[OWN] + state[STONES] + bottom
        code ^= code >> 29
        code ^= (code << 17) & KEY_MASK
        return code ^ code >> 32

    return AlternatingGame(
        max_actions=width,
        state_size=2,
        to_move=to_move,
        legal=legal,
        sample=sample,
        apply=apply,
        is_over=is_over,
        result=result,
        evaluate=evaluate,
        key=key,
        following=following,
    )


GAME = make_connect_four()


def new_state(columns=(), game=GAME):
    """Returns the position after stones fell into `columns` in turn."""
    setup, state = new_setup(), int_buffer(2)
    for column in columns:
        game.apply(setup, state, column, state)
    return state
