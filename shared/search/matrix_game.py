"""A turn as a matrix game: the payoff of every pair of actions, each the mean of sampled games.

For two-player zero-sum games with simultaneous moves; `regret_matching.py` solves the matrix. After
the first turn, both players play the game's samples.

Letters: A actions, S numbers of a state. Player 0 has the rows, player 1 the columns.
"""

from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from ..core.game import SimultaneousGame
from ..core.jit import (
    AT_HOME,
    Floats,
    Ints,
    Numbers,
    buffer_of,
    float_buffer,
    inline,
    int_buffer,
    of_numbers,
)
from ..core.rng import random_unit, seed_rng
from ..search.regret_matching import Solution, new_solution, solve_matrix

RNG, ITERATIONS, N_ROWS, N_COLUMNS = range(4)
N_COUNTERS = 4
SHOWN_ITERATIONS = 200  # of the solver, in `show_nodes`


class Options(NamedTuple):
    """Options of a search. depth: the turns of an iteration."""

    depth: int = 2


class Tree(NamedTuple):
    """The state of a search, one turn deep.

    payoffs  [A A]  mean payoff of player 0 for each pair; a row is A numbers long.
    counters [4]    random state, iterations, rows, columns.
    choices  [2 A]  the actions of the rows, then those of the columns.
    state, scores, joint_action, actions  scratch space for the game.
    """

    payoffs: Floats
    counters: Ints
    choices: Ints
    state: Numbers
    scores: Floats
    joint_action: Ints
    actions: Ints
    if not TYPE_CHECKING:
        __class_getitem__ = of_numbers


def new_tree(game: SimultaneousGame, options: Options, seed: int = 1) -> Tree:
    """Returns an empty matrix, the same for all options."""
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    return Tree(
        payoffs=float_buffer(game.max_actions * game.max_actions),
        counters=counters,
        choices=int_buffer(2 * game.max_actions),
        state=buffer_of(game.numbers, game.state_size),
        scores=float_buffer(2),
        joint_action=int_buffer(2),
        actions=int_buffer(game.max_actions),
    )


def reset(tree: Tree) -> None:
    """Discard the iterations before the next turn; the random stream continues."""
    tree.counters[ITERATIONS] = 0


