"""X-mas Rush by Smitsimax: a tree of pushes for each player, and random ones of the best walks."""

from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.games.xmas_rush.evaluate import Weights
from shared.games.xmas_rush.planner import play
from shared.games.xmas_rush.turns import make_game
from shared.search.smitsimax import (
    Options,
    make_choose,
    make_search,
    new_trees,
)

# How they were tuned: NOTES.md.
FIRST_MS, TURN_MS, MARGIN_MS = 1000, 50, 7
CAPACITY = 1000000  # nodes
OPTIONS = Options(holds=(1,) * 3, exploration=0.2, prior_share=0.0)
WEIGHTS = Weights()

GAME = make_game(WEIGHTS)
search = kernel(make_search(GAME, OPTIONS))


def main():
    clock = Clock(FIRST_MS, TURN_MS, MARGIN_MS)
    trees = new_trees(GAME, OPTIONS, CAPACITY)
    play(clock, make_choose(search, trees, clock))


if __name__ == "__main__":
    main()
