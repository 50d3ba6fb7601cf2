"""Code of Kutulu by paranoid alpha-beta, as Agade played it: the other three play against player 0,
and know its action.
"""

from bots.code_of_kutulu.game import Weights
from bots.code_of_kutulu.planner import make_player
from bots.code_of_kutulu.sequential import SEQUENTIAL_SIZE, make_sequential
from shared.core.clock import Clock
from shared.core.jit import copy_numbers, int_buffer, kernel
from shared.core.loop import expect, run
from shared.games.code_of_kutulu.protocol import LIMITS
from shared.games.code_of_kutulu.state import ACTIONS, N_PLAYERS
from shared.search.max_n import Options, expected, make_choose, make_search, new_tree

# Tuning: see NOTES.md.
MARGIN_MS = 9
TABLE_BITS = 18
OPTIONS = Options(depth=6 * N_PLAYERS, step=N_PLAYERS, killers=True, table=True)
WEIGHTS = Weights()

GAME = make_sequential(WEIGHTS)
search = kernel(make_search(GAME, OPTIONS))


def make_answer(search, tree, clock):
    """Returns choose(setup, state) for the start of a turn."""
    choose = make_choose(search, tree, clock)
    root = int_buffer(SEQUENTIAL_SIZE)

    def choose_first(setup, state):
        """Returns player 0's action, which is chosen first."""
        copy_numbers(state, 0, root, 0, len(state))
        return choose(setup, root)

    return choose_first


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    tree = new_tree(GAME, OPTIONS, TABLE_BITS)
    choose = make_answer(search, tree, clock)

    def choose_and_tell(setup, state):
        action = choose(setup, state)
        value, depth, line = expected(tree)
        words = [ACTIONS[one] for one in line]
        turns = [words[i : i + N_PLAYERS] for i in range(0, len(words), N_PLAYERS)]
        expect(value, depth // N_PLAYERS, clock.granted, map(";".join, turns))
        return action

    return make_player(read_line, choose_and_tell, clock)


if __name__ == "__main__":
    run(new_player)
