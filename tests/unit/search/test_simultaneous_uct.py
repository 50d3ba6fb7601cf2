"""Simultaneous-move UCT on games with known answers, and the guarantees of its buffers."""

import pytest

from shared.core.game import SimultaneousGame
from shared.core.jit import Ints, float_buffer, inline, int_buffer, kernel
from shared.core.rng import random_below
from shared.search.simultaneous_uct import make_descend
from shared.search.smitsimax import ITERATIONS, Options, make_search, new_trees, reset
from shared.search.tree import (
    N_NODES,
    NODE_SIZE,
    RNG,
    best_line,
    children,
    node_at,
)
from tests.support.toy_games import CORRIDOR, MATRIX_GAME, payoffs

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

# A vault in three turns: its state is the turn, both players' first actions, and the score of
# player 0 less that of player 1. First both choose 0, 1 or 2. Then the player ahead by its choice
# also has action 3, worth 5; action 2 is worth 1, the others nothing; a player that chose 0 first
# is paid 2 at once. In the last turn actions 0 and 1 gain nothing.
TURN, FIRST, LEAD = 0, 1, 3


@inline
def vault_legal(setup, state, agent, actions):
    n = 3 if state[TURN] < 2 else 2
    for action in range(n):
        actions[action] = action
    if state[TURN] == 1 and state[FIRST + agent] > state[FIRST + 1 - agent]:
        actions[n] = 3
        n += 1
    return n


@inline
def vault_sample(setup, state, agent, rng):
    return random_below(rng, 2)


@inline
def vault_apply(setup, state, joint_action):
    for agent in range(2):
        gain, action = 0, joint_action[agent]
        if state[TURN] == 0:
            state[FIRST + agent] = action
            gain = 2 if action == 0 else 0
        elif state[TURN] == 1:
            gain = 5 if action == 3 else action // 2
        state[LEAD] += gain if agent == 0 else -gain
    state[TURN] += 1


@inline
def vault_is_over(setup, state):
    return state[TURN] == 3


@inline
def vault_evaluate(setup, state, scores):
    scores[0] = state[LEAD]
    scores[1] = -state[LEAD]


VAULT = SimultaneousGame(
    n_agents=2,
    max_actions=4,
    state_size=4,
    legal=vault_legal,
    sample=vault_sample,
    apply=vault_apply,
    is_over=vault_is_over,
    evaluate=vault_evaluate,
    numbers=Ints,
)
MATRIX_OPTIONS = Options(holds=(1,), random_visits=1)
VAULT_OPTIONS = Options(holds=(1,) * 3, exploration=0.7, random_visits=1)


@pytest.fixture(scope="module")
def search_matrix():
    return kernel(make_search(MATRIX_GAME, MATRIX_OPTIONS, make_descend(MATRIX_GAME)))


@pytest.fixture(scope="module")
def search_vault():
    return kernel(make_search(VAULT, VAULT_OPTIONS, make_descend(VAULT)))


def solve_matrix(search_matrix, rows, n):
    tree = new_trees(MATRIX_GAME, MATRIX_OPTIONS, 1000)
    search_matrix(payoffs(rows), float_buffer(2), tree, n)
    return tree


def new_vault_tree(capacity=5000, seed=1):
    return new_trees(VAULT, VAULT_OPTIONS, capacity, seed)


def run_vault(search_vault, n, **options):
    tree = new_vault_tree(**options)
    search_vault(int_buffer(1), int_buffer(4), tree, n)
    return tree


def visits(tree, node):
    return node_at(tree, node).visits


def best_actions(tree, by="visits"):
    """Both players' best first actions, None without any."""
    return [action for agent in (0, 1) for action in best_line(tree, agent, by)]


def positions(tree):
    """{position: (its depth, the pair of arms above it)} of the whole tree."""
    found = {0: (0, None)}
    for position, (depth, _) in found.copy().items():
        border = [(position, depth)]
        while border:
            above, depth = border.pop()
            for arm in children(tree, above):
                block = node_at(tree, arm).first_child
                for i, other_arm in enumerate(children(tree, above + 1)):
                    below = int(tree.nodes[NODE_SIZE * block + i]) if block else 0
                    if below:
                        assert below not in found
                        found[below] = depth + 1, (arm, other_arm)
                        border.append((below, depth + 1))
    return found


def test_a_pure_saddle_point_is_found(search_matrix):
    """Zero sum with the value 2 at (2, 0): the row's greatest least payoff is the column's
    least greatest one.
    """
    values = [[1, 0, 3], [1, 5, -2], [2, 3, 4]]
    tree = solve_matrix(search_matrix, [[(v, -v) for v in row] for row in values], 20000)
    assert best_actions(tree) == [2, 0]


