"""Simultaneous-move UCT: one tree of positions in which both players choose at once.

Source: decoupled UCT of CadiaPlayer (Finnsson and Björnsson, "Simulation-Based Approach to General
Game Playing", AAAI 2008), which Jolindien describes for X-mas Rush (CodinGame, 2018). A position
has a fan of arms for each player, one arm an action; every pair of arms has a position of its own
below it. Each player takes the arm of the greatest UCB, as if the other's choice were chance.
Unlike in Smitsimax legal actions may depend on what both did; the price is a tree as wide as the
pairs are many.

Letters: P = 2 agents, A actions, D plies, N capacity in nodes, T slots, S numbers of a state.

    nodes   int64[4 N]       as in `smitsimax.py`: the children of a fan are its arms; a position is
                             its P fans, neighbours, named by the first; the root is 0
    values  float64[2 N]     mean score, 1 / sqrt(visits)
    ranges  float64[2 P]     lowest and highest score of each agent
    counters int64[5 + P]    random state, nodes in use, iterations, turns, arms of each agent,
                             times planted
    paths   int64[P (2 D + 2)]  for each agent how many nodes it went through, then the nodes
    table   int64[2 T]       a hash table: a pair of arms and when it was planted, the position
                             below it; T a power of two
"""

from typing import NamedTuple

from shared.core.jit import float_buffer, inline, int_buffer
from shared.core.rng import seed_rng
from shared.search.smitsimax import (
    ACTION,
    ITERATIONS,
    N_CHILDREN,
    N_NODES,
    NODE_SIZE,
    TREE_SIZES,
    TURNS,
    VISITS,
    add_children,
    add_score,
    best_bound_child,
    best_child,
    clear_node,
    clear_ranges,
    random_child,
    score_scale,
)

N_AGENTS = 2
PLANTED = TREE_SIZES + N_AGENTS
NO_POSITION = -1
# A key packs two arms and the times planted: so many bits for each arm, 63 in all.
ARM_BITS = 24
MAX_CAPACITY = 1 << ARM_BITS
MAX_PLANTED = 1 << (63 - 2 * ARM_BITS)
# Multiplier of Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4), cut to 63 bits.
HASH_FACTOR = 0x9E3779B1
HASH_MASK = 0x7FFFFFFF


class Options(NamedTuple):
    """How to search.

    depth: turns a simulation may last. rollout: turns of samples played below the tree before the
    position is evaluated. exploration: the constant of UCB, for normalised scores. random_visits: a
    position's first visits choose their arms at random. scale: what scores are divided by; 0 for
    the range seen.
    """

    depth: int
    rollout: int
    exploration: float = 1.0
    random_visits: int = 1
    scale: float = 0.0


class Tree(NamedTuple):
    """The buffers of a search, in the order its compiled functions take them."""

    nodes: object
    values: object
    ranges: object
    counters: object
    paths: object
    table: object
    state: object
    scores: object
    joint: object
    actions: object


