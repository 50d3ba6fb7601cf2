"""Hashes of positions use all their bits: keys are independent of each other."""

import pytest

from shared.core.jit import int_buffer
from shared.core.rng import KEY_BITS, write_keys
from shared.games.infexion import state as infexion
from shared.games.ultimate_tic_tac_toe import state as ultimate


def rank(keys):
    """The number of linearly independent keys under exclusive or (Gaussian elimination over
    bits).
    """
    pivots = {}
    for key in keys:
        while key and key.bit_length() in pivots:
            key ^= pivots[key.bit_length()]
        if key:
            pivots[key.bit_length()] = key
    return len(pivots)


@pytest.mark.parametrize(
    "keys",
    [infexion.new_setup()[infexion.KEYS :], ultimate.new_setup()[ultimate.KEYS :]],
    ids=["infexion", "ultimate_tic_tac_toe"],
)
def test_keys_of_a_game_span_all_bits(keys):
    """Keys derived from 32 random bits would span 32 dimensions at any length."""
    assert rank([int(key) for key in keys]) == KEY_BITS


def test_the_first_numbers_are_splitmix64s():
    """Seed 1234567: 6457827717110365317 and 3203168211198807973, without the lowest two bits."""
    keys = int_buffer(3)
    write_keys(keys, 1, 1234567)
    assert [int(key) for key in keys] == [0, 6457827717110365317 >> 2, 3203168211198807973 >> 2]
