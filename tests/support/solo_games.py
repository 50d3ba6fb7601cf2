"""Small boards of SameGame with best scores by exhaustive search, and helpers for running searches
for one agent on them.
"""

from functools import cache
from random import Random

from shared.games.samegame.sim import apply, is_legal, is_over
from shared.games.samegame.state import SCORE, SIDE, new_setup, new_state, write_board
from tests.support.literal_samegame import best_score, random_columns

N_BOARDS = 12


def rows_of(columns):
    """The rows from the top of a board, a list of columns from the bottom."""
    whole = [*columns, *[[]] * (SIDE - len(columns))]
    rows = range(SIDE - 1, -1, -1)
    return [[column[y] if y < len(column) else -1 for column in whole] for y in rows]


def state_of(columns):
    state = new_state()
    write_board(rows_of(columns), state)
    return state


@cache
def small_boards():
    """(columns, the best score) of some boards."""
    boards = []
    for seed in range(N_BOARDS):
        columns = random_columns(Random(seed), 4, 4, 3)
        boards.append((columns, best_score(columns)))
    return boards


def score_of(state, line):
    """The score that a line of actions leads to; they have to be legal to the end of the game."""
    setup, after = new_setup(), new_state()
    for i, number in enumerate(state):
        after[i] = number
    for action in line:
        assert is_legal(setup, after, action), line
        apply(setup, after, action, after)
    assert is_over(setup, after), line
    return int(after[SCORE])
