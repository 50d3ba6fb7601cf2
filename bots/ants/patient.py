"""The sampling bot that never sacrifices: no ant is given for any number of enemies."""

import sys

from bots.ants.combat import make_game
from bots.ants.planner import MARGIN_MS, turns_of
from bots.ants.sampling import make_choose
from bots.ants.survey import Weights
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import play
from shared.games.ants.protocol import LIMITS
from shared.search.sampler import Options, make_best_actions, make_search

# How they were tuned: NOTES.md.
MOST_SAMPLES = 2000  # an ant and turn
OPTIONS = Options()
WEIGHTS = Weights(
    alive=1000.0,
    food=3.0,
    explore=40 / 65536,
    enemy=(0.05, 0.85),
    threat=(10.0, 0.8),
    defence=(3.0, 0.85),
)

GAME = make_game()
search = kernel(make_search(GAME, OPTIONS))
best_actions = kernel(make_best_actions(GAME, OPTIONS))


def new_player(read_line):
    """What `play` takes in a game whose lines `read_line` reads."""
    clock = Clock(LIMITS, MARGIN_MS)
    choose = make_choose(GAME, OPTIONS, search, best_actions, clock, MOST_SAMPLES)
    return turns_of(read_line, WEIGHTS, choose, clock)


def main():
    play(*new_player(sys.stdin.readline))


if __name__ == "__main__":
    main()
