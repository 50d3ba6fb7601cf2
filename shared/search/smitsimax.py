"""Smitsimax: one tree of moves for each agent, all searched in the same simulations.

Source: MSmits, "Smitsimax" (CodinGame playground 36476). A node is one move of one agent and holds
no state: it meets other states whenever other agents choose other moves. Each iteration lets every
agent choose in its own tree, plays the moves together down to the depth, and adds each agent's
score to the nodes on its way. A node is named by where it begins in `nodes`, in `values` half as
far. Letters: P agents, D choices of a line, N capacity in nodes.

    nodes    int64[4 N]    first child, number of children, visits, action; the first P are roots
    values   float64[2 N]  mean score, 1 / sqrt(visits)
    ranges   float64[2 P]  lowest and highest score of each agent
    counters int64[4 + P]  random state, nodes in use, iterations, turns, size of each tree
    ways     int64[P (2 D + 2)]  how many nodes each agent went through, then the nodes
    priors   int64[P D]    the line each agent is expected to play, -1 where none is
"""

import math
from collections import namedtuple
from typing import NamedTuple

from shared.core.jit import float_buffer, inline, int_buffer
from shared.core.rng import random_below, random_unit, seed_rng

FIRST_CHILD, N_CHILDREN, VISITS, ACTION = range(4)
NODE_SIZE = 4
MEAN, INVERSE_ROOT = range(2)
RNG, N_NODES, ITERATIONS, TURNS, TREE_SIZES = range(5)

# The mean of a node never visited, above every score: UCB tries each child once.
UNVISITED = 1e300


def search_signature(number):
    """The type of a search; the game's setup and state hold `number`, "float64" or "int64"."""
    return (
        f"void({number}[::1], {number}[::1], int64[::1], float64[::1], float64[::1], int64[::1],"
        f" int64[::1], int64[::1], {number}[::1], float64[::1], int64[::1], int64[::1], int64)"
    )


REPLANT_SIGNATURE = (
    "void(int64[::1], float64[::1], int64[::1], float64[::1], int64[::1], int64[::1])"
)


class Options(NamedTuple):
    """How to search.

    holds: for each choice, the turns it is kept for. exploration: the constant C of UCB.
    random_visits: a node's first visits choose at random, lest agents settle together on moves only
    good against each other's bad ones. rollout: True adds a node an iteration and plays samples
    below (RoboStac's form), False grows a tree to the depth (the original). prior_share: of samples
    and random visits, those that follow the prior line. scale: what scores are divided by, 0 for
    the range seen. noise: the share of choices left random.
    """

    holds: tuple
    exploration: float = 1.0
    random_visits: int = 10
    rollout: bool = True
    prior_share: float = 0.5
    scale: float = 0.0
    noise: float = 0.0


# The buffers of a search, in the order its compiled functions take them
Trees = namedtuple("Trees", "nodes values ranges counters ways priors state scores joint actions")


