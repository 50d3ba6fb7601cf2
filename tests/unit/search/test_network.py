"""Integer networks: incrementally updated accumulators are correct, PUCT follows its priors."""

import math
import random

import numpy as np
import pytest

from shared.core.jit import (
    Floats,
    Int8s,
    Int16s,
    Int32s,
    Ints,
    float_buffer,
    inline,
    int8_buffer,
    int16_buffer,
    int32_buffer,
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
    LANES,
    MOST_WEIGHT,
    ONE,
    SCORE,
    SHIFT,
    UNIT_ONE,
    VALUE_ONE,
    Network,
    Shape,
    make_game,
    make_refresh,
    new_network,
)
from shared.search.tree import child_of, children, node_at
from tests.lab.connect_four.features import column, completing, write_stones
from tests.support.alternating_games import Rules

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

SHAPE = Shape(words=2, word_bits=49, hidden=16, actions=7)
N_FEATURES = SHAPE.words * SHAPE.word_bits
SETUP = connect_four.new_setup()


GAME = make_game(connect_four.GAME, write_stones, column, SHAPE)
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


def random_weights(seed=1, bound=100, n_hidden=SHAPE.hidden):
    rng = np.random.default_rng(seed)
    return {
        "rows": rng.integers(-bound, bound, N_FEATURES * n_hidden),
        "biases": rng.integers(-bound, bound, n_hidden),
        "value": rng.integers(-bound, bound, n_hidden),
        "policy": rng.integers(-bound, bound, SHAPE.actions * n_hidden),
        "outputs": rng.integers(-1000, 1000, 1 + SHAPE.actions),
    }


WEIGHTS = random_weights()


def hidden_units(state, weights=WEIGHTS):
    """The hidden units, computed from scratch by plain numpy."""
    own = int(state[connect_four.OWN])
    other = own ^ int(state[connect_four.STONES])
    bits = [own >> i & 1 for i in range(49)] + [other >> i & 1 for i in range(49)]
    rows = weights["rows"].reshape(N_FEATURES, -1)
    return np.clip(np.array(bits) @ rows + weights["biases"], 0, MOST_WEIGHT) ** 2 >> SHIFT


def positions():
    """Every position of some random games."""
    rules, rng = Rules(connect_four.GAME, SETUP), int_buffer([9])
    for _ in range(5):
        yield from (state for state, _ in rules.random_game(connect_four.new_state(SETUP), rng))


@pytest.mark.parametrize("columns", [[], [3], [3, 3, 2, 4, 1, 0]])
def test_refreshed_units_equal_those_of_the_position(columns):
    network = new_network(SETUP, WEIGHTS, SHAPE)
    refresh(network, connect_four.new_state(SETUP, columns))
    for state in positions():
        expected = hidden_units(state)
        score = int(evaluate(network, state))
        assert list(network.hidden) == list(expected)
        assert score == expected @ WEIGHTS["value"] + WEIGHTS["outputs"][0]


def test_units_that_fill_no_registers_are_summed_by_parts():
    """Twice LANES, with the rows of another root to add and to subtract."""
    shape = SHAPE._replace(hidden=2 * LANES)
    weights = random_weights(seed=2, n_hidden=shape.hidden)
    network = new_network(SETUP, weights, shape)
    wide = make_game(connect_four.GAME, write_stones, column, shape)

    @kernel
    def score(network: Network, state: Ints) -> int:
        return wide.evaluate(network, state)

    kernel(make_refresh(write_stones, shape))(network, connect_four.new_state(SETUP, [3, 3, 2]))
    for state in positions():
        expected = hidden_units(state, weights)
        assert int(score(network, state)) == expected @ weights["value"] + weights["outputs"][0]
        assert list(network.hidden) == list(expected)


def test_the_position_chooses_the_weights_of_its_value():
    shape = SHAPE._replace(values=2)
    rng = np.random.default_rng(3)
    weights = WEIGHTS | {"value": rng.integers(-100, 100, 2 * shape.hidden)}
    network = new_network(SETUP, weights, shape)

    @inline
    def parity(setup, state):
        return state[connect_four.PLIES] & 1

    choosing = make_game(connect_four.GAME, write_stones, column, shape, parity)

    @kernel
    def score(network: Network, state: Ints) -> int:
        return choosing.evaluate(network, state)

    refresh(network, connect_four.new_state(SETUP))
    for state in positions():
        value = weights["value"].reshape(2, -1)[int(state[connect_four.PLIES]) & 1]
        expected = hidden_units(state) @ value + weights["outputs"][0]
        assert int(score(network, state)) == expected


