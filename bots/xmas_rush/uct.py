"""X-mas Rush by simultaneous-move UCT: a tree of pairs of pushes, then random best walks."""

from bots.xmas_rush.game import Weights, make_game
from bots.xmas_rush.planner import make_player
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import run
from shared.games.xmas_rush.protocol import LIMITS
from shared.search.simultaneous_uct import make_descend
from shared.search.smitsimax import Options, make_choose_all, make_search, new_trees

# Tuning: see NOTES.md.
MARGIN_MS = 7
CAPACITY = 2000000  # nodes
OPTIONS = Options(holds=(1,) * 3, exploration=0.1, random_visits=1, prior_share=0.0)
WEIGHTS = Weights()

GAME = make_game(WEIGHTS)
search = kernel(make_search(GAME, OPTIONS, make_descend(GAME)))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    trees = new_trees(GAME, OPTIONS, CAPACITY)
    return make_player(read_line, make_choose_all(search, trees, clock), clock)


if __name__ == "__main__":
    run(new_player)
