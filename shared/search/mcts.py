"""Monte Carlo tree search: UCT, with RAVE, priors from an evaluation and a solver.

Sources: Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (ECML 2006), for UCT; Gelly and
Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go" (Artificial
Intelligence 175, 2011), for RAVE and priors; Winands, Bjornsson and Saito, "Monte-Carlo tree search
solver" (Computers and Games 2008), here with draws proven as well.

An iteration has four phases. Selection walks down from the root, by UCB1 in every node: a node's
children are the arms of a bandit (`shared/search/bandit.py`). Expansion gives a leaf that was
visited before all its children and takes one more step. Rollout finishes the game with the game's
own samples, or evaluates the position it is left in after some plies. Backpropagation adds the
result to every node of the way, with the sign of whoever moved there.

Letters: A actions, N capacity in nodes, D the deepest leaf, R plies of a rollout, S
numbers of a state.

    nodes    int64[4 N]     first child, number of children, visits, action of each node; node 0 is the root
    arms     float64[2 N]   mean result for the player who moved to the node, 1 / sqrt(visits)
    rave     float64[2 N]   the same of all iterations in which that player played the action later on; one number without RAVE
    counters int64[6]       random state, nodes in use; iterations, plies in the tree, plies in rollouts, depth of the deepest leaf
    path     int64[D + 1]   the nodes of this iteration
    line     int64[D + R]   the actions of this iteration
    marks    int64[2 M]     for each player, which of the M actions came in this iteration; one number without RAVE

Results are 1 for a win, 0 for a draw, -1 for a loss. A proven node is an arm whose mean is
known: no bonus lures the search into a proven loss or draw, and a node with a proven win below
it is proven itself.
"""

import math
from typing import NamedTuple

from shared.core.jit import float_buffer, inline, int_buffer
from shared.core.rng import random_below, seed_rng
from shared.search.bandit import (
    INVERSE_ROOT,
    MEAN,
    UNPULLED,
    add_reward,
    best_bound,
    clear_arm,
    exploration_weight,
    fix_arm,
    is_fixed,
)
from shared.search.rollout import make_rollout, make_value

FIRST_CHILD, N_CHILDREN, VISITS, ACTION = range(4)
NODE_SIZE = 4
RAVE_MEAN, RAVE_VISITS = range(2)
RNG, N_NODES, ITERATIONS, TREE_PLIES, ROLLOUT_PLIES, DEPTH = range(6)
N_COUNTERS = 6

SEARCH_SIGNATURE = (
    "void(int64[::1], int64[::1], int64[::1], float64[::1], float64[::1], int64[::1], int64[::1],"
    " int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64)"
)
REPLANT_SIGNATURE = (
    "void(int64[::1], float64[::1], float64[::1], int64[::1], float64[::1], float64[::1],"
    " int64[::1], int64, int64)"
)


class Options(NamedTuple):
    """How to search.

    exploration: the constant C of UCB1, for results in -1..1.
    rollout_plies: the most plies of a rollout, after which the position is evaluated; 0
    evaluates the leaf itself.
    max_depth: the deepest leaf, in plies from the root.
    score_scale: an evaluation of this many points counts as half a win.
    prior_visits: each new child begins with its evaluation as the mean of so many visits; 0 does
        not evaluate children, and each is tried once before any a second time.
    rave_visits: visits after which a node's own mean weighs as much as RAVE's; 0 does without RAVE.
    n_actions: with RAVE, the actions are numbers below this.
    solver: whether to prove wins, draws and losses.
    """

    exploration: float = 1.0
    rollout_plies: int = 1000
    max_depth: int = 200
    score_scale: float = 1.0
    prior_visits: float = 0.0
    rave_visits: float = 0.0
    n_actions: int = 0
    solver: bool = True


class Tree(NamedTuple):
    """The buffers of a search, in the order its compiled functions take them; see the
    module's docstring.
    """

    nodes: object
    arms: object
    rave: object
    counters: object
    path: object
    line: object
    marks: object
    state: object
    after: object
    actions: object


def new_tree(game, options, capacity, seed=1):
    """Buffers for `capacity` nodes (48 bytes each, 64 with RAVE), planted with a bare root."""
    with_rave = options.rave_visits > 0.0
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    tree = Tree(
        nodes=int_buffer(NODE_SIZE * capacity),
        arms=float_buffer(2 * capacity),
        rave=float_buffer(2 * capacity if with_rave else 1),
        counters=counters,
        path=int_buffer(options.max_depth + 1),
        line=int_buffer(options.max_depth + options.rollout_plies),
        marks=int_buffer(2 * options.n_actions if with_rave else 1),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
    )
    plant(tree)
    return tree


