"""Smitsimax: one tree of moves for each agent, all searched in the same simulations.

Source: MSmits, "Smitsimax" (CodinGame playground 36476). A node is one move of one agent and holds
no state: it meets other states whenever other agents choose other moves. Each iteration lets every
agent choose in its own tree, plays the moves together turn by turn down to the depth, and adds each
agent's score to the nodes it went through.

Letters: P agents, A actions, D choices of a line, N capacity in nodes, S numbers of a state.

    nodes   int64[4 N]     first child, number of children, visits, action; 0..P-1 are the roots
    values  float64[2 N]   mean score, 1 / sqrt(visits)
    ranges  float64[2 P]   lowest and highest score of each agent
    counters int64[4 + P]  random state, nodes in use, iterations, turns, size of each tree
    paths   int64[P (D + 2)]  for each agent how many nodes it went through, then the nodes
    priors  int64[P D]     the line each agent is expected to play, -1 where none is
"""

import math
from typing import NamedTuple

from shared.core.jit import float_buffer, inline, int_buffer
from shared.core.rng import random_below, random_unit, seed_rng

FIRST_CHILD, N_CHILDREN, VISITS, ACTION = range(4)
NODE_SIZE = 4
MEAN, INVERSE_ROOT = range(2)
RNG, N_NODES, ITERATIONS, TURNS, TREE_SIZES = range(5)

# The mean of a node never visited: above every score, so that UCB tries each child once.
UNVISITED = 1e300


def search_signature(number):
    """The compiled type of a search; the game's setup and state hold `number`, float64 or int64."""
    return (
        f"void({number}[::1], {number}[::1], int64[::1], float64[::1], float64[::1], int64[::1],"
        f" int64[::1], int64[::1], {number}[::1], float64[::1], int64[::1], int64[::1], int64)"
    )


SEARCH_SIGNATURE = search_signature("float64")
REPLANT_SIGNATURE = (
    "void(int64[::1], float64[::1], int64[::1], float64[::1], int64[::1], int64[::1])"
)


class Options(NamedTuple):
    """How to search.

    holds: for each choice, the turns it is kept for. exploration: the constant of UCB, for
    normalised scores. random_visits: a node's first visits choose at random, lest agents settle
    together on moves only good against each other's bad ones. rollout: True adds a node an
    iteration and plays samples below (RoboStac's form), False grows a tree to the depth (the
    original). prior_share: of samples and random visits, that follow the prior line. scale: what
    scores are divided by; 0 for the range seen. noise: the share of choices that stay random.
    """

    holds: tuple
    exploration: float = 1.0
    random_visits: int = 10
    rollout: bool = True
    prior_share: float = 0.5
    scale: float = 0.0
    noise: float = 0.0


class Trees(NamedTuple):
    """The buffers of a search, in the order its compiled functions take them."""

    nodes: object
    values: object
    ranges: object
    counters: object
    paths: object
    priors: object
    state: object
    scores: object
    joint: object
    actions: object


def new_trees(game, options, capacity, seed=1, state_buffer=float_buffer):
    """Buffers for `capacity` nodes (48 bytes each), planted; `state_buffer` like the game's states."""
    counters = int_buffer(TREE_SIZES + game.n_agents)
    seed_rng(counters, seed)
    trees = Trees(
        nodes=int_buffer(NODE_SIZE * capacity),
        values=float_buffer(2 * capacity),
        ranges=float_buffer(2 * game.n_agents),
        counters=counters,
        paths=int_buffer(game.n_agents * (len(options.holds) + 2)),
        priors=int_buffer([-1] * (game.n_agents * len(options.holds))),
        state=state_buffer(game.state_size),
        scores=float_buffer(game.n_agents),
        joint=int_buffer(game.n_agents),
        actions=int_buffer(game.max_actions),
    )
    plant(trees)
    return trees


def plant(trees):
    """Forget what was searched, but neither prior lines nor random state."""
    n_agents = len(trees.joint)
    for agent in range(n_agents):
        clear_node(trees.nodes, trees.values, agent, 0)
        trees.counters[TREE_SIZES + agent] = 1
    trees.counters[N_NODES] = n_agents
    trees.counters[ITERATIONS] = trees.counters[TURNS] = 0
    clear_ranges(trees.ranges, n_agents)


@inline
def clear_node(nodes, values, node, action):
    nodes[NODE_SIZE * node + FIRST_CHILD] = 0
    nodes[NODE_SIZE * node + N_CHILDREN] = 0
    nodes[NODE_SIZE * node + VISITS] = 0
    nodes[NODE_SIZE * node + ACTION] = action
    values[2 * node + MEAN] = UNVISITED
    values[2 * node + INVERSE_ROOT] = 1.0


@inline
def clear_ranges(ranges, n_agents):
    for agent in range(n_agents):
        ranges[2 * agent] = UNVISITED
        ranges[2 * agent + 1] = -UNVISITED


