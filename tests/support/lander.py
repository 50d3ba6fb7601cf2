"""A lander over a landscape: one agent, continuous, to come down on the flat slowly.

setup [5]  where the flat begins and ends, the height of the hill beside it, gravity, thrust
state [5]  x, y, vx, vy, 1 once it is down
"""

from shared.core.jit import float_buffer, inline
from shared.search.evolution import PlannedGame

FLAT, FLAT_END, HILL, GRAVITY, THRUST = range(5)
X, Y, VX, VY, IS_DOWN = range(5)
SAFE = 4.0  # the greatest speed of a landing


@inline
def ground(setup, x):
    """The height of the ground at x."""
    return 0.0 if setup[FLAT] <= x <= setup[FLAT_END] else setup[HILL]


@inline
def apply_genes(setup, state, genes):
    """A turn: thrust sideways by the first gene, upwards by the second."""
    state[VX] += setup[THRUST] * (2.0 * genes[0] - 1.0)
    state[VY] += setup[THRUST] * 2.0 * genes[1] - setup[GRAVITY]
    state[X] += state[VX]
    state[Y] += state[VY]
    if state[Y] <= ground(setup, state[X]):
        state[IS_DOWN] = 1.0


@inline
def is_over(setup, state):
    return state[IS_DOWN] > 0.0


@inline
def evaluate(setup, state, scores):
    """The score: higher near the flat and at low speed; 100 more for a landing."""
    middle = 0.5 * (setup[FLAT] + setup[FLAT_END])
    speed = max(abs(state[VX]), abs(state[VY]))
    score = -abs(state[X] - middle) - max(speed - SAFE, 0.0) - abs(state[Y])
    is_flat = setup[FLAT] <= state[X] <= setup[FLAT_END]
    if state[IS_DOWN] > 0.0 and is_flat and speed <= SAFE:
        score += 100.0
    scores[0] = score


GAME = PlannedGame(1, 1, 2, 5, apply_genes, is_over, evaluate)


def new_setup():
    return float_buffer([80.0, 100.0, 30.0, 1.0, 2.0])


def new_state():
    return float_buffer([20.0, 60.0, 0.0, 0.0, 0.0])
