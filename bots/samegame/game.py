"""SameGame as searches know it: an evaluation from the colours' counts and their neighbourhoods."""

from typing import NamedTuple

from shared.core.bits import count_bits, lowest_bit
from shared.core.game import SoloGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below
from shared.games.samegame.game import GAME as RULES
from shared.games.samegame.sim import (
    CLEARED,
    ONES,
    digit_at,
    equal_cells,
    find_region,
    legal,
    occupied,
    without,
)
from shared.games.samegame.state import (
    ACTIONS,
    DIGIT,
    LISTED,
    N_CELLS,
    N_COLOURS,
    REGION,
    SCORE,
    SETUP_SIZE,
    SIDE,
    new_setup,
)


class Weights(NamedTuple):
    """The value of a position beside its score, in points.

    most: share of (n - 2)^2 for the most frequent colour, which good games leave for the end (the
    taboo colour of Schadd and others). others: share for other colours. single: lost for a cell
    without a neighbour of its colour. region: lost for a region of a full board, and `late`
    more on an empty one. apart: lost for a column's only cell of a colour that neither column
    beside it has.
    """

    most: float = 0.878
    others: float = 0.311
    single: float = 25.0
    region: float = 50.0
    late: float = 15.0
    apart: float = 60.0


@inline
def square(n):
    """Returns (n - 2)^2 for n cells of a colour, 0 for n < 2."""
    return (n - 2) * (n - 2) if n > 2 else 0


@inline
def best_square(n_1, n_2, n_3, n_4, n_5):
    """Returns the square of the greatest n."""
    return square(max(n_1, n_2, n_3, n_4, n_5))


# Three numbers of a column or a board in one: cells without a neighbour of their colour, regions,
# and cells apart.
REGION_UNIT, APART_UNIT = 1 << 16, 1 << 32
PART = REGION_UNIT - 1


@inline
def parts_of_column(column, above, left, right, above_beside):
    """Returns a column's lone cells and regions, as one number.

    above: cells like the cell above; left, right: like the cell in that column; above_beside:
    `above` of the column to the right. Regions are counted by Euler's formula as cells - pairs +
    squares of four, where a pair belongs to its lower or left cell; a region around another one,
    which is rare, is not counted.
    """
    cells = occupied(column)
    n_lone = count_bits(cells & ~(above | above << DIGIT | right | left))
    n_regions = count_bits(cells) - count_bits(above) - count_bits(right)
    n_regions += count_bits(above & above_beside & right)
    return n_lone + REGION_UNIT * n_regions


@inline
def count_colours(column):
    """Returns a column's number of cells of each colour, eight bits a colour."""
    bit_0, bit_1, bit_2 = column & ONES, column >> 1 & ONES, column >> 2 & ONES
    counts = count_bits(bit_0 & ~bit_1 & ~bit_2)
    counts |= count_bits(bit_1 & ~bit_0) << 8
    counts |= count_bits(bit_1 & bit_0) << 16
    counts |= count_bits(bit_2 & ~bit_0) << 24
    return counts | count_bits(bit_2 & bit_0) << 32


# Added to counts of colours: the highest bit of each that is at least one, or two
ONE_OR_MORE, TWO_OR_MORE, HIGHEST = 0x7F7F7F7F7F, 0x7E7E7E7E7E, 0x8080808080


@inline
def parts_apart(counts, left, right):
    """Returns a column's cells apart as a part, from the counts of colours of three columns."""
    single = (counts + ONE_OR_MORE) & ~(counts + TWO_OR_MORE)
    beside = (left + ONE_OR_MORE) | (right + ONE_OR_MORE)
    return APART_UNIT * count_bits(single & ~beside & HIGHEST)


# Scratch space of `expand`, where samples have their actions
PARTS, PAIRED, ABOVE = ACTIONS, ACTIONS + SIDE + 1, ACTIONS + 2 * SIDE + 1
COUNTS = ACTIONS + 3 * SIDE + 1


