"""Infexion by the report's agent: minimax three plies deep with alpha-beta, its children sorted
by their evaluation.

The report counts the root as depth 1 and calls that a depth of 4. Spawns come before spreads of the
same evaluation, as the game lists them first and the sort is stable; the first of the best actions
is played. A child that wins at once ends the search of its parent. The only difference to the
report's program is the order of spawns among themselves, and of spreads: there the order of
Python's sets and dictionaries, here the cells' order.
"""

import sys

from bots.infexion.report import REPORT_GAME, ROOT_TURN, new_report_setup
from shared.core.jit import kernel
from shared.core.loop import expect, run
from shared.games.infexion.protocol import format_action, read_start, read_turn
from shared.games.infexion.state import TURN, new_state
from shared.search.alphabeta import (
    Options,
    best_action,
    expected,
    is_finished,
    make_search,
    new_tree,
    reset,
    summary,
)

PLIES = 3
OPTIONS = Options(deepening=False, table=False, principal_variation=False, mate_distance=False)
SLICE = 100_000  # nodes; a search needs some ten thousand

search = kernel(make_search(REPORT_GAME, OPTIONS))


def choose(setup, state, tree):
    """Returns the action."""
    setup[ROOT_TURN] = state[TURN]
    reset(tree)
    while not is_finished(tree):
        search(setup, state, tree, SLICE)
    return best_action(tree)


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    player, _ = read_start(read_line)
    setup, state = new_report_setup(player), new_state()
    tree = new_tree(REPORT_GAME, OPTIONS, table_bits=1, depth=PLIES)

    def answer():
        action = choose(setup, state, tree)
        *numbers, line = expected(tree)
        expect(*numbers, map(format_action, line))
        print(f"nodes={summary(tree).generated}", file=sys.stderr, flush=True)
        return [format_action(action)]

    return lambda: read_turn(read_line, state), answer


if __name__ == "__main__":
    run(new_player)
