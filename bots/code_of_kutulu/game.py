"""Code of Kutulu for searches: the actions considered, and the evaluation.

    setup  int64[SETUP_SIZE]  the maze (`maze.py`), then the first turn of the search, each cell's
        distance to the exit of its dead end, and for each cell the set of cells that a wanderer
        there can step on, and the set that a slasher there can rush to
    state  int64[BOT_STATE_SIZE]  the state, then the set of cells threatened by the next turn

A set of cells is 4 words of 64 bits, a bit for each.

Yells, plans and lights are considered if they have an effect, lights in the first turn only. The
terms of the evaluation are Agade's ("Code of Kutulu Postmortem", github.com/Agade09).
"""

from typing import NamedTuple

from shared.core.game import SimultaneousGame
from shared.core.jit import Ints, inline
from shared.core.rng import random_bits
from shared.games.code_of_kutulu.maze import (
    MAX_CELLS,
    MAZE_SIZE,
    N_CELLS,
    N_DIRECTIONS,
    PAIRS,
    UNREACHABLE,
    distance,
    is_clear,
    manhattan,
    neighbour,
    pair_of,
)
from shared.games.code_of_kutulu.sim import MAX_TURN, apply, is_alive, is_casting, is_over
from shared.games.code_of_kutulu.state import (
    CELL,
    CELLS,
    KIND_BIT,
    LIGHT,
    LIGHTS,
    MINIONS,
    N_ACTIONS,
    N_MINIONS,
    N_PLAYERS,
    PLAN,
    PLANS,
    RUSHING,
    SANITIES,
    SCORES,
    SLASHER,
    STATE,
    STATE_BIT,
    STATE_SIZE,
    TARGET,
    TARGET_BIT,
    TURN,
    UP,
    WAIT,
    WANDERER,
    WANDERING,
    YELL,
    YELLED,
)

FIRST_TURN = MAZE_SIZE
WAYS_OUT = FIRST_TURN + 1
AROUND = WAYS_OUT + MAX_CELLS
N_WORDS = 4  # the words of a set of cells
WORD_BITS = 6
IN_SIGHT = AROUND + N_WORDS * MAX_CELLS
SETUP_SIZE = IN_SIGHT + N_WORDS * MAX_CELLS
THREATS = STATE_SIZE
BOT_STATE_SIZE = THREATS + N_WORDS
PLAN_SANITY = 230  # sanity above which a plan would heal too little
YELL_REACH = 2  # distance within which a yell is considered
DEAD_END_DEPTH = 8  # deeper ones count the same
FAR = 20  # distance from a wanderer beyond which it does not matter


def prepare_maze(setup):
    """Write the parts of `setup` that stay the same all game."""
    n_cells = int(setup[N_CELLS])
    ways = [
        {neighbour(setup, cell, i) for i in range(N_DIRECTIONS)} - {cell} for cell in range(n_cells)
    ]
    firsts = range(PAIRS, PAIRS + MAX_CELLS * n_cells, MAX_CELLS)
    pairs = [list(map(int, setup[first : first + n_cells])) for first in firsts]
    find_dead_ends(setup, ways, pairs)
    for cell in range(n_cells):
        add_to_set(setup, AROUND + N_WORDS * cell, [cell, *ways[cell]])
        seen = [other for other in range(n_cells) if is_clear(pairs[cell][other])]
        add_to_set(setup, IN_SIGHT + N_WORDS * cell, seen)


def find_dead_ends(setup, ways, pairs):
    """Write each cell's distance to the nearest cell outside of dead ends, 0 without one."""
    open_cells = set(range(len(ways)))
    while ends := [cell for cell in open_cells if len(ways[cell] & open_cells) < 2]:
        open_cells -= set(ends)
    for cell in range(len(ways)):
        lengths = [pairs[cell][other] & UNREACHABLE for other in open_cells]
        setup[WAYS_OUT + cell] = min([*lengths, DEAD_END_DEPTH]) if open_cells else 0


def add_to_set(buffer, place, cells):
    """Add cells to a set of signed 64-bit words."""
    for cell in cells:
        bit = 1 << (cell & 63) if cell & 63 < 63 else -1 << 63
        buffer[place + (cell >> WORD_BITS)] = int(buffer[place + (cell >> WORD_BITS)]) | bit


@inline
def is_threatened(state, cell):
    return state[THREATS + (cell >> WORD_BITS & 3)] >> (cell & 63) & 1


@inline
def find_threats(setup, state):
    for word in range(N_WORDS):
        state[THREATS + word] = 0
    for i in range(state[N_MINIONS]):
        minion = state[MINIONS + i]
        kind = minion >> KIND_BIT & 1
        if minion >> STATE_BIT & STATE == (RUSHING if kind == SLASHER else WANDERING):
            cells = (IN_SIGHT if kind == SLASHER else AROUND) + N_WORDS * (minion & CELL)
            for word in range(N_WORDS):
                state[THREATS + word] |= setup[cells + word]


