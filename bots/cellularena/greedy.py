"""Cellularena without search: each organism in turn takes the action after which the evaluation is
best.
"""

from bots.cellularena.game import (
    MOST_ACTIONS,
    N_ACTED,
    N_ACTING,
    Weights,
    make_game,
    new_bot_state,
    prepare,
)
from bots.cellularena.planner import make_player
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.loop import run

WEIGHTS = Weights()
GAME = make_game(WEIGHTS)


@kernel
def best_action(setup: Ints, state: Ints, after: Ints, actions: Ints) -> int:
    """Play and return the best action of the next organism."""
    best, best_value = 0, -1e300
    for i in range(GAME.legal(setup, state, actions)):
        GAME.apply(setup, state, actions[i], after)
        value = GAME.evaluate(setup, after)
        if value > best_value:
            best, best_value = actions[i], value
    GAME.apply(setup, state, best, state)
    return best


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    state, after, actions = new_bot_state(), new_bot_state(), int_buffer(MOST_ACTIONS)

    def choose(planner):
        for i in range(len(state)):
            state[i] = planner.state[i]
        prepare(planner.setup, state, 1)
        n = int(state[N_ACTING]) - int(state[N_ACTED])
        return [best_action(planner.setup, state, after, actions) for _ in range(n)]

    return make_player(read_line, choose)


if __name__ == "__main__":
    run(new_player)
