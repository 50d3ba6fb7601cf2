"""The evaluation of SameGame's beam."""

import random

import pytest

from bots.samegame.beam import GAME
from bots.samegame.game import APART_UNIT, count_colours, parts_apart
from shared.core.jit import float_buffer, int_buffer
from shared.games.samegame.maps import board_of_seed
from shared.games.samegame.state import MAX_ACTIONS, new_setup, new_state, write_board

pytestmark = pytest.mark.slow("compiles an evaluation that no other fast test uses")


def test_children_have_the_values_of_their_boards():
    setup, state, after = new_setup(), new_state(), new_state()
    actions, values = int_buffer(MAX_ACTIONS), float_buffer(MAX_ACTIONS)
    for seed in range(100, 104):
        write_board(board_of_seed(seed)[1], state)
        while n := GAME.expand(setup, state, actions, values):
            children = [(int(actions[i]), values[i]) for i in range(n)]
            for action, value in children:
                GAME.apply(setup, state, action, after)
                assert GAME.evaluate(setup, after) == pytest.approx(value)
            GAME.apply(setup, state, random.Random(seed).choice(children)[0], state)


def test_a_cell_is_apart_if_its_colour_is_neither_beside_nor_again_in_its_column():
    cases = {(0, 0x12, 0): 2, (0, 0x121, 0): 1, (1, 0x12, 0): 1, (1, 0x12, 0x52): 0, (5, 0, 3): 0}
    for columns, n in cases.items():
        left, counts, right = map(count_colours, columns)
        assert parts_apart(counts, left, right) == n * APART_UNIT
