"""Code of Kutulu by UCT over the own actions; the other explorers act as `policy.py` foresees."""

from bots.code_of_kutulu.game import Weights, make_game
from bots.code_of_kutulu.planner import make_player
from bots.code_of_kutulu.policy import foresee
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import expect, run
from shared.games.code_of_kutulu.protocol import LIMITS
from shared.games.code_of_kutulu.state import ACTIONS
from shared.search.smitsimax import Options, expected, make_choose, make_search, new_trees

# Tuning: see NOTES.md.
MARGIN_MS = 9
CAPACITY = 1000000  # nodes
OPTIONS = Options(holds=(1,) * 12, exploration=0.15, prior_share=0.0, searchers=1)
WEIGHTS = Weights()

GAME = make_game(WEIGHTS, foresee)
search = kernel(make_search(GAME, OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    trees = new_trees(GAME, OPTIONS, CAPACITY)
    choose = make_choose(search, trees, clock)

    def choose_and_tell(setup, state):
        action = choose(setup, state)
        *numbers, lines = expected(trees)
        expect(*numbers, [ACTIONS[one] for one in lines[0]])
        return action

    return make_player(read_line, choose_and_tell, clock)


if __name__ == "__main__":
    run(new_player)
