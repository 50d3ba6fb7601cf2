"""X-mas Rush by Smitsimax: a tree of pushes for each player, then random best walks."""

from bots.xmas_rush.game import Weights, make_game
from bots.xmas_rush.places import Places, make_lead_in_place
from bots.xmas_rush.planner import make_player
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import run
from shared.core.tunable import tunable
from shared.games.xmas_rush.protocol import LIMITS
from shared.search.smitsimax import (
    Options,
    make_choose_all,
    make_search,
    new_trees,
)

# Tuning: see NOTES.md.
MARGIN_MS = 7
CAPACITY = 1000000  # nodes
OPTIONS = Options(
    holds=(1,) * 3,
    exploration=tunable("exploration", 0.2, 0.02, 1.0),
    random_visits=tunable("random_visits", 10, 1, 40),
    prior_share=0.0,
    noise=tunable("noise", 0.0, 0.0, 0.5),
)
WEIGHTS = Weights(hand=tunable("hand", 12.5, 0.0, 50.0), win=tunable("win", 15.0, 0.0, 1000.0))
PLACES = Places(
    near=tunable("near", 2.27, 0.0, 10.0),
    ways=tunable("ways", 1.44, 0.0, 10.0),
    room=tunable("room", 1.38, 0.0, 5.0),
    reach=tunable("reach", 0.35, 0.0, 5.0),
)

GAME = make_game(WEIGHTS, make_lead_in_place(PLACES))
search = kernel(make_search(GAME, OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    trees = new_trees(GAME, OPTIONS, CAPACITY)
    return make_player(read_line, make_choose_all(search, trees, clock), clock)


if __name__ == "__main__":
    run(new_player)