def test_rock_paper_scissors_is_mixed_evenly(search_matrix):
    values = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    tree = solve_matrix(search_matrix, [[(v, -v) for v in row] for row in values], 30000)
    for fan in (0, 1):
        arms = children(tree, fan)
        assert all(0.22 < visits(tree, arm) / 30000 < 0.45 for arm in arms)


def test_a_dominant_action_is_found_by_visits_and_by_mean(search_matrix):
    tree = solve_matrix(search_matrix, [[(0, 0)] * 3, [(2, 0)] * 3, [(1, 0)] * 3], 300)
    assert best_actions(tree)[0] == best_actions(tree, by="mean")[0] == 1


@pytest.mark.slow("compiles a search more")
def test_actions_that_only_a_lead_makes_legal_are_searched(search_vault):
    """Being ahead opens the vault, so both choose 2 first, although 0 pays at once."""
    tree = run_vault(search_vault, 20000)
    assert best_actions(tree) == [2, 2]


def test_every_pair_of_arms_has_a_position_of_its_own(search_vault):
    """After (2, 1) player 0 has four arms and player 1 three, after (1, 2) the other way round:
    nine positions in all.
    """
    tree = run_vault(search_vault, 20000)
    below_root = {pair: node for node, (depth, pair) in positions(tree).items() if depth == 1}
    for first, arm in enumerate(children(tree, 0)):
        for second, other_arm in enumerate(children(tree, 1)):
            position = below_root[arm, other_arm]
            widths = [len(children(tree, position + agent)) for agent in (0, 1)]
            assert widths == [3 + (first > second), 3 + (second > first)]


def test_every_visit_is_counted_once_and_means_are_means(search_vault):
    """A position's visits are those of its arms and, except at the root, one from before its
    expansion.
    """
    tree = run_vault(search_vault, 3000)
    for position in positions(tree):
        for node in (position, position + 1):
            arms = children(tree, node)
            if arms:
                assert visits(tree, node) - sum(visits(tree, arm) for arm in arms) == (node > 1)
    for root in (0, 1):
        total = sum(visits(tree, arm) * node_at(tree, arm).mean for arm in children(tree, root))
        assert node_at(tree, root).mean == pytest.approx(total / visits(tree, root))


def test_the_cut_into_slices_makes_no_difference(search_vault):
    whole = run_vault(search_vault, 3000)
    parts = new_vault_tree()
    for n in (1, 999, 0, 1500, 500):
        search_vault(int_buffer(1), int_buffer(4), parts, n)
    for a, b in zip(whole, parts):
        assert list(a) == list(b)


def test_the_same_seed_repeats_and_another_does_not(search_vault):
    trees = [run_vault(search_vault, 500, seed=seed) for seed in (4, 4, 5)]
    assert list(trees[0].nodes) == list(trees[1].nodes) != list(trees[2].nodes)


def test_full_buffers_stop_the_growth_and_not_the_search(search_vault):
    tree = run_vault(search_vault, 2000, capacity=15)
    assert tree.counters[ITERATIONS] == 2000 and tree.counters[N_NODES] <= 15
    assert best_actions(tree)[0] in (0, 1, 2)


def test_a_tree_reset_forgets_its_positions(search_vault):
    """Content of the buffers from an earlier search is not reused."""
    once = run_vault(search_vault, 1000)
    again = run_vault(search_vault, 1000)
    reset(again)
    assert best_actions(again) == []
    again.counters[RNG] = new_vault_tree().counters[RNG]
    search_vault(int_buffer(1), int_buffer(4), again, 1000)
    assert positions(once) == positions(again)
    for position in positions(once):
        for node in (position, position + 1):
            assert visits(once, node) == visits(again, node)


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


@pytest.mark.slow("compiles a search of three players")
def test_three_trees_meet_in_positions_of_all_three():
    """Below each of the eight combinations stand the actions legal there, and no others."""
    options = Options(holds=(1, 1), random_visits=1, noise=0.5)
    tree = new_trees(ODD_GAME, options, 2000)
    search = kernel(make_search(ODD_GAME, options, make_descend(ODD_GAME)))
    search(int_buffer(1), int_buffer(7), tree, 2000)
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


def test_only_games_of_several_agents_are_taken():
    with pytest.raises(ValueError, match="2 agents or more, the game has 1"):
        make_descend(CORRIDOR._replace(n_agents=1))
