"""Information-set MCTS on Kuhn poker: how much its strategies can be exploited, and the draws."""

from functools import cache

import pytest

from shared.core.jit import kernel
from shared.search.turns.information_set import (
    N_STATISTICS,
    ROOT,
    VISITS,
    Options,
    best_action,
    make_search,
    new_tree,
    reset,
    strategy,
    strategy_at,
    summary,
)
from tests.support.games import kuhn_poker as kuhn
from tests.support.kuhn_strategies import SETS, exploitability, value

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

SETUP = kuhn.new_setup()
SMOOTH = Options(smooth=0.001, score_scale=2.0)


@cache
def compiled(options):
    return kernel(make_search(kuhn.GAME, options))


def run(options, state, n, seed=1, set_bits=6):
    tree = new_tree(kuhn.GAME, options, set_bits, seed)
    before = list(state)
    compiled(options)(SETUP, state, tree, n)
    assert list(state) == before
    return tree


def learned(options, n, seed=1):
    """The strategies of both players, of searches from each of their information sets' root: the
    deal, whose table holds all of them.
    """
    tree, pair = run(options, kuhn.new_state(), n, seed), ({}, {})
    for player, sets in enumerate(SETS):
        for card, actions in sets:
            state = kuhn.new_state((card, card), ())
            state[kuhn.ACTIONS] = actions
            place = place_in(tree, state, player)
            pair[player][card, actions] = strategy_at(tree, place).get(kuhn.BET, 0.0)
    return pair


def place_in(tree, state, player):
    """The place of an information set: that of a tree without others, searched once from there."""
    alone = new_tree(kuhn.GAME, SMOOTH, 6)
    compiled(SMOOTH)(SETUP, state, alone, 1)
    key = next(int(key) for key in alone.keys if key)
    return [*map(int, tree.keys)].index(key)


def test_smooth_uct_comes_close_to_an_equilibrium():
    """Mean exploitability of three seeds, in antes a game; the value comes to -1/18 as well."""
    means = []
    for n in (1_000, 100_000):
        pairs = [learned(SMOOTH, n, seed) for seed in (1, 2, 3)]
        means.append(sum(map(exploitability, pairs)) / 3)
    assert means[1] < 0.02 < 0.05 < means[0]
    assert value(pairs[0]) == pytest.approx(-1 / 18, abs=0.01)


@pytest.mark.parametrize("multiple", [True, False])
def test_the_hidden_card_of_the_root_is_not_used(multiple):
    """The same search, to the last bit, with either card of the other player."""
    options = SMOOTH._replace(multiple=multiple)
    for actions in ((), (1,)):
        trees = []
        for hidden in (0, 2):
            cards = (1, hidden) if not actions else (hidden, 1)
            trees.append(run(options, kuhn.new_state(cards, actions), 500))
        for one, other in zip(*(tree[:-3] for tree in trees), strict=True):
            assert list(one) == list(other)


def test_the_division_into_calls_changes_nothing():
    whole, parts = run(SMOOTH, kuhn.new_state(), 500), new_tree(kuhn.GAME, SMOOTH, 6)
    assert best_action(parts) is None and strategy(parts) == {}
    for n in (1, 99, 0, 400):
        compiled(SMOOTH)(SETUP, kuhn.new_state(), parts, n)
    for one, other in zip(whole, parts, strict=True):
        assert list(one) == list(other)
    reset(parts)
    assert summary(parts) == (0, 0, {}, {})


def test_the_root_may_have_the_first_place_of_the_table():
    tree = new_tree(kuhn.GAME, SMOOTH, 2, 1)
    tree.counters[ROOT] = 0
    tree.actions[N_STATISTICS + VISITS] = 3.0
    assert strategy(tree) == {1: 1.0} and best_action(tree) == 1
