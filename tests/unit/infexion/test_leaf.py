"""The network for Infexion's leaves: the packed computation equals the sums of its rows."""

from bots.infexion import leaf
from shared.core.jit import int_buffer
from shared.games.infexion.sim import MAX_TOTAL_POWER, apply, is_over, sample
from shared.games.infexion.state import (
    MAX_POWER,
    N_CELLS,
    TURN,
    new_setup,
    new_state,
    owner_at,
    power_at,
)

SETUP = new_setup()


def apart(packed):
    """Unpack four numbers from one."""
    found = []
    for _ in range(4):
        found.append((packed + (1 << 15)) % (1 << 16) - (1 << 15))
        packed = packed - found[-1] >> 16
    assert packed == 0
    return found


def plain_value(state):
    """The value by the rows, cell by cell."""
    player = int(state[TURN]) & 1
    sums = apart(leaf.BIASES)
    for cell in range(N_CELLS):
        if power_at(state, cell):
            rows = leaf.OWN if owner_at(state, cell) == player else leaf.OTHER
            row = apart(rows[power_at(state, cell) - 1])
            sums = [one + more for one, more in zip(sums, row)]
    total = sum(min(max(one, 0), leaf.MOST) * value for one, value in zip(sums, leaf.VALUE))
    return leaf.BASE + (total >> leaf.UNIT_BITS)


def test_the_value_equals_a_plain_sum_of_rows():
    for seed in range(1, 4):
        state, rng = new_state(), int_buffer([seed])
        while not is_over(SETUP, state):
            if state[TURN] % 9 == 0:
                assert leaf.evaluate(SETUP, state) == plain_value(state)
            apply(SETUP, state, sample(SETUP, state, rng), state)


def test_no_sum_leaves_its_bits():
    """The sums fit for any board on which both players' power is at most 49."""
    for unit, bias in enumerate(apart(leaf.BIASES)):
        for rows in (leaf.OWN, leaf.OTHER):
            assert len(rows) == MAX_POWER
            for power, row in enumerate(map(apart, rows), 1):
                most = abs(bias) + MAX_TOTAL_POWER * abs(row[unit]) / power
                assert most < 1 << 15
