"""Cellularena by beam search: the own organisms act one after another for one or two turns, and the
rival answers by rules (`rival.py`).
"""

from bots.cellularena.game import N_ACTING, Weights, make_game, prepare
from bots.cellularena.planner import make_player
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import expect, run
from shared.games.cellularena.protocol import LIMITS
from shared.search.solo.beam import (
    BEST,
    WORST,
    Options,
    allot,
    is_finished,
    make_search,
    new_tree,
    nodes_left,
    plan_of,
    reset,
)

# Tuning: see NOTES.md.
MARGIN_MS = 9
ACTIONS = 8  # of all organisms together, before a search ends
MOST_TURNS, LEAST_TURNS = 2, 1
WEIGHTS = Weights()
OPTIONS = Options(width=300, max_depth=48, probe=2)

GAME = make_game(WEIGHTS)
search = kernel(make_search(GAME, OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    tree = new_tree(GAME, OPTIONS)

    def choose(planner):
        setup, state = planner.setup, planner.state
        n = int(state[N_ACTING])
        prepare(setup, state, max(LEAST_TURNS, min(MOST_TURNS, ACTIONS // max(n, 1))))
        reset(tree)
        while not is_finished(tree) and (nodes := clock.grant()):
            allot(tree, nodes_left(clock))
            search(setup, state, tree, nodes)
        plan = plan_of(tree)
        value = float(tree.numbers[BEST])
        expect(
            value if value > WORST else 0.0,
            len(plan),
            clock.granted,
            [";".join(planner.lines(plan))],
        )
        return plan

    return make_player(read_line, choose, clock)


if __name__ == "__main__":
    run(new_player)
