"""Simultaneous-move UCT on games with known answers, and the guarantees of its buffers."""

import pytest

from shared.core.game import SimultaneousGame
from shared.core.jit import Ints, float_buffer, inline, int_buffer, kernel
from shared.search.simultaneous_uct import make_descend
from shared.search.smitsimax import ITERATIONS, Options, make_search, new_trees
from shared.search.tree import (
    N_NODES,
    NODE_SIZE,
    best_line,
    children,
    node_at,
)
from tests.support.toy_games import CORRIDOR, MATRIX_GAME, payoffs

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

MATRIX_OPTIONS = Options(holds=(1,), random_visits=1)


@pytest.fixture(scope="module")
def search_matrix():
    return kernel(make_search(MATRIX_GAME, MATRIX_OPTIONS, make_descend(MATRIX_GAME)))


def solve_matrix(search_matrix, rows, n):
    tree = new_trees(MATRIX_GAME, MATRIX_OPTIONS, 1000)
    search_matrix(payoffs(rows), float_buffer(2), tree, n)
    return tree


def test_rock_paper_scissors_is_mixed_evenly(search_matrix):
    values = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    tree = solve_matrix(search_matrix, [[(v, -v) for v in row] for row in values], 30000)
    for fan in (0, 1):
        arms = children(tree, fan)
        assert all(0.22 < node_at(tree, arm).visits / 30000 < 0.45 for arm in arms)


# Three players choose 0 or 1; one that is alone with its choice then has the actions 0 and 7, worth
# as many points, the others only 0. The state is the turn, the choices, and the points.
@inline
def odd_one(state, agent):
    own = state[1 + agent]
    return own != state[1 + (agent + 1) % 3] and own != state[1 + (agent + 2) % 3]


@inline
def odd_legal(setup, state, agent, actions):
    actions[0], actions[1] = 0, 1 if state[0] == 0 else 7
    return 2 if state[0] == 0 or odd_one(state, agent) else 1


@inline
def odd_sample(setup, state, agent, rng):
    return 0


@inline
def odd_apply(setup, state, joint_action):
    for agent in range(3):
        state[(1 if state[0] == 0 else 4) + agent] = joint_action[agent]
    state[0] += 1


@inline
def odd_is_over(setup, state):
    return state[0] == 2


@inline
def odd_evaluate(setup, state, scores):
    for agent in range(3):
        scores[agent] = state[4 + agent]


ODD_GAME = SimultaneousGame(
    3, 2, 7, odd_legal, odd_sample, odd_apply, odd_is_over, odd_evaluate, numbers=Ints
)


ODD_OPTIONS = Options(holds=(1, 1), random_visits=1, noise=0.5)


@pytest.fixture(scope="module")
def search_odd():
    return kernel(make_search(ODD_GAME, ODD_OPTIONS, make_descend(ODD_GAME)))


def run_odd(search_odd, *slices, capacity=2000):
    tree = new_trees(ODD_GAME, ODD_OPTIONS, capacity)
    for n in slices:
        search_odd(int_buffer(1), int_buffer(7), tree, n)
    return tree


def test_three_trees_meet_in_positions_of_all_three(search_odd):
    """Below each of the eight combinations stand the actions legal there, and no others."""
    tree = run_odd(search_odd, 2000)
    found = set()
    for i, first in enumerate(children(tree, 0)):
        for k, second in enumerate(children(tree, 1)):
            for m in range(len(children(tree, 2))):
                block = node_at(tree, first).first_child
                block = int(tree.nodes[NODE_SIZE * block + k])
                position = int(tree.nodes[NODE_SIZE * block + m])
                chosen = (i, k, m)
                found.add(position)
                for agent in range(3):
                    alone = chosen.count(chosen[agent]) == 1
                    arms = children(tree, position + agent)
                    actions = [node_at(tree, arm).action for arm in arms]
                    assert actions == ([0, 7] if alone else [0])
                    if alone:
                        assert best_line(tree, position + agent)[:1] == [7]
    assert len(found) == 8


def test_the_cut_into_slices_makes_no_difference(search_odd):
    for whole, parts in zip(run_odd(search_odd, 2000), run_odd(search_odd, 1, 999, 0, 500, 500)):
        assert list(whole) == list(parts)


def test_full_buffers_stop_the_growth_and_not_the_search(search_odd):
    tree = run_odd(search_odd, 2000, capacity=15)
    assert tree.counters[ITERATIONS] == 2000 and tree.counters[N_NODES] <= 15
    assert best_line(tree, 0)[0] in (0, 1)


def test_only_games_of_several_agents_are_taken():
    with pytest.raises(ValueError, match="2 agents or more, the game has 1"):
        make_descend(CORRIDOR._replace(n_agents=1))
