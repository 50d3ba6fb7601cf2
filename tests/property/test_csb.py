"""Properties of the simulator of Coders Strike Back that hold in any position."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.core.jit import njit
from shared.games.coders_strike_back import sim
from shared.games.coders_strike_back.state import (
    ANGLE,
    SHIELD,
    TURN,
    VX,
    VY,
    X,
    Y,
    new_setup,
    new_state,
)
from tests.property import literal_csb

pytestmark = pytest.mark.slow("draws many positions, beside golden games")

CHECKPOINTS = [(3000, 3000), (5000, 3500), (4000, 5200)]

# Close together and fast, so that most turns have collisions, several of them, and gates.
coordinate = st.integers(2000, 6000)
speed = st.integers(-1500, 1500) | st.integers(-20, 20)
pod = st.tuples(
    coordinate,
    coordinate,
    speed,
    speed,
    st.floats(-30, 30).filter(lambda angle: abs(angle) > 1e-9),
    st.sampled_from([0, 0, 1, 3, 4]),
)
positions = st.lists(pod, min_size=4, max_size=4, unique_by=lambda values: values[:2])
thrusts = st.lists(st.integers(0, 200), min_size=4, max_size=4)

move_pods = njit(lambda setup, state: sim.move_pods(setup, state))
accelerate = njit(lambda setup, state, pod, thrust: sim.accelerate(setup, state, pod, thrust))


def state_from(pods):
    state = new_state(CHECKPOINTS)
    state[TURN] = 5
    for i, values in enumerate(pods):
        for field, value in zip((X, Y, VX, VY, ANGLE, SHIELD), values):
            state[field + i] = value
    return state


@settings(max_examples=500, deadline=None)
@given(positions, thrusts)
def test_short_cuts_change_no_bit(pods, thrusts):
    setup = new_setup(CHECKPOINTS, 3)
    fast = state_from(pods)
    plain = [float(number) for number in fast]
    for i, thrust in enumerate(thrusts):
        accelerate(setup, fast, i, thrust)
        if thrust:
            plain[VX + i] += math.cos(plain[ANGLE + i]) * thrust
            plain[VY + i] += math.sin(plain[ANGLE + i]) * thrust
    move_pods(setup, fast)
    literal_csb.move(setup, plain)
    assert [float(number) for number in fast] == plain
