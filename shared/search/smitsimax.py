"""Smitsimax: one tree of moves for each agent, all searched in the same simulations.

Source: MSmits, "Smitsimax" (CodinGame playground 36476). A node is one move of one agent and holds
no state: its states vary with the other agents' moves. Each iteration lets every agent choose in
its own tree, plays the moves together down to the depth, and adds each agent's score to the nodes
on its path. Its state is `Trees`; for nodes, arms and the first counters see `tree.py`. Letters: N
capacity in nodes, P agents, D choices of a line.

    nodes    [4 N]      the first P are the agents' roots.
    arms     [2 N].
    ranges   [2 P]      lowest and highest score of each agent.
    counters [4]        random state, nodes in use, iterations, turns.
    path     [P, 2D+2]  the number of nodes on each agent's path, then the nodes.
    priors   [P D]      the line each agent is expected to play, or -1.
    log_roots [*]       as in `tree.py`.
    state, scores, joint_action, actions  scratch space for the game.

The children of a chosen child are fetched from memory while the game plays the turn. A node's first
visits are random lest agents settle on mutually bad moves; adding a node an iteration and sampling
below is RoboStac's. For the `descend` of a search see `simultaneous_uct.py`.
"""

from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ..core.clock import Clock
from ..core.game import SimultaneousGame
from ..core.jit import (
    AT_HOME,
    Floats,
    Function,
    Int32s,
    Ints,
    Numbers,
    buffer_of,
    float_buffer,
    inline,
    int32_buffer,
    int_buffer,
    of_numbers,
)
from ..core.rng import random_below, random_unit, seed_rng
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
    children_of,
    clear_node,
    copy_below,
    copy_node,
    first_child_of,
    n_children_of,
    new_log_roots,
    node_action,
    prefetch_children,
    rows_below,
    visits_of,
)

ITERATIONS, TURNS, N_COUNTERS = range(N_NODES + 1, N_NODES + 4)

# A number above every score
INFINITE = 1e300


class Options(NamedTuple):
    """Options of a search.

    holds: the turns of each choice. exploration: the constant C of UCB. random_visits: the first
    visits of a node, which choose at random. rollouts: add a node an iteration and sample below,
    else grow to the depth. prior_share: the share of samples and random visits that follow the
    prior line. score_scale: divides scores, 0 for the range seen. noise: the share of random
    choices. searchers: agents with trees.
    """

    holds: tuple[int, ...]
    exploration: float = 1.0
    random_visits: int = 10
    rollouts: bool = True
    prior_share: float = 0.5
    score_scale: float = 0.0
    noise: float = 0.0
    searchers: int = MOST


class Trees(NamedTuple):
    """The state of a search; see the module."""

    nodes: Int32s
    arms: Floats
    ranges: Floats
    counters: Ints
    path: Ints
    priors: Ints
    log_roots: Floats
    state: Numbers
    scores: Floats
    joint_action: Ints
    actions: Ints
    if not TYPE_CHECKING:
        __class_getitem__ = of_numbers


def new_trees(game: SimultaneousGame, options: Options, capacity: int, seed: int = 1) -> Trees:
    """Returns empty trees for `capacity` nodes of 32 bytes."""
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    trees = Trees(
        nodes=int32_buffer(NODE_SIZE * capacity),
        arms=float_buffer(2 * capacity),
        ranges=float_buffer(2 * game.n_agents),
        counters=counters,
        path=int_buffer(game.n_agents * (2 * len(options.holds) + 2)),
        priors=int_buffer([-1] * (game.n_agents * len(options.holds))),
        log_roots=new_log_roots(),
        state=buffer_of(game.numbers, game.state_size),
        scores=float_buffer(game.n_agents),
        joint_action=int_buffer(game.n_agents),
        actions=int_buffer(game.max_actions),
    )
    reset(trees)
    return trees


def reset(trees: Trees) -> None:
    """Discard the trees, but keep prior lines and the random state."""
    n_agents = len(trees.joint_action)
    for agent in range(n_agents):
        clear_node(trees, agent, 0)
    trees.counters[N_NODES] = n_agents
    forget_scores(trees)


def forget_scores(trees: Trees) -> None:
    """Reset the counts and the range of scores."""
    trees.counters[ITERATIONS] = trees.counters[TURNS] = 0
    for i in range(0, len(trees.ranges), 2):
        trees.ranges[i] = INFINITE
        trees.ranges[i + 1] = -INFINITE


@inline
def select_at_random(trees: Trees, node: int, prior: int, prior_share: float) -> int:
    """Draw a child; with probability `prior_share` the prior action's."""
    first, n = first_child_of(trees.nodes, node), n_children_of(trees.nodes, node)
    if prior >= 0 and random_unit(trees.counters) < prior_share:
        for child in range(first, first + n):
            if action_of(trees.nodes, child) == prior:
                return child
    return first + random_below(trees.counters, n)