def test_priors_are_a_softmax_of_the_legal_actions():
    """By a table of exponentials, in steps of a sixteenth."""
    network = new_network(SETUP, WEIGHTS, SHAPE)
    state = connect_four.new_state(SETUP, [3, 2])
    refresh(network, state)
    actions, shares = int_buffer([1, 4, 6]), float_buffer(3)
    ask_priors(network, state, actions, 3, shares)
    policy = WEIGHTS["policy"].reshape(SHAPE.actions, SHAPE.hidden)
    logits = (policy @ hidden_units(state) + WEIGHTS["outputs"][1:])[[1, 4, 6]] / ACTION_ONE
    expected = np.exp(logits - logits.max())
    assert sum(shares) == pytest.approx(1.0)
    assert list(shares) == pytest.approx(list(expected / expected.sum()), rel=0.1, abs=1e-5)


def test_a_network_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="has 16 biases, the weights have 8"):
        new_network(SETUP, WEIGHTS | {"biases": [0] * 8}, SHAPE)


def uniform(column=None):
    """Weights without knowledge, except for a preference for one column."""
    outputs = [0] * (1 + SHAPE.actions)
    if column is not None:
        outputs[1 + column] = 4 * ACTION_ONE
    sizes = {name: len(numbers) for name, numbers in WEIGHTS.items()}
    return {name: [0] * size for name, size in sizes.items()} | {"outputs": outputs}


def searched(weights, n, columns=()):
    network = new_network(SETUP, weights, SHAPE)
    state = connect_four.new_state(SETUP, columns)
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


def test_a_game_with_priors_takes_no_others():
    with pytest.raises(ValueError, match="leave prior_visits at 0"):
        make_search(GAME, OPTIONS._replace(prior_visits=1.0))


@kernel
def add(small: Int8s, sums: Int16s, n: int) -> int:
    total = 0
    for i in range(n):
        sums[i] += small[i]
        total += sums[i] * small[i]
    return total


def test_kernels_take_buffers_of_8_and_16_bits():
    small, sums = int8_buffer([-128, 127, 3]), int16_buffer([-32640, 1000, 0])
    assert add(small, sums, 3) == 128 * 32768 + 1127 * 127 + 9
    assert list(sums) == [-32768, 1127, 3] and isinstance(add(small, sums, 0), int)


@kernel
def double(numbers: Int32s) -> int:
    for i in range(len(numbers)):
        numbers[i] *= 2
    return numbers[0] * 4 + numbers[1]


def test_kernels_take_buffers_of_32_bits_and_count_with_64():
    numbers = int32_buffer([1 << 29, -(1 << 30)])
    assert double(numbers) == (1 << 32) - (1 << 31)
    assert list(numbers) == [1 << 30, -(1 << 31)] and type(int32_buffer(1)) is type(numbers)


def test_kernels_refuse_buffers_of_other_widths():
    if isinstance(int8_buffer(1), list):
        pytest.skip("plain Python takes any list")
    with pytest.raises(TypeError, match="argument small does not fit"):
        add(int16_buffer(3), int16_buffer(3), 3)


def test_the_units_of_the_outputs():
    assert SCORE == UNIT_ONE * VALUE_ONE and MOST_WEIGHT < 2 * ONE
    assert 2 * ONE * ONE == UNIT_ONE << SHIFT and MOST_WEIGHT**2 >> SHIFT < 2 * UNIT_ONE


def test_the_cells_that_complete_four_are_those_that_would_win():
    """For any position of a game: no stones are above a free cell."""
    rng, height = random.Random(3), int(SETUP[connect_four.HEIGHT])
    for _ in range(30):
        state = connect_four.new_state(SETUP)
        while not connect_four.is_over(SETUP, state):
            own = int(state[connect_four.OWN])
            free = int(SETUP[connect_four.CELLS]) & ~int(state[connect_four.STONES])
            bits = [1 << i for i in range(49) if free >> i & 1]
            wins = [bit for bit in bits if connect_four.has_four(own | bit, height)]
            assert completing(SETUP, own, free) == sum(wins)
            columns = [i for i in range(7) if free >> 7 * i + 5 & 1]
            connect_four.apply(SETUP, state, rng.choice(columns), state)
