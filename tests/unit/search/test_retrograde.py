"""Retrograde tables: tic-tac-toe by minimax, and heaps whose solution is known."""

import itertools

import pytest

from shared.core.jit import inline, kernel
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search.retrograde import Endgame, is_finished, make_best, make_pass, new_tree
from tests.support.alternating_games import Rules, Solver
from tests.support.games import heap

N_CELLS = tic_tac_toe.N_CELLS


@inline
def write(setup, number, state):
    """False for more stones of the player to move than of the other, or two stones fewer."""
    own, other, n_own, n_other = 0, 0, 0, 0
    for cell in range(N_CELLS):
        stone, number = number % 3, number // 3
        if stone == 1:
            own |= 1 << cell
            n_own += 1
        elif stone == 2:
            other |= 1 << cell
            n_other += 1
    state[tic_tac_toe.OWN], state[tic_tac_toe.OTHER] = own, other
    state[tic_tac_toe.PLIES] = n_own + n_other
    return n_own in (n_other, n_other - 1)


@inline
def index(setup, state):
    number = 0
    for i in range(N_CELLS):
        cell = N_CELLS - 1 - i
        own, other = state[tic_tac_toe.OWN] >> cell & 1, state[tic_tac_toe.OTHER] >> cell & 1
        number = 3 * number + own + 2 * other
    return number


def solved(endgame, setup):
    """Returns the finished table of an endgame."""
    settle, tree = kernel(make_pass(endgame)), new_tree(endgame)
    while not is_finished(tree):
        settle(setup, tree)
    return tree


@pytest.mark.slow("makes a table of a game")
def test_a_table_has_the_values_of_minimax_and_best_play_their_distances():
    """From each position of two plies on, of which some are won and most drawn."""
    setup, endgame = tic_tac_toe.new_setup(), Endgame(tic_tac_toe.GAME, 3**N_CELLS, write, index)
    rules, tree, best = Rules(tic_tac_toe.GAME, setup), solved(endgame, setup), make_best(endgame)
    solver, best = Solver(rules, N_CELLS), kernel(best)
    for cells in itertools.permutations(range(N_CELLS), 2):
        state = tic_tac_toe.new_state(cells)
        plies = int(tree.table[index(setup, state)])
        assert (plies > 0) - (plies < 0) == solver.value(state)
        while not rules.is_over(state):
            state = rules.apply(state, best(setup, state, tree))
            expected = 0 if plies == 0 else -plies if plies > 0 else -plies - 2
            plies = int(tree.table[index(setup, state)])
            assert plies == expected
        assert rules.result(state) == -1 or plies == 0


@pytest.mark.slow("compiles a table more")
def test_a_player_may_lose_by_its_own_last_move():
    """One or two are taken at a time: with 1, 4, 7... left."""
    tree = solved(heap.new_endgame(7), heap.new_setup(2))
    assert list(map(int, tree.table)) == [0, -2, 2, 2, -4, 4, 4, -6]


@pytest.mark.parametrize("longest", [125, 126, 127])
def test_the_longest_distance_is_126_plies(longest):
    """A heap whose players take one each."""
    if longest > 126:
        with pytest.raises(ValueError, match="more than 126 plies"):
            solved(heap.new_endgame(longest), heap.new_setup(1))
    else:
        tree = solved(heap.new_endgame(longest), heap.new_setup(1))
        expected = [n if n % 2 == 0 else -n - 1 for n in range(1, longest + 1)]
        assert list(map(int, tree.table)) == [0, *expected]