def plant(tree):
    """Forget what was searched; the random stream goes on."""
    clear_node(tree.nodes, tree.arms, 0, 0)
    if len(tree.rave) > 1:
        clear_rave(tree.rave, 0)
    tree.counters[N_NODES] = 1
    clear_counts(tree.counters)


def clear_counts(counters):
    """Begin to count a new search."""
    for counter in (ITERATIONS, TREE_PLIES, ROLLOUT_PLIES, DEPTH):
        counters[counter] = 0


@inline
def clear_node(nodes, arms, node, action):
    """Make `node` an unvisited leaf for `action`."""
    nodes[NODE_SIZE * node + FIRST_CHILD] = 0
    nodes[NODE_SIZE * node + N_CHILDREN] = 0
    nodes[NODE_SIZE * node + VISITS] = 0
    nodes[NODE_SIZE * node + ACTION] = action
    clear_arm(arms, node)


@inline
def clear_rave(rave, node):
    """Nothing is known of the node's action elsewhere."""
    rave[2 * node + RAVE_MEAN] = 0.0
    rave[2 * node + RAVE_VISITS] = 0.0


@inline
def shuffle(actions, n, rng):
    """Put the n actions in random order (Fisher-Yates), as those in front are tried first."""
    for i in range(n - 1, 0, -1):
        j = random_below(rng, i + 1)
        actions[i], actions[j] = actions[j], actions[i]


@inline
def prove(nodes, arms, node):
    """Prove a node from its children, if that is possible: a won child suffices, else
    all must be proven.
    """
    first = nodes[NODE_SIZE * node + FIRST_CHILD]
    best = -1.0
    is_open = False
    for child in range(first, first + nodes[NODE_SIZE * node + N_CHILDREN]):
        if is_fixed(arms, child):
            best = max(best, arms[2 * child + MEAN])
        else:
            is_open = True
    if best == 1.0 or not is_open:
        fix_arm(arms, node, -best)


@inline
def best_bound_with_rave(nodes, arms, rave, first, n, weight, rave_visits):
    """As `best_bound`, with means that RAVE's share in: sqrt(k / (3 visits + k)) of them, k
    being `rave_visits`.

    A child never visited has RAVE's mean alone; one that RAVE knows nothing of either comes first.
    """
    best = first
    greatest = -UNPULLED
    for child in range(first, first + n):
        bound = arms[2 * child + MEAN]
        if not is_fixed(arms, child):
            if rave[2 * child + RAVE_VISITS] > 0.0:
                visits = nodes[NODE_SIZE * child + VISITS]
                share = math.sqrt(rave_visits / (3.0 * visits + rave_visits))
                if bound == UNPULLED:
                    bound = 0.0
                bound += share * (rave[2 * child + RAVE_MEAN] - bound)
            bound += weight * arms[2 * child + INVERSE_ROOT]
        if bound > greatest:
            greatest = bound
            best = child
    return best


@inline
def update_rave(nodes, rave, path, line, marks, leaf_ply, n_plies, n_actions, result):
    """Add the result to RAVE of all children beside the way whose action their player
    played from there on.

    result: for the player to move at the root. Marks stand for the actions played from
    the ply looked at on.
    """
    for ply in range(n_plies - 1, -1, -1):
        player = (ply & 1) * n_actions
        marks[player + line[ply]] = 1
        if ply > leaf_ply:
            continue
        reward = -result if ply & 1 else result
        node = path[ply]
        first = nodes[NODE_SIZE * node + FIRST_CHILD]
        for child in range(first, first + nodes[NODE_SIZE * node + N_CHILDREN]):
            if marks[player + nodes[NODE_SIZE * child + ACTION]]:
                rave[2 * child + RAVE_VISITS] += 1.0
                error = reward - rave[2 * child + RAVE_MEAN]
                rave[2 * child + RAVE_MEAN] += error / rave[2 * child + RAVE_VISITS]
    for ply in range(n_plies):
        marks[(ply & 1) * n_actions + line[ply]] = 0


