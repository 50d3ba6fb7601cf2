"""Positions of Coders Strike Back for tests."""

from shared.core.jit import float_buffer
from shared.games.coders_strike_back import sim
from shared.games.coders_strike_back.state import (
    ANGLE,
    TURN,
    VX,
    VY,
    X,
    Y,
    new_state,
)

CHECKPOINTS = [(1000, 1000), (9000, 1000), (9000, 8000)]


def state_of(*pods, turn=1):
    """A state with pods (x, y, vx, vy) and the others far away; past the first turn, heading
    east.
    """
    state = new_state(CHECKPOINTS)
    state[TURN] = turn
    far = [(-9000, 3000 * pod, 0, 0) for pod in range(4)]
    for pod, values in enumerate([*pods, *far[len(pods) :]]):
        for field, value in zip((X, Y, VX, VY), values):
            state[field + pod] = value
        state[ANGLE + pod] = 0.0
    return state


def play(setup, state, *moves):
    """A turn in which pods get (x, y, command); those without get thrust 0 towards their own
    place.
    """
    still = [(state[X + pod], state[Y + pod], 0) for pod in range(4)]
    flat = [number for move in [*moves, *still[len(moves) :]] for number in move]
    sim.apply(setup, state, float_buffer(flat))


def pod_of(state, pod=0):
    return tuple(float(state[field + pod]) for field in (X, Y, VX, VY))
