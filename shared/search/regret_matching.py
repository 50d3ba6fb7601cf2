"""Zero-sum matrix games of two players, solved by regret matching plus.

Source: Hart and Mas-Colell (Econometrica 68, 2000) with the changes of CFR+ (Tammelin, "Solving
Large Imperfect Information Games Using CFR+", 2014): regrets are cut off at 0, the players take
turns, and later strategies weigh more in the averages, which approach an equilibrium.

Letter: A, the most rows or columns. Player 0 has the rows and gains the payoff; the payoffs of all
pairs are float64[A A], a row A numbers long.
"""

from typing import NamedTuple

from ..core.jit import Floats, float_buffer, inline


class Solution(NamedTuple):
    """The state of a solution.

    regrets    [2 A]  the gain that each action would have had over the strategies played.
    strategies [2 A]  the probabilities that follow from the regrets.
    gains      [2 A]  the gain of each action against the other player's strategy.
    averages   [2 A]  the solution: each player's probabilities.
    """

    regrets: Floats
    strategies: Floats
    gains: Floats
    averages: Floats


def new_solution(max_actions: int) -> Solution:
    """Returns buffers for matrices of at most that many rows and columns."""
    return Solution(*(float_buffer(2 * max_actions) for _ in Solution._fields))


@inline
def match_regrets(regrets: Floats, strategies: Floats, first: int, n: int) -> None:
    """Set n probabilities in proportion to regrets, uniformly if there are none."""
    total = 0.0
    for i in range(first, first + n):
        total += regrets[i]
    for i in range(first, first + n):
        strategies[i] = regrets[i] / total if total > 0.0 else 1.0 / n


@inline
def gains_against(
    payoffs: Floats, probabilities: Floats, gains: Floats, player: int, n_rows: int, n_columns: int
) -> None:
    """Write the gain of each action against the other player's probabilities."""
    stride = len(gains) // 2
    if player == 0:
        for row in range(n_rows):
            gain = 0.0
            for column in range(n_columns):
                gain += payoffs[row * stride + column] * probabilities[stride + column]
            gains[row] = gain
    else:
        for column in range(n_columns):
            gains[stride + column] = 0.0
        for row in range(n_rows):
            for column in range(n_columns):
                gains[stride + column] -= payoffs[row * stride + column] * probabilities[row]


def solve_matrix(
    payoffs: Floats, solution: Solution, n_rows: int, n_columns: int, n_iterations: int
) -> None:
    """Solve the first rows and columns of a matrix, leaving the solution in the averages; for
    `kernel`.
    """
    regrets, strategies, gains, averages = solution
    stride = len(averages) // 2
    for i in range(2 * stride):
        regrets[i] = 0.0
        averages[i] = 0.0
    match_regrets(regrets, strategies, 0, n_rows)
    for iteration in range(1, n_iterations + 1):
        weight = 2.0 * iteration / (n_iterations * (n_iterations + 1.0))
        for player in (1, 0):
            first = player * stride
            n = n_rows if player == 0 else n_columns
            match_regrets(regrets, strategies, first, n)
            gains_against(payoffs, strategies, gains, player, n_rows, n_columns)
            mean = 0.0
            for i in range(first, first + n):
                mean += strategies[i] * gains[i]
                averages[i] += weight * strategies[i]
            for i in range(first, first + n):
                regrets[i] = max(regrets[i] + gains[i] - mean, 0.0)
            match_regrets(regrets, strategies, first, n)
