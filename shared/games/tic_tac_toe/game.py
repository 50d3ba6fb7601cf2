"""Tic-tac-toe, a draw with best play: to test and measure searches.

setup: empty. state: stones of the player to move, stones of the other (bit 3 row + column), plies
played. action: the cell, 3 row + column.
"""

from ...core.game import AlternatingGame
from ...core.jit import inline, int_buffer
from ...core.rng import random_below

OWN, OTHER, PLIES = range(3)
N_CELLS = 9
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


def new_setup():
    """Returns a setup without parameters."""
    return int_buffer(1)


def new_state(cells=()):
    """Returns the position after `cells` were played in turn."""
    state = int_buffer(3)
    for cell in cells:
        apply(None, state, cell, state)
    return state


@inline
def to_move(setup, state):
    """Returns 0 (crosses, first) or 1."""
    return state[PLIES] & 1


@inline
def legal(setup, state, actions):
    """Write and count the empty cells."""
    n = 0
    for cell in range(N_CELLS):
        if not (state[OWN] | state[OTHER]) >> cell & 1:
            actions[n] = cell
            n += 1
    return n


@inline
def sample(setup, state, rng):
    """Draw an action."""
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
    """Returns True if three stones are in line."""
    for line in LINES:  # noqa: SIM110  (a kernel has no any())
        if stones & line == line:
            return True
    return False


@inline
def is_over(setup, state):
    """Returns True after a completed line or on a full board."""
    return state[PLIES] == N_CELLS or has_line(state[OTHER])


@inline
def result(setup, state):
    """Returns -1 if the mover has lost, else 0."""
    return -1 if has_line(state[OTHER]) else 0


@inline
def evaluate(setup, state):
    """Returns the mover's open lines less the opponent's open lines."""
    score = 0
    for line in LINES:
        if not state[OTHER] & line:
            score += 1
        if not state[OWN] & line:
            score -= 1
    return score


@inline
def key(setup, state):
    """Returns a number that is different for each position."""
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
