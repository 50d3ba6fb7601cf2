"""Code of Kutulu: a random action."""

from random import Random

from bots.code_of_kutulu.game import legal
from bots.code_of_kutulu.planner import make_player
from shared.core.jit import int_buffer
from shared.core.loop import run
from shared.games.code_of_kutulu.state import N_ACTIONS

SEED = 1


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    rng, actions = Random(SEED), int_buffer(N_ACTIONS)

    def choose(setup, state):
        return int(actions[rng.randrange(legal(setup, state, 0, actions))])

    return make_player(read_line, choose)


if __name__ == "__main__":
    run(new_player)
