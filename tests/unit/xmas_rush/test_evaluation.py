"""The evaluation of X-mas Rush, computed by hand, and the end of its searches' games."""

import pytest

from bots.xmas_rush import game as turns
from bots.xmas_rush.game import Weights, make_evaluate
from bots.xmas_rush.places import Places, make_lead_in_place
from shared.core.jit import float_buffer
from shared.games.xmas_rush.state import DONE, SIZE
from tests.support.xmas_states import BLOCKED, state_of

pytestmark = pytest.mark.slow("compiles the evaluation of X-mas Rush")


class TestEvaluation:
    def scores(self, state):
        scores = float_buffer(2)
        make_evaluate(Weights(quest=50.0, hand=10.0, win=300.0), turns.no_lead)(None, state, scores)
        return list(scores)

    def test_the_score_is_the_lead(self):
        state = state_of()
        state[DONE] = 2
        assert self.scores(state) == [100.0, -100.0]

    def test_an_item_of_a_visible_quest_counts_in_ones_own_hand(self):
        assert self.scores(state_of([("KEY", 0, -1, -1)])) == [10.0, -10.0]
        assert self.scores(state_of([("KEY", 0, -2, -2)])) == [0.0, 0.0]
        assert self.scores(state_of([("BOOK", 0, -1, -1)])) == [0.0, 0.0]

    def test_the_last_quest_wins(self):
        state = state_of()
        state[DONE + 1] = 4
        assert self.scores(state) == [-500.0, 500.0]


class TestPlaces:
    """Player 0 stands in a corner; the other in the middle, or without an item."""

    def lead(self, state, **weights):
        return make_lead_in_place(Places(0.0, 0.0, 0.0, 0.0)._replace(**weights))(state)

    def test_the_nearest_item_counts_and_none_is_farther_than_any(self):
        state = state_of([("KEY", 0, 3, 2), ("MASK", 0, 6, 6)])
        assert self.lead(state, near=1.0) == 2 * SIZE - 5

    def test_the_paths_of_all_tiles_with_items(self):
        assert self.lead(state_of([("KEY", 0, 3, 2), ("MASK", 0, 6, 6)]), ways=1.0) == 8
        assert self.lead(state_of([("KEY", 0, 3, 2)], tile=BLOCKED), ways=1.0) == 0

    def test_the_cells_in_reach_of_a_player(self):
        """All of the board from the middle, a triangle of seven rows from a corner."""
        places = ((0, 0), (3, 3))
        assert self.lead(state_of(places=places), room=1.0) == 28 - 49
        assert self.lead(state_of(places=places, tile=BLOCKED), room=1.0) == 0

    def test_the_cells_from_which_an_item_is_in_reach(self):
        """From the middle all cells but three in each corner."""
        state = state_of([("KEY", 0, 3, 3)])
        assert self.lead(state, reach=1.0) == 49 - 12
