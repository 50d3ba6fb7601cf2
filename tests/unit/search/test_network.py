"""Integer networks: incrementally updated accumulators are correct, PUCT follows its priors."""

import math

import numpy as np
import pytest

from bots.connect_four.features import output_of, write_stones
from bots.ultimate_tic_tac_toe import features
from shared.core.jit import (
    Floats,
    Ints,
    float_buffer,
    int_buffer,
    kernel,
)
from shared.games.connect_four import game as connect_four
from shared.search.bandit import is_fixed
from shared.search.mcts import (
    GROWING,
    Options,
    Tree,
    make_search,
    new_spare,
    new_tree,
    reroot,
    select_with_priors,
    summary,
)
from shared.search.network import (
    ACTION_ONE,
    MOST_WEIGHT,
    SCORE,
    SHIFT,
    UNIT_ONE,
    Network,
    Shape,
    make_game,
    make_refresh,
    new_network,
)
from shared.search.second_layer import joined, make_second_layer, ratios, unfolded_twice
from shared.search.tree import child_of, children, node_at
from tests.support.alternating_games import Rules

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

SHAPE = Shape(words=2, word_bits=49, hidden=16, actions=7)
SETUP = connect_four.new_setup()


GAME = make_game(connect_four.GAME, write_stones, output_of, SHAPE)
OPTIONS = Options(1.5, rollout_plies=0, max_depth=42, score_scale=float(SCORE), growth=0.3)
search = kernel(make_search(GAME, OPTIONS))
refresh = kernel(make_refresh(write_stones, SHAPE))
evaluate_leaf, write_priors = GAME.evaluate, GAME.priors


@kernel
def evaluate(network: Network, state: Ints) -> int:
    return evaluate_leaf(network, state)


@kernel
def ask_priors(network: Network, state: Ints, actions: Ints, n: int, shares: Floats) -> None:
    write_priors(network, state, actions, n, shares)


def random_weights(shape=SHAPE, seed=1, bound=100):
    rng, n_bits = np.random.default_rng(seed), shape.words * shape.word_bits
    weights = {
        "rows": rng.integers(-bound, bound, n_bits * shape.hidden),
        "biases": rng.integers(-bound, bound, shape.hidden),
        "value": rng.integers(-bound, bound, shape.values * (shape.second or shape.hidden)),
        "policy": rng.integers(-bound, bound, shape.actions * (shape.second or shape.hidden)),
        "outputs": rng.integers(-1000, 1000, 1 + shape.actions),
    }
    if shape.second:
        weights["middle"] = rng.integers(-9, 10, shape.second * shape.hidden)
        weights["shifts"] = rng.integers(0, ACTION_ONE, shape.second)
    return weights


WEIGHTS = random_weights()
DEEP = SHAPE._replace(second=8)
deep_leaf = make_game(
    connect_four.GAME, write_stones, output_of, DEEP, deepen=make_second_layer(DEEP)
).evaluate


@kernel
def evaluate_deep(network: Network, state: Ints) -> int:
    return deep_leaf(network, state)


def last_units(bits, weights):
    """The hidden units by layer, computed from scratch by plain numpy."""
    rows = weights["rows"].reshape(len(bits), -1)
    units = [np.clip(np.array(bits) @ rows + weights["biases"], 0, MOST_WEIGHT) ** 2 >> SHIFT]
    if "middle" in weights:
        middle = weights["middle"].reshape(len(weights["shifts"]), -1)
        sums = (middle @ units[0] + weights["shifts"]) // UNIT_ONE
        units.append(np.clip(sums, 0, MOST_WEIGHT) ** 2 >> SHIFT)
    return units


def hidden_units(state, weights=WEIGHTS):
    """The hidden units of a position by layer."""
    own = int(state[connect_four.OWN])
    other = own ^ int(state[connect_four.STONES])
    bits = [own >> i & 1 for i in range(49)] + [other >> i & 1 for i in range(49)]
    return last_units(bits, weights)


def positions():
    """Every position of some random games."""
    rules, rng = Rules(connect_four.GAME, SETUP), int_buffer([9])
    for _ in range(5):
        yield from (state for state, _ in rules.random_game(connect_four.new_state(), rng))


@pytest.mark.parametrize("columns", [[], [3], [3, 3, 2, 4, 1, 0]])
@pytest.mark.parametrize(("shape", "value_of"), [(SHAPE, evaluate), (DEEP, evaluate_deep)])
def test_refreshed_units_equal_those_of_the_position(columns, shape, value_of):
    weights = random_weights(shape)
    network = new_network(SETUP, joined(weights) if shape.second else weights, shape)
    refresh(network, connect_four.new_state(columns))
    for state in positions():
        expected = hidden_units(state, weights)
        score = int(value_of(network, state))
        assert list(network.hidden) == [unit for layer in expected for unit in layer]
        assert score == expected[-1] @ weights["value"] + weights["outputs"][0]


