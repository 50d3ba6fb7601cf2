"""Matrix games: the solver against linear programming, and the guarantees of sampled payoffs."""

import numpy as np
import pytest
from scipy.optimize import linprog

from shared.core.jit import float_buffer, kernel
from shared.search.matrix_game import (
    N_ROWS,
    Options,
    best_action,
    draw_action,
    make_search,
    new_tree,
    summary,
)
from shared.search.regret_matching import new_solution, solve_matrix
from tests.support.toy_games import MATRIX_GAME, payoffs

OPTIONS = Options(depth=2)


@pytest.fixture(scope="module")
def solve():
    return kernel(solve_matrix)


@pytest.fixture(scope="module")
def search():
    return kernel(make_search(MATRIX_GAME, OPTIONS))


def solved(solve, matrix, stride, n_iterations):
    """Returns (solution, least, most) of a matrix in the corner of one `stride` wide.

    The averages guarantee player 0 the least and hold it to the most; the value lies between them.
    """
    matrix = np.asarray(matrix, float)
    wide = np.full((stride, stride), 1e9)
    wide[: matrix.shape[0], : matrix.shape[1]] = matrix
    buffer, solution = float_buffer(list(wide.ravel())), new_solution(stride)
    solve(buffer, solution, *matrix.shape, n_iterations)
    rows, columns = np.reshape(solution.averages, (2, stride))
    gains, losses = rows[: matrix.shape[0]] @ matrix, matrix @ columns[: matrix.shape[1]]
    return solution, gains.min(), losses.max()


def linear_programming_value(matrix):
    """The value of a matrix game: the greatest v that a mixture of rows guarantees."""
    n_rows, n_columns = matrix.shape
    result = linprog(
        c=[0.0] * n_rows + [-1.0],
        A_ub=np.hstack([-matrix.T, np.ones((n_columns, 1))]),
        b_ub=np.zeros(n_columns),
        A_eq=[[1.0] * n_rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * n_rows + [(None, None)],
    )
    return result.x[-1]


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (5, 1), (3, 3), (28, 28), (7, 20)], ids=str)
def test_the_value_is_that_of_linear_programming(solve, shape):
    """For random matrices; the bounds enclose the value and converge to it."""
    for seed in range(5):
        matrix = np.random.default_rng(seed).normal(size=shape)
        value = linear_programming_value(matrix)
        _, least, most = solved(solve, matrix, 28, 3000)
        assert least <= value + 1e-9 and value - 1e-9 <= most
        assert most - least < 0.01


def test_sampled_payoffs_are_half_the_difference_of_the_scores(search):
    """In a game without chance, the matrix is exact after one sample of each pair, and more samples
    keep it.
    """
    rows = [[(a * 3 + b, a - b) for b in range(3)] for a in range(3)]
    tree = new_tree(MATRIX_GAME, OPTIONS)
    expected = [(own - other) / 2 for row in rows for own, other in row]
    for n in (9, 1, 4, 20):
        search(payoffs(rows), float_buffer(2), tree, n)
        assert list(tree.payoffs) == pytest.approx(expected)
    assert summary(tree) == (34, 3, 3)


def test_the_best_action_is_the_likeliest_of_the_solution(solve, search):
    """Row 2 dominates the others."""
    tree, solution = new_tree(MATRIX_GAME, OPTIONS), new_solution(3)
    search(payoffs([[(a, -a)] * 3 for a in range(3)]), float_buffer(2), tree, 9)
    solve(tree.payoffs, solution, 3, 3, 100)
    assert best_action(tree, solution) == 2


@pytest.mark.parametrize(
    ("by", "expected"), [("average", [0, 2]), ("worst", [2, 1]), ("solution", [1, 1])]
)
def test_a_matrix_is_answered_by_several_measures(solve, search, by, expected):
    """Row 0 has the best mean, row 2 the best worst case, and the solution is 0, 5/7 and 2/7 of the
    columns and mostly row 1.
    """
    rows = [[3, 1, -3], [-2, -1, 2], [1, 0, -1]]
    tree, solution = new_tree(MATRIX_GAME, OPTIONS), new_solution(3)
    search(payoffs([[(gain, -gain) for gain in row] for row in rows]), float_buffer(2), tree, 9)
    solve(tree.payoffs, solution, 3, 3, 500)
    assert [best_action(tree, solution, player, by) for player in range(2)] == expected


def test_a_mixed_solution_is_drawn_from(solve, search):
    """Matching pennies with a prize of 3: each plays its first action a third of the time."""
    tree, solution = new_tree(MATRIX_GAME, OPTIONS), new_solution(3)
    rows = [[3, -1, -9], [-1, 1, -9], [-9, -9, -9]]
    search(payoffs([[(gain, -gain) for gain in row] for row in rows]), float_buffer(2), tree, 9)
    solve(tree.payoffs, solution, 2, 2, 5000)
    for player in range(2):
        tree.counters[N_ROWS + player] = 2
        drawn = [draw_action(tree, solution, player) for _ in range(4000)]
        assert drawn.count(0) / 4000 == pytest.approx(1 / 3, abs=0.03) and 2 not in drawn
