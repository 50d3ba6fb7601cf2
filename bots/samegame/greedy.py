"""SameGame one action deep: the action after which the evaluation is best."""

from bots.samegame.game import Weights, make_game
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.loop import run
from shared.games.samegame.protocol import format_action, read_turn
from shared.games.samegame.sim import apply, legal
from shared.games.samegame.state import MAX_ACTIONS, new_setup, new_state

WORST = -1e300

evaluate = make_game(Weights()).evaluate


@kernel
def choose(setup: Ints, state: Ints, after: Ints, actions: Ints) -> int:
    """Returns the first best action."""
    best, best_value = -1, WORST
    for i in range(legal(setup, state, actions)):
        apply(setup, state, actions[i], after)
        value = evaluate(setup, after)
        if value > best_value:
            best, best_value = actions[i], value
    return best


def new_player(read_line):
    """Returns the functions for `run` to play."""
    setup, state, after, actions = new_setup(), new_state(), new_state(), int_buffer(MAX_ACTIONS)
    return (
        lambda: read_turn(read_line, state),
        lambda: [format_action(int(choose(setup, state, after, actions)))],
    )


if __name__ == "__main__":
    run(new_player)