def new_trees(game, options, capacity, seed=1, state_buffer=float_buffer):
    """Planted buffers of `capacity` nodes, 48 bytes each; `state_buffer` makes the states."""
    counters = int_buffer(TREE_SIZES + game.n_agents)
    seed_rng(counters, seed)
    trees = Trees(
        nodes=int_buffer(NODE_SIZE * capacity),
        values=float_buffer(2 * capacity),
        ranges=float_buffer(2 * game.n_agents),
        counters=counters,
        ways=int_buffer(game.n_agents * (2 * len(options.holds) + 2)),
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
        clear_node(trees.nodes, trees.values, NODE_SIZE * agent, 0)
        trees.counters[TREE_SIZES + agent] = 1
    trees.counters[N_NODES] = n_agents
    trees.counters[ITERATIONS] = trees.counters[TURNS] = 0
    clear_ranges(trees.ranges, n_agents)


@inline
def clear_node(nodes, values, node, action):
    nodes[node + FIRST_CHILD] = 0
    nodes[node + N_CHILDREN] = 0
    nodes[node + VISITS] = 0
    nodes[node + ACTION] = action
    values[(node >> 1) + MEAN] = UNVISITED
    values[(node >> 1) + INVERSE_ROOT] = 1.0


@inline
def clear_ranges(ranges, n_agents):
    for agent in range(n_agents):
        ranges[2 * agent] = UNVISITED
        ranges[2 * agent + 1] = -UNVISITED


@inline
def reserve(nodes, counters, n):
    """The first of n nodes not in use before, 0 where there is no room."""
    first = NODE_SIZE * counters[N_NODES]
    if first + NODE_SIZE * n > len(nodes):
        return 0
    counters[N_NODES] += n
    return first


@inline
def add_children(nodes, values, counters, agent, node, actions, n):
    """Give `node` a leaf for each action, where there is room."""
    first = reserve(nodes, counters, n)
    if first > 0:
        for i in range(n):
            clear_node(nodes, values, first + NODE_SIZE * i, actions[i])
        nodes[node + FIRST_CHILD] = first
        nodes[node + N_CHILDREN] = n
        counters[TREE_SIZES + agent] += n


@inline
def random_child(nodes, counters, node, prior, prior_share):
    """A child at random; with probability `prior_share` the prior action's."""
    first = nodes[node + FIRST_CHILD]
    n = nodes[node + N_CHILDREN]
    if prior >= 0 and random_unit(counters) < prior_share:
        for child in range(first, first + NODE_SIZE * n, NODE_SIZE):
            if nodes[child + ACTION] == prior:
                return child
    return first + NODE_SIZE * random_below(counters, n)


@inline
def best_bound_child(nodes, values, node, scale, exploration):
    """The child of the greatest mean * scale + C sqrt(ln(visits of the node) / its own)."""
    weight = exploration * math.sqrt(math.log(nodes[node + VISITS]))
    first = nodes[node + FIRST_CHILD] >> 1
    best, best_bound = 0, -UNVISITED
    for i in range(nodes[node + N_CHILDREN]):
        bound = values[first + 2 * i] * scale + weight * values[first + 2 * i + INVERSE_ROOT]
        if bound > best_bound:
            best, best_bound = i, bound
    return nodes[node + FIRST_CHILD] + NODE_SIZE * best


@inline
def add_score(nodes, values, ranges, ways, way, agent, score):
    ranges[2 * agent] = min(ranges[2 * agent], score)
    ranges[2 * agent + 1] = max(ranges[2 * agent + 1], score)
    for i in range(way + 1, way + 1 + ways[way]):
        node = ways[i]
        visits = nodes[node + VISITS] + 1
        nodes[node + VISITS] = visits
        inverse = 1.0 / visits
        mean = values[(node >> 1) + MEAN] if visits > 1 else score
        values[(node >> 1) + MEAN] = mean + (score - mean) * inverse
        values[(node >> 1) + INVERSE_ROOT] = math.sqrt(inverse)


@inline
def score_scale(ranges, agent, fixed):
    if fixed != 0.0:
        return 1.0 / fixed
    spread = ranges[2 * agent + 1] - ranges[2 * agent]
    return 1.0 / spread if spread > 0.0 else 1.0


@inline
def stay_apart(nodes, values, counters, ways, n_nodes):
    """Each agent's tree is its own."""


def make_search(game, options, meet=stay_apart):
    """The search of a `SimultaneousGame`, to be compiled with `kernel(search_signature(number))`.

    search(setup, root, *trees, n) runs n more iterations from the state `root`. meet(nodes, values,
    counters, ways, n_nodes) may lead the ways that have n_nodes, so are in their tree, on by a node
    after each turn's choices (`simultaneous_uct.py`).
    """
    n_agents, _, state_size, legal, sample, apply, is_over, evaluate = game
    holds, exploration, first_visits, rollout, prior_share, fixed_scale, noise = options
    random_visits = max(first_visits, 1)
    depth = len(holds)
    stride = 2 * depth + 2
    nodes_a_turn = 1 if meet is stay_apart else 2

    @inline
    def choose(setup, trees, state, actions, agent, ply):
        """The agent's action: from its tree while in it, then a sample."""
        nodes, values, ranges, counters, ways, priors = trees
        way = agent * stride
        prior = priors[agent * depth + ply]
        n_nodes = nodes_a_turn * ply + 1
        if ways[way] == n_nodes:
            node = ways[way + n_nodes]
            visits = nodes[node + VISITS]
            leaf = nodes[node + N_CHILDREN] == 0
            if leaf and (ply == 0 or not rollout or visits > 0):
                n = legal(setup, state, agent, actions)
                add_children(nodes, values, counters, agent, node, actions, n)
            if nodes[node + N_CHILDREN] > 0:
                slips = noise > 0.0 and random_unit(counters) < noise
                if slips or visits < random_visits:
                    child = random_child(nodes, counters, node, prior, prior_share)
                else:
                    scale = score_scale(ranges, agent, fixed_scale)
                    child = best_bound_child(nodes, values, node, scale, exploration)
                ways[way] = n_nodes + 1
                ways[way + n_nodes + 1] = child
                return nodes[child + ACTION]
        if prior >= 0 and random_unit(counters) < prior_share:
            return prior
        return sample(setup, state, agent, counters)

    def search(
        setup, root, nodes, values, ranges, counters, ways, priors, state, scores, joint, actions, n
    ):
        trees = nodes, values, ranges, counters, ways, priors
        for _ in range(n):
            for i in range(state_size):
                state[i] = root[i]
            for agent in range(n_agents):
                ways[agent * stride] = 1
                ways[agent * stride + 1] = NODE_SIZE * agent
            for ply in range(depth):
                if is_over(setup, state):
                    break
                for agent in range(n_agents):
                    joint[agent] = choose(setup, trees, state, actions, agent, ply)
                meet(nodes, values, counters, ways, nodes_a_turn * ply + 2)
                for _ in range(holds[ply]):
                    apply(setup, state, joint)
                counters[TURNS] += holds[ply]
            evaluate(setup, state, scores)
            for agent in range(n_agents):
                add_score(nodes, values, ranges, ways, agent * stride, agent, scores[agent])
            counters[ITERATIONS] += 1

    return search


@inline
def copy_node(nodes, values, node, new_nodes, new_values, new_node):
    """Copy a node between buffers; its children still are where they were."""
    for i in range(NODE_SIZE):
        new_nodes[new_node + i] = nodes[node + i]
    for i in range(2):
        new_values[(new_node >> 1) + i] = values[(node >> 1) + i]


def replant_trees(nodes, values, new_nodes, new_values, counters, joint):
    """Keep, of every agent's tree, the part below the action it played (see `replant`).

    The copy goes breadth first: a node is copied with its old first child, and when the scan
    reaches it the children follow (Cheney's collector, Communications of the ACM 13(11), 1970).
    """
    n_agents = len(joint)
    for agent in range(n_agents):
        kept = -1
        root = NODE_SIZE * agent
        first = nodes[root + FIRST_CHILD]
        for child in range(first, first + NODE_SIZE * nodes[root + N_CHILDREN], NODE_SIZE):
            if nodes[child + ACTION] == joint[agent]:
                kept = child
        if kept < 0:
            clear_node(new_nodes, new_values, root, 0)
        else:
            copy_node(nodes, values, kept, new_nodes, new_values, root)
    end = NODE_SIZE * n_agents
    for agent in range(n_agents):
        size = 1
        scan = NODE_SIZE * agent
        while scan >= 0:
            first = new_nodes[scan + FIRST_CHILD]
            n_children = new_nodes[scan + N_CHILDREN]
            begin = end
            if n_children > 0:
                new_nodes[scan + FIRST_CHILD] = end
                for child in range(first, first + NODE_SIZE * n_children, NODE_SIZE):
                    copy_node(nodes, values, child, new_nodes, new_values, end)
                    end += NODE_SIZE
                size += n_children
            # The agent's root is scanned first, then the stretch its descendants were copied to.
            scan = begin if scan == NODE_SIZE * agent else scan + NODE_SIZE
            if scan == end:
                scan = -1
        counters[TREE_SIZES + agent] = size
    counters[N_NODES] = end // NODE_SIZE
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
    """The first by "visits" or "mean", the other breaking ties; None before a visit."""
    first = int(trees.nodes[node + FIRST_CHILD])
    end = first + NODE_SIZE * int(trees.nodes[node + N_CHILDREN])

    def rank(child):
        visits, mean = trees.nodes[child + VISITS], trees.values[(child >> 1) + MEAN]
        return (visits, mean) if by == "visits" else (mean, visits)

    children = range(first, end, NODE_SIZE)
    visited = (child for child in children if trees.nodes[child + VISITS] > 0)
    return max(visited, key=rank, default=None)


def principal_line(trees, agent, by="visits"):
    """The actions the agent would play, as far as its tree goes."""
    line = []
    child = best_child(trees, NODE_SIZE * agent, by)
    while child is not None:
        line.append(int(trees.nodes[child + ACTION]))
        child = best_child(trees, child, by)
    return line


def make_choose(search, trees, clock):
    """choose(setup, state): agent 0's action that is most visited in trees planted anew."""

    def choose(setup, state):
        plant(trees)
        while nodes := clock.grant():
            search(setup, state, *trees, nodes)
        return int(trees.nodes[best_child(trees, 0, "visits") + ACTION])

    return choose


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