def make_search(game, options):
    """The search of an `AlternatingGame`, as a function to be compiled with
    `kernel(SEARCH_SIGNATURE)`.

    search(setup, root, *tree, n) runs n more iterations from the state `root`, which it
    leaves alone, or fewer once the root is proven. How a number of iterations is cut into
    calls makes no difference.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    state_size = game.state_size
    exploration = options.exploration
    max_depth = options.max_depth
    prior_visits = options.prior_visits
    with_priors = prior_visits > 0.0
    prior_inverse_root = 1.0 / math.sqrt(prior_visits) if with_priors else 1.0
    rave_visits = options.rave_visits
    with_rave = rave_visits > 0.0
    n_actions = options.n_actions
    solver = options.solver
    value = make_value(game, options.score_scale)
    rollout = make_rollout(game, options.rollout_plies)

    @inline
    def expand(setup, nodes, arms, rave, counters, state, after, actions, node):
        """Give `node` a leaf for each legal action, where the buffers have room for them."""
        n = legal(setup, state, actions)
        first = counters[N_NODES]
        if NODE_SIZE * (first + n) > len(nodes):
            return
        shuffle(actions, n, counters)
        for i in range(n):
            child = first + i
            clear_node(nodes, arms, child, actions[i])
            if with_rave:
                clear_rave(rave, child)
            if with_priors:
                apply(setup, state, actions[i], after)
                arms[2 * child + MEAN] = -value(setup, after)
                arms[2 * child + INVERSE_ROOT] = prior_inverse_root
        nodes[NODE_SIZE * node + FIRST_CHILD] = first
        nodes[NODE_SIZE * node + N_CHILDREN] = n
        counters[N_NODES] = first + n

    @inline
    def select_child(nodes, arms, rave, node):
        """The child with the greatest upper confidence bound."""
        first = nodes[NODE_SIZE * node + FIRST_CHILD]
        n = nodes[NODE_SIZE * node + N_CHILDREN]
        weight = exploration_weight(exploration, nodes[NODE_SIZE * node + VISITS] + 1)
        if with_rave:
            return best_bound_with_rave(nodes, arms, rave, first, n, weight, rave_visits)
        return best_bound(arms, first, n, 1.0, weight)

    @inline
    def select(setup, nodes, arms, rave, counters, path, line, state, after, actions):
        """Walk from the root to a leaf, growing the tree by its children; returns the plies played."""
        node = 0
        ply = 0
        while ply < max_depth and not is_fixed(arms, node):
            if nodes[NODE_SIZE * node + N_CHILDREN] == 0:
                if ply > 0 and nodes[NODE_SIZE * node + VISITS] == 0 or is_over(setup, state):
                    break
                expand(setup, nodes, arms, rave, counters, state, after, actions, node)
                if nodes[NODE_SIZE * node + N_CHILDREN] == 0:
                    break
            node = select_child(nodes, arms, rave, node)
            line[ply] = nodes[NODE_SIZE * node + ACTION]
            apply(setup, state, line[ply], state)
            ply += 1
            path[ply] = node
        return ply

    @inline
    def backpropagate(nodes, arms, path, ply, reward):
        """Add the result to the nodes of the way. reward: for the player who moved to the last one."""
        for i in range(ply, -1, -1):
            node = path[i]
            nodes[NODE_SIZE * node + VISITS] += 1
            add_reward(arms, node, nodes[NODE_SIZE * node + VISITS] + prior_visits, reward)
            if solver and i < ply and is_fixed(arms, path[i + 1]):
                prove(nodes, arms, node)
            if is_fixed(arms, node):
                reward = arms[2 * node + MEAN]
            reward = -reward

    def search(
        setup,
        root,
        nodes,
        arms,
        rave,
        counters,
        path,
        line,
        marks,
        state,
        after,
        actions,
        n_iterations,
    ):
        for _ in range(n_iterations):
            if is_fixed(arms, 0):
                return
            for i in range(state_size):
                state[i] = root[i]
            path[0] = 0
            leaf_ply = select(setup, nodes, arms, rave, counters, path, line, state, after, actions)
            leaf = path[leaf_ply]
            n_plies = leaf_ply
            if not is_fixed(arms, leaf):
                if is_over(setup, state):
                    if solver:
                        fix_arm(arms, leaf, -value(setup, state))
                else:
                    n_plies = rollout(setup, state, line, leaf_ply, counters)
            if is_fixed(arms, leaf):
                reward = arms[2 * leaf + MEAN]
            else:
                reward = -value(setup, state)
            if n_plies - leaf_ply & 1:
                reward = -reward
            backpropagate(nodes, arms, path, leaf_ply, reward)
            if with_rave:
                if leaf_ply & 1 == 0:
                    reward = -reward
                update_rave(nodes, rave, path, line, marks, leaf_ply, n_plies, n_actions, reward)
            counters[ITERATIONS] += 1
            counters[TREE_PLIES] += leaf_ply
            counters[ROLLOUT_PLIES] += n_plies - leaf_ply
            counters[DEPTH] = max(counters[DEPTH], leaf_ply)

    return search


@inline
def copy_node(nodes, arms, rave, node, new_nodes, new_arms, new_rave, new_node):
    """Copy a node between buffers; its children still are where they were."""
    for i in range(NODE_SIZE):
        new_nodes[NODE_SIZE * new_node + i] = nodes[NODE_SIZE * node + i]
    for i in range(2):
        new_arms[2 * new_node + i] = arms[2 * node + i]
    if len(rave) > 1:
        for i in range(2):
            new_rave[2 * new_node + i] = rave[2 * node + i]


def replant_tree(nodes, arms, rave, new_nodes, new_arms, new_rave, counters, kept, limit):
    """Copy the node `kept` and at most `limit` nodes in all to the front of the new
    buffers (see `replant`).

    The copy goes breadth first: a node is copied with its old first child, and when the scan
    reaches it the children follow (Cheney's collector, Communications of the ACM 13(11), 1970).
    """
    copy_node(nodes, arms, rave, kept, new_nodes, new_arms, new_rave, 0)
    n_nodes = 1
    scan = 0
    while scan < n_nodes:
        first = new_nodes[NODE_SIZE * scan + FIRST_CHILD]
        n_children = new_nodes[NODE_SIZE * scan + N_CHILDREN]
        if n_nodes + n_children > limit:
            n_children = 0
        new_nodes[NODE_SIZE * scan + FIRST_CHILD] = n_nodes
        new_nodes[NODE_SIZE * scan + N_CHILDREN] = n_children
        for child in range(first, first + n_children):
            copy_node(nodes, arms, rave, child, new_nodes, new_arms, new_rave, n_nodes)
            n_nodes += 1
        scan += 1
    counters[N_NODES] = n_nodes


def replant(tree, spare, actions, replant_tree=replant_tree, limit=1 << 62):
    """Go on with what is known below `actions`, those played since the tree's root; the
    rest is forgotten.

    spare: a second (nodes, arms, rave) of the same sizes. Returns (tree, spare) with the buffers
    exchanged, or the tree planted anew where it never came to the actions. `replant_tree` is the
    function of that name compiled with `kernel(REPLANT_SIGNATURE)`. limit: copy at most so many
    nodes, as a copy takes time; the deepest ones lose their children, and have their visits still.
    """
    kept = 0
    for action in actions:
        kept = child_of(tree, kept, action)
        if kept is None:
            plant(tree)
            return tree, spare
    replant_tree(tree.nodes, tree.arms, tree.rave, *spare, tree.counters, kept, limit)
    clear_counts(tree.counters)
    nodes, arms, rave = spare
    return tree._replace(nodes=nodes, arms=arms, rave=rave), (tree.nodes, tree.arms, tree.rave)


def children(tree, node):
    """The nodes below a node, as a range."""
    first = int(tree.nodes[NODE_SIZE * node + FIRST_CHILD])
    return range(first, first + int(tree.nodes[NODE_SIZE * node + N_CHILDREN]))


def child_of(tree, node, action):
    """The child of a node by its action, or None where the tree has none."""
    for child in children(tree, node):
        if tree.nodes[NODE_SIZE * child + ACTION] == action:
            return child
    return None


def best_child(tree, node, by="visits"):
    """The child most visited (`by="visits"`) or of the highest mean (`by="mean"`), the other
    one breaking ties.

    A child proven to win comes before all others, one proven to lose after them. None where no
    child was visited.
    """

    def rank(child):
        visits, mean = int(tree.nodes[NODE_SIZE * child + VISITS]), float(tree.arms[2 * child])
        proof = mean if is_fixed(tree.arms, child) else 0.0
        return (proof, visits, mean) if by == "visits" else (proof, mean, visits)

    visited = [child for child in children(tree, node) if tree.nodes[NODE_SIZE * child + VISITS]]
    return max(visited, key=rank, default=None)


def best_action(tree, by="visits"):
    """The action of the root's `best_child`, or None before the first iteration."""
    child = best_child(tree, 0, by)
    return None if child is None else int(tree.nodes[NODE_SIZE * child + ACTION])


def is_proven(tree):
    """Whether the root's value is proven, so that more iterations would change nothing."""
    return bool(is_fixed(tree.arms, 0))


class Report(NamedTuple):
    """What a search did, and what it found.

    iterations, tree_plies, rollout_plies: since the tree was planted; nodes: in the tree; depth:
    of the deepest leaf.
    line: the actions it would play from the root on. value: the mean result of the first of them,
    for the player to move at the root. proven: whether that value is certain.
    """

    iterations: int
    tree_plies: int
    rollout_plies: int
    nodes: int
    depth: int
    line: list
    value: float
    proven: bool


def report(tree, by="visits"):
    """The search's `Report`; `by`: see `best_child`."""
    line = []
    node = best = best_child(tree, 0, by)
    while node is not None:
        line.append(int(tree.nodes[NODE_SIZE * node + ACTION]))
        node = best_child(tree, node, by)
    return Report(
        iterations=int(tree.counters[ITERATIONS]),
        tree_plies=int(tree.counters[TREE_PLIES]),
        rollout_plies=int(tree.counters[ROLLOUT_PLIES]),
        nodes=int(tree.counters[N_NODES]),
        depth=int(tree.counters[DEPTH]),
        line=line,
        value=float(tree.arms[2 * best + MEAN]) if best is not None else 0.0,
        proven=is_proven(tree),
    )
