"""Monte Carlo tree search: UCT or PUCT, with RAVE, priors from an evaluation and a solver.

Sources: Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (ECML 2006), for UCT; Gelly and
Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go" (Artificial
Intelligence 175, 2011), for RAVE and priors; Rosin, "Multi-armed bandits with episode context"
(Annals of Mathematics and Artificial Intelligence 61, 2011), and Silver et al., "Mastering the game
of Go without human knowledge" (Nature 550, 2017), for PUCT, and (Science 362, 2018) for its growth;
Winands, Bjornsson and Saito, "Monte-Carlo tree search solver" (Computers and Games 2008), here with
draws proven as well.

An iteration has four phases. Selection walks down from the root, in every node by UCB1 (`tree.py`),
by UCB1 with RAVE (`rave.py`), or by PUCT if the game has priors. Expansion gives a leaf visited
before all its children and takes one more step. Rollout finishes the game with the game's own
samples, or evaluates the position reached after some plies. Backpropagation adds the result to
every node of the path, with the sign of the player who moved there.

Results are 1 for a win, 0 for a draw, -1 for a loss. A proven node is an arm with a known mean: it
gets no exploration bonus, and a node with a proven win below it is proven itself.

The chapter: 1 options and buffers, 2 PUCT, 3 expansion and backpropagation, 4 the search of a game,
5 the tree kept from turn to turn, 6 results.
"""

import math
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ..core.game import AlternatingGame
from ..core.jit import (
    AT_HOME,
    Floats,
    Function,
    Int32s,
    Ints,
    float_buffer,
    inline,
    int32_buffer,
    int_buffer,
)
from ..core.rng import random_below, seed_rng
from ..search.bandit import (
    INVERSE_ROOT,
    UNPULLED,
    fix_arm,
    inverse_root_of,
    is_fixed,
    mean_of,
    set_arm,
)
from ..search.rollout import make_rollout, make_value
from ..search.tree import (
    MOST,
    N_NODES,
    NO_LIMIT,
    NODE_SIZE,
    action_of,
    add_children,
    add_visit,
    best_bound_child,
    best_child,
    best_line,
    cached_weight,
    child_of,
    children,
    children_of,
    choose,
    chosen_child,
    clear_node,
    copy_below,
    copy_node,
    first_child_of,
    has_room,
    n_children_of,
    new_log_roots,
    node_action,
    node_at,
    prefetch_children,
    visits_of,
)

if TYPE_CHECKING:
    from ..search.rave import Rave

# ---- 1. Options and buffers

ITERATIONS, TREE_PLIES, ROLLOUT_PLIES, DEPTH, N_COUNTERS = range(N_NODES + 1, N_NODES + 6)

GROWING = 500  # visits of a node


class Options(NamedTuple):
    """Options of a search.

    exploration: the constant C of UCB1, for results in -1..1.
    rollout_plies: the most plies of a rollout, after which the position is evaluated; 0
    evaluates the leaf itself.
    max_depth: the deepest leaf, in plies from the root.
    score_scale: an evaluation of this many points counts as half a win.
    prior_visits: each new child starts with its evaluation as the mean of this many visits; 0
        leaves children unevaluated, and each is tried once before any a second time.
    rave_visits: visits after which a node's own mean weighs as much as RAVE's; 0 for no RAVE, which
        `make_search` is given (`rave.py`).
    solver: prove wins, draws and losses.
    first_play_urgency: with the game's priors, an untried action counts the position's mean less
        this.
    growth: with the game's priors, C is multiplied by 1 + growth ln(visits / GROWING) in a node
        of more than GROWING visits.
    """

    exploration: float = 1.0
    rollout_plies: int = 1000
    max_depth: int = 200
    score_scale: float = 1.0
    prior_visits: float = 0.0
    rave_visits: float = 0.0
    solver: bool = True
    first_play_urgency: float = 0.2
    growth: float = 0.0


