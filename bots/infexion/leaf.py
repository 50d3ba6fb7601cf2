"""The value of a position of Infexion to the player to move, by a small network.

Its inputs are each player's numbers of cells by power: the rules are symmetric in place and
direction, and a network of 32 units that saw every cell was no better (NOTES.md). Four hidden
units, clipped to 0..2, and a value:

    sums   = BIASES + for each cell of power p its row, OWN[p - 1] or OTHER[p - 1]
    value  = BASE + clipped sums times VALUE

A sum has 16 bits, and the four lie side by side in an int64, so that one product serves all. With
at most 49 of power on the board none overflows.

`tests/lab/infexion/leaf_network.py` trains it, with games played by `hand_crafted.py` there.
"""

from shared.core.bits import count_bits
from shared.core.jit import inline
from shared.games.infexion.state import PLANES, STONES, TURN

UNIT_BITS = 10  # a hidden unit of 1
MOST = 2 << UNIT_BITS
LANE_BITS = 16


def side_by_side(sums):
    """Pack four sums into one number, the first in the lowest bits."""
    return sum(one << LANE_BITS * i for i, one in enumerate(sums))


# As printed by the training; rows of powers 1 to 6. A power's lead is worth some 30 points.
OWN = tuple(
    side_by_side(row)
    for row in (
        (-18, -7, 85, 12),
        (-71, -105, 119, -78),
        (-115, -90, 203, -137),
        (-148, -239, 210, -207),
        (-242, -244, 216, -292),
        (-239, -297, 325, -358),
    )
)
OTHER = tuple(
    side_by_side(row)
    for row in (
        (48, 47, 4, 38),
        (109, 101, -58, 126),
        (178, 148, -101, 190),
        (228, 177, -169, 276),
        (200, 241, -237, 304),
        (343, 350, -250, 425),
    )
)
BIASES = side_by_side((454, 565, 514, 316))
VALUE = (-471, -370, 638, -499)
BASE = 266


@inline
def cells_by_power(state):
    """The cells of power 1 to 6, six masks."""
    ones, twos, fours = state[PLANES], state[PLANES + 1], state[PLANES + 2]
    return (
        ones & ~twos & ~fours,
        twos & ~ones & ~fours,
        ones & twos,
        fours & ~ones & ~twos,
        fours & ones,
        fours & twos,
    )


@inline
def sum_rows(cells, powers, rows):
    """The sum of the rows of a player's cells."""
    return (
        count_bits(cells & powers[0]) * rows[0]
        + count_bits(cells & powers[1]) * rows[1]
        + count_bits(cells & powers[2]) * rows[2]
        + count_bits(cells & powers[3]) * rows[3]
        + count_bits(cells & powers[4]) * rows[4]
        + count_bits(cells & powers[5]) * rows[5]
    )


@inline
def clipped(one):
    return min(max(one, 0), MOST)


@inline
def lowest(sums):
    """The lowest of the packed sums."""
    half = 1 << LANE_BITS - 1
    return ((sums + half) & ((1 << LANE_BITS) - 1)) - half


@inline
def evaluate(setup, state):
    """The position's value to the player to move."""
    own = state[STONES + (state[TURN] & 1)]
    other = state[STONES + 1 - (state[TURN] & 1)]
    powers = cells_by_power(state)
    sums = BIASES + sum_rows(own, powers, OWN) + sum_rows(other, powers, OTHER)
    value = 0
    for i in range(len(VALUE)):
        one = lowest(sums)
        value += clipped(one) * VALUE[i]
        sums = (sums - one) >> LANE_BITS
    return BASE + (value >> UNIT_BITS)
