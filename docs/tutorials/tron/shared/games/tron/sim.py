"""The rules of Tron, compiled or as plain Python: see RULES.md, and `shared/core/game.py` for the
interface to searches.
"""

from shared.core.jit import inline, njit
from shared.games.tron.state import CELLS, HEADS, MOVER, N_PLAYERS, STATE_SIZE, WIDTH

STEPS = (-WIDTH, 1, WIDTH, -1)  # up, right, down, left
N_ACTIONS = len(STEPS)


@inline
def to_move(setup, state):
    """The player whose turn it is."""
    return state[MOVER]


@inline
def legal(setup, state, actions):
    """The directions that lead to an empty cell; up if none does."""
    n, actions[0] = 0, 0
    for action in range(N_ACTIONS):
        if state[state[HEADS + state[MOVER]] + STEPS[action]] == 0:
            actions[n] = action
            n += 1
    return max(n, 1)


@njit
def next_mover(setup, state):
    """Pass the turn to the next player still in the game."""
    for _ in range(setup[N_PLAYERS]):
        state[MOVER] = (state[MOVER] + 1) % setup[N_PLAYERS]
        if state[HEADS + state[MOVER]] > 0:
            return


@njit
def remove(setup, state, player):
    """Remove a player and its ribbon from the grid."""
    state[HEADS + player] = 0
    for cell in range(CELLS):
        if state[cell] == player + 1:
            state[cell] = 0
    if state[MOVER] == player:
        next_mover(setup, state)


@njit
def apply(setup, state, action, after):
    """Move the player to move, who is eliminated if the cell is taken."""
    for i in range(STATE_SIZE):
        after[i] = state[i]
    player = after[MOVER]
    cell = after[HEADS + player] + STEPS[action]
    if after[cell] == 0:
        after[cell] = player + 1
        after[HEADS + player] = cell
        next_mover(setup, after)
    else:
        remove(setup, after, player)


@njit
def is_over(setup, state):
    """Returns True if at most one player is left."""
    left = 0
    for player in range(setup[N_PLAYERS]):
        left += state[HEADS + player] > 0
    return left <= 1
