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
    make_sampling,
    new_matrix,
    reset,
)
from shared.search.regret_matching import new_solution, solve_matrix

# How they were tuned: NOTES.md.
MARGIN_MS = 9
DEPTH = 2  # turns of a sample
ITERATIONS = 500  # of the solver: about a millisecond
WEIGHTS = Weights()

GAME = make_game(WEIGHTS)
sampling = kernel(make_sampling(GAME, DEPTH))
solve = kernel(solve_matrix)


def new_player(read_line):
    """Returns what `run` needs to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    matrix = new_matrix(GAME)
    solution = new_solution(MAX_ACTIONS)

    def choose(setup, state):
        """The likeliest action of one's own mixed strategy."""
        reset(matrix)
        while nodes := clock.grant():
            sampling(setup, state, matrix, nodes)
        n_rows, n_columns = int(matrix.counters[N_ROWS]), int(matrix.counters[N_COLUMNS])
        solve(matrix.payoffs, solution, n_rows, n_columns, ITERATIONS)
        likeliest = max(range(n_rows), key=lambda row: solution.averages[row])
        return int(matrix.choices[likeliest])

    return make_player(read_line, choose, clock)


if __name__ == "__main__":
    run(new_player)
