"""Tron for a search: a player that reaches more cells first is better off."""

from shared.core.game import SequentialGame
from shared.core.jit import njit
from shared.games.tron.sim import N_ACTIONS, STEPS, apply, is_over, legal, to_move
from shared.games.tron.state import CELLS, FLOOD, HEADS, MAX_PLAYERS, MOVER, N_PLAYERS, STATE_SIZE


@njit
def evaluate(setup, state, scores):
    """Count the cells that each player reaches before the others, all moving at once in turn."""
    for cell in range(CELLS):
        setup[FLOOD + cell] = state[cell]
    queue, first, last = FLOOD + CELLS, 0, 0
    for i in range(setup[N_PLAYERS]):
        player = (state[MOVER] + i) % setup[N_PLAYERS]
        scores[player] = -1.0
        if state[HEADS + player] > 0:
            setup[queue + last] = state[HEADS + player]
            last += 1
    while first < last:
        cell = setup[queue + first]
        player = setup[FLOOD + cell] - 1
        scores[player] += 1.0
        first += 1
        for step in STEPS:
            if setup[FLOOD + cell + step] == 0:
                setup[FLOOD + cell + step] = player + 1
                setup[queue + last] = cell + step
                last += 1


GAME = SequentialGame(
    n_players=MAX_PLAYERS,
    max_actions=N_ACTIONS,
    state_size=STATE_SIZE,
    to_move=to_move,
    legal=legal,
    apply=apply,
    is_over=is_over,
    evaluate=evaluate,
)