class Tree(NamedTuple):
    """The state of one search; for nodes, arms and the first counters see `tree.py`. Another
    search's tree, with other options, is begun anew (`reset`), as nodes note their next child.

    Letters: N capacity in nodes, D the deepest leaf, R plies of a rollout, A actions.

    nodes    [4 N]    node 0 is the root.
    arms     [2 N]    means for the player who moved to the node; with the game's priors the second
                      number is 1 / (1 + visits).
    rave     [2 N]    mean and visits of all iterations in which that player played the action later
                      on; one number without RAVE.
    priors   [N]      the game's prior of the node's action, by which children are sorted; one
                      number without priors.
    counters [6]      random state, nodes in use; iterations, plies in the tree, plies in rollouts,
                      depth of the deepest leaf.
    path     [D + 1]  the nodes of this iteration.
    line     [D + R]  the actions of this iteration.
    marks    [2 A]    for each player, the set of actions played in this iteration; one number
                      without RAVE.
    log_roots         see `tree.py`.
    state, after, actions, shares  scratch space: two positions, actions and their priors.
    """

    nodes: Int32s
    arms: Floats
    rave: Floats
    priors: Floats
    counters: Ints
    path: Ints
    line: Ints
    marks: Ints
    log_roots: Floats
    state: Ints
    after: Ints
    actions: Ints
    shares: Floats


