"""A heap whose players may move again, by searches whose players alternate."""

from functools import cache

import pytest

from shared.core.jit import int_buffer, kernel
from shared.search import proof_number
from shared.search.double_moves import first_state, with_passes
from tests.support.alternating_games import Rules
from tests.support.games import heap

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

GAME = with_passes(heap.GAME)
SETUP = heap.new_setup(3, more=3)


@cache
def compiled(module, options):
    return kernel(module.make_search(GAME, options))


def searched(module, options, left, **sizes):
    """Returns the summary of a search to its end."""
    tree = module.new_tree(GAME, options, **sizes)
    root = first_state(heap.GAME, SETUP, heap.new_state(left))
    compiled(module, options)(SETUP, root, tree, 1 << 40)
    return module.summary(tree)


def does_win(left):
    """True if the player to move wins."""
    return left % 3 != 1


def keeps_win(left, action):
    """True if an action of the winning player wins."""
    return does_win(left - action) == (action == 3)


def test_one_who_is_passed_by_may_only_pass():
    rules, state = Rules(GAME, SETUP), first_state(heap.GAME, SETUP, heap.new_state(3))
    taken = rules.apply(state, 3)
    assert rules.legal(taken) == [heap.MAX_ACTIONS] == [rules.sample(taken, int_buffer([1]))]
    assert (rules.to_move(state), rules.to_move(taken)) == (0, 1)
    assert rules.is_over(taken) and rules.result(taken) == 1
    again = rules.apply(taken, heap.MAX_ACTIONS)
    assert (rules.to_move(again), rules.result(again)) == (0, -1)
    assert rules.key(again) != rules.key(taken)
    assert with_passes(heap.GAME._replace(following=heap.GAME.legal)).following is None


@pytest.mark.slow("compiles a search more")
def test_proof_numbers_prove_what_is_won():
    for left in range(1, 16):
        found = searched(proof_number, proof_number.Options(1), left, table_bits=10)
        assert found.reached == does_win(left)
        assert not found.reached or keeps_win(left, found.action)
