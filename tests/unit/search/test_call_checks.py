"""A call with swapped, short or foreign buffers is refused: compiled, it would end the process."""

import pytest

from shared.core.jit import int_buffer, kernel
from shared.games.connect_four import game as connect_four
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search import mcts

SETUP = connect_four.new_setup()
ROOT = connect_four.new_state([])
OPTIONS = mcts.Options()
SHORT = OPTIONS._replace(max_depth=9)
LONG = OPTIONS._replace(max_depth=300)
SEARCH = kernel(mcts.make_search(connect_four.GAME, OPTIONS))


def new_tree(options=OPTIONS, game=connect_four.GAME):
    return mcts.new_tree(game, options, 100)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: (ROOT, int_buffer(7), new_tree()),
            "the root holds 7 numbers, a state of the game 2",
        ),
        (lambda: (SETUP, ROOT[:1], new_tree()), "the root holds 1 numbers"),
        (lambda: (SETUP, ROOT, new_tree(SHORT)), "tree.path holds 10 numbers, .* need 201: make"),
        (lambda: (SETUP, ROOT, mcts.new_spare(new_tree(SHORT))), "tree.path holds 10 numbers"),
        (lambda: (SETUP, ROOT, new_tree(game=tic_tac_toe.GAME)), "tree was made for another game"),
    ],
)
def test_buffers_that_do_not_fit_are_refused(call, said):
    with pytest.raises(ValueError, match=r"search\(setup, root, tree, n\): " + said):
        SEARCH(*call(), 10)


def test_buffers_that_fit_are_taken():
    """Those of a copy of the game, of larger options, and of the caller's own making."""
    game = connect_four.GAME._replace(evaluate=tic_tac_toe.GAME.evaluate)
    own = mcts.Tree(*(buffer.copy() for buffer in new_tree()))
    for tree in (new_tree(), new_tree(game=game), new_tree(LONG), mcts.new_spare(new_tree()), own):
        mcts.reset(tree)
        SEARCH(SETUP, ROOT, tree, 10)
        assert mcts.summary(tree).iterations == 10
