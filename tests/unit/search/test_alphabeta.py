"""The theory of alpha-beta on artificial games: its bounds, its minimal tree, and that no option
changes its result.
"""

import itertools
from functools import cache

import pytest

from shared.core.jit import int_buffer, kernel
from shared.games.connect_four import game as connect_four
from shared.search.alphabeta import (
    LEAST_WIN,
    WIN,
    Options,
    after_line,
    is_finished,
    make_search,
    new_tree,
    reset,
    summary,
)
from shared.search.transpositions import (
    EXACT,
    LOWER,
    UPPER,
    entry_action,
    entry_data,
    entry_depth_left,
    entry_flag,
    find_entry,
    store_entry,
)
from tests.support.alphabeta_trees import (
    BRANCHING,
    DRIFT,
    GRAPH,
    ORDERED,
    RING,
    TREE,
    TREE_GAME,
    apply,
    evaluate,
    hushed,
    is_over,
    key,
    loud,
    new_root,
    new_setup,
    result,
)

PLAIN = Options(deepening=False, table=False, order=False, principal_variation=False)
ALL_NODES = 1 << 40


@cache
def search_by(options):
    """The compiled search with these options, shared by all tests."""
    return kernel(make_search(TREE_GAME, options, loud))


def run(setup, options, depth, root=None, table_bits=12):
    """Run a search to its end; returns its tree."""
    tree = new_tree(TREE_GAME, options, table_bits, depth)
    search_by(options)(setup, new_root() if root is None else root, tree, ALL_NODES)
    assert is_finished(tree)
    return tree


@cache
def plain_values(setup):
    """value(state, depth) of a game, by a search without pruning."""
    numbers = int_buffer(setup)
    known = {}

    def value(place, depth, is_root=True):
        if (place, depth) in known:
            return known[place, depth]
        state = int_buffer(place)
        if not is_root and is_over(numbers, state):
            return int(result(numbers, state)) * WIN
        if depth == 0:
            return int(evaluate(numbers, state))
        values = []
        for action in range(numbers[BRANCHING]):
            after = tuple(map(int, child(numbers, state, action)))
            below = -value(after, depth - 1, False)
            # A later win counts less.
            values.append(below - (below >= LEAST_WIN) + (below <= -LEAST_WIN))
        known[place, depth] = max(values)
        return known[place, depth]

    return value


def plain_value(setup, state, depth):
    """Returns the value of a search without pruning."""
    return plain_values(tuple(map(int, setup)))(tuple(map(int, state)), int(depth))


def child(setup, state, action):
    after = int_buffer(3)
    apply(setup, state, action, after)
    return after


def value_of_line(setup, line):
    """The value of the position at the end of a line from the root, for the player to move at the
    root.
    """
    state = new_root()
    for action in line:
        state = child(setup, state, action)
    value = int(evaluate(setup, state))
    return value if len(line) % 2 == 0 else -value


GAMES = [new_setup(TREE, 4, seed=seed) for seed in (1, 2)] + [
    new_setup(TREE, 5, spread=6, seed=3, ends=9),
    new_setup(GRAPH, 6, seed=4),
    new_setup(GRAPH, 5, spread=4, seed=5, ends=30),
    new_setup(DRIFT, 5, seed=6),
]
RANKS = {"killers": 30, "history": 40, "aspiration": 2}
# A quarter of all 32 combinations, in which any two of the five options occur in every combination:
# each takes seconds to compile.
VARIANTS = [
    Options(
        deepening=deepening,
        table=table,
        order=order,
        principal_variation=deepening != table,
        **(RANKS if deepening != order else {}),
    )
    for deepening, table, order in itertools.product((False, True), repeat=3)
]
# Three of them have each of the five both ways.
FEW = VARIANTS[2], VARIANTS[4], VARIANTS[7]
many_compiled = pytest.mark.exhaustive("compiles a search for each combination of options")


@pytest.mark.slow("compiles a search for each combination of options")
@pytest.mark.parametrize(
    "options",
    [pytest.param(one, marks=[] if one in FEW else [many_compiled]) for one in VARIANTS],
    ids=lambda o: " ".join(str(int(x)) for x in o),
)
def test_no_option_changes_the_value_of_a_fixed_depth(options):
    """The action played is one of the best, and the principal variation leads to the value."""
    for setup in GAMES:
        for depth in (3, 6):
            value = plain_value(setup, new_root(), depth)
            found = summary(run(setup, options, depth))
            assert found.value == value
            below = child(setup, new_root(), found.action)
            if is_over(setup, below):
                assert value == WIN - 1 or abs(value) < LEAST_WIN
            elif abs(value) < LEAST_WIN:
                assert -plain_value(setup, below, depth - 1) == value
            if len(found.line) == depth and abs(value) < LEAST_WIN:
                assert value_of_line(setup, found.line) == value or value == 0


