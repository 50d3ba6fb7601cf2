"""X-mas Rush for searches: the actions of a turn, and the evaluation.

An action is a push, and its turn includes the walk after it, a random one of those that take the
most items (MSmits, see `paths.py`). If a search begins at a move turn, its first actions are walks:
the number of a pair in `found` << 6 | cell.

    setup  int64[SETUP_SIZE]  a random state; the turn the search begins with; for each player the
        pushes allowed in it; results of `paths.best_ends` for each pair of pushes and each player
        (or, at a move turn, each player); its scratch space

Plain Python, too slow for all pairs of pushes, computes a pair's results when they are needed.

The game is zero-sum. Terms and weights are MSmits' ("X-mas Rush Post Mortem", CodinGame
playground): an item in one's hand can be put down where one will stand.
"""

from typing import NamedTuple

from bots.xmas_rush.paths import FOUND_SIZE, N_SETS, best_ends, greedy_ends, random_cell
from shared.core.game import SimultaneousGame
from shared.core.jit import Ints, inline, int_buffer, kernel
from shared.core.rng import random_below, seed_rng
from shared.games.xmas_rush.sim import (
    MAX_TURNS,
    begin_turn,
    count_cells,
    is_over,
    open_down,
    open_right,
    push_turn,
    walk,
)
from shared.games.xmas_rush.state import (
    DONE,
    HANDS,
    LEFT,
    MAX_VISIBLE,
    N_PLAYERS,
    N_PUSHES,
    N_QUESTS,
    OWNER_BIT,
    PATH_BITS,
    PLAYERS,
    RIGHT,
    SIZE,
    STALE,
    STATE_SIZE,
    TURN,
    VISIBLE,
    WANTED,
    copy_state,
)

RNG, FIRST_TURN, ALLOWED = range(3)
FOUND = ALLOWED + N_PLAYERS
ROOM = FOUND + N_PUSHES * N_PUSHES * N_PLAYERS * FOUND_SIZE
SETUP_SIZE = ROOM + N_SETS
ALL_PUSHES = (1 << N_PUSHES) - 1
CELL_BITS = 6
CELL = (1 << CELL_BITS) - 1
# The same source breaks a deadlock after this many clashes, unless ahead, or level and this near to
# the end.
MAX_CLASHES = 5
ENOUGH_DONE = 9
MAX_ACTIONS = MAX_VISIBLE * SIZE * SIZE


def new_setup(seed=1):
    setup = int_buffer(SETUP_SIZE)
    seed_rng(setup, seed)
    setup[ALLOWED] = setup[ALLOWED + 1] = ALL_PUSHES
    return setup


def break_deadlock(setup, state, last_push):
    """Allow all pushes, but in a deadlock the last line to the rival only."""
    own, other = state[DONE], state[DONE + 1]
    setup[ALLOWED] = setup[ALLOWED + 1] = ALL_PUSHES
    if state[STALE] >= MAX_CLASHES and (own < other or own == other < ENOUGH_DONE):
        line = 1 << last_push | 1 << (last_push ^ LEFT ^ RIGHT)
        setup[ALLOWED] = ALL_PUSHES & ~line
        setup[ALLOWED + 1] = line


@inline
def next_turn(state):
    """Begin the next turn; after the end, set a number beyond."""
    if is_over(state):
        state[TURN] = MAX_TURNS + 1
    else:
        begin_turn(state)


@inline
def search_is_over(setup, state):
    return state[TURN] > MAX_TURNS


@inline
def found_at(push_0, push_1, player):
    """Returns the index of a player's walks after two pushes."""
    return FOUND + ((push_0 * N_PUSHES + push_1) * N_PLAYERS + player) * FOUND_SIZE


@inline
def find_ends(setup, state, at):
    right, down = open_right(state), open_down(state)
    for player in range(N_PLAYERS):
        wanted, place = state[WANTED + player], state[PLAYERS + player]
        best_ends(right, down, wanted, place, setup, at + player * FOUND_SIZE, ROOM)


@kernel
def prepare_turn(setup: Ints, state: Ints, trial: Ints, all_pairs: bool) -> None:
    """Begin a search at `state`: find the walks after all pairs of pushes, or those of a move turn.

    trial: scratch space. Without `all_pairs`, walks after pushes are only discarded.
    """
    setup[FIRST_TURN] = state[TURN]
    if state[TURN] & 1 == 0:
        find_ends(setup, state, FOUND)
        return
    for push_0 in range(N_PUSHES):
        for push_1 in range(N_PUSHES):
            at = found_at(push_0, push_1, 0)
            if all_pairs:
                copy_state(state, trial)
                push_turn(trial, push_0, push_1)
                next_turn(trial)
                find_ends(setup, trial, at)
            else:
                setup[at] = 0


