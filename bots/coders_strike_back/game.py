"""Coders Strike Back for searches: the few actions considered, and the evaluation.

An action is 4 * command + rotation: thrust, coast, shield, boost and left, none, right. Turning by
exactly 18 degrees keeps pods at headings in the memo of `sim.heading`.

Scores are in game units of progress along the course, plus bonuses (ideas: RULES.md, section 9):
runners race, blockers hold up the other runner. A team's pods share the runner's progress: helping
it may pay a blocker more.
"""

import math
from typing import NamedTuple

from shared.core.game import SimultaneousGame
from shared.core.jit import inline
from shared.core.rng import random_below
from shared.games.coders_strike_back.sim import (
    BOOST,
    MAX_ROTATION,
    MAX_THRUST,
    RAISE_SHIELD,
    heading,
    is_over,
    move_pods,
    steer,
    winner,
)
from shared.games.coders_strike_back.state import (
    ANGLE,
    BLOCK_POINTS,
    BLOCKER,
    BOOSTED,
    GATES,
    LENGTHS,
    N_GATES,
    N_PLAYERS,
    N_PODS,
    NEXT,
    ROLES,
    RUNNER,
    STATE_SIZE,
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
def legal(setup, state, pod, actions):
    """Write the actions to consider for a pod; returns their number. All of them are always
    legal.
    """
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
def sample(setup, state, pod, rng):
    """Returns any rotation, with thrust in three of four; no shield or boost."""
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
    """Play a turn of the pods' actions in `joint_action`."""
    for pod in range(N_PODS):
        action = joint_action[pod]
        steer(setup, state, pod, action_rotation(action), action_command(action))
    move_pods(setup, state)


# Distance before a gate at which a blocker waits.
BLOCK_DISTANCE = 1000.0


class Weights(NamedTuple):
    """The weights of an evaluation, in game units of progress.

    gate: per gate passed. heading, facing: per cosine of a runner's angle to its gate, of a
    blocker's to the other runner. win: for winning. hinder, block: share of the other runner's
    progress that a runner, a blocker loses. help: share of its runner's worth that a blocker gains.
    distance: per unit to the block point. screen: loss of a runner whose way to its gate the other
    blocker covers.
    """

    gate: float = 500.0
    heading: float = 100.0
    win: float = 5000.0
    hinder: float = 0.3
    block: float = 1.0
    help: float = 0.3
    distance: float = 0.3
    facing: float = 100.0
    screen: float = 0.0


@inline
def facing(setup, state, pod, x, y):
    """Returns the cosine of the angle between a pod's heading and a point."""
    dx = x - state[X + pod]
    dy = y - state[Y + pod]
    cosine = heading(setup, state[ANGLE + pod])
    return (setup[cosine] * dx + setup[cosine + 1] * dy) / (math.sqrt(dx * dx + dy * dy) + 1.0)


@inline
def distance(state, pod, x, y):
    dx = x - state[X + pod]
    dy = y - state[Y + pod]
    return math.sqrt(dx * dx + dy * dy)


@inline
def gate_distance(setup, state, pod, gate):
    return distance(state, pod, setup[GATES + 2 * gate], setup[GATES + 2 * gate + 1])


@inline
def progress(setup, state, pod):
    """Progress along the course in game units."""
    gate = int(state[NEXT + pod])
    return setup[LENGTHS + gate] - gate_distance(setup, state, pod, gate)


# Largest distance of a covering blocker beside a runner's way, and behind its gate.
SCREEN_WIDTH, SCREEN_BEHIND = 1400.0, 400.0


@inline
def cover(setup, state, runner, blocker):
    """Returns a blocker's cover of a runner's way to its gate, 0 to 1."""
    gate = int(state[NEXT + runner])
    dx = setup[GATES + 2 * gate] - state[X + runner]
    dy = setup[GATES + 2 * gate + 1] - state[Y + runner]
    length = math.sqrt(dx * dx + dy * dy) + 1.0
    to_x = state[X + blocker] - state[X + runner]
    to_y = state[Y + blocker] - state[Y + runner]
    along = (to_x * dx + to_y * dy) / length
    if along < 0.0 or along > length + SCREEN_BEHIND:
        return 0.0
    return max(0.0, 1.0 - abs(to_x * dy - to_y * dx) / length / SCREEN_WIDTH)


def make_evaluate(weights):
    """Make evaluate(setup, state, scores), which writes each pod's score by `weights`."""
    gate_bonus, heading_bonus, win_bonus, hinder, block, help, *others = weights
    distance_cost, facing_bonus, screen = others

    @inline
    def worth(setup, state, player, runner, rival_blocker, first):
        points = progress(setup, state, runner) + gate_bonus * state[NEXT + runner]
        if screen > 0.0:
            points -= screen * cover(setup, state, runner, rival_blocker)
        return points + win_bonus if first == player else points

    @inline
    def evaluate(setup, state, scores):
        first = winner(setup, state)
        runner_0 = 0 if setup[ROLES] == RUNNER else 1
        runner_1 = 2 if setup[ROLES + 2] == RUNNER else 3
        worth_0 = worth(setup, state, 0, runner_0, 5 - runner_1, first)
        worth_1 = worth(setup, state, 1, runner_1, 1 - runner_0, first)
        for player in range(N_PLAYERS):
            runner, rival = (runner_0, runner_1) if player == 0 else (runner_1, runner_0)
            own, other = (worth_0, worth_1) if player == 0 else (worth_1, worth_0)
            blocker = 4 * player + 1 - runner
            gate = int(state[NEXT + runner])
            ahead = facing(
                setup, state, runner, setup[GATES + 2 * gate], setup[GATES + 2 * gate + 1]
            )
            scores[runner] = own - hinder * other + heading_bonus * ahead
            post = BLOCK_POINTS + 2 * player
            scores[blocker] = (
                help * own
                - block * other
                - distance_cost * distance(state, blocker, setup[post], setup[post + 1])
                + facing_bonus * facing(setup, state, blocker, state[X + rival], state[Y + rival])
            )

    return evaluate


def assign_roles(setup, state, hysteresis):
    """Make each player's pod with more progress its runner and let the other block.

    hysteresis: the lead in units at which a blocker becomes the runner.
    """
    for player in range(N_PLAYERS):
        pods = (2 * player, 2 * player + 1)
        lead = progress(setup, state, pods[0]) - progress(setup, state, pods[1])
        if setup[ROLES + pods[0]] == RUNNER:
            lead += hysteresis
        elif setup[ROLES + pods[1]] == RUNNER:
            lead -= hysteresis
        first = lead >= 0.0
        setup[ROLES + pods[0]] = RUNNER if first else BLOCKER
        setup[ROLES + pods[1]] = BLOCKER if first else RUNNER
    for player in range(N_PLAYERS):
        blocker = 2 * player + (1 if setup[ROLES + 2 * player] == RUNNER else 0)
        rival = 2 * (1 - player) + (0 if setup[ROLES + 2 - 2 * player] == RUNNER else 1)
        set_block_point(setup, state, player, blocker, rival)


def set_block_point(setup, state, player, blocker, rival):
    """Place a blocker before the first of the rival's gates that it can reach first."""
    gate = int(state[NEXT + rival])
    last = int(setup[N_GATES]) - 1
    way = gate_distance(setup, state, rival, gate)
    while gate < last and gate_distance(setup, state, blocker, gate) > way:
        gate += 1
        way += setup[LENGTHS + gate] - setup[LENGTHS + gate - 1]
    gate_x, gate_y = setup[GATES + 2 * gate], setup[GATES + 2 * gate + 1]
    if gate == int(state[NEXT + rival]):
        from_x, from_y = state[X + rival], state[Y + rival]
    else:
        from_x, from_y = setup[GATES + 2 * gate - 2], setup[GATES + 2 * gate - 1]
    length = math.hypot(from_x - gate_x, from_y - gate_y) or 1.0
    before = min(BLOCK_DISTANCE, length / 2.0)
    setup[BLOCK_POINTS + 2 * player] = gate_x + (from_x - gate_x) / length * before
    setup[BLOCK_POINTS + 2 * player + 1] = gate_y + (from_y - gate_y) / length * before


def make_game(weights):
    """Returns the race for a search, an agent a pod."""
    return SimultaneousGame(
        n_agents=N_PODS,
        max_actions=MAX_ACTIONS,
        state_size=STATE_SIZE,
        legal=legal,
        sample=sample,
        apply=apply_actions,
        is_over=is_over,
        evaluate=make_evaluate(weights),
    )
