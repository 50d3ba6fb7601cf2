"""Infexion by alpha-beta with iterative deepening and a transposition table. Captures are followed
to their end, most other actions are searched less deep. A small perceptron of the cells' numbers
evaluates leaves: `terms.py` has its terms and the options.
"""

from bots.infexion.terms import HIDDEN, OPTIONS, STAGES, TERMS, write_terms
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import expect, run
from shared.core.packed import weights
from shared.games.infexion.game import GAME as RULES
from shared.games.infexion.protocol import LIMITS, format_action, read_start, read_turn
from shared.games.infexion.state import new_setup, new_state
from shared.search.alphabeta import best_action, expected, is_finished, make_search, new_tree, reset
from shared.search.evaluation import make_game, new_evaluation
from shared.search.tables import stages_with_tables

MARGIN_MS = 20
TABLE_BITS = 20
SIZES = (len(TERMS), *HIDDEN)

GAME = make_game(RULES, write_terms, SIZES)
search = kernel(make_search(GAME, OPTIONS, *stages_with_tables(*STAGES)))


def new_evaluated_setup():
    """Returns the setup with the evaluation's weights."""
    learned = weights("bots/infexion/evaluation.npz")["weights"]
    return new_evaluation(new_setup(), learned, SIZES)


def choose(setup, state, tree, clock):
    """Returns the best action when time is up or the value proven."""
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
    setup, state, tree = new_evaluated_setup(), new_state(), new_tree(GAME, OPTIONS, TABLE_BITS)
    return (
        lambda: read_turn(read_line, state),
        lambda: [format_action(choose(setup, state, tree, clock))],
        clock,
    )


if __name__ == "__main__":
    run(new_player)
