"""Searches with hidden information: no player acts as if it knew the draw."""

import pytest

from shared.core.jit import int_buffer, kernel
from shared.search import matrix_game
from shared.search.determinization import determinize
from shared.search.simultaneous_uct import make_descend
from shared.search.smitsimax import Options, make_search, new_trees, summary
from tests.support.toy_games import BOXES, N_ACTIONS, hide_prize

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

OPTIONS = Options(holds=(1, 1), exploration=1.0)
HIDDEN = determinize(BOXES, hide_prize)


@pytest.mark.exhaustive("compiles a search for each number of trees", keep=1)
@pytest.mark.parametrize("descent", [(), (make_descend(BOXES),)], ids=["trees", "one tree"])
def test_no_line_uses_knowledge_of_the_draw(descent):
    """If the prize is visible, the player enters a box. If it is hidden, the player stays outside,
    although a choice of box by draw would win in every line.
    """
    first = {}
    for game in (BOXES, HIDDEN):
        search, trees = kernel(make_search(game, OPTIONS, *descent)), new_trees(game, OPTIONS, 1000)
        root = int_buffer([0, 0, 2, 0])
        search(int_buffer([1]), root, trees, 2000)
        assert list(root) == [0, 0, 2, 0]
        first[game] = summary(trees).lines[0][0]
    assert first[BOXES] > 0
    assert first[HIDDEN] == 0


def test_a_matrix_has_the_mean_of_all_draws():
    """Each box holds the prize in a third of the draws."""
    for game, expected in ((BOXES, [-1, -1, 1]), (HIDDEN, [-1 / 3] * N_ACTIONS)):
        options = matrix_game.Options(depth=1)
        search = kernel(matrix_game.make_search(game, options))
        tree = matrix_game.new_tree(game, options)
        search(int_buffer([1]), int_buffer([1, 0, 2, 0]), tree, 9 * 2000)
        rows = [sum(tree.payoffs[row * N_ACTIONS :][:N_ACTIONS]) / N_ACTIONS for row in range(3)]
        assert rows == pytest.approx(expected, abs=0.05)
