"""Single-player Monte Carlo tree search (SP-MCTS): UCT for a game of one agent.

Source: M. Schadd, M. Winands, M. Tak and J. Uiterwijk, "Single-player Monte-Carlo tree search for
SameGame" (Knowledge-Based Systems 34, 2012). A child is selected by mean + C sqrt(ln(visits) / its
own) + sqrt((sum of squares - visits * mean^2 + D) / visits): the third term lets a child whose
results vary be tried more often, since the best line counts and not the mean. Every node knows the
greatest result below it, and the best line of all is kept: it is the answer.
"""

import math
from typing import Any, Callable, NamedTuple, Optional

from ...core.game import SoloGame
from ...core.jit import (
    AT_HOME,
    Floats,
    Int32s,
    Ints,
    copy_numbers,
    float_buffer,
    inline,
    int32_buffer,
    int_buffer,
)
from ...core.rng import seed_rng
from ...search.bandit import UNPULLED, inverse_root_of, mean_of
from ...search.tree import (
    N_NODES,
    NODE_SIZE,
    action_of,
    add_children,
    add_visit,
    cached_weight,
    children_of,
    clear_node,
    first_child_of,
    n_children_of,
    new_log_roots,
    rows_below,
    visits_of,
)

ITERATIONS, PLIES, PLAN_LENGTH, IS_OVER, N_COUNTERS = range(N_NODES + 1, N_NODES + 6)
WORST = -1e300


class Options(NamedTuple):
    """Options of a search.

    exploration: the constant C, for results in the unit of `score_scale` points. spread: the
    constant D in the same unit, squared. score_scale: points of the final score that count as 1.
    best_share: the share of the greatest result in a child's value; the rest is the mean.
    max_depth: actions after which a position counts as over, by its score.
    """

    exploration: float = 0.5
    spread: float = 10.0
    score_scale: float = 1000.0
    best_share: float = 0.0
    max_depth: int = 200


class Tree(NamedTuple):
    """The state of a search; for nodes, arms and the first counters see `tree.py`.

    Letters: N capacity in nodes, D max_depth.

    nodes    [4 N]    node 0 is the root.
    arms     [2 N]    means in units of score_scale.
    squares  [N]      sums of the squared results.
    greatest [N]      the greatest result.
    counters [6]      random state, nodes in use, iterations, plies, length of the best line,
                      whether the root's game is over.
    numbers  [1]      the best final score.
    path     [D + 1]  the nodes of this iteration.
    line     [D]      its actions.
    plan     [D]      the best line.
    log_roots         see `tree.py`.
    state, actions    room for a position and its actions.
    """

    nodes: Int32s
    arms: Floats
    squares: Floats
    greatest: Floats
    counters: Ints
    numbers: Floats
    path: Ints
    line: Ints
    plan: Ints
    log_roots: Floats
    state: Ints
    actions: Ints


