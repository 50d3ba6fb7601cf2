"""Depth-first proof-number search against minimax on small games."""

import itertools
from collections import Counter
from functools import cache

import pytest

from shared.core.jit import inline, kernel
from shared.games.connect_four import game as connect_four
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search.proof_number import (
    Options,
    best_action,
    is_finished,
    make_search,
    new_tree,
    reset,
    summary,
)
from tests.support.alternating_games import Rules, Solver

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

GOALS = (0, 1)


@cache
def compiled(game, goal):
    return kernel(make_search(game, Options(goal)))


def solved(game, options, setup, state, bits=12, cut=100_000):
    tree = new_tree(game, options, bits)
    before = list(state)
    while not is_finished(tree):
        compiled(game, options.goal)(setup, state, tree, cut)
    assert list(state) == before
    return tree


@pytest.mark.exhaustive("more tables and goals", keep=1)
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("bits", [1, 12])
def test_tic_tac_toe_after_two_plies_has_its_value(goal, bits):
    """A table of two entries loses nearly all it is told; the search ends all the same."""
    rules = Rules(tic_tac_toe.GAME, tic_tac_toe.new_setup())
    solver = Solver(rules, 9)
    for cells in itertools.permutations(range(9), 2):
        state = tic_tac_toe.new_state(cells)
        tree = solved(tic_tac_toe.GAME, Options(goal), rules.setup, state, bits)
        assert summary(tree).reached == (solver.value(state) >= goal)
        if summary(tree).reached:
            assert -solver.value(rules.apply(state, best_action(tree))) >= goal


def test_nothing_is_proven_before_a_search():
    tree = new_tree(tic_tac_toe.GAME, Options(0), 4)
    assert summary(tree) == (None, -1, 1, 1, 0, False)


@inline
def cells_or_win(setup, state):
    """An outlook: the number of empty cells, or 0 if one of them completes a line."""
    for cell in range(tic_tac_toe.N_CELLS):
        is_empty = not (state[tic_tac_toe.OWN] | state[tic_tac_toe.OTHER]) >> cell & 1
        if is_empty and tic_tac_toe.has_line(state[tic_tac_toe.OWN] | 1 << cell):
            return 0
    return tic_tac_toe.N_CELLS - state[tic_tac_toe.PLIES]


@pytest.mark.exhaustive("compiles two searches more")
@pytest.mark.parametrize("goal", GOALS)
def test_an_outlook_changes_no_proof_and_saves_nodes(goal):
    rules = Rules(tic_tac_toe.GAME, tic_tac_toe.new_setup())
    solver, options, nodes = Solver(rules, 9), Options(goal), Counter()
    searches = {
        "with": kernel(make_search(tic_tac_toe.GAME, options, cells_or_win)),
        "without": compiled(tic_tac_toe.GAME, goal),
    }
    for cells in itertools.permutations(range(9), 2):
        state = tic_tac_toe.new_state(cells)
        for name, search in searches.items():
            tree = new_tree(tic_tac_toe.GAME, options, 12)
            while not is_finished(tree):
                search(rules.setup, state, tree, 1000)
            assert summary(tree).reached == (solver.value(state) >= goal)
            nodes[name] += summary(tree).generated
    assert nodes["with"] < nodes["without"]


@pytest.mark.slow("compiles a search more")
def test_a_reset_search_knows_the_table_and_either_attacker():
    """The other player's goal is another one in the same positions."""
    game, setup = connect_four.make_connect_four(4, 4), connect_four.new_setup()
    rules = Rules(game, setup)
    solver = Solver(rules, 16)
    tree = new_tree(game, Options(0), 14)
    nodes = []
    for moves in ([1, 1], [1, 1, 2], [1, 1], [1, 1, 2, 2, 2]):
        state = connect_four.new_state(moves, game)
        reset(tree)
        assert best_action(tree) == -1
        while not is_finished(tree):
            compiled(game, 0)(setup, state, tree, 1000)
        assert summary(tree).reached == (solver.value(state) >= 0)
        nodes.append(summary(tree).generated)
    assert nodes[2] < nodes[0] / 10


@pytest.mark.slow("compiles a search more")
def test_lines_that_are_too_long_prove_nothing_for_the_defender():
    """Tic-tac-toe is a draw, but not within eight plies; a win within three is one."""
    setup, empty = tic_tac_toe.new_setup(), tic_tac_toe.new_state()
    found = summary(solved(tic_tac_toe.GAME, Options(0, max_depth=8), setup, empty))
    assert found.reached is None and found.cut
    fork = tic_tac_toe.new_state([0, 1, 4, 2])
    assert summary(solved(tic_tac_toe.GAME, Options(1, max_depth=3), setup, fork)).reached is True
