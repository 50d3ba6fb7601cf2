"""The searches that sample games of one agent, on boards whose best score is known."""

from functools import cache
from types import ModuleType
from typing import NamedTuple

import pytest

from bots.samegame.game import SAMPLED_GAME, new_taboo_setup
from shared.core.jit import kernel
from shared.games.samegame.game import GAME
from shared.search.solo import chokudai, nested, policy_adaptation, single_player_mcts
from tests.support.solo_games import score_of, small_boards, state_of


class Subject(NamedTuple):
    """A search, its options and further arguments of its tree, and the calls' sum that finds the
    best score of a small board.
    """

    module: ModuleType
    options: NamedTuple
    more: tuple
    enough: int


SUBJECTS = {
    "chokudai": Subject(chokudai, chokudai.Options(200, 3000), (), 10_000),
    "nmcs 2": Subject(nested, nested.Options(level=2), (), 1500),
    "nrpa 2": Subject(
        policy_adaptation, policy_adaptation.Options(level=2, repetitions=20), (), 2000
    ),
    "sp-mcts": Subject(
        single_player_mcts,
        single_player_mcts.Options(score_scale=20.0, best_share=0.1),
        (5000,),
        2500,
    ),
}
each = pytest.mark.parametrize("name", SUBJECTS)
pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")


@cache
def compiled(name):
    subject = SUBJECTS[name]
    return kernel(subject.module.make_search(SAMPLED_GAME, subject.options))


def new_tree(name, seed=1):
    subject = SUBJECTS[name]
    seeds = {} if subject.module is chokudai else {"seed": seed}
    return subject.module.new_tree(SAMPLED_GAME, subject.options, *subject.more, **seeds)


def searched(name, state, n, cut=10_000):
    tree, setup, before = new_tree(name), new_taboo_setup(state), list(state)
    for start in range(0, n, cut):
        compiled(name)(setup, state, tree, min(cut, n - start))
    assert list(state) == before
    return tree


@each
def test_the_best_score_of_small_boards_is_found(name):
    subject = SUBJECTS[name]
    n_best = 0
    for columns, best in small_boards():
        state = state_of(columns)
        tree = searched(name, state, subject.enough)
        found = subject.module.summary(tree)
        assert found.score == score_of(state, found.line) <= best
        assert subject.module.plan_of(tree) == found.line
        assert subject.module.best_action(tree) == found.line[0]
        n_best += found.score == best
    # A policy that leaves a colour for the end never samples some lines; the tree has all.
    assert n_best >= len(small_boards()) - 1


@each
def test_a_reset_search_begins_on_another_board(name):
    module = SUBJECTS[name].module
    tree = searched(name, state_of(small_boards()[0][0]), 50)
    module.reset(tree)
    assert module.best_action(tree) is None and module.summary(tree).score is None
    state = state_of(small_boards()[1][0])
    compiled(name)(new_taboo_setup(state), state, tree, 100)
    assert score_of(state, module.plan_of(tree)) == module.summary(tree).score


@pytest.mark.exhaustive("compiles a search once more, in another form")
def test_small_queues_keep_the_better_half_and_a_full_tree_ends():
    options = chokudai.Options(3, 40)
    state, tree = state_of(small_boards()[3][0]), chokudai.new_tree(GAME, options)
    search = kernel(chokudai.make_search(GAME, options))
    while not chokudai.is_finished(tree):
        search(new_taboo_setup(state), state, tree, 100)
    found = chokudai.summary(tree)
    assert found.nodes <= 40 and max(tree.sizes) <= 6 and found.passes > 1
    assert score_of(state, found.line) == found.score
    for level, n in enumerate(map(int, tree.sizes)):
        queue = list(tree.values[6 * level : 6 * level + n])
        assert all(queue[(i - 1) // 2] >= queue[i] for i in range(1, n))
