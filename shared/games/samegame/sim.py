"""The rules of SameGame on columns of digits (`state.py`), all cells of a column at once."""

from ...core.bits import count_bits, lowest_bit
from ...core.jit import inline, njit
from ...core.rng import random_below
from ...games.samegame.state import (
    ACTIONS,
    DIGIT,
    LIKE,
    LISTED,
    REGION,
    SCORE,
    SIDE,
)

ONES = 0x111111111111111  # a whole column's cells
CLEARED = 1000  # points for an empty board (RULES.md, section 2)
HASH_MASK = (1 << 62) - 1
HASH_FACTOR = 0x2545F4914F6CDD1D & HASH_MASK


@inline
def occupied(digits):
    """Returns the set of cells with digits not 0."""
    digits |= digits >> 1
    digits |= digits >> 2
    return digits & ONES


@inline
def equal_cells(one, other):
    """Returns the cells of equal colour in two columns."""
    return ~occupied(one ^ other) & occupied(one)


@inline
def colour_cells(column, digit):
    """Returns the cells of a column with a colour. digit: the colour, from 1 on."""
    return ~occupied(column ^ digit * ONES) & ONES


@inline
def digit_at(column, y):
    """Read a cell's digit."""
    return column >> DIGIT * y & 15


@inline
def spread(cells, like):
    """Returns the runs of `like` with any of `cells`."""
    grown = (cells | cells << DIGIT | cells >> DIGIT) & like
    while grown != cells:
        cells = grown
        grown = (cells | cells << DIGIT | cells >> DIGIT) & like
    return cells


@njit
def find_region(setup, state, action):
    """Write the region of a cell that is not empty into setup, column by column.

    Returns its first column and its last column + 1.
    """
    start = action // SIDE
    digit = digit_at(state[start], action % SIDE)
    setup[LIKE + start] = colour_cells(state[start], digit)
    setup[REGION + start] = spread(1 << DIGIT * (action % SIDE), setup[LIKE + start])
    first, last = start, start + 1
    grown = 1 << start  # the columns from which it may spread to their neighbours
    while grown:
        x = lowest_bit(grown)
        grown &= grown - 1
        cells = setup[REGION + x]
        for side in range(2):
            beside = x + 2 * side - 1
            if beside < 0 or beside == SIDE:
                continue
            if beside < first or beside >= last:
                like = colour_cells(state[beside], digit)
                if cells & like == 0:
                    continue
                setup[LIKE + beside] = like
                setup[REGION + beside] = 0
                first, last = min(first, beside), max(last, beside + 1)
            found = cells & setup[LIKE + beside]
            if found & ~setup[REGION + beside]:
                found |= setup[REGION + beside]
                setup[REGION + beside] = spread(found, setup[LIKE + beside])
                grown |= 1 << beside
    return first, last


@inline
def paired_cells(state, x):
    """Returns a column's cells that match the cell above or to the right."""
    column = state[x]
    cells = equal_cells(column, column >> DIGIT)
    if x + 1 < SIDE:
        cells |= equal_cells(column, state[x + 1])
    return cells


@njit
def legal(setup, state, actions, start=0):
    """Write the first cell of each region of two or more cells from actions[start] on, by column.
    Returns their number.
    """
    n = 0
    for x in range(SIDE):
        setup[LISTED + x] = 0
    for x in range(SIDE):
        if state[x] == 0:
            break
        # The first cell of a region has its neighbour above or to the right.
        cells = paired_cells(state, x) & ~setup[LISTED + x]
        while cells:
            bit = cells & -cells
            action = SIDE * x + lowest_bit(bit) // DIGIT
            first, last = find_region(setup, state, action)
            for i in range(first, last):
                setup[LISTED + i] |= setup[REGION + i]
            cells &= ~setup[LISTED + x]
            actions[start + n] = action
            n += 1
    return n


@inline
def sample(setup, state, rng):
    """Draw an action uniformly."""
    return setup[ACTIONS + random_below(rng, legal(setup, state, setup, ACTIONS))]


@inline
def without(column, cells):
    """Returns a column after cells were removed and cells above fell."""
    while cells:
        bit = cells & -cells
        column = column & bit - 1 | column >> DIGIT & -bit
        cells = (cells ^ bit) >> DIGIT
    return column


@njit
def apply(setup, state, action, after):
    """Remove a region, drop cells, move columns left, add points."""
    first, last = find_region(setup, state, action)
    size, n_columns = 0, first
    for x in range(first):
        after[x] = state[x]
    for x in range(first, SIDE):
        column = state[x]
        if x < last:
            size += count_bits(setup[REGION + x])
            column = without(column, setup[REGION + x])
        if column:
            after[n_columns] = column
            n_columns += 1
    for x in range(n_columns, SIDE):
        after[x] = 0
    after[SCORE] = state[SCORE] + (size - 2) * (size - 2) + (CLEARED if n_columns == 0 else 0)


@inline
def is_over(setup, state):
    """Returns True if no region is left."""
    x = 0
    while x < SIDE and paired_cells(state, x) == 0:
        x += 1
    return x == SIDE


@inline
def score(setup, state):
    """Returns the score."""
    return state[SCORE]


@inline
def key(setup, state):
    """Hash the board without the score."""
    mixed = 0
    for x in range(SIDE):
        mixed = (mixed ^ state[x]) * HASH_FACTOR & HASH_MASK
        mixed ^= mixed >> 29
    return mixed


def is_legal(setup, state, action):
    """Returns True if action 0..224 names a cell of a region of two or more cells."""
    if digit_at(int(state[action // SIDE]), action % SIDE) == 0:
        return False
    first, last = find_region(setup, state, action)
    return sum(int(setup[REGION + x]).bit_count() for x in range(first, last)) > 1
