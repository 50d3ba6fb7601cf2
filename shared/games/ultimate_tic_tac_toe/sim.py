"""The rules of Ultimate Tic-Tac-Toe, exact (sections refer to RULES.md).

An action is a number of two hexadecimal digits: the small board, and the cell in it.
"""

from ...core.bits import count_bits
from ...core.jit import inline
from ...core.rng import random_below
from ...games.ultimate_tic_tac_toe.state import (
    ALL,
    ANY,
    CELLS,
    CLOSED,
    COUNT,
    HAS_LINE,
    KEYS,
    N_CELLS,
    NEXT,
    NEXT_KEYS,
    OVER,
    TURN,
    WINS,
    WON,
)

DIGIT = 4  # bits: an action is `board << DIGIT | cell`
N_ACTIONS = N_CELLS << DIGIT


@inline
def to_move(setup, state):
    """Returns the player to move: player 0 in even turns."""
    return state[TURN] & 1


@inline
def open_cells(state, board):
    """Returns the mask of a board's empty cells."""
    return ~(state[board] | state[board] >> N_CELLS) & ALL


@inline
def open_boards(state):
    """Returns the mask of small boards neither won nor full."""
    return ~(state[WON] >> CLOSED) & ALL


@inline
def playable(state):
    """Returns the mask of small boards allowed to the mover (section 2)."""
    if state[NEXT] == OVER:
        return 0
    return open_boards(state) if state[NEXT] == ANY else 1 << state[NEXT]


@inline
def nth(setup, mask, n):
    """Returns a mask's cell number n, from 0."""
    return setup[CELLS + mask] >> DIGIT * n & 15


@inline
def legal(setup, state, actions):
    """Write the legal actions by small board and cell. Returns their number (section 2)."""
    n = 0
    boards = playable(state)
    while boards:
        board = nth(setup, boards, 0)
        boards &= boards - 1
        cells = setup[CELLS + open_cells(state, board)]
        for i in range(cells >> COUNT):
            actions[n] = board << DIGIT | (cells >> DIGIT * i & 15)
            n += 1
    return n


@inline
def is_legal(setup, state, action):
    """Returns True if an action, two digits 0..8, is legal (section 2)."""
    board = action >> DIGIT
    return (playable(state) >> board & open_cells(state, board) >> (action & 15) & 1) == 1


@inline
def apply(setup, state, action, after):
    """Write the position after a legal action into `after`, which may be `state` itself (sections 2
    and 3).
    """
    if after is not state:
        for i in range(N_CELLS):
            after[i] = state[i]
    board, cell = action >> DIGIT & 15, action & 15
    shift = N_CELLS if state[TURN] & 1 else 0
    cells = state[board] | 1 << cell + shift
    after[board] = cells
    won = state[WON]
    is_over = False
    if setup[WINS + (cells >> shift & ALL)] & HAS_LINE:
        won |= 1 << board + shift | 1 << board + CLOSED
        is_over = setup[WINS + (won >> shift & ALL)] & HAS_LINE != 0
    elif (cells | cells >> N_CELLS) & ALL == ALL:
        won |= 1 << board + CLOSED
    following = ANY if won >> cell + CLOSED & 1 else cell
    after[NEXT] = OVER if is_over or won >> CLOSED == ALL else following
    after[WON] = won
    after[TURN] = state[TURN] + 1


@inline
def is_over(setup, state):
    """Returns True if the game is over: a line of boards, or all closed (section 3)."""
    return state[NEXT] == OVER


@inline
def boards_won(state, player):
    """Returns the mask of a player's won small boards."""
    return state[WON] >> (N_CELLS if player else 0) & ALL


@inline
def result(setup, state):
    """Returns the mover's result of a finished game: 1, 0 or -1. A line beats any number of
    small boards (section 3).
    """
    mover = state[TURN] & 1
    own, other = boards_won(state, mover), boards_won(state, 1 - mover)
    if setup[WINS + other] & HAS_LINE:  # only the player who has just moved can have completed one
        return -1
    lead = count_bits(own) - count_bits(other)
    return (1 if lead > 0 else 0) - (1 if lead < 0 else 0)


@inline
def sample_from(setup, mask, rng):
    """Draw a cell of a mask uniformly."""
    cells = setup[CELLS + mask]
    return cells >> DIGIT * random_below(rng, cells >> COUNT) & 15


@inline
def sample(setup, state, rng):
    """Draw an action: uniformly a playable board, then uniformly one of its empty cells."""
    board = state[NEXT] & 15  # tells the compiler that the index is not negative
    if board == ANY:
        board = sample_from(setup, open_boards(state), rng)
    return board << DIGIT | sample_from(setup, open_cells(state, board), rng)


@inline
def key(setup, state):
    """Returns Zobrist's hash: the exclusive or of the keys of all stones and of the board to play
    in.

    Source: A. Zobrist, "A New Hashing Method with Application for Game Playing" (1970).
    """
    hashed = setup[NEXT_KEYS + state[NEXT]]
    for board in range(N_CELLS):
        stones = state[board]
        while stones:
            bit = stones & -stones
            stones ^= bit
            hashed ^= setup[KEYS + 2 * N_CELLS * board + count_bits(bit - 1)]
    return hashed
