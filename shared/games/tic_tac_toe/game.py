"""Tic-tac-toe, whose value is known to be a draw: for tests and measurements of searches.

setup nothing state stones of the player to move, stones of the other (bit 3 row + column), plies
played action the cell, 3 row + column
"""

from ...core.game import AlternatingGame
from ...core.jit import inline, int_buffer
from ...core.rng import random_below

OWN, OTHER, PLIES = range(3)
N_CELLS = 9
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


def new_setup():
    """An empty setup: tic-tac-toe has no parameters."""
    return int_buffer(1)


def new_state(cells=()):
    """The empty board, or the position after `cells` were played in turn."""
    state = int_buffer(3)
    for cell in cells:
        apply(None, state, cell, state)
    return state


@inline
def to_move(setup, state):
    """0 for crosses (first), 1 for noughts."""
    return state[PLIES] & 1


@inline
def legal(setup, state, actions):
    """The empty cells in ascending order."""
    n = 0
    for cell in range(N_CELLS):
        if not (state[OWN] | state[OTHER]) >> cell & 1:
            actions[n] = cell
            n += 1
    return n


@inline
def sample(setup, state, rng):
    """Any empty cell."""
    left = random_below(rng, N_CELLS - state[PLIES])
    empty = ~(state[OWN] | state[OTHER])
    cell = 0
    while left > 0 or not empty >> cell & 1:
        left -= empty >> cell & 1
        cell += 1
    return cell


@inline
def apply(setup, state, action, after):
    """Put a stone on the cell."""
    own = state[OWN] | 1 << action
    after[PLIES] = state[PLIES] + 1
    after[OWN] = state[OTHER]
    after[OTHER] = own


@inline
def has_line(stones):
    """True if three of the stones stand in a line."""
    for line in LINES:  # noqa: SIM110  (a kernel has no any())
        if stones & line == line:
            return True
    return False


@inline
def is_over(setup, state):
    """True if the last stone completed a line, or the board is full."""
    return state[PLIES] == N_CELLS or has_line(state[OTHER])


@inline
def result(setup, state):
    """-1 if the player to move has lost, else 0."""
    return -1 if has_line(state[OTHER]) else 0


@inline
def evaluate(setup, state):
    """Lines still open to the player to move, less those open to the other."""
    score = 0
    for line in LINES:
        if not state[OTHER] & line:
            score += 1
        if not state[OWN] & line:
            score -= 1
    return score


@inline
def key(setup, state):
    """Both boards packed into one number, different for each position."""
    return state[OWN] << N_CELLS | state[OTHER]


GAME = AlternatingGame(
    max_actions=N_CELLS,
    state_size=3,
    to_move=to_move,
    legal=legal,
    sample=sample,
    apply=apply,
    is_over=is_over,
    result=result,
    evaluate=evaluate,
    key=key,
)
