"""Code of Kutulu by simultaneous UCT, one tree for four."""

from bots.code_of_kutulu.game import Weights, make_game
from bots.code_of_kutulu.planner import make_player
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import expect, run
from shared.games.code_of_kutulu.protocol import LIMITS
from shared.games.code_of_kutulu.state import ACTIONS
from shared.search.simultaneous_uct import make_descend
from shared.search.smitsimax import Options, make_choose_all, make_search, new_trees

# Tuning: see NOTES.md.
MARGIN_MS = 9
CAPACITY = 2000000  # nodes
OPTIONS = Options(holds=(1,) * 8, exploration=0.15, random_visits=1, prior_share=0.0)
WEIGHTS = Weights()

GAME = make_game(WEIGHTS)
search = kernel(make_search(GAME, OPTIONS, make_descend(GAME)))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    trees = new_trees(GAME, OPTIONS, CAPACITY)
    choose = make_choose_all(search, trees, clock)

    def choose_and_tell(setup, state):
        value, actions = choose(setup, state)
        expect(value, 1, clock.granted, [";".join(ACTIONS[one] for one in actions)])
        return actions[0]

    return make_player(read_line, choose_and_tell, clock)


if __name__ == "__main__":
    run(new_player)