def test_images_of_a_position_have_one_value_and_the_images_of_its_policy():
    """With two layers, whose units are images of each other, under eight symmetries."""
    symmetries, shape = features.symmetries(), features.SHAPE._replace(hidden=4, second=3)
    few = random_weights(shape, bound=20) | {"middle": np.arange(3 * 4 * 8) * 7 % 19 - 7}
    weights = unfolded_twice(few, symmetries)
    assert new_network(SETUP, joined(weights), shape._replace(hidden=32, second=24))
    bits = np.random.default_rng(3).random(shape.words * shape.word_bits) < 0.1
    units, row = last_units(bits, weights)[-1], 2
    assert len(set(units)) > 5
    values = weights["value"].reshape(shape.values, -1)
    policy = weights["policy"].reshape(shape.actions, -1)
    for g, places in enumerate(symmetries.features):
        image = np.zeros_like(bits)
        image[places] = bits
        after = last_units(image, weights)[-1]
        assert values[symmetries.values[g][row]] @ after == values[row] @ units
        assert list(policy[symmetries.actions[g]] @ after) == list(policy @ units)
    with pytest.raises(ValueError, match="symmetry 1 after symmetry 1 is none of them"):
        ratios(np.array([[0, 1, 2], [1, 2, 0]]))


def test_priors_are_a_softmax_of_the_legal_actions():
    """By a table of exponentials, in steps of a sixteenth."""
    network = new_network(SETUP, WEIGHTS, SHAPE)
    state = connect_four.new_state([3, 2])
    refresh(network, state)
    actions, shares = int_buffer([1, 4, 6]), float_buffer(3)
    ask_priors(network, state, actions, 3, shares)
    policy = WEIGHTS["policy"].reshape(SHAPE.actions, SHAPE.hidden)
    logits = (policy @ hidden_units(state)[-1] + WEIGHTS["outputs"][1:])[[1, 4, 6]] / ACTION_ONE
    expected = np.exp(logits - logits.max())
    assert sum(shares) == pytest.approx(1.0)
    assert list(shares) == pytest.approx(list(expected / expected.sum()), rel=0.1, abs=1e-5)


def uniform(column=None):
    """Weights without knowledge, except for a preference for one column."""
    outputs = [0] * (1 + SHAPE.actions)
    if column is not None:
        outputs[1 + column] = 4 * ACTION_ONE
    sizes = {name: len(numbers) for name, numbers in WEIGHTS.items()}
    return {name: [0] * size for name, size in sizes.items()} | {"outputs": outputs}


def searched(weights, n, columns=()):
    network = new_network(SETUP, weights, SHAPE)
    state = connect_four.new_state(columns)
    tree = new_tree(GAME, OPTIONS, 50_000)
    refresh(network, state)
    search(network, state, tree, n)
    return tree


def test_puct_begins_with_the_policys_choice_and_visits_all_children():
    few = searched(uniform(2), 8)
    visits = [node_at(few, child_of(few, 0, c)).visits for c in range(7)]
    assert visits[2] == 8
    many = searched(uniform(2), 3000)
    assert all(node_at(many, child).visits > 10 for child in children(many, 0))
    even = searched(uniform(), 700)
    visits = [node_at(even, child).visits for child in children(even, 0)]
    assert max(visits) - min(visits) <= 2


def test_wins_are_proven_with_a_network_that_knows_nothing():
    found = summary(searched(uniform(6), 2000, [3, 0, 3, 0, 3, 6]))
    assert found.proven and found.value == 1.0 and found.line[0] == 3


def test_priors_go_along_when_the_tree_is_kept():
    tree = searched(WEIGHTS, 2000)
    kept = child_of(tree, 0, 3)
    expected = [float(tree.priors[child]) for child in children(tree, kept)]
    tree, _ = reroot(tree, new_spare(tree), [3])
    assert [float(tree.priors[child]) for child in children(tree, 0)] == expected


def test_children_are_in_order_of_their_priors_and_those_visited_in_front():
    tree = searched(WEIGHTS, 2000)
    for node in range(summary(tree).nodes):
        below = children(tree, node)
        priors = [float(tree.priors[child]) for child in below]
        is_new = [node_at(tree, child).visits == 0 for child in below]
        assert priors == sorted(priors, reverse=True) and is_new == sorted(is_new)


@kernel
def select(tree: Tree, node: int) -> int:
    rates = OPTIONS.exploration, OPTIONS.first_play_urgency, OPTIONS.growth
    return select_with_priors(tree, node, *rates)


def bound_of(tree, node, child):
    """The PUCT bound, without use of the order of children."""
    visits, n = (node_at(tree, each).visits for each in (node, child))
    if n and is_fixed(tree.arms, child):
        return node_at(tree, child).mean
    mean = (
        node_at(tree, child).mean if n else -node_at(tree, node).mean - OPTIONS.first_play_urgency
    )
    rate = OPTIONS.exploration
    if visits >= GROWING:
        rate *= 1 + OPTIONS.growth * math.log((1 + visits) / GROWING)
    return mean + rate * math.sqrt(1 + visits) * tree.priors[child] / (1 + n)


def test_the_child_selected_is_the_best_of_all():
    """It has the greatest PUCT bound, though the scan ends at the first unvisited one."""
    tree = searched(WEIGHTS, 2000)
    expanded = [node for node in range(summary(tree).nodes) if children(tree, node)]
    nodes = [node for node in expanded if not is_fixed(tree.arms, node)]
    for node in nodes:
        best = max(bound_of(tree, node, child) for child in children(tree, node))
        assert bound_of(tree, node, select(tree, node)) == pytest.approx(best)
    assert len(nodes) > 200 and node_at(tree, 0).visits > GROWING