def new_tree(game, options, capacity, seed=1, state_buffer=float_buffer):
    """Buffers for `capacity` nodes (at most 2**24; 56 to 64 bytes each), planted.

    state_buffer: `int_buffer` for a game whose states are whole numbers.
    """
    if capacity > MAX_CAPACITY:
        raise ValueError(f"a tree holds at most {MAX_CAPACITY} nodes, not {capacity}")
    counters = int_buffer(PLANTED + 1)
    seed_rng(counters, seed)
    n_slots = 1 << (capacity // N_AGENTS).bit_length()
    tree = Tree(
        nodes=int_buffer(NODE_SIZE * capacity),
        values=float_buffer(2 * capacity),
        ranges=float_buffer(2 * N_AGENTS),
        counters=counters,
        paths=int_buffer(N_AGENTS * (2 * options.depth + 2)),
        table=int_buffer(2 * n_slots),
        state=state_buffer(game.state_size),
        scores=float_buffer(N_AGENTS),
        joint=int_buffer(N_AGENTS),
        actions=int_buffer(game.max_actions),
    )
    plant(tree)
    return tree


def plant(tree):
    """Forget what was searched, but not the random state."""
    for agent in range(N_AGENTS):
        clear_node(tree.nodes, tree.values, agent, 0)
        tree.counters[TREE_SIZES + agent] = 0
    tree.counters[N_NODES] = N_AGENTS
    tree.counters[ITERATIONS] = tree.counters[TURNS] = 0
    clear_ranges(tree.ranges, N_AGENTS)
    # Keys of an earlier planting are free slots, until the first ones would come back.
    tree.counters[PLANTED] += 1
    if tree.counters[PLANTED] == MAX_PLANTED:
        tree.counters[PLANTED] = 1
        for i in range(len(tree.table)):
            tree.table[i] = 0


@inline
def position_below(nodes, values, counters, table, arm, other_arm):
    """The position of a pair of arms, new or not; NO_POSITION when the buffers are full."""
    planted = counters[PLANTED]
    key = ((planted << ARM_BITS) + arm << ARM_BITS) + other_arm
    mask = len(table) // 2 - 1
    slot = ((arm * HASH_FACTOR + other_arm) & HASH_MASK) * HASH_FACTOR >> 20 & mask
    while table[2 * slot] >> 2 * ARM_BITS == planted:
        if table[2 * slot] == key:
            return table[2 * slot + 1]
        slot = slot + 1 & mask
    position = counters[N_NODES]
    if NODE_SIZE * (position + N_AGENTS) > len(nodes):
        return NO_POSITION
    for agent in range(N_AGENTS):
        clear_node(nodes, values, position + agent, 0)
    counters[N_NODES] = position + N_AGENTS
    table[2 * slot] = key
    table[2 * slot + 1] = position
    return position


def make_search(game, options):
    """The search of a `SimultaneousGame`, compiled like Smitsimax with its `search_signature`.

    search(setup, root, *tree, n) runs n more iterations from the state `root`, which it leaves
    alone. How a number of iterations is cut into calls makes no difference. Raises ValueError
    unless the game has two agents.
    """
    if game.n_agents != N_AGENTS:
        raise ValueError(f"simultaneous UCT is for {N_AGENTS} agents, the game has {game.n_agents}")
    _, _, state_size, legal, sample, apply, is_over, evaluate = game
    depth, rollout, exploration, first_visits, fixed_scale = options
    random_visits = max(first_visits, 1)
    stride = 2 * depth + 2

    @inline
    def visit(paths, agent, node):
        """Put a node on the agent's way."""
        way = agent * stride
        paths[way] += 1
        paths[way + paths[way]] = node

    @inline
    def has_arms(setup, nodes, values, counters, state, actions, position):
        """Whether a position has arms. It gets them on its second visit, the root on the first."""
        if nodes[NODE_SIZE * position + N_CHILDREN] == 0:
            if position > 0 and nodes[NODE_SIZE * position + VISITS] == 0:
                return False
            for agent in range(N_AGENTS):
                n = legal(setup, state, agent, actions)
                add_children(nodes, values, counters, agent, position + agent, actions, n)
        # The buffers may have had room for the arms of the first fan only.
        return nodes[NODE_SIZE * (position + N_AGENTS - 1) + N_CHILDREN] > 0

    @inline
    def choose_arm(nodes, values, ranges, counters, paths, agent, fan):
        """The arm the agent pulls; the fan and it go on its way."""
        if nodes[NODE_SIZE * fan + VISITS] < random_visits:
            arm = random_child(nodes, counters, fan, -1, 0.0)
        else:
            scale = score_scale(ranges, agent, fixed_scale)
            arm = best_bound_child(nodes, values, fan, scale, exploration)
        visit(paths, agent, fan)
        visit(paths, agent, arm)
        return arm

    @inline
    def backpropagate(nodes, values, ranges, paths, agent, score):
        """Widen the agent's range and add its score to the nodes on its way."""
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
        table,
        state,
        scores,
        joint,
        actions,
        n_iterations,
    ):
        for _ in range(n_iterations):
            for i in range(state_size):
                state[i] = root[i]
            for agent in range(N_AGENTS):
                paths[agent * stride] = 0
            position = 0
            in_tree = True
            sampled = 0
            for _ in range(depth):
                if is_over(setup, state):
                    break
                if in_tree:
                    in_tree = has_arms(setup, nodes, values, counters, state, actions, position)
                if in_tree:
                    arm = choose_arm(nodes, values, ranges, counters, paths, 0, position)
                    other_arm = choose_arm(nodes, values, ranges, counters, paths, 1, position + 1)
                    joint[0] = nodes[NODE_SIZE * arm + ACTION]
                    joint[1] = nodes[NODE_SIZE * other_arm + ACTION]
                    position = position_below(nodes, values, counters, table, arm, other_arm)
                    in_tree = position != NO_POSITION
                elif sampled == rollout:
                    break
                else:
                    sampled += 1
                    for agent in range(N_AGENTS):
                        joint[agent] = sample(setup, state, agent, counters)
                apply(setup, state, joint)
                counters[TURNS] += 1
            evaluate(setup, state, scores)
            for agent in range(N_AGENTS):
                if position != NO_POSITION:
                    visit(paths, agent, position + agent)
                backpropagate(nodes, values, ranges, paths, agent, scores[agent])
            counters[ITERATIONS] += 1

    return search


def best_actions(tree, by="visits"):
    """Each agent's first arm at the root by "visits" or by "mean"; None before a search."""
    arms = [best_child(tree, agent, by) for agent in range(N_AGENTS)]
    return [None if arm is None else int(tree.nodes[NODE_SIZE * arm + ACTION]) for arm in arms]
