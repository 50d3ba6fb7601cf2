"""Code of Kutulu for searches of players who move one after another: player 0 first, and all know
what those before them chose.

    state  int64[SEQUENTIAL_SIZE]  the state of `game.py`, then how many have chosen in this turn,
        and their actions

Who is out waits. The fourth choice plays the turn, so that a search looks ahead by fours.
"""

from bots.code_of_kutulu.game import (
    BOT_STATE_SIZE,
    THREATS,
    find_threats,
    legal_actions,
    make_evaluate,
)
from shared.core.game import SequentialGame
from shared.core.jit import copy, inline, njit
from shared.games.code_of_kutulu.sim import is_over, play_turn
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
MULTIPLIER = 0x5851F42D4C957F2D  # of Knuth's MMIX
KEY = (1 << 62) - 1
MINION = (1 << 32) - 1  # but for its id


@inline
def player_to_move(setup, state):
    """The next one who has not chosen in this turn."""
    return state[CHOSEN]


@inline
def choices(setup, state, actions):
    """That player's actions."""
    return legal_actions(setup, state, state[CHOSEN], actions)


@inline
def add_choice(setup, state, action, after):
    """The next player's action; the last one's plays the turn."""
    n = MINIONS + state[N_MINIONS]
    copy(state, 0, after, 0, n)
    copy(state, THREATS, after, THREATS, SEQUENTIAL_SIZE - THREATS)
    after[JOINT_ACTION + after[CHOSEN]] = action
    after[CHOSEN] += 1
    if after[CHOSEN] == N_PLAYERS:
        play_turn(setup, after, after, JOINT_ACTION)
        find_threats(setup, after)
        after[CHOSEN] = 0


@inline
def mix(key, number):
    """A hash with one more number."""
    key = (key ^ number) * MULTIPLIER & KEY
    return key ^ key >> 29


@njit
def position_key(setup, state):
    """A hash of all that matters for what follows; 0 within a turn, where no two lines meet."""
    if state[CHOSEN] > 0:
        return 0
    key = 1
    for i in range(N_MINIONS):
        if i != NEXT_ID:
            key = mix(key, state[i])
    for i in range(state[N_MINIONS]):
        key = mix(key, state[MINIONS + i] & MINION)
    return key


@inline
def all_over(setup, state):
    """Whether the game has ended."""
    return is_over(state)


def make_sequential(weights):
    """The game of players 0 to 3, one after another, with these weights."""
    functions = player_to_move, choices, add_choice, all_over, make_evaluate(weights), position_key
    return SequentialGame(N_PLAYERS, N_ACTIONS, SEQUENTIAL_SIZE, *functions)
