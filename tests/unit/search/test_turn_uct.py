"""UCT in turns: three players against max^n, and chance against exact values."""

from functools import cache

import pytest

from shared.core.jit import int_buffer, kernel
from shared.search.turns.turn_uct import Options, best_action, make_search, new_tree, reset, summary
from tests.support.random_turns import RANDOM, new_setup
from tests.support.turn_games import LEFT, N_PLAYERS, NIM_IN_TURNS, functions_of, make_solve

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

NIM_OPTIONS = Options(exploration=1.0, score_scale=3.0)
RANDOM_OPTIONS = Options(exploration=0.5)


@cache
def compiled(game, options):
    return kernel(make_search(game, options))


def run(game, options, setup, state, n, seed=1, capacity=50_000):
    tree = new_tree(game, options, capacity, seed)
    before = list(state)
    compiled(game, options)(setup, state, tree, n)
    assert list(state) == before
    return tree


def test_three_players_each_play_for_themselves():
    """Nim for three against max^n over all lines; one line has many visits."""
    setup = int_buffer(1)
    mover, children_of, scores_of = functions_of(NIM_IN_TURNS)(setup)

    def scores(state):
        if state[LEFT] == 0:
            return scores_of(state)
        player = mover(state)
        return max((scores(after) for _, after, _ in children_of(state)), key=lambda s: s[player])

    for n in range(2, 9):
        for player in range(N_PLAYERS):
            root = int_buffer([n, player])
            by_action = {a: scores(after)[player] for a, after, _ in children_of(root)}
            greatest = max(by_action.values())
            found = summary(run(NIM_IN_TURNS, NIM_OPTIONS, setup, root, 20_000))
            assert by_action[found.line[0]] == greatest
            assert found.value == pytest.approx(greatest / 3, abs=0.05)


@pytest.mark.exhaustive("compiles a search more")
def test_chance_and_choice_come_to_their_exact_value():
    exact = make_solve(RANDOM)
    for seed in range(0, 25, 5):
        setup, root = new_setup(seed, branching=3, plies=4), int_buffer([seed, 0])
        values = exact(setup)(root, 4)
        found = summary(run(RANDOM, RANDOM_OPTIONS, setup, root, 100_000))
        sign = -1 if values.mover == 1 else 1
        assert found.value == pytest.approx(sign * values.value, abs=0.03)
        assert values.by_action[found.line[0]] == values.value


def test_a_reset_tree_is_empty():
    tree = run(NIM_IN_TURNS, NIM_OPTIONS, int_buffer(1), int_buffer([7, 0]), 50)
    reset(tree)
    assert best_action(tree) is None and summary(tree) == (0, 1, 0, [], 0.0)