def new_tree(game: AlternatingGame, options: Options, capacity: int, seed: int = 1) -> Tree:
    """Returns a tree for `capacity` nodes (32 bytes each, 48 with RAVE, 40 with priors)."""
    with_rave = options.rave_visits > 0.0
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    tree = Tree(
        nodes=int32_buffer(NODE_SIZE * capacity),
        arms=float_buffer(2 * capacity),
        rave=float_buffer(2 * capacity if with_rave else 1),
        priors=float_buffer(1 if game.priors is None else capacity),
        counters=counters,
        path=int_buffer(options.max_depth + 1),
        line=int_buffer(options.max_depth + options.rollout_plies),
        marks=int_buffer(2 * game.max_actions if with_rave else 1),
        log_roots=new_log_roots(),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
        shares=float_buffer(game.max_actions),
    )
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Discard the search tree; the random stream continues."""
    clear_node(tree, 0, 0)
    for i in range(min(2, len(tree.rave))):
        tree.rave[i] = 0.0
    tree.counters[N_NODES] = 1
    clear_counts(tree.counters)


def clear_counts(counters: Ints) -> None:
    """Reset the counts for a new search."""
    for counter in (ITERATIONS, TREE_PLIES, ROLLOUT_PLIES, DEPTH):
        counters[counter] = 0


# ---- 2. PUCT: the prior probability of an action weighs most while its node has few visits. The
# second number of an arm is 1 / (1 + visits).


@inline
def sort_by_prior(actions: Ints, shares: Floats, n: int) -> None:
    """Sort the n actions and their priors, the greatest first; the sort is stable."""
    for i in range(1, n):
        action, share = actions[i], shares[i]
        j = i
        while j > 0 and shares[j - 1] < share:
            actions[j], shares[j] = actions[j - 1], shares[j - 1]
            j -= 1
        actions[j], shares[j] = action, share


@inline
def select_with_priors(
    tree: Tree, node: int, exploration: float, first_play: float, growth: float
) -> int:
    """Select the child of greatest mean + C prior sqrt(1 + visits of the node) / (1 + its own).

    An unvisited child has the node's mean, from the view of the player to move there, less
    `first_play`. The first unvisited child is the best of them, as children are sorted by priors:
    the scan ends there, behind all visited ones.
    """
    nodes, arms, priors = tree.nodes, tree.arms, tree.priors
    n = visits_of(nodes, node) + 1
    if growth != 0.0 and n > GROWING:
        root = cached_weight(tree, 1.0, n)
        exploration *= 1.0 + growth * (root * root - math.log(GROWING))
    weight = exploration * math.sqrt(n)
    best = first = first_child_of(nodes, node)
    greatest = -UNPULLED
    for i in range(n_children_of(nodes, node)):
        child = first + i
        # The search reads the chosen child's node next: reading it here loads it together with the
        # arm.
        is_new = visits_of(nodes, child) == 0
        if is_new:
            mean = mean_of(arms, node)
            bound = (0.0 if mean == UNPULLED else -mean) - first_play
        else:
            bound = mean_of(arms, child)
        bound += weight * priors[child] * inverse_root_of(arms, child)
        if bound > greatest:
            greatest = bound
            best = child
        if is_new:
            break
    return best


# ---- 3. Expansion and backpropagation


@inline
def shuffle(actions: Ints, n: int, rng: Ints) -> None:
    """Shuffle the n actions (Fisher-Yates), as those in front are tried first."""
    for i in range(n - 1, 0, -1):
        j = random_below(rng, i + 1)
        actions[i], actions[j] = actions[j], actions[i]


@inline
def prove(nodes: Ints, arms: Floats, node: int) -> None:
    """Prove a node from its children: one won child suffices, otherwise all must be proven."""
    best = -1.0
    is_open = False
    for child in children_of(nodes, node):
        if is_fixed(arms, child):
            best = max(best, mean_of(arms, child))
        else:
            is_open = True
    if best == 1.0 or not is_open:
        fix_arm(arms, node, -best)


@inline
def add_result(
    tree: Tree,
    ply: int,
    leaf_ply: int,
    reward: float,
    prior_visits: float,
    solver: bool,
    with_priors: bool,
) -> float:
    """Add a result to the path's node at `ply`; returns the result for the node above.

    reward: for the player who moved to the node.
    """
    node = tree.path[ply] & MOST
    add_visit(tree, node, prior_visits, reward)
    if with_priors and not is_fixed(tree.arms, node):
        inverse = 1.0 / (1 + visits_of(tree.nodes, node))
        set_arm(tree.arms, node, mean_of(tree.arms, node), inverse)
    if solver and ply < leaf_ply and is_fixed(tree.arms, tree.path[ply + 1]):
        prove(tree.nodes, tree.arms, node)
    if is_fixed(tree.arms, node):
        reward = mean_of(tree.arms, node)
    return -reward


# ---- 4. The search of a game


def make_search(
    game: AlternatingGame, options: Options, rave: Optional["Rave"] = None
) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, runs n more iterations from the state `root`.

    `root` is left unchanged; once it is proven fewer run. The division into calls changes nothing.
    rave: the RAVE of `rave.py`, for options with `rave_visits`.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    state_size, setup_type = game.state_size, game.setup_type or Ints
    max_actions = game.max_actions
    exploration, max_depth, solver = options.exploration, options.max_depth, options.solver
    prior_visits, rave_visits = options.prior_visits, options.rave_visits
    first_play, growth = options.first_play_urgency, options.growth
    with_priors, with_rave, evaluates_children = False, rave is not None, prior_visits > 0.0
    write_priors = clear_rave = select_with_rave = back_up_rave = legal
    if rave is not None:
        clear_rave, select_with_rave, back_up_rave = rave
    if game.priors is not None:
        with_priors, write_priors = True, game.priors
    prior_inverse_root = 1.0 / math.sqrt(prior_visits) if evaluates_children else 1.0
    value = make_value(game, options.score_scale)
    rollout = make_rollout(game, options.rollout_plies)

    @inline
    def best_child_of(tree: Tree, node: int) -> int:
        """Select the child by its upper confidence bound."""
        if with_priors:
            return select_with_priors(tree, node, exploration, first_play, growth)
        if with_rave:
            return select_with_rave(tree, node, exploration, rave_visits)
        visits = visits_of(tree.nodes, node) + 1
        return best_bound_child(tree, node, 1.0, exploration, visits)

    @inline
    def choose_next(tree: Tree, ply: int) -> None:
        """Choose the child of the next visit to the path's node at `ply`.

        Only visits change the bounds. So the nodes of a path can choose right after it, independent
        of each other; during the next selection each choice would wait for the choice above it.
        """
        node = tree.path[ply] & MOST
        if n_children_of(tree.nodes, node) > 0:
            choose(tree.nodes, node, best_child_of(tree, node))

    @inline
    def expand(setup: Any, tree: Tree, node: int) -> None:
        """Give `node` a leaf for each legal action, if there is room."""
        n = legal(setup, tree.state, tree.actions)
        if not has_room(tree, n):
            return
        shuffle(tree.actions, n, tree.counters)
        if with_priors:
            write_priors(setup, tree.state, tree.actions, n, tree.shares)
            sort_by_prior(tree.actions, tree.shares, n)
        first = add_children(tree, node, tree.actions, n)
        for i in range(n):
            if with_priors:
                tree.priors[first + i] = tree.shares[i]
            if with_rave:
                clear_rave(tree.rave, first + i)
            if evaluates_children:
                apply(setup, tree.state, tree.actions[i], tree.after)
                set_arm(tree.arms, first + i, -value(setup, tree.after), prior_inverse_root)
        if evaluates_children:
            choose(tree.nodes, node, best_child_of(tree, node))

    @inline
    def select(setup: Any, tree: Tree) -> int:
        """Walk from the root to a leaf, growing the tree there; returns the plies played."""
        node = 0
        ply = 0
        tree.path[0] = 0
        while ply < max_depth and not is_fixed(tree.arms, node):
            if n_children_of(tree.nodes, node) == 0:
                unvisited = visits_of(tree.nodes, node) == 0
                if (ply > 0 and unvisited) or is_over(setup, tree.state):
                    break
                expand(setup, tree, node)
                if n_children_of(tree.nodes, node) == 0:
                    break
            node = chosen_child(tree.nodes, node)
            prefetch_children(tree, node)
            action = action_of(tree.nodes, node)
            apply(setup, tree.state, action, tree.state)
            tree.line[ply] = action
            ply += 1
            tree.path[ply] = node
        return ply

    @inline
    def simulate(setup: Any, tree: Tree, leaf_ply: int) -> int:
        """Play on from the leaf, or prove it if the game is over; returns the plies played."""
        leaf = tree.path[leaf_ply]
        if is_fixed(tree.arms, leaf):
            return leaf_ply
        if not is_over(setup, tree.state):
            return rollout(setup, tree.state, tree.line, leaf_ply, tree.counters)
        if solver:
            fix_arm(tree.arms, leaf, -value(setup, tree.state))
        return leaf_ply

    @inline
    def evaluate(setup: Any, tree: Tree, leaf_ply: int, n_plies: int) -> float:
        """Returns the result for the leaf's last mover."""
        leaf = tree.path[leaf_ply]
        if is_fixed(tree.arms, leaf):
            return mean_of(tree.arms, leaf)
        reward = -value(setup, tree.state)
        return -reward if n_plies - leaf_ply & 1 else reward

    @inline
    def back_up(tree: Tree, leaf_ply: int, n_plies: int, reward: float) -> None:
        """Add the result to the nodes of the path. reward: for the player who moved to the leaf."""
        above = reward
        for ply in range(leaf_ply, -1, -1):
            above = add_result(tree, ply, leaf_ply, above, prior_visits, solver, with_priors)
            if not with_rave:
                choose_next(tree, ply)
        if with_rave:
            back_up_rave(tree, leaf_ply, n_plies, max_actions, reward)
            for ply in range(leaf_ply + 1):
                choose_next(tree, ply)

    def search(setup: setup_type, root: Ints, tree: Tree, n: int) -> None:
        for _ in range(n):
            if is_fixed(tree.arms, 0):
                return
            for i in range(state_size):
                tree.state[i] = root[i]
            leaf_ply = select(setup, tree)
            n_plies = simulate(setup, tree, leaf_ply)
            reward = evaluate(setup, tree, leaf_ply, n_plies)
            back_up(tree, leaf_ply, n_plies, reward)
            tree.counters[ITERATIONS] += 1
            tree.counters[TREE_PLIES] += leaf_ply
            tree.counters[ROLLOUT_PLIES] += n_plies - leaf_ply
            tree.counters[DEPTH] = max(tree.counters[DEPTH], leaf_ply)

    return search