def make_search(
    game: SimultaneousGame, options: Options
) -> Callable[[Numbers, Numbers, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, runs n more iterations, pair after pair.

    An iteration plays its pair in the state `root`, then the game's samples up to the depth; the
    payoff is half of agent 0's lead over agent 1. The game has two agents.
    """
    legal, sample, apply, numbers = game.legal, game.sample, game.apply, game.numbers
    is_over, evaluate = game.is_over, game.evaluate
    state_size = game.state_size
    max_actions, depth = game.max_actions, options.depth

    @inline
    def lay_out(setup: Any, root: Any, tree: Tree) -> None:
        """List both players' actions and empty the matrix."""
        for i in range(state_size):
            tree.state[i] = root[i]
        for agent in range(2):
            n = legal(setup, tree.state, agent, tree.actions)
            tree.counters[N_ROWS + agent] = n
            for i in range(n):
                tree.choices[agent * max_actions + i] = tree.actions[i]
        for pair in range(max_actions * max_actions):
            tree.payoffs[pair] = 0.0

    def search(setup: numbers, root: numbers, tree: Tree[numbers], n: int) -> None:
        payoffs, counters, choices, state, scores, joint_action, _ = tree
        if counters[ITERATIONS] == 0:
            lay_out(setup, root, tree)
        n_columns = counters[N_COLUMNS]
        n_pairs = counters[N_ROWS] * n_columns
        for _ in range(n):
            earlier = counters[ITERATIONS] // n_pairs
            pair = counters[ITERATIONS] - earlier * n_pairs
            row = pair // n_columns
            column = pair - row * n_columns
            for i in range(state_size):
                state[i] = root[i]
            joint_action[0] = choices[row]
            joint_action[1] = choices[max_actions + column]
            for turn in range(depth):
                if is_over(setup, state):
                    break
                if turn > 0:
                    for agent in range(2):
                        joint_action[agent] = sample(setup, state, agent, counters)
                apply(setup, state, joint_action)
            evaluate(setup, state, scores)
            cell = row * max_actions + column
            payoff = (scores[0] - scores[1]) / 2.0
            payoffs[cell] += (payoff - payoffs[cell]) / (earlier + 1)
            counters[ITERATIONS] += 1

    return search


def best_action(tree: Tree, solution: Solution, player: int = 0, by: str = "solution") -> int:
    """Returns a player's best action by one measure, the first of equals.

    by: "solution", the most probable action in the solution of the matrix; "average", the best mean
    payoff over all of the other player's actions; "worst", the best payoff under the worst reply,
    which is also the action that minimises the other player's best payoff. None of them is safe
    against a player who knows it: see `draw_action`.
    """
    first = player * (len(tree.choices) // 2)
    n = int(tree.counters[N_ROWS + player])
    if by == "solution":
        values = [float(share) for share in solution.averages[first : first + n]]
    else:
        values = [_reply_value(tree, player, i, by) for i in range(n)]
    return int(tree.choices[first + values.index(max(values))])


def _reply_value(tree: Tree, player: int, i: int, by: str) -> float:
    """Returns the mean or worst payoff of a player's action number i over all replies."""
    most, n_others = len(tree.choices) // 2, int(tree.counters[N_ROWS + 1 - player])
    row, column, sign = (most, 1, 1.0) if player == 0 else (1, most, -1.0)
    payoffs = [sign * float(tree.payoffs[i * row + j * column]) for j in range(n_others)]
    return sum(payoffs) / n_others if by == "average" else min(payoffs)


def draw_action(tree: Tree, solution: Solution, player: int = 0) -> int:
    """Draw a player's action, each as probable as in the solution of the matrix: against
    this mixed strategy no reply gains more than the game's value. It uses the tree's random stream.
    """
    first = player * (len(tree.choices) // 2)
    last = first + int(tree.counters[N_ROWS + player]) - 1
    left = random_unit(tree.counters) * sum(map(float, solution.averages[first : last + 1]))
    for option in range(first, last):
        left -= solution.averages[option]
        if left < 0.0:
            return int(tree.choices[option])
    return int(tree.choices[last])


def solved_value(tree: Tree, solution: Solution) -> float:
    """Returns player 0's payoff by the solution."""
    n_rows, n_columns, stride = *map(int, tree.counters[N_ROWS:N_COUNTERS]), len(tree.choices) // 2
    rows, columns = solution.averages[:n_rows], solution.averages[stride : stride + n_columns]
    return sum(
        float(p * q * tree.payoffs[stride * i + j])
        for i, p in enumerate(rows)
        for j, q in enumerate(columns)
        if p * q > 0.0
    )


class Summary(NamedTuple):
    """The iterations since `reset`, and the numbers of rows and columns of the matrix."""

    iterations: int
    n_rows: int
    n_columns: int


def summary(tree: Tree) -> Summary:
    """Returns a `Summary`."""
    return Summary(*map(int, tree.counters[ITERATIONS:N_COUNTERS]))


def n_trees(search: Any) -> int:
    """Returns `explore`'s number of trees."""
    return 2


def show_nodes(search: Any, node: Any, state: Any) -> "list[dict[str, Any]]":
    """Returns a player's actions, or the other's answers to one, as rows for `explore`: priors are
    shares in the solution, values payoffs. node: the player, then (player, action), then None.
    """
    if node is None:
        return []
    player, mine = (node, None) if isinstance(node, int) else node
    tree, most = search.tree, search.game.max_actions
    sizes = [int(tree.counters[N_ROWS]), int(tree.counters[N_COLUMNS])]
    choices = [[int(tree.choices[i * most + j]) for j in range(sizes[i])] for i in range(2)]
    payoffs = [float(tree.payoffs[i * most + j]) for i in range(sizes[0]) for j in range(sizes[1])]
    if "shares" not in search.notes:
        search.notes["shares"] = solved(payoffs, *sizes)
    shares = search.notes["shares"]
    rival, sign = 1 - player, 1.0 if player == 0 else -1.0

    def payoff_of(action: int, other: int) -> float:
        row, column = (action, other) if player == 0 else (other, action)
        return sign * payoffs[row * sizes[1] + column]

    if mine is None:
        return [
            {
                "node": (player, i),
                "action": choices[player][i],
                "value": sum(shares[rival][j] * payoff_of(i, j) for j in range(sizes[rival])),
                "prior": shares[player][i],
                "weight": shares[player][i],
            }
            for i in range(sizes[player])
        ]
    rows = []
    for j in range(sizes[rival]):
        action = tuple(sorted([(player, choices[player][mine]), (rival, choices[rival][j])]))
        place = mine * sizes[1] + j if player == 0 else j * sizes[1] + mine
        n, left = divmod(int(tree.counters[ITERATIONS]), len(payoffs))
        n += place < left
        row = {"node": None, "action": action, "visits": n, "prior": shares[rival][j]}
        value = payoff_of(mine, j) if n else None
        rows.append({**row, "value": value, "weight": shares[rival][j] - 1.0})
    return rows


def solved(payoffs: "list[float]", n_rows: int, n_columns: int) -> "list[list[float]]":
    """Returns each player's probabilities in the solution of a matrix, for `show_nodes`."""
    most = max(n_rows, n_columns, 1)
    square, solution = float_buffer(most * most), new_solution(most)
    for place, payoff in enumerate(payoffs):
        square[place // n_columns * most + place % n_columns] = payoff
    if payoffs:
        solve_matrix(square, solution, n_rows, n_columns, SHOWN_ITERATIONS)
    averages = [float(average) for average in solution.averages]
    return [averages[:n_rows], averages[most : most + n_columns]]


if AT_HOME:
    from ..search.checks.limits import check_calls

    check_calls(globals())
