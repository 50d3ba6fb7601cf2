"""Expectimax against the mean of every line, on random trees."""

import itertools

import pytest

from shared.core.game import CHANCE, TurnGame
from shared.core.jit import inline, int_buffer, kernel
from shared.search.turns.expectimax import (
    Options,
    is_finished,
    make_search,
    new_tree,
    summary,
)
from tests.support.alphabeta_trees import scramble
from tests.support.turn_games import make_solve

DEPTH = 6
# Any two of the three options occur in every combination.
FORMS = [
    Options(DEPTH, star2=star2, order=order, table=star2 == order)
    for star2, order in itertools.product((False, True), repeat=2)
]
COMPILED = {}


def run(game, options, setup, state, bits=12, cut=1 << 40, tree=None):
    form = game, options
    if form not in COMPILED:
        COMPILED[form] = kernel(make_search(game, options))
    tree = tree or new_tree(game, options, bits)
    before = list(state)
    while not is_finished(tree):
        COMPILED[form](setup, state, tree, cut)
    assert list(state) == before
    return tree


# The mover, player or chance, does not depend on the ply.

BRANCHING, PLIES, SEED, STEPS = 0, 2, 4, 5  # of setup; STEPS evaluations between -1 and 1
PLACE, PLY = range(2)


@inline
def mover(setup, state):
    kind = scramble(setup, state[PLACE] + 3) % 3
    return CHANCE if kind == 2 else kind


@inline
def legal(setup, state, actions):
    n = 1 + scramble(setup, state[PLACE] + 5) % setup[BRANCHING]
    for action in range(n):
        actions[action] = action
    return n


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
        shares[i] = 1.0 + scramble(setup, state[PLACE] + 11 * i) % 5
        total += shares[i]
    for i in range(n):
        shares[i] /= total


@inline
def key(setup, state):
    return state[PLACE]


RANDOM = TurnGame(2, 6, 2, mover, legal, legal, apply, is_over, evaluate, key, chances)
SOLVE = make_solve(RANDOM)


def new_setup(seed, branching=4, plies=7, steps=10):
    return int_buffer([branching, 0, plies, 0, seed, steps])


@pytest.mark.slow("compiles a search for each form")
@pytest.mark.exhaustive("compiles a search for each form", keep=2)
@pytest.mark.parametrize("options", FORMS[::-1], ids=str)
def test_values_are_those_of_the_whole_tree(options):
    for seed in range(40):
        setup, root = new_setup(seed, steps=1 + seed % 10), int_buffer([seed, 0])
        values = SOLVE(setup)(root, DEPTH)
        found = summary(run(RANDOM, options, setup, root))
        assert found.value == pytest.approx(values.value, abs=1e-12)
        if values.mover != CHANCE:
            assert values.by_action[found.action] == pytest.approx(values.value, abs=1e-12)
