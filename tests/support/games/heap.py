"""A heap from which two players take: a game with a known solution, for tests of searches.

Players take 1 to MOST objects in turn, and the player of the last one loses. After MORE objects a
player moves again. With MOST = 3 the player to move loses with 1, 5, 9... left; with MORE = 3 as
well, with 1, 4, 7...

    setup   MOST, MORE (0: players alternate).
    state   objects left, the player to move, the player of the last move.
    action  the objects taken.
"""

from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below
from shared.search.retrograde import Endgame

MOST, MORE = range(2)
LEFT, MOVER, LAST = range(3)
MAX_ACTIONS = 4  # action 0 takes nothing and is never legal


def new_setup(most=3, more=0):
    return int_buffer([most, more])


def new_state(left):
    """Returns the start with so many objects."""
    return int_buffer([left, 0, 1])


@inline
def to_move(setup, state):
    return state[MOVER]


@inline
def legal(setup, state, actions):
    n = min(setup[MOST], state[LEFT])
    for i in range(n):
        actions[i] = i + 1
    return n


@inline
def sample(setup, state, rng):
    return 1 + random_below(rng, min(setup[MOST], state[LEFT]))


@inline
def apply(setup, state, action, after):
    mover = state[MOVER]
    after[LEFT], after[LAST] = state[LEFT] - action, mover
    after[MOVER] = mover if action == setup[MORE] else 1 - mover


@inline
def is_over(setup, state):
    return state[LEFT] == 0


@inline
def result(setup, state):
    """The other player than that of the last move has won."""
    return -1 if state[LAST] == state[MOVER] else 1


@inline
def evaluate(setup, state):
    """Always 0: any useful evaluation would be the solution."""
    return 0


@inline
def key(setup, state):
    return (state[LEFT] * 2 + state[MOVER]) * 2 + state[LAST]


@inline
def write(setup, number, state):
    """Writes the state of a number of an endgame."""
    state[LEFT], state[MOVER], state[LAST] = number, 0, 1
    return True


@inline
def number_of(setup, state):
    return state[LEFT]


GAME = AlternatingGame(
    MAX_ACTIONS, 3, to_move, legal, sample, apply, is_over, result, evaluate, key
)


def new_endgame(left):
    """Returns the endgame of so many objects or fewer."""
    return Endgame(GAME, left + 1, write, number_of)
