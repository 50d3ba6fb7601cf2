"""Smitsimax on games with known answers, and the guarantees of its options and buffers."""

from functools import cache

import pytest

from shared.core.jit import float_buffer, int_buffer, kernel
from shared.search.smitsimax import (
    Options,
    make_copy_trees,
    make_search,
    new_spare,
    new_trees,
    reroot,
    set_prior_line,
    summary,
)
from shared.search.tree import (
    N_NODES,
    best_line,
    children,
    node_at,
)
from tests.support.toy_games import CORRIDOR, MATRIX_GAME, payoffs

ROLLOUT = Options(holds=(1,) * 5, exploration=0.5)
EXPANSION = Options(holds=(1,) * 5, exploration=0.5, rollouts=False)


@cache
def compiled(game, options):
    return kernel(make_search(game, options))


def tree_sizes(trees):
    """The number of nodes of each agent's tree."""
    trees_of_agents = [[agent] for agent in range(len(trees.joint_action))]
    for nodes in trees_of_agents:
        for node in nodes:
            nodes += children(trees, node)
    return [len(nodes) for nodes in trees_of_agents]


@pytest.fixture(scope="module")
def matrix_search():
    options = Options(holds=(1,) * 1, exploration=1.0)
    return options, compiled(MATRIX_GAME, options)


@pytest.fixture(scope="module", params=[ROLLOUT, EXPANSION], ids=["rollout", "expansion"])
def corridor_search(request):
    return request.param, compiled(CORRIDOR, request.param)


def run(game, searching, setup, root, n, seed=1, capacity=50000):
    options, search = searching
    trees = new_trees(game, options, capacity, seed)
    search(setup, root, trees, n)
    return trees


def visits_at(trees, node):
    return node_at(trees, node).visits


def solve_matrix(matrix_search, rows, n=5000):
    return run(MATRIX_GAME, matrix_search, payoffs(rows), float_buffer(2), n)


def test_a_rival_that_plays_its_dominant_action_is_answered_best(matrix_search):
    """Agent 0 is paid 0, 1 or 2 for its own action alone; agent 1 for choosing one less than agent
    0.
    """
    rows = [[(a, 1.0 if b == a - 1 else 0.0) for b in range(3)] for a in range(3)]
    trees = solve_matrix(matrix_search, rows)
    assert [best_line(trees, agent) for agent in (0, 1)] == [[2], [1]]


def test_a_pure_saddle_point_is_found(matrix_search):
    """Zero sum with the value 2 at (2, 0): the row's greatest least payoff is the column's
    least greatest one.
    """
    values = [[1, 0, 3], [1, 5, -2], [2, 3, 4]]
    trees = solve_matrix(matrix_search, [[(v, -v) for v in row] for row in values], n=20000)
    assert [best_line(trees, agent) for agent in (0, 1)] == [[2], [0]]


def test_help_emerges_where_it_is_the_only_good_line(corridor_search):
    """The door opens only while the helper stands on the plate: it walks there at its
    own cost and stays.
    """
    setup = float_buffer([1.0, 0.1])
    trees = run(CORRIDOR, corridor_search, setup, float_buffer(4), 40000)
    assert best_line(trees, 2)[:3] == [2, 2, 1]
    assert best_line(trees, 0)[:4] == [2, 2, 2, 2]


@pytest.mark.slow("compiles a search more")
def test_agents_that_slip_prefer_robust_actions(matrix_search):
    """Agent 1 should play 0. Agent 0 is paid 1 for trusting it, -4 if the trust is broken, and 0.8
    for caution.
    """
    trust = [(1.0, 1.0), (-4.0, 0.0), (-4.0, 0.0)]
    caution = [(0.8, 1.0), (0.8, 0.0), (0.8, 0.0)]
    rows = [trust, caution, [(-4.0, 1.0)] * 3]
    slipping = matrix_search[0]._replace(noise=0.3)
    trusting = solve_matrix(matrix_search, rows, n=50000)
    cautious = solve_matrix((slipping, compiled(MATRIX_GAME, slipping)), rows, n=50000)
    assert [best_line(trees, 0) for trees in (trusting, cautious)] == [[0], [1]]


