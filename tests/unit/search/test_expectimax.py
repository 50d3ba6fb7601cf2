"""Expectimax against the mean of every line, on random trees."""

import itertools

import pytest

from shared.core.game import CHANCE
from shared.core.jit import int_buffer, kernel
from shared.search.turns.expectimax import (
    Options,
    is_finished,
    make_search,
    new_tree,
    summary,
)
from tests.support.random_turns import RANDOM, new_setup
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


SOLVE = make_solve(RANDOM)


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