@inline
def add_children(nodes, values, counters, agent, node, actions, n):
    """Give `node` a leaf for each of the n actions, where the buffers have room for them."""
    first = counters[N_NODES]
    if NODE_SIZE * (first + n) > len(nodes):
        return
    for i in range(n):
        clear_node(nodes, values, first + i, actions[i])
    nodes[NODE_SIZE * node + FIRST_CHILD] = first
    nodes[NODE_SIZE * node + N_CHILDREN] = n
    counters[N_NODES] = first + n
    counters[TREE_SIZES + agent] += n


@inline
def random_child(nodes, counters, node, prior, prior_share):
    """A child at random, or with probability `prior_share` the one of the prior action."""
    first = nodes[NODE_SIZE * node + FIRST_CHILD]
    n_children = nodes[NODE_SIZE * node + N_CHILDREN]
    if prior >= 0 and random_unit(counters) < prior_share:
        for child in range(first, first + n_children):
            if nodes[NODE_SIZE * child + ACTION] == prior:
                return child
    return first + random_below(counters, n_children)


@inline
def best_bound_child(nodes, values, node, scale, exploration):
    """The child of the greatest mean * scale + C sqrt(ln(visits of the node) / its visits)."""
    first = nodes[NODE_SIZE * node + FIRST_CHILD]
    weight = exploration * math.sqrt(math.log(nodes[NODE_SIZE * node + VISITS]))
    best = first
    best_bound = values[2 * first] * scale + weight * values[2 * first + INVERSE_ROOT]
    for child in range(first + 1, first + nodes[NODE_SIZE * node + N_CHILDREN]):
        bound = values[2 * child] * scale + weight * values[2 * child + INVERSE_ROOT]
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@inline
def add_score(nodes, values, node, score):
    visits = nodes[NODE_SIZE * node + VISITS] + 1
    nodes[NODE_SIZE * node + VISITS] = visits
    inverse = 1.0 / visits
    if visits == 1:
        values[2 * node + MEAN] = score
    else:
        values[2 * node + MEAN] += (score - values[2 * node + MEAN]) * inverse
    values[2 * node + INVERSE_ROOT] = math.sqrt(inverse)


@inline
def score_scale(ranges, agent, fixed):
    if fixed != 0.0:
        return 1.0 / fixed
    spread = ranges[2 * agent + 1] - ranges[2 * agent]
    return 1.0 / spread if spread > 0.0 else 1.0


def make_search(game, options):
    """The search of a `SimultaneousGame`, to be compiled with `kernel(search_signature(number))`.

    search(setup, root, *trees, n) runs n more iterations from the state `root`; how they are cut
    into calls makes no difference.
    """
    n_agents, _, state_size, legal, sample, apply, is_over, evaluate = game
    holds, exploration, first_visits, rollout, prior_share, fixed_scale, noise = options
    random_visits = max(first_visits, 1)
    depth = len(holds)
    stride = depth + 2

    @inline
    def choose(setup, nodes, values, ranges, counters, paths, priors, state, actions, agent, ply):
        """The agent's action: from its tree while in it, then a sample."""
        way = agent * stride
        prior = priors[agent * depth + ply]
        if paths[way] == ply + 1:
            node = paths[way + ply + 1]
            grown = nodes[NODE_SIZE * node + N_CHILDREN] > 0
            if not grown and (ply == 0 or not rollout or nodes[NODE_SIZE * node + VISITS] > 0):
                n = legal(setup, state, agent, actions)
                add_children(nodes, values, counters, agent, node, actions, n)
                grown = nodes[NODE_SIZE * node + N_CHILDREN] > 0
            if grown:
                slips = noise > 0.0 and random_unit(counters) < noise
                if slips or nodes[NODE_SIZE * node + VISITS] < random_visits:
                    child = random_child(nodes, counters, node, prior, prior_share)
                else:
                    scale = score_scale(ranges, agent, fixed_scale)
                    child = best_bound_child(nodes, values, node, scale, exploration)
                paths[way] = ply + 2
                paths[way + ply + 2] = child
                return nodes[NODE_SIZE * child + ACTION]
        if prior >= 0 and random_unit(counters) < prior_share:
            return prior
        return sample(setup, state, agent, counters)

    @inline
    def backpropagate(nodes, values, ranges, paths, agent, score):
        """Add a score to the agent's range and to the nodes it went through."""
        ranges[2 * agent] = min(ranges[2 * agent], score)
        ranges[2 * agent + 1] = max(ranges[2 * agent + 1], score)
        way = agent * stride
        for i in range(paths[way]):
            add_score(nodes, values, paths[way + 1 + i], score)

    def search(
        setup,
        root,
        nodes,
        values,
        ranges,
        counters,
        paths,
        priors,
        state,
        scores,
        joint,
        actions,
        n_iterations,
    ):
        for _ in range(n_iterations):
            for i in range(state_size):
                state[i] = root[i]
            for agent in range(n_agents):
                paths[agent * stride] = 1
                paths[agent * stride + 1] = agent
            for ply in range(depth):
                if is_over(setup, state):
                    break
                for agent in range(n_agents):
                    joint[agent] = choose(
                        setup,
                        nodes,
                        values,
                        ranges,
                        counters,
                        paths,
                        priors,
                        state,
                        actions,
                        agent,
                        ply,
                    )
                for _ in range(holds[ply]):
                    apply(setup, state, joint)
                counters[TURNS] += holds[ply]
            evaluate(setup, state, scores)
            for agent in range(n_agents):
                backpropagate(nodes, values, ranges, paths, agent, scores[agent])
            counters[ITERATIONS] += 1

    return search