def test_every_visit_is_counted_once_and_means_are_means(corridor_search):
    """A node's visits are those of its children plus at most one from before its expansion."""
    trees = run(CORRIDOR, corridor_search, float_buffer([1.0, 0.1]), float_buffer(4), 5000)
    options, _ = corridor_search
    for node in range(int(trees.counters[N_NODES])):
        visits = visits_at(trees, node)
        below = [visits_at(trees, child) for child in children(trees, node)]
        if below:
            assert visits - sum(below) in ((0, 1) if options.rollouts else (0,))
        if below and visits == sum(below):
            total = sum(
                count * node_at(trees, child).mean
                for count, child in zip(below, children(trees, node))
                if count
            )
            assert node_at(trees, node).mean == pytest.approx(total / visits)


def test_rollouts_grow_one_node_a_tree_and_iteration_and_expansion_the_whole_depth():
    for options, deepest in ((ROLLOUT, 1), (EXPANSION, 5)):
        trees = new_trees(CORRIDOR, options, 1000)
        compiled(CORRIDOR, options)(float_buffer(2), float_buffer(4), trees, 1)
        assert len(best_line(trees, 0)) == deepest
        assert tree_sizes(trees) == [1 + 3 * deepest] * 3


@pytest.mark.slow("compiles a search more")
def test_prior_lines_are_followed_before_anything_is_known():
    """With a share of 1 the first iteration plays the prior lines, and the game's samples for
    agents without one.
    """
    options = ROLLOUT._replace(prior_share=1.0)
    search = compiled(CORRIDOR, options)
    trees = new_trees(CORRIDOR, options, 1000)
    for agent, line in enumerate(([2] * 5, [1] * 5, [1] * 5)):
        set_prior_line(trees, agent, line)
    search(float_buffer(2), float_buffer(4), trees, 1)
    assert [node_at(trees, agent).mean for agent in (0, 1)] == [5, -5]
    assert summary(trees).lines[:2] == [[2], [1]]
    set_prior_line(trees, 0, [2, 2])
    assert list(trees.priors[:5]) == [2, 2, -1, -1, -1]


def test_full_buffers_stop_the_growth_and_not_the_search(corridor_search):
    trees = run(CORRIDOR, corridor_search, float_buffer(2), float_buffer(4), 2000, capacity=40)
    result = summary(trees)
    assert result.iterations == 2000 and sum(tree_sizes(trees)) <= 40
    assert result.lines[0][0] == 2


def subtree(trees, node):
    """Returns a node and its descendants without node numbers: (action, visits, mean, children)."""
    action = node_at(trees, node).action
    below = [subtree(trees, child) for child in children(trees, node)]
    return action, visits_at(trees, node), node_at(trees, node).mean, below


def test_rerooting_keeps_the_subtree_of_the_actions_played(corridor_search):
    """Agents 0 and 2 played known actions; agent 1's is unknown, so its tree starts anew. The
    search continues from there.
    """
    setup = float_buffer([1.0, 0.1])
    _, search = corridor_search
    trees = run(CORRIDOR, corridor_search, setup, float_buffer(4), 3000)
    joint_action = [2, -1, 2]
    kept = {}
    for agent in (0, 2):
        below = [subtree(trees, child) for child in children(trees, agent)]
        kept[agent] = next(node for node in below if node[0] == joint_action[agent])
    old = trees
    copy_trees = kernel(make_copy_trees(CORRIDOR))
    trees, spare = reroot(trees, new_spare(trees), int_buffer(joint_action), copy_trees)
    assert spare is old and trees.nodes is not old.nodes and trees.counters is old.counters
    for agent in (0, 2):
        assert subtree(trees, agent) == kept[agent]
    assert visits_at(trees, 1) == 0 == node_at(trees, 1).n_children
    assert sum(tree_sizes(trees)) == int(trees.counters[N_NODES])
    before = visits_at(trees, 0)
    search(setup, float_buffer([1, 1, 1, 0]), trees, 100)
    assert visits_at(trees, 0) == before + 100
    assert visits_at(trees, 1) == 100


@pytest.mark.slow("compiles two searches more")
def test_an_agent_without_a_tree_acts_by_samples():
    """The column's dominant action is 2, to which 1 is the answer; against samples 0 is better."""
    rows = [[(4, 0), (4, 0), (1, 1)], [(0, 0), (0, 0), (2, 1)], [(0, 0), (0, 0), (0, 1)]]
    for searchers, answer, replies in ((2, 1, [2]), (1, 0, [])):
        options = Options(holds=(1,), searchers=searchers)
        searching = options, compiled(MATRIX_GAME, options)
        trees = solve_matrix(searching, rows)
        assert summary(trees).lines == [[answer], replies]