@inline
def scale_of(ranges: Floats, agent: int, fixed: float) -> float:
    """Returns an agent's score factor."""
    if fixed != 0.0:
        return 1.0 / fixed
    spread = ranges[2 * agent + 1] - ranges[2 * agent]
    return 1.0 / spread if spread > 0.0 else 1.0


@inline
def back_up(trees: Trees, agent: int, start: int, score: float) -> None:
    """Add a score to an agent's range, and to its path at `start`."""
    trees.ranges[2 * agent] = min(trees.ranges[2 * agent], score)
    trees.ranges[2 * agent + 1] = max(trees.ranges[2 * agent + 1], score)
    for i in range(start + 1, start + 1 + trees.path[start]):
        add_visit(trees, trees.path[i] & MOST, 0, score)


@inline
def descend_apart(trees: Trees, n_nodes: int) -> None:
    """Do nothing: trees are apart."""


def make_search(
    game: SimultaneousGame, options: Options, descend: Function = descend_apart
) -> Callable[[Numbers, Numbers, Trees, int], None]:
    """search(setup, root, trees, n), for `kernel`, runs n more iterations from the state `root`."""
    n_agents, state_size, numbers = game.n_agents, game.state_size, game.numbers
    legal, sample, apply = game.legal, game.sample, game.apply
    is_over, evaluate = game.is_over, game.evaluate
    holds, exploration, first_visits, rollouts, prior_share, fixed, noise, searchers = options
    depth = len(holds)
    stride = 2 * depth + 2
    nodes_a_turn = 1 if descend is descend_apart else 2

    @inline
    def expand(setup: Any, trees: Trees, agent: int, node: int) -> None:
        """Give a leaf a child for each of the agent's actions, if there is room."""
        n = legal(setup, trees.state, agent, trees.actions)
        add_children(trees, node, trees.actions, n)

    @inline
    def select(trees: Trees, agent: int, node: int, prior: int) -> int:
        """Select at random at first or by noise, else by bound."""
        visits = visits_of(trees.nodes, node)
        if (noise > 0.0 and random_unit(trees.counters) < noise) or visits < max(first_visits, 1):
            return select_at_random(trees, node, prior, prior_share)
        scale = scale_of(trees.ranges, agent, fixed)
        return best_bound_child(trees, node, scale, exploration, visits)

    @inline
    def choose(setup: Any, trees: Trees, agent: int, ply: int) -> int:
        """Choose an action: in the tree, else the prior or a sample."""
        start = agent * stride
        prior = trees.priors[agent * depth + ply]
        n_nodes = nodes_a_turn * ply + 1
        if trees.path[start] == n_nodes:
            node = trees.path[start + n_nodes] & MOST
            is_leaf = n_children_of(trees.nodes, node) == 0
            if is_leaf and (ply == 0 or not rollouts or visits_of(trees.nodes, node) > 0):
                expand(setup, trees, agent, node)
            if n_children_of(trees.nodes, node) > 0:
                child = select(trees, agent, node, prior)
                prefetch_children(trees, child)
                trees.path[start] = n_nodes + 1
                trees.path[start + n_nodes + 1] = child
                return action_of(trees.nodes, child)
        if prior >= 0 and random_unit(trees.counters) < prior_share:
            return prior
        return sample(setup, trees.state, agent, trees.counters)

    @inline
    def simulate(setup: Any, trees: Trees) -> None:
        """Play every agent's choices together, down to the depth or the game's end."""
        for ply in range(depth):
            if is_over(setup, trees.state):
                break
            for agent in range(n_agents):
                trees.joint_action[agent] = choose(setup, trees, agent, ply)
            descend(trees, nodes_a_turn * ply + 2)
            for _ in range(holds[ply]):
                apply(setup, trees.state, trees.joint_action)
            trees.counters[TURNS] += holds[ply]

    def search(setup: numbers, root: numbers, trees: Trees[numbers], n: int) -> None:
        for _ in range(n):
            for i in range(state_size):
                trees.state[i] = root[i]
            for agent in range(n_agents):
                trees.path[agent * stride] = int(agent < searchers)
                trees.path[agent * stride + 1] = agent
            simulate(setup, trees)
            evaluate(setup, trees.state, trees.scores)
            for agent in range(n_agents):
                back_up(trees, agent, agent * stride, trees.scores[agent])
            trees.counters[ITERATIONS] += 1

    return search


