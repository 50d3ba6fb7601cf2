"""X-mas Rush by simultaneous-move UCT: a tree of pairs of pushes, random ones of the best walks."""

import sys

from shared.core.clock import Clock
from shared.core.jit import int_buffer, kernel
from shared.games.xmas_rush.evaluate import Weights
from shared.games.xmas_rush.planner import Planner
from shared.games.xmas_rush.tracker import Tracker
from shared.games.xmas_rush.turns import make_game
from shared.search.simultaneous_uct import Options, best_actions, make_search, new_tree, plant
from shared.search.smitsimax import search_signature

# How they were tuned: NOTES.md.
FIRST_MS, TURN_MS, MARGIN_MS = 1000, 50, 12
CAPACITY = 2000000  # nodes
OPTIONS = Options(depth=3, rollout=2, exploration=0.1)
WEIGHTS = Weights()

GAME = make_game(WEIGHTS)
search = kernel(search_signature("int64"))(make_search(GAME, OPTIONS))


def choose(planner, state, tree, clock):
    """The action most visited at the root."""
    plant(tree)
    planner.prepare(state)
    while nodes := clock.grant():
        search(planner.setup, state, *tree, nodes)
    return best_actions(tree)[0]


def main():
    clock = Clock(FIRST_MS, TURN_MS, MARGIN_MS)
    tree = new_tree(GAME, OPTIONS, CAPACITY, state_buffer=int_buffer)
    planner = Planner()
    tracker = Tracker(sys.stdin.readline)
    while tracker.read_turn():
        clock.start()
        action = choose(planner, tracker.state, tree, clock)
        print(planner.answer(tracker.state, action), flush=True)
        clock.report()


if __name__ == "__main__":
    main()