@pytest.mark.exhaustive("compiles a search more; golden games show another order")
@pytest.mark.parametrize("options", [Options(), Options(order=False, aspiration=3)], ids=str)
def test_return_value_theorem_at_every_position_of_the_table(options):
    """Fail-soft: a returned number at or below the window is an upper bound of the value, at or
    above it a lower bound, and inside it the value. The table stores each with a flag, from windows
    of all kinds.
    """
    seen = {EXACT: 0, LOWER: 0, UPPER: 0}
    for setup in GAMES:
        tree = run(setup, options, 6, table_bits=16)
        level = [new_root()]
        for _ in range(5):
            level = [child(setup, state, a) for state in level for a in range(setup[BRANCHING])]
            for state in level[::5]:
                entry = find_entry(tree.table, key(setup, state))
                if entry < 0 or is_over(setup, state):
                    continue
                kept, data = (int(number) for number in tree.table[entry + 1 : entry + 3])
                value = plain_value(setup, state, int(entry_depth_left(data)))
                flag = entry_flag(data)
                seen[flag] += 1
                if flag == EXACT:
                    assert kept == value
                    after = child(setup, state, entry_action(data))
                    if entry_depth_left(data) > 1 and not is_over(setup, after):
                        below = plain_value(setup, after, entry_depth_left(data) - 1)
                        assert abs(value) >= LEAST_WIN or -below == value
                else:
                    assert value >= kept if flag == LOWER else value <= kept
    assert min(seen.values()) > 20


@pytest.mark.slow("compiles a search more; golden games show another order")
@pytest.mark.parametrize(("branching", "depth"), [(2, 9), (3, 6), (5, 5), (8, 4), (40, 3)])
@pytest.mark.parametrize("principal_variation", [False, pytest.param(True, marks=many_compiled)])
def test_least_number_of_leaves_on_perfectly_ordered_trees(branching, depth, principal_variation):
    """b**ceil(d/2) + b**floor(d/2) - 1 (Knuth and Moore): the positions beyond depth d - 1 are the
    leaves of depth d.
    """
    setup = new_setup(ORDERED, branching)
    options = PLAIN._replace(principal_variation=principal_variation)
    generated = [summary(run(setup, options, d, new_root(7))).generated for d in (depth - 1, depth)]
    assert (
        generated[1] - generated[0]
        == branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    )


@pytest.mark.slow("compiles a search more")
def test_a_sooner_win_is_worth_more_and_ends_the_search():
    """The value gives the number of plies to the win; the search stops at the depth that proves
    it.
    """
    found = {}
    for seed in range(60):
        setup = new_setup(TREE, 3, seed=seed, ends=8)
        result = summary(run(setup, Options(), 8))
        if result.value >= LEAST_WIN:
            plies = WIN - result.value
            assert result.depth == plies == len(result.line)
            found[plies] = found.get(plies, 0) + 1
    # 0: the root is over
    assert {1, 3} <= set(found) and all(plies % 2 for plies in found if plies)


@pytest.mark.slow("compiles a search for each set of options", keep=1)
@pytest.mark.parametrize("options", [Options(), PLAIN, Options(quiescence=20)], ids=str)
def test_a_search_cut_short_has_an_action_from_the_first_node_on(options):
    setup = new_setup(TREE, 6, seed=9, loud=2)
    for n in (1, 10, 100, 1000):
        tree = new_tree(TREE_GAME, options, 10)
        search_by(options)(setup, new_root(), tree, n)
        assert 0 <= summary(tree).action < 6


def test_the_table_stays_between_searches_and_saves_work():
    setup = new_setup(GRAPH, 6, seed=10)
    tree = run(setup, Options(), 7)
    first = summary(tree)
    reset(tree)
    search_by(Options())(setup, new_root(), tree, ALL_NODES)
    again = summary(tree)
    assert again.generated < first.generated / 3
    assert (again.value, again.action, again.depth) == (first.value, first.action, first.depth)


def test_an_action_of_the_table_is_not_played_untried():
    """Two positions may have the same key."""
    setup, tree = new_setup(GRAPH, 6, seed=10), new_tree(TREE_GAME, Options(), 10)
    data = entry_data(39, LOWER, 1, 1)
    store_entry(tree.table, key(setup, new_root()), 0, data)
    search_by(Options())(setup, new_root(), tree, 1)
    assert 0 <= summary(tree).action < 6