# ---- 5. The tree kept from turn to turn


def new_spare(tree: Tree) -> Tree:
    """Returns a tree for `reroot` with its own nodes and statistics; the rest is shared."""
    arms, rave, priors = map(float_buffer, map(len, (tree.arms, tree.rave, tree.priors)))
    return tree._replace(nodes=int32_buffer(len(tree.nodes)), arms=arms, rave=rave, priors=priors)


@inline
def copy_whole_node(tree: Tree, node: int, other: Tree, other_node: int) -> None:
    """Copy a node with its prior and its statistics of RAVE to another tree."""
    copy_node(tree, node, other, other_node)
    if len(tree.rave) > 1:
        for i in range(2):
            other.rave[2 * other_node + i] = tree.rave[2 * node + i]
    if len(tree.priors) > 1:
        other.priors[other_node] = tree.priors[node]


def copy_tree(tree: Tree, spare: Tree, kept: int, limit: int) -> None:
    """Copy the node `kept` and its descendants, at most `limit` nodes, to the front of the
    spare.
    """
    copy_whole_node(tree, kept, spare, 0)
    tree.counters[N_NODES] = copy_below(tree, spare, 0, 1, limit, copy_whole_node)


def reroot(
    tree: Tree, spare: Tree, actions: list[int], copy: Function = copy_tree, limit: int = NO_LIMIT
) -> tuple[Tree, Tree]:
    """Keep the subtree below `actions`, played since the tree's root, and discard the rest.

    spare: `new_spare(tree)`. Returns (tree, spare) exchanged, or the tree with a bare root if it
    lacks the actions or a proven node's children. copy: `copy_tree` compiled with `kernel`.
    limit: bounds the nodes copied; the deepest ones lose their children but keep their visits.
    """
    kept = 0
    for action in actions:
        child = child_of(tree, kept, action)
        if child is None:
            reset(tree)
            return tree, spare
        kept = child
    n = len(children(tree, kept))
    if is_fixed(tree.arms, kept) and not 0 < n < limit:
        # its children were not copied after its proof, or would not be: it would have no action
        reset(tree)
        return tree, spare
    copy(tree, spare, kept, limit)
    clear_counts(tree.counters)
    return spare, tree


