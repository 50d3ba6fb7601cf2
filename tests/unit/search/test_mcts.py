"""Monte Carlo tree search against minimax on small games, and the guarantees of its options and
buffers.
"""

import itertools

import pytest

from shared.core.jit import kernel
from shared.games.connect_four import game as connect_four
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search import flat_monte_carlo
from shared.search.bandit import is_fixed
from shared.search.mcts import (
    Options,
    make_search,
    new_spare,
    new_tree,
    reroot,
    summary,
)
from shared.search.rave import RAVE as WITH_RAVE
from shared.search.tree import (
    N_NODES,
    NODE_SIZE,
    best_bound_child,
    child_of,
    children,
    chosen_child,
    node_at,
)
from tests.support.alternating_games import Rules, Solver
from tests.support.games import heap

PLAIN = Options(exploration=1.0, rollout_plies=40, max_depth=40, solver=False)
SOLVER = PLAIN._replace(solver=True)
RAVE = PLAIN._replace(exploration=0.5, rave_visits=50.0, max_depth=9)
PRIORS = PLAIN._replace(prior_visits=3.0, score_scale=10.0)
COMPILED = {}


def search_of(game, options):
    """The compiled search, compiled once for all tests."""
    if (game, options) not in COMPILED:
        rave = WITH_RAVE if options.rave_visits else None
        search = kernel(make_search(game, options, rave))
        COMPILED[game, options] = search
    return COMPILED[game, options]


def run(game, options, setup, root, n, seed=1, capacity=100000):
    tree = new_tree(game, options, capacity, seed)
    search_of(game, options)(setup, root, tree, n)
    return tree


# ---- convergence to the minimax value


@pytest.mark.exhaustive("compiles a search more; connect four is proven by the same one")
def test_proofs_are_correct():
    """Tic-tac-toe after two plies: all wins are proven, and some draws."""
    rules = Rules(tic_tac_toe.GAME, tic_tac_toe.new_setup())
    solver = Solver(rules, tic_tac_toe.N_CELLS)
    for cells in itertools.permutations(range(tic_tac_toe.N_CELLS), 2):
        state = tic_tac_toe.new_state(cells)
        found = summary(run(rules.game, SOLVER, rules.setup, state, 20_000))
        actions, value = solver.best_actions(state)
        assert found.proven or value == 0
        assert not found.proven or (found.value == value and found.line[0] in actions)


# ---- flat Monte Carlo


IN_TURN = flat_monte_carlo.Options(exploration=None, rollout_plies=16)
BY_UCB1 = flat_monte_carlo.Options(exploration=2.0, rollout_plies=16)


def flat(options, game, setup, root, n):
    if (game, options) not in COMPILED:
        COMPILED[game, options] = kernel(flat_monte_carlo.make_search(game, options))
    samples = flat_monte_carlo.new_tree(game, options)
    COMPILED[game, options](setup, root, samples, n)
    return samples


def test_flat_monte_carlo_wins_at_once_and_stops_a_win():
    setup = tic_tac_toe.new_setup()
    for options in (IN_TURN, BY_UCB1):
        for cells, best in (([0, 3, 1, 4], 2), ([0, 4, 1], 2)):
            samples = flat(options, tic_tac_toe.GAME, setup, tic_tac_toe.new_state(cells), 3000)
            assert flat_monte_carlo.best_action(samples) == best


def test_samples_in_turn_are_even_and_ucb1_prefers_the_best():
    setup, root = tic_tac_toe.new_setup(), tic_tac_toe.new_state()
    assert list(flat(IN_TURN, tic_tac_toe.GAME, setup, root, 900).pulls) == [100] * 9
    samples = flat(BY_UCB1, tic_tac_toe.GAME, setup, root, 9000)
    assert max(samples.pulls) == samples.pulls[4] > 1500 and min(samples.pulls) > 100


# ---- guarantees of options and buffers


SETUP = connect_four.new_setup()
ROOT = connect_four.new_state()


def subtree(tree, node):
    """Returns a node and its descendants without their places: numbers of the node, then its
    children.
    """
    numbers = [
        int(number) for number in tree.nodes[NODE_SIZE * node : NODE_SIZE * node + NODE_SIZE]
    ]
    arm = [float(number) for number in tree.arms[2 * node : 2 * node + 2]]
    rave = [float(number) for number in tree.rave[2 * node : 2 * node + 2]]
    if len(tree.rave) == 1:
        rave = []
    return [*numbers[1:], *arm, *rave], [subtree(tree, child) for child in children(tree, node)]


def test_every_visit_is_counted_once_and_a_mean_is_that_of_the_children():
    """A node's visits are one from before its expansion plus its children's; its mean is the
    negation of theirs.
    """
    tree = run(connect_four.GAME, PLAIN, SETUP, ROOT, 5000)
    assert node_at(tree, 0).visits == 5000
    for node in range(summary(tree).nodes):
        below = children(tree, node)
        if below:
            visits = node_at(tree, node).visits
            counts = [node_at(tree, child).visits for child in below]
            means = [node_at(tree, child).mean for child in below]
            assert visits - sum(counts) == (0 if node == 0 else 1)
            if node == 0:
                total = sum(count * mean for count, mean in zip(counts, means))
                assert node_at(tree, 0).mean == pytest.approx(-total / visits)


