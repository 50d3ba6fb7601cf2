"""SameGame as searches know it: an evaluation from the colours' counts and their neighbourhoods."""

from typing import NamedTuple

from shared.core.bits import count_bits
from shared.core.game import SoloGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below
from shared.games.samegame.game import GAME as RULES
from shared.games.samegame.sim import ONES, digit_at, equal_cells, legal, occupied
from shared.games.samegame.state import (
    ACTIONS,
    DIGIT,
    MAX_ACTIONS,
    N_CELLS,
    N_COLOURS,
    SCORE,
    SETUP_SIZE,
    SIDE,
    new_setup,
)


class Weights(NamedTuple):
    """The value of a position beside its score, in points.

    most: share of (n - 2)^2 for the most frequent colour, which good games leave for the end (the
    taboo colour of Schadd and others). others: the same for other colours. single: lost for a cell
    without a neighbour of its colour. region: lost for a region of a full board; late: lost
    besides on an empty one.
    """

    most: float = 0.786
    others: float = 0.294
    single: float = 36.8
    region: float = 55.0
    late: float = 5.3


@inline
def square(n):
    """(n - 2)^2 for n cells of a colour, 0 for fewer than two."""
    return (n - 2) * (n - 2) if n > 2 else 0


def make_game(weights: Weights) -> SoloGame:
    """The game with an evaluation by these weights."""
    most, others, single, region, late = weights

    @inline
    def evaluate(setup, state):
        """The score, plus expected points of colours, minus losses for their regions.

        Regions are counted by Euler's formula as cells - pairs + squares of four; a region
        around another one, which is rare, is not counted.
        """
        n_singles = n_regions = n_1 = n_2 = n_3 = n_4 = n_5 = 0
        column, left = state[0], 0
        above = equal_cells(column, column >> DIGIT)
        for x in range(SIDE):
            if column == 0:
                break
            beside = state[x + 1] if x + 1 < SIDE else 0
            right = equal_cells(column, beside)
            above_beside = equal_cells(beside, beside >> DIGIT)
            cells = occupied(column)
            n_singles += count_bits(cells & ~(above | above << DIGIT | right | left))
            n_regions += count_bits(cells) - count_bits(above) - count_bits(right)
            n_regions += count_bits(above & above_beside & right)
            bit_0, bit_1, bit_2 = column & ONES, column >> 1 & ONES, column >> 2 & ONES
            n_1 += count_bits(bit_0 & ~bit_1 & ~bit_2)
            n_2 += count_bits(bit_1 & ~bit_0)
            n_3 += count_bits(bit_1 & bit_0)
            n_4 += count_bits(bit_2 & ~bit_0)
            n_5 += count_bits(bit_2 & bit_0)
            column, left, above = beside, right, above_beside
        total = square(n_1) + square(n_2) + square(n_3) + square(n_4) + square(n_5)
        greatest = square(max(n_1, n_2, n_3, n_4, n_5))
        value = state[SCORE] + others * total + (most - others) * greatest
        removed = (N_CELLS - (n_1 + n_2 + n_3 + n_4 + n_5)) * (1.0 / N_CELLS)
        return value - single * n_singles - (region + late * removed) * n_regions

    return RULES._replace(evaluate=evaluate)


TABOO = SETUP_SIZE  # the place in setup of the digit that samples leave for the end, 0 for none
N_CODES = (N_COLOURS + 1) * N_CELLS


def new_taboo_setup(state):
    """A setup whose taboo colour is the most frequent one of a position."""
    digits = [int(state[x]) >> DIGIT * y & 15 for x in range(SIDE) for y in range(SIDE)]
    return int_buffer([*new_setup(), max(range(1, N_COLOURS + 1), key=digits.count)])


@inline
def sample_but_taboo(setup, state, rng):
    """A region of another colour than the taboo one, uniformly at random; one of that colour if
    there is no other (the TabuColorRandom policy of Schadd and others).
    """
    actions = setup[ACTIONS : ACTIONS + MAX_ACTIONS]
    n = legal(setup, state, actions)
    n_others = 0
    for i in range(n):
        action = actions[i]
        if digit_at(state[action // SIDE], action % SIDE) != setup[TABOO]:
            actions[i], actions[n_others] = actions[n_others], action
            n_others += 1
    return actions[random_below(rng, n_others if n_others > 0 else n)]


@inline
def code(setup, state, action):
    """The colour and the first cell of a region."""
    return digit_at(state[action // SIDE], action % SIDE) * N_CELLS + action


SAMPLED_GAME = RULES._replace(sample=sample_but_taboo, code=code, n_codes=N_CODES)
