"""The blocks of arms in the tree of simultaneous-move UCT."""

import pytest

from shared.search.simultaneous_uct import block_below
from shared.search.smitsimax import Options, new_trees
from shared.search.tree import NODE_SIZE
from tests.support.toy_games import MATRIX_GAME

pytestmark = pytest.mark.slow("compiles a part of a search")


@pytest.mark.parametrize("n_arms", range(1, 10))
def test_a_block_has_room_for_each_arm(n_arms):
    """Four numbers a node; the next block begins behind it."""
    tree = new_trees(MATRIX_GAME, Options(holds=(1,), random_visits=1), 100)
    first = block_below(tree, NODE_SIZE, n_arms)
    assert block_below(tree, NODE_SIZE, n_arms) == first  # it is there
    following = block_below(tree, NODE_SIZE + 1, 1)
    assert n_arms <= NODE_SIZE * (following - first) < n_arms + NODE_SIZE