@inline
def add_actions(bits, first, actions, n):
    """Write `first` | each bit's number behind n actions; returns the new number."""
    while bits:
        actions[n] = first | count_cells((bits & -bits) - 1)
        bits &= bits - 1
        n += 1
    return n


@inline
def list_walks(setup, at, actions):
    """Write all walks at an index of `setup` as actions; returns their number."""
    n = 0
    for pair in range(MAX_VISIBLE):
        ends = setup[at + 2 * pair]
        if ends == 0:
            break
        n = add_actions(ends, pair << CELL_BITS, actions, n)
    return n


@inline
def legal(setup, state, player, actions):
    """Write every push allowed, or at a move turn every best walk; returns their number."""
    if state[TURN] & 1 == 0:
        return list_walks(setup, found_at(0, 0, player), actions)
    allowed = setup[ALLOWED + player] if state[TURN] == setup[FIRST_TURN] else ALL_PUSHES
    return add_actions(allowed, 0, actions, 0)


@inline
def sample(setup, state, player, rng):
    """Returns a random push, or at a move turn a random best walk."""
    if state[TURN] & 1:
        return random_below(rng, N_PUSHES)
    return count_cells(random_cell(setup[found_at(0, 0, player)], rng) - 1)


@inline
def chosen_walk(setup, at, action):
    """Returns (end, taken) of an action at an index of `setup`."""
    return 1 << (action & CELL), setup[at + 2 * (action >> CELL_BITS) + 1]


@inline
def walk_looked_up(setup, state, player, at):
    """Play a random walk stored at an index of `setup`."""
    n = 1
    while n < MAX_VISIBLE and setup[at + 2 * n] != 0:
        n += 1
    if n > 1:
        at += 2 * random_below(setup, n)
    walk(state, player, random_cell(setup[at], setup), setup[at + 1])


# Inlining walks in their callers took a sixth longer.
@inline
def walk_greedily(setup, state):
    ends_0, taken_0, ends_1, taken_1 = greedy_ends(state)
    walk(state, 0, random_cell(ends_0, setup), taken_0)
    walk(state, 1, random_cell(ends_1, setup), taken_1)


@inline
def play_pushes(setup, state, push_0, push_1):
    """Play pushes, then walks: random stored walks in a search's first turn."""
    first = state[TURN] == setup[FIRST_TURN]
    push_turn(state, push_0, push_1)
    next_turn(state)
    if state[TURN] <= MAX_TURNS:
        at = found_at(push_0, push_1, 0)
        if first:
            if setup[at] == 0:
                find_ends(setup, state, at)
            for player in range(N_PLAYERS):
                walk_looked_up(setup, state, player, at + player * FOUND_SIZE)
        else:
            walk_greedily(setup, state)


@inline
def play_walks(setup, state, walk_0, walk_1):
    for player in range(N_PLAYERS):
        action = walk_0 if player == 0 else walk_1
        end, taken = chosen_walk(setup, found_at(0, 0, player), action)
        walk(state, player, end, taken)


@inline
def apply_actions(setup, state, joint_action):
    """Play a push turn and the move turn after it, or a search's first move turn."""
    if state[TURN] & 1:
        play_pushes(setup, state, joint_action[0], joint_action[1])
    else:
        play_walks(setup, state, joint_action[0], joint_action[1])
    next_turn(state)


class Weights(NamedTuple):
    """Points. quest: for each done. hand: a visible quest's item in hand. win: the last quest."""

    quest: float = 50.0
    hand: float = 10.0
    win: float = 300.0


@inline
def no_lead(state):
    """Returns 0: places do not count."""
    return 0.0


def make_evaluate(weights, lead_in_place):
    """Returns `evaluate` with these weights."""
    quest, hand, win = weights

    @inline
    def worth(state, player):
        points = quest * state[DONE + player]
        item = state[HANDS + player] >> PATH_BITS
        if item >> OWNER_BIT == player and state[VISIBLE] >> item & 1:
            points += hand
        if state[DONE + player] == state[N_QUESTS]:
            points += win
        return points

    @inline
    def evaluate(setup, state, scores):
        lead = worth(state, 0) - worth(state, 1) + lead_in_place(state)
        scores[0] = lead
        scores[1] = -lead

    return evaluate


def make_game(weights, lead_in_place=no_lead):
    """Returns the game for a search. lead_in_place: see `places.py`."""
    evaluate = make_evaluate(weights, lead_in_place)
    functions = legal, sample, apply_actions, search_is_over, evaluate
    return SimultaneousGame(N_PLAYERS, MAX_ACTIONS, STATE_SIZE, *functions, numbers=Ints)