@inline
def copy_node(nodes, values, node, new_nodes, new_values, new_node):
    """Copy a node between buffers; its children still are where they were."""
    for i in range(NODE_SIZE):
        new_nodes[NODE_SIZE * new_node + i] = nodes[NODE_SIZE * node + i]
    for i in range(2):
        new_values[2 * new_node + i] = values[2 * node + i]


def replant_trees(nodes, values, new_nodes, new_values, counters, joint):
    """Keep, of every agent's tree, the part below the action it played (see `replant`).

    The copy goes breadth first: a node is copied with its old first child, and when the scan
    reaches it the children follow (Cheney's collector, Communications of the ACM 13(11), 1970).
    """
    n_agents = len(joint)
    n_nodes = n_agents
    for agent in range(n_agents):
        kept = -1
        first = nodes[NODE_SIZE * agent + FIRST_CHILD]
        for child in range(first, first + nodes[NODE_SIZE * agent + N_CHILDREN]):
            if nodes[NODE_SIZE * child + ACTION] == joint[agent]:
                kept = child
        if kept < 0:
            clear_node(new_nodes, new_values, agent, 0)
        else:
            copy_node(nodes, values, kept, new_nodes, new_values, agent)
    for agent in range(n_agents):
        size = 1
        scan = agent
        while scan >= 0:
            first = new_nodes[NODE_SIZE * scan + FIRST_CHILD]
            n_children = new_nodes[NODE_SIZE * scan + N_CHILDREN]
            if n_children > 0:
                new_nodes[NODE_SIZE * scan + FIRST_CHILD] = n_nodes
                for child in range(first, first + n_children):
                    copy_node(nodes, values, child, new_nodes, new_values, n_nodes)
                    n_nodes += 1
                size += n_children
            # The agent's root is scanned first, then the stretch its descendants were copied to.
            if scan == agent:
                scan = n_nodes - n_children
            else:
                scan += 1
            if scan == n_nodes:
                scan = -1
        counters[TREE_SIZES + agent] = size
    counters[N_NODES] = n_nodes
    counters[ITERATIONS] = 0
    counters[TURNS] = 0


def replant(trees, spare, joint, replant_trees=replant_trees):
    """Start the next turn with what is known below the moves just played; ranges start anew.

    joint int64[P]: the action each agent played, or one it does not have (-1) to begin its tree
    anew. spare: other nodes and values of the same capacity. Returns (trees, spare) with the two
    pairs of buffers exchanged. `replant_trees` is that function compiled with
    `kernel(REPLANT_SIGNATURE)`.
    """
    replant_trees(trees.nodes, trees.values, *spare, trees.counters, joint)
    clear_ranges(trees.ranges, len(trees.joint))
    return trees._replace(nodes=spare[0], values=spare[1]), (trees.nodes, trees.values)


def best_child(trees, node, by):
    """The child first by "visits" or by "mean", the other breaking ties; None before a visit."""
    first = int(trees.nodes[NODE_SIZE * node + FIRST_CHILD])
    visited = [
        child
        for child in range(first, first + int(trees.nodes[NODE_SIZE * node + N_CHILDREN]))
        if trees.nodes[NODE_SIZE * child + VISITS] > 0
    ]

    def rank(child):
        visits, mean = trees.nodes[NODE_SIZE * child + VISITS], trees.values[2 * child + MEAN]
        return (visits, mean) if by == "visits" else (mean, visits)

    return max(visited, key=rank, default=None)


def principal_line(trees, agent, by="visits"):
    """The actions the agent would play, as far as its tree was visited."""
    line = []
    child = best_child(trees, agent, by)
    while child is not None:
        line.append(int(trees.nodes[NODE_SIZE * child + ACTION]))
        child = best_child(trees, child, by)
    return line


def expect(trees, agent, line):
    """Make `line`, perhaps empty, an agent's prior line. It must be playable in any state."""
    depth = len(trees.priors) // len(trees.joint)
    for ply in range(depth):
        trees.priors[agent * depth + ply] = line[ply] if ply < len(line) else -1


class Report(NamedTuple):
    """What a search did; lines: each agent's principal line."""

    iterations: int
    turns: int
    tree_sizes: list
    lines: list


def report(trees, by="visits"):
    n_agents = len(trees.joint)
    return Report(
        iterations=int(trees.counters[ITERATIONS]),
        turns=int(trees.counters[TURNS]),
        tree_sizes=[int(trees.counters[TREE_SIZES + agent]) for agent in range(n_agents)],
        lines=[principal_line(trees, agent, by) for agent in range(n_agents)],
    )