def new_spare(trees: Trees) -> Trees:
    """Returns trees for `reroot` with own nodes and arms."""
    nodes, arms = int32_buffer(len(trees.nodes)), float_buffer(len(trees.arms))
    return trees._replace(nodes=nodes, arms=arms)


def make_copy_trees(game: SimultaneousGame) -> Callable[[Trees, Trees, Ints], None]:
    """copy_trees(trees, spare, joint_action), for `kernel`, keeps the trees below the actions."""
    n_agents, numbers = game.n_agents, game.numbers

    def copy_trees(trees: Trees[numbers], spare: Trees[numbers], joint_action: Ints) -> None:
        for agent in range(n_agents):
            clear_node(spare, agent, 0)
            for child in children_of(trees.nodes, agent):
                if action_of(trees.nodes, child) == joint_action[agent]:
                    copy_node(trees, child, spare, agent)
        end = n_agents
        for agent in range(n_agents):
            end = copy_below(trees, spare, agent, end, NO_LIMIT, copy_node)
        trees.counters[N_NODES] = end

    return copy_trees


def reroot(
    trees: Trees, spare: Trees, joint_action: Ints, copy_trees: Function
) -> tuple[Trees, Trees]:
    """Start the next turn below the moves just played, with new ranges; returns (trees, spare).

    joint_action int64[P]: the agents' actions; an action -1 leads to a bare tree. spare:
    `new_spare(trees)`, exchanged with `trees`. copy_trees: see `make_copy_trees`.
    """
    copy_trees(trees, spare, joint_action)
    forget_scores(trees)
    return spare, trees


def make_choose_all(search: Function, trees: Trees, clock: Clock) -> Function:
    """choose(setup, state): agent 0's score, all agents' best actions or None without trees."""

    def choose(setup: Any, state: Any) -> Any:
        reset(trees)
        while nodes := clock.grant():
            search(setup, state, trees, nodes)
        best: Any = [best_child(trees, agent) for agent in range(len(trees.joint_action))]
        return float(trees.arms[2 * best[0]]), [one and node_action(trees, one) for one in best]

    return choose


def make_choose(search: Function, trees: Trees, clock: Clock) -> Function:
    """choose(setup, state): agent 0's best action, searched from bare trees."""
    choose_all = make_choose_all(search, trees, clock)
    return lambda setup, state: choose_all(setup, state)[1][0]


def set_prior_line(trees: Trees, agent: int, line: list[int]) -> None:
    """Make `line`, possibly empty, an agent's prior line. It must be playable in any state."""
    depth = len(trees.priors) // len(trees.joint_action)
    for ply in range(depth):
        trees.priors[agent * depth + ply] = line[ply] if ply < len(line) else -1


def best_action(trees: Trees, agent: int = 0, by: str = "visits") -> Optional[int]:
    """Returns an agent's best action, None before iterations; `by`: see `tree.best_child`."""
    child = best_child(trees, agent, by)
    return None if child is None else node_action(trees, child)


def expected(trees: Trees) -> tuple[Any, ...]:
    """Returns (agent 0's score, depth, iterations, each agent's line) by most visits."""
    lines = [best_line(trees, agent) for agent in range(len(trees.joint_action))]
    child = best_child(trees, 0)
    value = 0.0 if child is None else float(trees.arms[2 * child])
    return value, len(lines[0]), trees.counters[ITERATIONS], lines


class Summary(NamedTuple):
    """The counts of a search since `reset`; lines: the actions that each agent would play."""

    iterations: int
    turns: int
    lines: list[list[int]]


def summary(trees: Trees, by: str = "visits") -> Summary:
    """Returns a `Summary`; `by`: see `tree.best_child`."""
    n_agents = len(trees.joint_action)
    return Summary(
        iterations=int(trees.counters[ITERATIONS]),
        turns=int(trees.counters[TURNS]),
        lines=[best_line(trees, agent, by) for agent in range(n_agents)],
    )


def n_trees(search: Any) -> int:
    """Returns the number of trees: one per searching agent."""
    return min(search.options.searchers, search.game.n_agents)


def show_nodes(search: Any, node: Any, state: Numbers) -> "list[dict[str, Any]]":
    """Returns a node's children as rows for `explore`. node: an agent, or (agent, node)."""
    agent, node = (node, node) if isinstance(node, int) else node
    ranges, unit = search.tree.ranges, search.options.score_scale
    spread = float(ranges[2 * agent + 1] - ranges[2 * agent])
    unit = unit or (spread if spread > 0.0 else 1.0)
    rows = rows_below(search.tree, node, search.options.exploration * unit)
    return [{**row, "node": (agent, row["node"])} for row in rows]


if AT_HOME:
    from ..search.checks.limits import check_calls

    check_calls(globals())
