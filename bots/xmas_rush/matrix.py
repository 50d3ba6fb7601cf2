"""X-mas Rush as a matrix game: random games give the payoff of each pair of pushes."""

from bots.xmas_rush.game import MAX_ACTIONS, Weights, make_game
from bots.xmas_rush.planner import make_player
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import run
from shared.games.xmas_rush.protocol import LIMITS
from shared.search.matrix_game import (
    N_COLUMNS,
    N_ROWS,
    Options,
    best_action,
    make_search,
    new_tree,
    reset,
    solved_value,
)
from shared.search.regret_matching import new_solution, solve_matrix

# Tuning: see NOTES.md.
MARGIN_MS = 9
ITERATIONS = 500  # the solver's iterations: about a millisecond
OPTIONS = Options(depth=2)
WEIGHTS = Weights()

GAME = make_game(WEIGHTS)
search = kernel(make_search(GAME, OPTIONS))
solve = kernel(solve_matrix)


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    tree = new_tree(GAME, OPTIONS)
    solution = new_solution(MAX_ACTIONS)

    def choose(setup, state):
        """Returns (value, the players' likeliest actions)."""
        reset(tree)
        while nodes := clock.grant():
            search(setup, state, tree, nodes)
        n_rows, n_columns = int(tree.counters[N_ROWS]), int(tree.counters[N_COLUMNS])
        solve(tree.payoffs, solution, n_rows, n_columns, ITERATIONS)
        value = solved_value(tree, solution)
        return value, [best_action(tree, solution, player) for player in range(2)]

    return make_player(read_line, choose, clock)


if __name__ == "__main__":
    run(new_player)