# ---- 6. Results


def is_finished(tree: Tree) -> bool:
    """Returns True if the root is proven: more iterations would change nothing."""
    return bool(is_fixed(tree.arms, 0))


def best_action(tree: Tree, by: str = "visits") -> Optional[int]:
    """Returns the root's best action, None before an iteration; by: see `tree.best_child`."""
    child = best_child(tree, 0, by)
    return None if child is None else node_action(tree, child)


def expected(tree: Tree) -> tuple[Any, ...]:
    """Returns (value, depth, iterations, line) of the best action after an iteration."""
    value = mean_of(tree.arms, best_child(tree, 0) or 0)
    return value, tree.counters[DEPTH], tree.counters[ITERATIONS], best_line(tree, 0)


class Summary(NamedTuple):
    """The counts of a search, and its result.

    iterations, tree_plies, rollout_plies: their numbers since `reset`; nodes: the nodes in the
    tree; depth: the depth of the deepest leaf. line: the principal variation from the root. value:
    the mean result of its first action, for the player to move at the root. proven: True if that
    value is exact.
    """

    iterations: int
    tree_plies: int
    rollout_plies: int
    nodes: int
    depth: int
    line: list[int]
    value: float
    proven: bool


def summary(tree: Tree, by: str = "visits") -> Summary:
    """Returns a `Summary`; `by`: see `tree.best_child`."""
    best = best_child(tree, 0, by)
    return Summary(
        iterations=int(tree.counters[ITERATIONS]),
        tree_plies=int(tree.counters[TREE_PLIES]),
        rollout_plies=int(tree.counters[ROLLOUT_PLIES]),
        nodes=int(tree.counters[N_NODES]),
        depth=int(tree.counters[DEPTH]),
        line=best_line(tree, 0, by),
        value=float(mean_of(tree.arms, best)) if best is not None else 0.0,
        proven=is_finished(tree),
    )


def show_nodes(search: Any, node: int, state: Ints) -> "list[dict[str, Any]]":
    """Returns a node's children as rows for `explore`, valued for the player to move."""
    tree, options = search.tree, search.options
    parent, visits = node_at(tree, node), int(visits_of(tree.nodes, node))
    spread = options.exploration * math.sqrt(math.log(visits + 1))
    grown = max(0.0, math.log((visits + 1) / GROWING)) * options.growth
    widened = options.exploration * (1.0 + grown) * math.sqrt(visits + 1)
    rows = []
    for child in children(tree, node):
        fields, inverse = node_at(tree, child), float(tree.arms[2 * child + INVERSE_ROOT])
        mean, prior, bound = fields.mean, None, None
        is_known = fields.visits > 0 or (mean != UNPULLED and options.prior_visits > 0)
        if len(tree.priors) > 1:
            prior = float(tree.priors[child])
            start = mean if fields.visits else -parent.mean - options.first_play_urgency
            if visits and abs(start) < 2.0:
                bound = start + widened * prior * inverse
        elif is_known:
            bound = mean + spread * inverse
        rows.append(
            {
                "node": child,
                "action": fields.action,
                "visits": fields.visits,
                "value": mean if is_known else None,
                "prior": prior,
                "bound": bound,
                "proven": inverse == 0.0,
            }
        )
    return rows


if AT_HOME:
    from ..search.checks.limits import check_calls

    check_calls(globals())