@inline
def note_columns(setup, state):
    """Write for each column: parts of the columns before it, cells with a neighbour above or to the
    right, cells with one above, counts of colours. Returns (number of columns, all counts of
    colours).
    """
    column, left, parts, total, x = state[0], 0, 0, 0, 0
    counts, counts_left = count_colours(column), 0
    above = equal_cells(column, column >> DIGIT)
    setup[PARTS] = 0
    while x < SIDE and column:
        beside = state[x + 1] if x + 1 < SIDE else 0
        right = equal_cells(column, beside)
        above_beside = equal_cells(beside, beside >> DIGIT)
        counts_beside = count_colours(beside)
        parts += parts_of_column(column, above, left, right, above_beside)
        parts += parts_apart(counts, counts_left, counts_beside)
        total += counts
        setup[PARTS + x + 1], setup[PAIRED + x] = parts, above | right
        setup[ABOVE + x], setup[COUNTS + x] = above, counts
        column, left, above, x = beside, right, above_beside, x + 1
        counts, counts_left = counts_beside, counts
    return x, total


@inline
def parts_without_region(setup, state, first, last, n_columns):
    """Returns (parts, number of columns) of the board without the region in setup.

    Only the columns from the one before the region to the one behind it change.
    """
    start, end = max(first - 1, 0), min(last + 1, n_columns)
    parts = setup[PARTS + n_columns] - setup[PARTS + end] + setup[PARTS + start]
    column = above = left = counts = counts_left = 0
    if first > 0:
        column, above, counts = state[start], setup[ABOVE + start], setup[COUNTS + start]
        if start > 0:
            left = equal_cells(state[start - 1], column)
            counts_left = setup[COUNTS + start - 1]
    n_left = n_columns
    for x in range(first, end):
        if x < last:
            beside = without(state[x], setup[REGION + x])
            if beside == 0:
                n_left -= 1
                continue
            above_beside = equal_cells(beside, beside >> DIGIT)
            counts_beside = count_colours(beside)
        else:
            beside, above_beside = state[x], setup[ABOVE + x]
            counts_beside = setup[COUNTS + x]
        right = equal_cells(column, beside)
        parts += parts_of_column(column, above, left, right, above_beside)
        parts += parts_apart(counts, counts_left, counts_beside)
        column, left, above = beside, right, above_beside
        counts, counts_left = counts_beside, counts
    beside = right = above_beside = counts_beside = 0
    if end < n_columns:
        beside, above_beside = state[end], setup[ABOVE + end]
        counts_beside = setup[COUNTS + end]
        right = equal_cells(column, beside)
    parts += parts_of_column(column, above, left, right, above_beside)
    return parts + parts_apart(counts, counts_left, counts_beside), n_left