@inline
def somebody_to_yell_at(setup, state, player):
    for other in range(N_PLAYERS):
        if other == player or not is_alive(state, other):
            continue
        if state[YELLED] >> N_PLAYERS * player + other & 1 == 0:
            pair = pair_of(setup, state[CELLS + player], state[CELLS + other])
            if manhattan(pair) <= YELL_REACH:
                return True
    return False


@inline
def legal(setup, state, player, actions):
    actions[0] = WAIT
    if not is_alive(state, player):
        return 1
    n = 1
    cell = state[CELLS + player]
    for direction in range(N_DIRECTIONS):
        if neighbour(setup, cell, direction) != cell:
            actions[n] = UP + direction
            n += 1
    if not is_casting(state, player):
        if state[PLANS + player] > 0 and state[SANITIES + player] <= PLAN_SANITY:
            actions[n] = PLAN
            n += 1
        if state[LIGHTS + player] > 0 and state[TURN] == setup[FIRST_TURN]:
            actions[n] = LIGHT
            n += 1
    if somebody_to_yell_at(setup, state, player):
        actions[n] = YELL
        n += 1
    return n


@inline
def sample(setup, state, player, rng):
    """Returns a random step out of minions' reach, else WAIT if safe, else any."""
    bits = random_bits(rng)
    cell = state[CELLS + player]
    stays = is_threatened(state, cell) == 0
    if stays and bits & 28 == 0:  # one in eight
        return WAIT
    any_step = WAIT
    for i in range(N_DIRECTIONS):
        next_cell = neighbour(setup, cell, bits + i)
        if next_cell != cell:
            any_step = UP + (bits + i & 3)
            if is_threatened(state, next_cell) == 0:
                return any_step
    return WAIT if stays else any_step


@inline
def apply_actions(setup, state, joint_action):
    apply(setup, state, joint_action, 0)
    find_threats(setup, state)


class Weights(NamedTuple):
    """Weights in sanity. rivals: others' values. turn: a turn of life. far: a step from the nearest
    other. minion: a step from a wanderer. stalked: by a slasher. threat: a cell that a minion can
    hit. dead_end: a step out. plan, light, yell: one left.
    """

    rivals: float = 0.3
    turn: float = 5.0
    far: float = 2.0
    minion: float = 1.0
    stalked: float = 0.35
    threat: float = 8.0
    dead_end: float = 0.5
    plan: float = 10.0
    light: float = 5.0
    yell: float = 15.0


def make_worth(weights):
    """Make worth(setup, state, player): a position's value to a player, by `weights`."""
    _, turn, far, near_minion, stalked, threat, dead_end, plan, light, yell = weights

    @inline
    def company(setup, state, player):
        nearest, points = UNREACHABLE, 0.0
        for other in range(N_PLAYERS):
            if other != player and is_alive(state, other):
                pair = pair_of(setup, state[CELLS + player], state[CELLS + other])
                nearest = min(nearest, distance(pair))
                if state[YELLED] >> N_PLAYERS * player + other & 1:
                    points -= yell
        return points - far * max(0, nearest - 2) if nearest < UNREACHABLE else points

    @inline
    def safety(setup, state, player):
        cell = state[CELLS + player]
        nearest, points = FAR, 0.0
        for i in range(state[N_MINIONS]):
            minion = state[MINIONS + i]
            if minion >> KIND_BIT & 1 == WANDERER:
                nearest = min(nearest, distance(pair_of(setup, cell, minion & CELL)))
            elif minion >> TARGET_BIT & TARGET == player + 1:
                points -= stalked
        points -= dead_end * setup[WAYS_OUT + (cell & CELL)] + threat * is_threatened(state, cell)
        return points + near_minion * nearest

    @inline
    def worth(setup, state, player):
        if not is_alive(state, player):
            return turn * (state[SCORES + player] - MAX_TURN)
        points = state[SANITIES + player] + turn * (state[TURN] - MAX_TURN)
        points += plan * state[PLANS + player] + light * state[LIGHTS + player]
        return points + company(setup, state, player) + safety(setup, state, player)

    return worth


def make_evaluate(weights):
    worth, rivals = make_worth(weights), weights.rivals

    @inline
    def evaluate(setup, state, scores):
        total = 0.0
        for player in range(N_PLAYERS):
            scores[player] = worth(setup, state, player)
            total += scores[player]
        for player in range(N_PLAYERS):
            scores[player] = (1.0 + rivals) * scores[player] - rivals * total

    return evaluate


def make_game(weights, sampling=sample):
    functions = legal, sampling, apply_actions, is_over, make_evaluate(weights)
    return SimultaneousGame(N_PLAYERS, N_ACTIONS, BOT_STATE_SIZE, *functions, numbers=Ints)
