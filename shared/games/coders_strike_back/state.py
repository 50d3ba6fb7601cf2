"""The state of Coders Strike Back as one flat float64 buffer, and the course as another.

    state    x[4] y[4] vx[4] vy[4] angle[4] next[4] shield[4] boosted[4] won[4] timeout[2] turn
    setup    n, then x and y of each of the n gates: the checkpoints of every lap, then the first;
             length[n], the way from the start to each gate along the course; for an evaluation
             role[4] and a point to block for each player; a memo of (angle, cosine, sine);
             the number of collisions in the last turn, then (time, pod, pod, x, y) of each

Pods 0 and 1 are player 0's. Units: game units, turns, radians (0 east, growing towards south).
`next` is the gate to pass, from 1; `shield` the turns without thrust, 4 on the turn it is raised;
`boosted` and `won` are 0 or 1; `timeout` the turns a player still has to pass a gate.
"""

import math

from ...core.jit import float_buffer, njit

N_PODS = 4
N_PLAYERS = 2
X, Y, VX, VY, ANGLE, NEXT, SHIELD, BOOSTED, WON = range(0, 9 * N_PODS, N_PODS)
TIMEOUT = 9 * N_PODS
TURN = TIMEOUT + N_PLAYERS
STATE_SIZE = TURN + 1

N_GATES, GATES = 0, 1
MAX_GATES = 8 * 3 + 1
LENGTHS = GATES + 2 * MAX_GATES
ROLES = LENGTHS + MAX_GATES
BLOCK_POINTS = ROLES + N_PODS
HEADINGS = BLOCK_POINTS + 2 * N_PLAYERS
N_HEADINGS = 256  # a power of two
COLLISIONS = HEADINGS + 3 * N_HEADINGS
SETUP_SIZE = COLLISIONS + 1

START_OFFSETS = (500, -500, 1500, -1500)
BLOCKER, RUNNER = 0, 1  # roles of a pod
TIMEOUT_TURNS = 100
TIMEOUT_OF_PASS = TIMEOUT_TURNS + 1  # the turn of the pass counts down as well
UNORIENTED = -math.pi / 180.0  # the protocol shows it as -1 degrees


@njit
def copy_state(source, target):
    for i in range(STATE_SIZE):
        target[i] = source[i]


def new_setup(checkpoints, laps, recorded_collisions=0):
    """Returns a race's setup. Raises ValueError if the course is too long.

    recorded_collisions: the capacity for a turn's collisions.
    """
    if len(checkpoints) * laps >= MAX_GATES:
        raise ValueError(
            f"{len(checkpoints)} checkpoints in {laps} laps: at most {MAX_GATES} gates fit"
        )
    gates = list(checkpoints) * laps + [checkpoints[0]]
    setup = float_buffer(SETUP_SIZE + 5 * recorded_collisions)
    setup[N_GATES] = len(gates)
    for i, (x, y) in enumerate(gates):
        setup[GATES + 2 * i] = x
        setup[GATES + 2 * i + 1] = y
    for i in range(1, len(gates)):
        setup[LENGTHS + i] = setup[LENGTHS + i - 1] + math.dist(gates[i - 1], gates[i])
    for i in range(N_HEADINGS):
        setup[HEADINGS + 3 * i] = math.nan
    return setup


def new_state(checkpoints):
    """Returns a start state (section 1)."""
    state = float_buffer(STATE_SIZE)
    (x, y), (next_x, next_y) = checkpoints[:2]
    length = math.sqrt((next_x - x) ** 2 + (next_y - y) ** 2)
    across_x = (next_y - y) / length
    across_y = (next_x - x) / length
    for pod, offset in enumerate(START_OFFSETS):
        state[X + pod] = math.floor(x + across_x * offset + 0.5)
        state[Y + pod] = math.floor(y - across_y * offset + 0.5)
        state[ANGLE + pod] = UNORIENTED
        state[NEXT + pod] = 1
    for player in range(N_PLAYERS):
        state[TIMEOUT + player] = TIMEOUT_TURNS
    return state
