"""Random trees of two players and chance, for tests of searches with chance: the mover does not
depend on the ply.

    setup   as in alphabeta_trees.py for `scramble`; and STEPS: evaluations between -1 and 1.
    state   the place in the tree, the ply.
"""

from shared.core.game import CHANCE, TurnGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below
from tests.support.alphabeta_trees import scramble

BRANCHING, PLIES, STEPS = 0, 2, 5
PLACE, PLY = range(2)
MAX_ACTIONS = 6


@inline
def mover(setup, state):
    kind = scramble(setup, state[PLACE] + 3) % 3
    return CHANCE if kind == 2 else kind


@inline
def n_legal(setup, state):
    return 1 + scramble(setup, state[PLACE] + 5) % setup[BRANCHING]


@inline
def legal(setup, state, actions):
    n = n_legal(setup, state)
    for action in range(n):
        actions[action] = action
    return n


@inline
def weight(setup, state, action):
    """An outcome's share, in whole numbers."""
    return 1 + scramble(setup, state[PLACE] + 11 * action) % 5


@inline
def sample(setup, state, rng):
    """An action, drawn uniformly, or an outcome by its weight."""
    n = n_legal(setup, state)
    if mover(setup, state) != CHANCE:
        return random_below(rng, n)
    total = 0
    for action in range(n):
        total += weight(setup, state, action)
    left, action = random_below(rng, total), 0
    while left >= weight(setup, state, action):
        left -= weight(setup, state, action)
        action += 1
    return action


@inline
def apply(setup, state, action, after):
    after[PLACE] = (state[PLACE] * setup[BRANCHING] + action + 1) & ((1 << 31) - 1)
    after[PLY] = state[PLY] + 1


@inline
def is_over(setup, state):
    return state[PLY] >= setup[PLIES]


@inline
def evaluate(setup, state, scores):
    steps = setup[STEPS]
    scores[0] = (scramble(setup, state[PLACE] + 7) % (2 * steps + 1) - steps) / steps
    scores[1] = -scores[0]


@inline
def chances(setup, state, actions, n, shares):
    total = 0.0
    for i in range(n):
        shares[i] = 1.0 * weight(setup, state, actions[i])
        total += shares[i]
    for i in range(n):
        shares[i] /= total


@inline
def key(setup, state):
    return state[PLACE]


RANDOM = TurnGame(2, MAX_ACTIONS, 2, mover, legal, sample, apply, is_over, evaluate, key, chances)


def new_setup(seed, branching=4, plies=7, steps=10):
    return int_buffer([branching, 0, plies, 0, seed, steps])