def chosen_and_best(tree, options):
    """For each node with children, the one it chose for its next visit and that of the greatest
    bound.
    """
    pairs = []
    for node in range(tree.counters[N_NODES]):
        if children(tree, node):
            visits = node_at(tree, node).visits + 1
            best = best_bound_child(tree, node, 1.0, options.exploration, visits)
            pairs.append((chosen_child(tree.nodes, node), best))
    return pairs


@pytest.mark.slow("compiles a search more", keep=2)
@pytest.mark.parametrize("options", [PLAIN, SOLVER, PRIORS], ids=["plain", "solver", "priors"])
def test_each_node_has_chosen_the_child_of_the_greatest_bound_for_its_next_visit(options):
    """As nothing but a visit changes the bounds below a node; also in a tree that was copied."""
    tree = run(connect_four.make_connect_four(4, 4), options, SETUP, connect_four.new_state(), 3000)
    for again in (tree, reroot(tree, new_spare(tree), [1])[0]):
        pairs = chosen_and_best(again, options)
        assert len(pairs) > 30
        assert all(chosen == best for chosen, best in pairs)


@pytest.mark.slow("compiles a search more")
@pytest.mark.parametrize("by", ["visits", "mean"])
def test_a_proven_defeat_is_not_played_while_another_action_is_unvisited(by):
    """Of two objects the player that takes both has lost, and the other action wins."""
    for seed in range(1, 21):
        tree = run(heap.GAME, SOLVER, heap.new_setup(), heap.new_state(2), 1, seed, capacity=10)
        assert summary(tree, by).line == [1]


def test_a_lost_position_still_has_a_move():
    """Two open ends: every action loses; the search stops once that is proven, and still has an
    action.
    """
    lost = connect_four.new_state([2, 2, 3, 3, 4])
    result = summary(run(connect_four.GAME, SOLVER, SETUP, lost, 5000))
    assert result.proven and result.value == -1.0 and result.line and result.iterations < 5000


def test_full_buffers_stop_the_growth_and_not_the_search():
    result = summary(run(connect_four.GAME, PLAIN, SETUP, ROOT, 2000, capacity=40))
    assert result.iterations == 2000 and result.nodes <= 40 and result.line


@pytest.mark.slow("compiles a search more", keep=1)
@pytest.mark.parametrize("options", [SOLVER, RAVE])
def test_rerooting_keeps_the_subtree_of_the_actions_played(options):
    tree = run(connect_four.GAME, options, SETUP, ROOT, 3000)
    kept = child_of(tree, child_of(tree, 0, 3), 2)
    expected = subtree(tree, kept)
    old = tree
    tree, spare = reroot(tree, new_spare(tree), [3, 2])
    assert spare is old and tree.nodes is not old.nodes and subtree(tree, 0) == expected
    before = node_at(tree, 0).visits
    search_of(connect_four.GAME, options)(SETUP, connect_four.new_state([3, 2]), tree, 100)
    assert node_at(tree, 0).visits == before + 100 and summary(tree).iterations == 100


def test_rerooting_copies_no_more_than_it_may():
    """The nodes nearest to the root are copied, with all their visits."""
    tree = run(connect_four.GAME, SOLVER, SETUP, ROOT, 3000)
    kept = child_of(tree, 0, 3)
    visits = [node_at(tree, child).visits for child in children(tree, kept)]
    tree, _ = reroot(tree, new_spare(tree), [3], limit=60)
    assert 8 < summary(tree).nodes <= 60
    assert visits == [node_at(tree, child).visits for child in children(tree, 0)]


def test_rerooting_begins_anew_below_an_unknown_move():
    tree = run(connect_four.GAME, SOLVER, SETUP, ROOT, 5)
    tree, _ = reroot(tree, new_spare(tree), [3, 3, 3])
    assert summary(tree).nodes == 1 and not is_fixed(tree.arms, 0)


def test_a_proven_position_whose_children_were_not_copied_is_searched_again():
    """Otherwise a bot in this position would have no action to play."""
    won = connect_four.new_state([3, 0, 3, 0, 3])  # two plies later a win in column 3
    tree = run(connect_four.GAME, SOLVER, SETUP, won, 3000)
    tree, spare = reroot(tree, new_spare(tree), [], limit=8)
    lost = next(c for c in children(tree, 0) if is_fixed(tree.arms, c) and not children(tree, c))
    action = node_at(tree, lost).action
    tree, _ = reroot(tree, spare, [action])
    state = connect_four.new_state([3, 0, 3, 0, 3, action])
    search_of(connect_four.GAME, SOLVER)(SETUP, state, tree, 500)
    assert summary(tree).line[0] == 3 and summary(tree).proven


def test_a_proven_position_whose_children_would_not_be_copied_is_searched_again():
    """A limit below their number would leave the root proven and without an action."""
    won = connect_four.new_state([3, 0, 3, 0, 3, 6])
    for limit in (1, 7, 8):
        tree = run(connect_four.GAME, SOLVER, SETUP, won, 2000)
        assert summary(tree).proven and len(children(tree, 0)) == 7
        tree, _ = reroot(tree, new_spare(tree), [], limit=limit)
        assert summary(tree).proven == (limit == 8)
        search_of(connect_four.GAME, SOLVER)(SETUP, won, tree, 500)
        assert summary(tree).line[0] == 3 and summary(tree).proven
