"""UCT for games in turns of any order: more than two players, several moves in a row, chance.

Sources: L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning" (ECML 2006); N.
Sturtevant, "An Analysis of UCT in Multi-Player Games" (Computers and Games 2008): each player
maximises its own score, as in max^n. G. Chaslot et al., "Monte-Carlo Tree Search: A New Framework
for Game AI" (AIIDE 2008) sample the outcomes of chance by their probabilities.

A node's mean is the score of the player that chose its action. An outcome of chance is a node as
well, chosen by the game's `sample`. `mcts.py` is for two players who alternate, and proves values.
"""

from typing import Any, Callable, NamedTuple, Optional

from ...core.game import CHANCE, TurnGame
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
from ...core.rng import random_below, seed_rng
from ...search.bandit import mean_of
from ...search.tree import (
    N_NODES,
    NODE_SIZE,
    action_of,
    add_children,
    add_visit,
    best_bound_child,
    best_child,
    best_line,
    children_of,
    clear_node,
    n_children_of,
    new_log_roots,
    node_action,
    node_at,
    rows_below,
    visits_of,
)

ITERATIONS, DEPTH, N_COUNTERS = range(N_NODES + 1, N_NODES + 4)


class Options(NamedTuple):
    """Options of a search.

    exploration: the constant C of UCB1, for scores of about -1 to 1 after division by
    `score_scale`.
    rollout_plies: the most plies of a rollout, after which the position is evaluated.
    max_depth: the deepest leaf, in plies from the root. score_scale: a large score of the game.
    """

    exploration: float = 1.0
    rollout_plies: int = 1000
    max_depth: int = 200
    score_scale: float = 1.0


class Tree(NamedTuple):
    """The state of a search; for nodes, arms and the first counters see `tree.py`.

    Letters: N capacity in nodes, D the deepest leaf, P players.

    nodes    [4 N]    node 0 is the root.
    arms     [2 N]    means for the player who moved to the node; of no meaning where chance did.
    counters [4]      random state, nodes in use, iterations, depth of the deepest leaf.
    path     [D + 1]  the nodes of this iteration.
    movers   [D + 1]  the choosing players.
    log_roots         see `tree.py`.
    state [S], actions [A], scores [P]  scratch space.
    """

    nodes: Int32s
    arms: Floats
    counters: Ints
    path: Ints
    movers: Ints
    log_roots: Floats
    state: Ints
    actions: Ints
    scores: Floats


def new_tree(game: TurnGame, options: Options, capacity: int, seed: int = 1) -> Tree:
    """Returns a bare root, with room for `capacity` nodes (32 bytes each)."""
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    tree = Tree(
        nodes=int32_buffer(NODE_SIZE * capacity),
        arms=float_buffer(2 * capacity),
        counters=counters,
        path=int_buffer(options.max_depth + 1),
        movers=int_buffer(options.max_depth + 1),
        log_roots=new_log_roots(),
        state=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
        scores=float_buffer(game.n_players),
    )
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Discard the search tree; the random stream continues."""
    clear_node(tree, 0, 0)
    tree.counters[N_NODES] = 1
    tree.counters[ITERATIONS] = tree.counters[DEPTH] = 0


@inline
def child_by(nodes: Ints, node: int, action: int) -> int:
    """Returns the child of an action the node has."""
    for child in children_of(nodes, node):
        if action_of(nodes, child) == action:
            return child
    return 0


def make_search(game: TurnGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, runs n more iterations from the state `root`.

    `root` is left unchanged; the division into calls changes nothing.
    """
    to_move, legal, sample, apply = game.to_move, game.legal, game.sample, game.apply
    is_over, evaluate, state_size = game.is_over, game.evaluate, game.state_size
    exploration, max_depth = options.exploration, options.max_depth
    rollout_plies, factor = options.rollout_plies, 1.0 / options.score_scale

    @inline
    def expand(setup: Any, tree: Tree, node: int) -> int:
        """Give `node` a leaf for each action, in random order, if there is room."""
        actions = tree.actions
        n = legal(setup, tree.state, actions)
        for i in range(n - 1, 0, -1):
            j = random_below(tree.counters, i + 1)
            actions[i], actions[j] = actions[j], actions[i]
        return add_children(tree, node, actions, n)

    @inline
    def select(setup: Any, tree: Tree) -> int:
        """Walk from the root to a leaf, growing the tree there; returns the plies played."""
        nodes = tree.nodes
        node = ply = 0
        while ply < max_depth and not is_over(setup, tree.state):
            if n_children_of(nodes, node) == 0:
                if ply > 0 and visits_of(nodes, node) == 0:
                    break
                if expand(setup, tree, node) == 0:
                    break
            mover = to_move(setup, tree.state)
            if mover == CHANCE:
                node = child_by(nodes, node, sample(setup, tree.state, tree.counters))
            else:
                node = best_bound_child(tree, node, 1.0, exploration, visits_of(nodes, node) + 1)
            apply(setup, tree.state, action_of(nodes, node), tree.state)
            ply += 1
            tree.path[ply] = node
            tree.movers[ply] = mover
        return ply

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        state, counters = tree.state, tree.counters
        for _ in range(n):
            copy_numbers(root, 0, state, 0, state_size)
            leaf_ply = select(setup, tree)
            left = rollout_plies
            while left > 0 and not is_over(setup, state):
                apply(setup, state, sample(setup, state, counters), state)
                left -= 1
            evaluate(setup, state, tree.scores)
            for i in range(leaf_ply, -1, -1):
                mover = tree.movers[i] if i > 0 else 0
                score = tree.scores[mover] * factor if mover != CHANCE else 0.0
                add_visit(tree, tree.path[i], 0.0, score)
            counters[ITERATIONS] += 1
            counters[DEPTH] = max(counters[DEPTH], leaf_ply)

    return search


def best_action(tree: Tree, by: str = "visits") -> Optional[int]:
    """Returns the root's best action, None before an iteration; by: see `tree.best_child`."""
    child = best_child(tree, 0, by)
    return None if child is None else node_action(tree, child)


class Summary(NamedTuple):
    """The counts of a search, and its result.

    iterations: their number since `reset`. nodes: the nodes in the tree. depth: the depth of the
    deepest leaf. line: the most visited actions. value: the mean score after the first action, by
    `score_scale`, for the player to move.
    """

    iterations: int
    nodes: int
    depth: int
    line: list[int]
    value: float


def summary(tree: Tree, by: str = "visits") -> Summary:
    """Returns a `Summary`; `by`: see `tree.best_child`."""
    best = best_child(tree, 0, by)
    return Summary(
        iterations=int(tree.counters[ITERATIONS]),
        nodes=int(tree.counters[N_NODES]),
        depth=int(tree.counters[DEPTH]),
        line=best_line(tree, 0, by),
        value=float(mean_of(tree.arms, best)) if best is not None else 0.0,
    )


def show_nodes(search: Any, node: int, state: Ints) -> "list[dict[str, Any]]":
    """Returns a node's children as rows for `explore`; a value is the mover's score."""
    rows = rows_below(search.tree, node, search.options.exploration)
    if rows and int(search.game.to_move(search.setup, state)) == CHANCE:
        n = max(node_at(search.tree, node).visits, 1)
        for row in rows:
            value = 0.0 if row["visits"] else None
            row |= {"value": value, "prior": row["visits"] / n, "bound": None}
    return rows


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
