"""Infexion by alpha-beta with iterative deepening and a transposition table, captures are followed
to their end, and most other actions searched less deep. A small network evaluates leaves.
"""

from bots.infexion.game import captures, quiet_actions
from bots.infexion.leaf import evaluate
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import expect, run
from shared.core.tunable import tunable
from shared.games.infexion.game import GAME as RULES
from shared.games.infexion.protocol import LIMITS, format_action, read_start, read_turn
from shared.games.infexion.state import new_setup, new_state
from shared.search.alphabeta import (
    Options,
    best_action,
    expected,
    is_finished,
    make_search,
    new_tree,
    reset,
)

# In the network's points, of which a power is worth some 30. Tuning: see NOTES.md.
MARGIN_MS = 20
OPTIONS = Options(
    killers=tunable("killers", 48, 16, 96),
    quiescence=tunable("quiescence", 6, 1, 12),
    late_move_reductions=tunable("reductions", 4, 1, 20),
    single_reductions=tunable("late_reductions", 8, 1, 100),
)
# A quiet action may gain more: the last ply overlooks that.
QUIET_GAIN = tunable("quiet_gain", 64, 0, 256)
TABLE_BITS = 20

GAME = RULES._replace(evaluate=evaluate)
search = kernel(make_search(GAME, OPTIONS, captures, quiet_actions, QUIET_GAIN))


def choose(setup, state, tree, clock):
    """The best action when the time is up, or the game's value is proven."""
    reset(tree)
    while not is_finished(tree) and (nodes := clock.grant()):
        search(setup, state, tree, nodes)
    *numbers, line = expected(tree)
    expect(*numbers, map(format_action, line))
    return best_action(tree)


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    read_start(read_line)
    setup, state, tree = new_setup(), new_state(), new_tree(GAME, OPTIONS, TABLE_BITS)
    return (
        lambda: read_turn(read_line, state),
        lambda: [format_action(choose(setup, state, tree, clock))],
        clock,
    )


if __name__ == "__main__":
    run(new_player)