def make_game(weights: Weights) -> SoloGame:
    """Returns the game evaluated by these weights."""
    most, others, single, region, late, apart = weights

    @inline
    def weigh(points, total, greatest, n_cells, parts):
        """Returns a board's value. total, greatest: sum and maximum of the colours' squares."""
        value = points + others * total + (most - others) * greatest
        removed = (N_CELLS - n_cells) * (1.0 / N_CELLS)
        n_lone, n_regions, n_apart = parts & PART, parts >> 16 & PART, parts >> 32
        value -= single * n_lone + apart * n_apart
        return value - (region + late * removed) * n_regions

    @inline
    def evaluate(setup, state):
        """Returns the score, plus colours' expected points, minus losses for parts."""
        column, left, parts, total_counts = state[0], 0, 0, 0
        counts, counts_left = count_colours(column), 0
        above = equal_cells(column, column >> DIGIT)
        for x in range(SIDE):
            if column == 0:
                break
            beside = state[x + 1] if x + 1 < SIDE else 0
            right = equal_cells(column, beside)
            above_beside = equal_cells(beside, beside >> DIGIT)
            counts_beside = count_colours(beside)
            parts += parts_of_column(column, above, left, right, above_beside)
            parts += parts_apart(counts, counts_left, counts_beside)
            total_counts += counts
            column, left, above = beside, right, above_beside
            counts, counts_left = counts_beside, counts
        counts = total_counts
        n_1, n_2, n_3 = counts & 255, counts >> 8 & 255, counts >> 16 & 255
        n_4, n_5 = counts >> 24 & 255, counts >> 32
        total = square(n_1) + square(n_2) + square(n_3) + square(n_4) + square(n_5)
        greatest = best_square(n_1, n_2, n_3, n_4, n_5)
        return weigh(state[SCORE], total, greatest, n_1 + n_2 + n_3 + n_4 + n_5, parts)

    @inline
    def expand(setup, state, actions, values):
        """Write the legal actions and the evaluations after them; returns their number.

        An evaluation differs from the position's own by a few columns: so this takes a third of the
        time of `apply` and `evaluate` for each action.
        """
        n_columns, counts = note_columns(setup, state)
        n_1, n_2, n_3 = counts & 255, counts >> 8 & 255, counts >> 16 & 255
        n_4, n_5 = counts >> 24 & 255, counts >> 32
        n_cells = n_1 + n_2 + n_3 + n_4 + n_5
        total = square(n_1) + square(n_2) + square(n_3) + square(n_4) + square(n_5)
        first_most = max(n_1, n_2, n_3, n_4, n_5)
        n_with_most, second_most = 0, 0
        for i in range(N_COLOURS):
            n = counts >> 8 * i & 255
            if n == first_most:
                n_with_most += 1
            else:
                second_most = max(second_most, n)
        if n_with_most > 1:
            second_most = first_most
        n_actions = 0
        for x in range(n_columns):
            setup[LISTED + x] = 0
        for x in range(n_columns):
            cells = setup[PAIRED + x] & ~setup[LISTED + x]
            while cells:
                bit = cells & -cells
                y = lowest_bit(bit) // DIGIT
                first, last = find_region(setup, state, SIDE * x + y)
                size = 0
                for i in range(first, last):
                    size += count_bits(setup[REGION + i])
                    setup[LISTED + i] |= setup[REGION + i]
                cells &= ~setup[LISTED + x]
                n = counts >> 8 * (digit_at(state[x], y) - 1) & 255
                greatest = max(n - size, second_most if n == first_most else first_most)
                parts, n_left = parts_without_region(setup, state, first, last, n_columns)
                points = state[SCORE] + (size - 2) * (size - 2) + (CLEARED if n_left == 0 else 0)
                actions[n_actions] = SIDE * x + y
                values[n_actions] = weigh(
                    points,
                    total - square(n) + square(n - size),
                    square(greatest),
                    n_cells - size,
                    parts,
                )
                n_actions += 1
        return n_actions

    return RULES._replace(evaluate=evaluate, expand=expand)


TABOO = SETUP_SIZE  # the place in setup of the digit that samples leave for the end, 0 for none
N_CODES = (N_COLOURS + 1) * N_CELLS


def new_taboo_setup(state):
    """Returns a setup with a position's most frequent colour as taboo."""
    digits = [int(state[x]) >> DIGIT * y & 15 for x in range(SIDE) for y in range(SIDE)]
    return int_buffer([*new_setup(), max(range(1, N_COLOURS + 1), key=digits.count)])


@inline
def sample_but_taboo(setup, state, rng):
    """Returns a random region of another colour than the taboo colour, of that colour if there is
    no other (the TabuColorRandom policy of Schadd and others).
    """
    n = legal(setup, state, setup, ACTIONS)
    n_others = 0
    for i in range(ACTIONS, ACTIONS + n):
        if digit_at(state[setup[i] // SIDE], setup[i] % SIDE) != setup[TABOO]:
            n_others += 1
    if n_others == 0:
        return setup[ACTIONS + random_below(rng, n)]
    i, left = ACTIONS - 1, random_below(rng, n_others)
    while left >= 0:
        i += 1
        if digit_at(state[setup[i] // SIDE], setup[i] % SIDE) != setup[TABOO]:
            left -= 1
    return setup[i]


@inline
def code(setup, state, action):
    """Returns a code for colour and first cell."""
    return digit_at(state[action // SIDE], action % SIDE) * N_CELLS + action


SAMPLED_GAME = RULES._replace(sample=sample_but_taboo, code=code, n_codes=N_CODES)
