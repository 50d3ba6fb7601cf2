"""The few actions a search tries: thrust or coast while turning, shield, boost.

An action is 4 * command + rotation: thrust, coast, shield, boost and left, none, right. Turning by
exactly 18 degrees keeps pods to headings that `sim.heading` remembers.
"""

from shared.core.jit import inline
from shared.core.rng import random_below
from shared.games.coders_strike_back.sim import (
    BOOST,
    MAX_ROTATION,
    MAX_THRUST,
    RAISE_SHIELD,
    move_pods,
    steer,
)
from shared.games.coders_strike_back.state import (
    BOOSTED,
    GATES,
    N_PODS,
    NEXT,
    ROLES,
    RUNNER,
    VX,
    VY,
    X,
    Y,
)

THRUST_ACTIONS, COAST_ACTIONS = 0, 4
SHIELD_ACTION = 9
BOOST_ACTION = 13
MAX_ACTIONS = 7

# Centres nearer than this after a turn of free flight may need a shield.
SHIELD_DISTANCE_SQUARED = 1100.0 * 1100.0
# A boost only pays on a long straight.
BOOST_DISTANCE_SQUARED = 4000.0 * 4000.0


@inline
def contact_is_near(state, pod):
    x = state[X + pod] + state[VX + pod]
    y = state[Y + pod] + state[VY + pod]
    for other in range(N_PODS):
        dx = state[X + other] + state[VX + other] - x
        dy = state[Y + other] + state[VY + other] - y
        if other != pod and dx * dx + dy * dy < SHIELD_DISTANCE_SQUARED:
            return True
    return False


@inline
def boost_pays(setup, state, pod):
    if state[BOOSTED + pod] != 0.0 or setup[ROLES + pod] != RUNNER:
        return False
    gate = int(state[NEXT + pod])
    dx = setup[GATES + 2 * gate] - state[X + pod]
    dy = setup[GATES + 2 * gate + 1] - state[Y + pod]
    return dx * dx + dy * dy > BOOST_DISTANCE_SQUARED


@inline
def legal_actions(setup, state, pod, actions):
    """Write what is worth trying for a pod; returns how many. All of it is always legal."""
    for rotation in range(3):
        actions[rotation] = THRUST_ACTIONS + rotation
    actions[3] = COAST_ACTIONS
    actions[4] = COAST_ACTIONS + 2
    n = 5
    if contact_is_near(state, pod):
        actions[n] = SHIELD_ACTION
        n += 1
    if boost_pays(setup, state, pod):
        actions[n] = BOOST_ACTION
        n += 1
    return n


@inline
def sample_action(setup, state, pod, rng):
    """Any rotation, with thrust three times out of four; never a shield or a boost."""
    action = random_below(rng, 3)
    return action + (COAST_ACTIONS if random_below(rng, 4) == 0 else THRUST_ACTIONS)


@inline
def action_rotation(action):
    return ((action & 3) - 1) * MAX_ROTATION


@inline
def action_command(action):
    if action < COAST_ACTIONS:
        return MAX_THRUST
    if action < SHIELD_ACTION - 1:
        return 0
    return RAISE_SHIELD if action == SHIELD_ACTION else BOOST


@inline
def apply_actions(setup, state, joint_action):
    """One turn in which each pod does its action of `joint_action`."""
    for pod in range(N_PODS):
        action = joint_action[pod]
        steer(setup, state, pod, action_rotation(action), action_command(action))
    move_pods(setup, state)
