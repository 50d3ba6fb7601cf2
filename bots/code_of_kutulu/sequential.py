"""Code of Kutulu for searches of alternating moves: player 0 chooses first, and each player knows
the choices before its own.

    state  int64[SEQUENTIAL_SIZE]  the state of `game.py`, then the number of choices in this turn,
        and the actions

Eliminated players wait. The fourth choice plays the turn, so a search deepens by fours.
"""

from bots.code_of_kutulu.game import (
    BOT_STATE_SIZE,
    THREATS,
    find_threats,
    legal,
    make_evaluate,
)
from shared.core.game import SequentialGame
from shared.core.jit import copy_numbers, inline, njit
from shared.games.code_of_kutulu.sim import apply, is_over
from shared.games.code_of_kutulu.state import (
    MINIONS,
    N_ACTIONS,
    N_MINIONS,
    N_PLAYERS,
    NEXT_ID,
)

CHOSEN = BOT_STATE_SIZE
JOINT_ACTION = CHOSEN + 1
SEQUENTIAL_SIZE = JOINT_ACTION + N_PLAYERS
MULTIPLIER = 0x5851F42D4C957F2D  # of the random numbers of Knuth's MMIX
KEY = (1 << 62) - 1
MINION = (1 << 32) - 1  # the bits of a minion except its id


@inline
def to_move(setup, state):
    """Returns the next player to choose."""
    return state[CHOSEN]


@inline
def legal_in_turn(setup, state, actions):
    """List legal actions."""
    return legal(setup, state, state[CHOSEN], actions)


@inline
def apply_in_turn(setup, state, action, after):
    """Add the next player's action; the last plays the turn."""
    n = MINIONS + state[N_MINIONS]
    copy_numbers(state, 0, after, 0, n)
    copy_numbers(state, THREATS, after, THREATS, SEQUENTIAL_SIZE - THREATS)
    after[JOINT_ACTION + after[CHOSEN]] = action
    after[CHOSEN] += 1
    if after[CHOSEN] == N_PLAYERS:
        apply(setup, after, after, JOINT_ACTION)
        find_threats(setup, after)
        after[CHOSEN] = 0


@inline
def mix(key, number):
    """Returns the hash mixed with a number."""
    key = (key ^ number) * MULTIPLIER & KEY
    return key ^ key >> 29


@njit
def key(setup, state):
    """Returns a hash of what affects play; 0 within a turn, where no lines meet."""
    if state[CHOSEN] > 0:
        return 0
    hashed = 1
    for i in range(N_MINIONS):
        if i != NEXT_ID:
            hashed = mix(hashed, state[i])
    for i in range(state[N_MINIONS]):
        hashed = mix(hashed, state[MINIONS + i] & MINION)
    return hashed


def make_sequential(weights):
    """Returns the game of players 0 to 3, one after another."""
    functions = to_move, legal_in_turn, apply_in_turn, is_over, make_evaluate(weights), key
    return SequentialGame(N_PLAYERS, N_ACTIONS, SEQUENTIAL_SIZE, *functions)
