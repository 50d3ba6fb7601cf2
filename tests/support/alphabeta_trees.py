"""Artificial games for the tests of alpha-beta, selected by numbers in `setup` so that one compiled
search serves all.

    setup int64[7]  KIND, BRANCHING, PLIES (the game's length), RANGE (of the evaluations), SEED,
                    ENDS (one position in so many ends the game early, 0 for none), LOUD (one action
                    in so many is noisy, 0 for none)
    state int64[3]  PLACE, PLY, WORTH

TREE    every line leads to a position of its own; evaluations are random numbers of a small range,
so that many are equal
GRAPH   the place is the sum of the actions: lines meet again, always at the same ply
ORDERED the first action is always the best one: each other loses 1 to 9 against the position's
        value
DRIFT   evaluations change by random numbers of the range along a line: good positions tend to stay
        good
RING    places on a ring, a step forth or back; the first player is 5 ahead anywhere
"""

from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below

TREE, GRAPH, ORDERED, DRIFT, RING = range(5)
KIND, BRANCHING, PLIES, RANGE, SEED, ENDS, LOUD = range(7)
PLACE, PLY, WORTH = range(3)
MAX_ACTIONS = 40
RING_SIZE = 12
MASK = (1 << 31) - 1


@inline
def scramble(setup, number):
    """Returns a pseudo-random number of 31 bits for a number and the game's seed."""
    x = (number * 1103515245 + setup[SEED] * 12345 + 7) & MASK
    for _ in range(3):
        x ^= x >> 15
        x = x * 739391 & MASK
    return x ^ (x >> 13)


@inline
def identity(setup, state):
    """Returns a number that identifies the position."""
    return (state[PLACE] * 64 + state[PLY] if setup[KIND] != RING else state[PLACE]) & MASK


@inline
def to_move(setup, state):
    return state[PLY] & 1


@inline
def legal(setup, state, actions):
    n = 2 if setup[KIND] == RING else setup[BRANCHING]
    for action in range(n):
        actions[action] = action
    return n


@inline
def sample(setup, state, rng):
    return random_below(rng, 2 if setup[KIND] == RING else setup[BRANCHING])


@inline
def apply(setup, state, action, after):
    kind, place, worth = setup[KIND], state[PLACE], 0
    if kind == GRAPH:
        place += action
    elif kind == RING:
        place = (place + (1 if action == 0 else RING_SIZE - 1)) % RING_SIZE
    else:
        place = (place * setup[BRANCHING] + action + 1) & MASK
    if kind == ORDERED and action != 0:
        worth = 1 + scramble(setup, place) % 9
    elif kind == DRIFT:
        worth = scramble(setup, place) % setup[RANGE] - setup[RANGE] // 2
    if kind in (ORDERED, DRIFT):
        worth -= state[WORTH]
    after[PLACE] = place
    after[WORTH] = worth
    after[PLY] = state[PLY] + 1


@inline
def is_over(setup, state):
    early = setup[ENDS] != 0 and scramble(setup, identity(setup, state) + 99) % setup[ENDS] == 0
    return state[PLY] >= setup[PLIES] or early


@inline
def result(setup, state):
    return scramble(setup, identity(setup, state) + 5) % 3 - 1


@inline
def evaluate(setup, state):
    if setup[KIND] == ORDERED or setup[KIND] == DRIFT:
        return state[WORTH]
    if setup[KIND] == RING:
        return 5 if state[PLY] & 1 == 0 else -5
    return scramble(setup, identity(setup, state)) % setup[RANGE] - setup[RANGE] // 2


@inline
def key(setup, state):
    return identity(setup, state) << 1 | state[PLY] & 1


@inline
def loud(setup, state, actions):
    """Write the noisy actions, a subset of the legal ones."""
    n = 0
    for action in range(setup[BRANCHING]):
        if setup[LOUD] != 0 and scramble(setup, state[PLACE] + 17 * action) % setup[LOUD] == 0:
            actions[n] = action
            n += 1
    return n


@inline
def hushed(setup, state, actions):
    """Write the legal actions that are not noisy."""
    n = 0
    for action in range(setup[BRANCHING]):
        if setup[LOUD] == 0 or scramble(setup, state[PLACE] + 17 * action) % setup[LOUD] != 0:
            actions[n] = action
            n += 1
    return n


TREE_GAME = AlternatingGame(
    max_actions=MAX_ACTIONS,
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


def new_setup(kind=TREE, branching=4, plies=60, spread=20, seed=1, ends=0, loud=0):
    """The numbers of a game."""
    return int_buffer([kind, branching, plies, spread, seed, ends, loud])


def new_root(worth=0):
    """The first position."""
    return int_buffer([0, 0, worth])
