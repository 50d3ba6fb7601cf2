"""Infexion for the report's agents ("COMP30024 Project: Part B", N. Chiorsac
and V. Luu, 2023).

Its evaluation is 6 * power / rival's power + cells / rival's cells, always in the view of the
player whose turn it is at the root, `setup[VIEWER]`. A position after the root's turn,
`setup[ROOT_TURN]`, counts as won once the rival has no cell, whatever the power, and from the first
turn on; after turn 343 the evaluation counts.
"""

from shared.core.bits import count_bits
from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer
from shared.games.infexion.sim import (
    N_ACTIONS,
    apply,
    key,
    legal,
    power_within,
    sample,
    to_move,
)
from shared.games.infexion.state import (
    BLUE,
    MAX_TURNS,
    RED,
    SETUP_SIZE,
    STATE_SIZE,
    STONES,
    TURN,
    new_setup,
)

VIEWER, ROOT_TURN = SETUP_SIZE, SETUP_SIZE + 1  # of the root, after the rules' setup
POWER_WEIGHT = 6
# Evaluations are floats from below 0.02 to 342. As multiples of 2**-52 those from 1 on stay exact.
UNIT = 1 << 52


def new_report_setup(viewer):
    """Returns the setup with a viewer of evaluations, and no root."""
    return int_buffer([*new_setup(), viewer, -1])


@inline
def is_settled(setup, state):
    """True if a side has no cell after the root."""
    alone = state[STONES + RED] == 0 or state[STONES + BLUE] == 0
    return alone and state[TURN] > setup[ROOT_TURN]


@inline
def report_result(setup, state):
    """Returns 1 or -1 for the mover: the viewer wins once its rival has no cell."""
    viewer = setup[VIEWER]
    won = state[STONES + 1 - viewer] == 0
    return 1 if won == ((state[TURN] & 1) == viewer) else -1


@inline
def report_evaluate(setup, state):
    """Returns the evaluation in units of 2**-52, negated if the viewer's rival moves."""
    viewer = setup[VIEWER]
    own, other = state[STONES + viewer], state[STONES + 1 - viewer]
    value = POWER_WEIGHT * (power_within(state, own) / power_within(state, other))
    value += count_bits(own) / count_bits(other)
    scaled = int(value * UNIT)
    return scaled if (state[TURN] & 1) == viewer else -scaled


@inline
def report_legal(setup, state, actions):
    """List legal actions, none after turn 343: the evaluation counts then."""
    return legal(setup, state, actions) if state[TURN] < MAX_TURNS else 0


REPORT_GAME = AlternatingGame(
    max_actions=N_ACTIONS,
    state_size=STATE_SIZE,
    to_move=to_move,
    legal=report_legal,
    sample=sample,
    apply=apply,
    is_over=is_settled,
    result=report_result,
    evaluate=report_evaluate,
    key=key,
)