def new_tree(game: SoloGame, options: Options, capacity: int, seed: int = 1) -> Tree:
    """Returns a tree of at most `capacity` nodes (64 bytes each)."""
    tree = Tree(
        nodes=int32_buffer(NODE_SIZE * capacity),
        arms=float_buffer(2 * capacity),
        squares=float_buffer(capacity),
        greatest=float_buffer(capacity),
        counters=int_buffer(N_COUNTERS),
        numbers=float_buffer(1),
        path=int_buffer(options.max_depth + 1),
        line=int_buffer(options.max_depth),
        plan=int_buffer(options.max_depth),
        log_roots=new_log_roots(),
        state=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
    )
    seed_rng(tree.counters, seed)
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Discard all iterations; the random stream continues."""
    clear_node(tree, 0, 0)
    tree.squares[0] = 0.0
    tree.greatest[0] = tree.numbers[0] = WORST
    for counter in range(ITERATIONS, N_COUNTERS):
        tree.counters[counter] = 0
    tree.counters[N_NODES] = 1


def make_search(game: SoloGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, runs n more iterations from the state `root`.

    The division into calls changes nothing.
    """
    legal, sample, apply = game.legal, game.sample, game.apply
    is_over, score, size = game.is_over, game.score, game.state_size
    exploration, spread, best_share = options.exploration, options.spread, options.best_share
    max_depth, unit = options.max_depth, 1.0 / options.score_scale

    @inline
    def expand(setup: Any, tree: Tree, node: int) -> None:
        """Give `node` a leaf for each legal action, where there is room."""
        n = legal(setup, tree.state, tree.actions)
        first = add_children(tree, node, tree.actions, n)
        if first > 0:
            for child in range(first, first + n):
                tree.squares[child] = 0.0
                tree.greatest[child] = WORST

    @inline
    def bound_of(tree: Tree, child: int, weight: float) -> float:
        """Returns a visited child's upper bound."""
        visits, mean = visits_of(tree.nodes, child), mean_of(tree.arms, child)
        variance = max(tree.squares[child] - visits * mean * mean, 0.0)
        value = mean + best_share * (tree.greatest[child] - mean)
        bound = value + weight * inverse_root_of(tree.arms, child)
        return bound + math.sqrt((variance + spread) / visits)

    @inline
    def select_child(tree: Tree, node: int) -> int:
        """Select the first unvisited child, else the child of greatest bound."""
        weight = cached_weight(tree, exploration, visits_of(tree.nodes, node) + 1)
        best, greatest = first_child_of(tree.nodes, node), -UNPULLED
        for child in children_of(tree.nodes, node):
            if visits_of(tree.nodes, child) == 0:
                return child
            bound = bound_of(tree, child, weight)
            if bound > greatest:
                best, greatest = child, bound
        return best

    @inline
    def select(setup: Any, tree: Tree) -> int:
        """Walk from the root to a leaf, growing the tree there; returns the plies played."""
        node = ply = 0
        tree.path[0] = 0
        while ply < max_depth:
            if n_children_of(tree.nodes, node) == 0:
                unvisited = visits_of(tree.nodes, node) == 0
                if (ply > 0 and unvisited) or is_over(setup, tree.state):
                    break
                expand(setup, tree, node)
                if n_children_of(tree.nodes, node) == 0:
                    break
            node = select_child(tree, node)
            tree.line[ply] = action_of(tree.nodes, node)
            apply(setup, tree.state, tree.line[ply], tree.state)
            ply += 1
            tree.path[ply] = node
        return ply

    @inline
    def back_up(tree: Tree, leaf_ply: int, reward: float) -> None:
        """Add the result to the nodes of the path."""
        for i in range(leaf_ply, -1, -1):
            node = tree.path[i]
            add_visit(tree, node, 0.0, reward)
            tree.squares[node] += reward * reward
            tree.greatest[node] = max(tree.greatest[node], reward)

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        counters = tree.counters
        if counters[ITERATIONS] == 0 and is_over(setup, root):
            counters[IS_OVER] = 1
        for _ in range(n):
            if counters[IS_OVER] == 1:
                break
            copy_numbers(root, 0, tree.state, 0, size)
            leaf_ply = select(setup, tree)
            ply = leaf_ply
            while ply < max_depth and not is_over(setup, tree.state):
                tree.line[ply] = sample(setup, tree.state, counters)
                apply(setup, tree.state, tree.line[ply], tree.state)
                ply += 1
            final = 1.0 * score(setup, tree.state)
            if final > tree.numbers[0]:
                tree.numbers[0] = final
                counters[PLAN_LENGTH] = ply
                copy_numbers(tree.line, 0, tree.plan, 0, ply)
            back_up(tree, leaf_ply, final * unit)
            counters[ITERATIONS] += 1
            counters[PLIES] += ply

    return search


def is_finished(tree: Tree) -> bool:
    """Returns True if the root's game is over."""
    return bool(tree.counters[IS_OVER])


def plan_of(tree: Tree) -> "list[int]":
    """Returns the best line's actions, to the game's end; [] before the first line."""
    return [int(action) for action in tree.plan[: int(tree.counters[PLAN_LENGTH])]]


def best_action(tree: Tree) -> Optional[int]:
    """Returns the best line's first action; None before any."""
    line = plan_of(tree)
    return line[0] if line else None


class Summary(NamedTuple):
    """The counts of a search since `reset`, its best line and its score (None before any)."""

    iterations: int
    plies: int
    nodes: int
    line: list[int]
    score: Optional[float]


def summary(tree: Tree) -> Summary:
    """Returns a `Summary`."""
    best = float(tree.numbers[0])
    return Summary(
        iterations=int(tree.counters[ITERATIONS]),
        plies=int(tree.counters[PLIES]),
        nodes=int(tree.counters[N_NODES]),
        line=plan_of(tree),
        score=best if best > WORST else None,
    )


def show_nodes(search: Any, node: int, state: Ints) -> "list[dict[str, Any]]":
    """Returns a node's children as rows for `explore`. A value is a child's best result, as the
    answer is the best line.
    """
    rows = rows_below(search.tree, node, 0.0)
    for row in rows:
        if row["visits"]:
            greatest = search.options.score_scale * float(search.tree.greatest[row["node"]])
            row |= {"value": greatest, "bound": None}
    return rows


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
