"""A game of a given number of plies, in each interface of a game to a search: an action, 0 or 1,
adds 2 or 1 to the mover's points.

A state is int64[4]: the plies that are left, the points of both players, who moves. The functions
are for plain Python alone.
"""

from shared.core.game import AlternatingGame, SequentialGame, SimultaneousGame, SoloGame, TurnGame
from shared.core.jit import Ints
from shared.core.rng import random_below

LEFT, POINTS, MOVER, SIZE = 0, 1, 3, 4


def to_move(setup, state):
    return state[MOVER]


def legal(setup, state, actions):
    actions[0], actions[1] = 0, 1
    return 2


def sample(setup, state, rng):
    return random_below(rng, 2)


def apply(setup, state, action, after):
    mover = state[MOVER]
    for place in range(SIZE):
        after[place] = state[place]
    after[LEFT] -= 1
    after[POINTS + mover] += 2 - action
    after[MOVER] = 1 - mover


def is_over(setup, state):
    return state[LEFT] == 0


def lead(setup, state):
    """The points of the player to move before the other's."""
    return state[POINTS + state[MOVER]] - state[POINTS + 1 - state[MOVER]]


def result(setup, state):
    points = lead(setup, state)
    return (points > 0) - (points < 0)


def evaluate_each(setup, state, scores):
    for player in range(2):
        scores[player] = state[POINTS + player] - state[POINTS + 1 - player]


def key(setup, state):
    return 1 + state[LEFT] + 64 * (state[POINTS] + 64 * (state[POINTS + 1] + 64 * state[MOVER]))


def score(setup, state):
    return state[POINTS] + state[POINTS + 1]


def code(setup, state, action):
    return 2 * state[LEFT] + action


def apply_all(setup, state, joint_action):
    state[LEFT] -= 1
    for agent in range(2):
        state[POINTS + agent] += 2 - joint_action[agent]


ALTERNATING = AlternatingGame(2, SIZE, to_move, legal, sample, apply, is_over, result, lead, key)
SEQUENTIAL = SequentialGame(2, 2, SIZE, to_move, legal, apply, is_over, evaluate_each, key)
TURNS = TurnGame(2, 2, SIZE, to_move, legal, sample, apply, is_over, evaluate_each, key)
SIMULTANEOUS = SimultaneousGame(
    2,
    2,
    SIZE,
    lambda setup, state, agent, actions: legal(setup, state, actions),
    lambda setup, state, agent, rng: random_below(rng, 2),
    apply_all,
    is_over,
    evaluate_each,
    Ints,
)
SOLO = SoloGame(2, SIZE, legal, sample, apply, is_over, score, score, key, code, 32)
