"""SameGame by beam search: the first turn plans the whole game, and each later turn looks for a
better rest of the plan.
"""

from bots.samegame.game import Weights, make_game
from bots.samegame.planner import new_planner
from shared.core.jit import kernel
from shared.core.loop import run
from shared.games.samegame.state import MAX_TURNS
from shared.search.solo.beam import (
    Options,
    advance,
    allot,
    is_finished,
    make_search,
    new_tree,
    nodes_left,
    plan_of,
    reset,
)

# Tuned: see NOTES.md.
WEIGHTS = Weights(most=0.878, others=0.311, single=25.0, region=50.0, late=15.0, apart=60.0)
OPTIONS = Options(width=200_000, max_depth=MAX_TURNS, probe=500)

GAME = make_game(WEIGHTS)
search = kernel(make_search(GAME, OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play."""
    tree = new_tree(GAME, OPTIONS)

    def plan(setup, state, clock):
        while not is_finished(tree) and (nodes := clock.grant()):
            allot(tree, nodes_left(clock))
            search(setup, state, tree, nodes)
        return plan_of(tree)

    def find_plan(setup, state, clock):
        reset(tree)
        line = plan(setup, state, clock)
        clock.pause_ms = 0.0  # changes of wide levels, which later turns do not have
        return line

    def improve(setup, state, clock):
        advance(tree)
        return plan(setup, state, clock)

    return new_planner(find_plan, read_line, improve)


if __name__ == "__main__":
    run(new_player)
