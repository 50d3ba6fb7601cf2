"""Small simultaneous games with known best play, for the tests of searches.

They are selected by numbers in `setup`, so that one compiled search serves many of them.
"""

from shared.core.game import SimultaneousGame
from shared.core.jit import Ints, float_buffer, inline
from shared.core.rng import random_below

N_ACTIONS = 3


@inline
def three_actions(setup, state, agent, actions):
    """Actions 0, 1 and 2 for every agent, always."""
    for action in range(N_ACTIONS):
        actions[action] = action
    return N_ACTIONS


@inline
def sample(setup, state, agent, rng):
    """Any of the three."""
    return random_below(rng, N_ACTIONS)


# A matrix game: one turn; setup float64[3, 3, 2] holds both agents' payoffs for each
# pair of actions.


@inline
def matrix_apply(setup, state, joint_action):
    state[0] = joint_action[0] * N_ACTIONS + joint_action[1]
    state[1] = 1.0


@inline
def matrix_is_over(setup, state):
    return state[1] > 0.0


@inline
def matrix_evaluate(setup, state, scores):
    cell = int(state[0])
    scores[0] = setup[2 * cell]
    scores[1] = setup[2 * cell + 1]


MATRIX_GAME = SimultaneousGame(
    n_agents=2,
    max_actions=N_ACTIONS,
    state_size=2,
    legal=three_actions,
    sample=sample,
    apply=matrix_apply,
    is_over=matrix_is_over,
    evaluate=matrix_evaluate,
)


def payoffs(rows):
    """The setup of a matrix game from rows of (payoff 0, payoff 1)."""
    return float_buffer([number for row in rows for cell in row for number in cell])


# A corridor: agents 0 and 1 walk back, stay or go on (actions 0, 1, 2), each aims to be ahead of
# the other. Agent 2, the helper, walks on a line of its own and shares agent 0's aim. A door at
# DOOR stops agent 0 unless the helper stands on the plate at PLATE in that turn; setup[0] is 1 if
# there is a door, setup[1] is the helper's cost of a step.

DOOR, PLATE = 2, 2


@inline
def corridor_apply(setup, state, joint_action):
    state[2] += joint_action[2] - 1
    if joint_action[2] != 1:
        state[3] += setup[1]
    closed = setup[0] > 0.0 and state[2] != PLATE
    if not (closed and state[0] == DOOR and joint_action[0] == 2):
        state[0] += joint_action[0] - 1
    state[1] += joint_action[1] - 1


@inline
def corridor_is_over(setup, state):
    return False


@inline
def corridor_evaluate(setup, state, scores):
    lead = state[0] - state[1]
    scores[0] = lead
    scores[1] = -lead
    scores[2] = lead - state[3]


CORRIDOR = SimultaneousGame(
    n_agents=3,
    max_actions=N_ACTIONS,
    state_size=4,
    legal=three_actions,
    sample=sample,
    apply=corridor_apply,
    is_over=corridor_is_over,
    evaluate=corridor_evaluate,
)


# A prize in one of three boxes, behind a door; its state is the turn, the score of agent 0, and the
# box. In the first turn agent 0 stays outside (action 0), which is worth nothing, or goes in; in
# the second it opens a box, which is worth 1 or -1. Agent 1 has no influence.


@inline
def boxes_apply(setup, state, joint_action):
    if state[0] == 1:
        state[1] = 1 if joint_action[0] == state[2] else -1
    state[0] = 1 if state[0] == 0 and joint_action[0] > 0 else 2


@inline
def boxes_are_over(setup, state):
    return state[0] == 2


@inline
def boxes_evaluate(setup, state, scores):
    scores[0] = state[1]
    scores[1] = -state[1]


@inline
def hide_prize(setup, state):
    """The draw for agents that cannot see into the boxes; the setup is a random state."""
    state[2] = random_below(setup, N_ACTIONS)


BOXES = SimultaneousGame(
    n_agents=2,
    max_actions=N_ACTIONS,
    state_size=3,
    legal=three_actions,
    sample=sample,
    apply=boxes_apply,
    is_over=boxes_are_over,
    evaluate=boxes_evaluate,
    numbers=Ints,
)