def quiescence_value(setup, state, plies):
    """Value of standing pat or of the best noisy action, to a limited depth."""
    value = int(evaluate(setup, state))
    noisy = int_buffer(40)
    for i in range(loud(setup, state, noisy) if plies else 0):
        after = child(setup, state, noisy[i])
        value = max(value, -quiescence_value(setup, after, plies - 1))
    return value


def fixed_value(setup, state, depth, quiescence):
    if depth == 0:
        return quiescence_value(setup, state, quiescence)
    branches = range(setup[BRANCHING])
    return max(-fixed_value(setup, child(setup, state, a), depth - 1, quiescence) for a in branches)


QUIESCENT = [PLAIN, Options(), Options(aspiration=2, killers=9)]


@pytest.mark.slow("compiles a search for each depth")
@pytest.mark.exhaustive("compiles a search for each depth", keep=1)
@pytest.mark.parametrize(
    ("quiescence", "options"),
    [
        pytest.param(plies, options, marks=[] if i == j else [many_compiled])
        for i, plies in enumerate((1, 2, 5))
        for j, options in enumerate(QUIESCENT)
    ],
    ids=str,
)
def test_quiescence_follows_noisy_actions_beyond_the_depth(quiescence, options):
    for seed in range(5):
        setup = new_setup(TREE, 4, seed=seed, loud=3)
        expected = fixed_value(setup, new_root(), 3, quiescence)
        found = summary(run(setup, options._replace(quiescence=quiescence), 3))
        assert found.value == expected


QUIET_GAIN = 20  # the spread of these games' evaluations


@cache
def staged_search_by(options):
    """The compiled search that lists quiet actions only if no noisy one cuts."""
    return kernel(make_search(TREE_GAME, options, loud, hushed, QUIET_GAIN))


def run_staged(setup, options, depth):
    """Run a staged search to its end; returns its tree."""
    tree = new_tree(TREE_GAME, options, 12, depth)
    staged_search_by(options)(setup, new_root(), tree, ALL_NODES)
    assert is_finished(tree)
    return tree


STAGED = Options(quiescence=2, aspiration=2, killers=9, history=40)


@pytest.mark.slow("compiles a search more; golden games show another order")
def test_staged_listing_gives_the_same_value():
    """With a table, which then contains positions without a best action."""
    for seed in range(5):
        setup = new_setup(TREE, 4, seed=seed, loud=3)
        expected = fixed_value(setup, new_root(), 3, 2)
        assert summary(run_staged(setup, STAGED, 3)).value == expected
    for kind in (TREE, GRAPH, DRIFT):
        setup = new_setup(kind, 5, seed=11 + kind)  # all actions are quiet
        found = summary(run_staged(setup, STAGED, 6))
        assert (found.value, found.depth) == (plain_value(setup, new_root(), 6), 6)


@pytest.mark.exhaustive("compiles a search for one rule")
@pytest.mark.parametrize("depth", range(1, 9))
def test_repeated_positions_are_draws_at_leaves_too(depth):
    """Against negamax with the line's positions: the second player returns at ply 2 already."""
    setup = new_setup(RING)

    def value_of(state, line, left):
        if is_over(setup, state):
            return -999  # not within eight plies
        if key(setup, state) in line:
            return 0
        if left == 0:
            return evaluate(setup, state)
        after, values = int_buffer(3), []
        for action in range(2):
            apply(setup, state, action, after)
            values.append(-value_of(list(after), {*line, key(setup, state)}, left - 1))
        return max(values)

    options = Options(table=False, repetition=True)
    found = summary(run(setup, options, depth)).value
    assert found == value_of(list(new_root()), set(), depth) == (5 if depth == 1 else 0)
    # With both neighbours of the root played before, all moves are draws.
    before = [key(setup, child(setup, new_root(), action)) for action in range(2)]
    tree = after_line(new_tree(TREE_GAME, options, 8, depth), before)
    search_by(options)(setup, new_root(), tree, ALL_NODES)
    assert summary(tree).value == value_of(list(new_root()), set(before), depth) == 0


@pytest.mark.slow("compiles two searches")
def test_actions_given_one_by_one_are_those_listed():
    trees = []
    for game in (connect_four.GAME, connect_four.GAME._replace(following=None)):
        trees.append(new_tree(game, PLAIN, 1, depth=7))
        search = kernel(make_search(game, PLAIN))
        search(connect_four.new_setup(), connect_four.new_state(), trees[-1], ALL_NODES)
    assert summary(trees[0]) == summary(trees[1]) and is_finished(trees[1])
