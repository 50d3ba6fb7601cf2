"""Infexion by the report's Monte Carlo tree search, its faults included: it loses to
greedy, as it did there.

The faults, each kept on purpose ("COMP30024 Project: Part B", after ai-boson's article):
- 100 iterations a move, hardly one for each action of the root;
- a rollout is deterministic (the first of the greedy actions), so the same leaf always gives the
  same result;
- the result compares cells, although power decides the game;
- backpropagation adds the same result to all nodes of the path, regardless of the player there:
  below the root the search chooses the rival's moves in its own favour.
"""

import math
from typing import NamedTuple

from shared.core.bits import count_bits
from shared.core.clock import Clock
from shared.core.jit import Ints, inline, int_buffer, kernel
from shared.core.loop import expect, run
from shared.games.infexion.protocol import LIMITS, format_action, read_start, read_turn
from shared.games.infexion.sim import N_ACTIONS, apply, is_over, legal, power_within
from shared.games.infexion.state import STATE_SIZE, STONES, TURN, new_setup, new_state

MARGIN_MS = 20
N_ITERATIONS = 100
EXPLORATION = 0.1

VISITS, WINS, N_CHILDREN, N_LISTED, ACTIONS = range(5)
CHILDREN = ACTIONS + N_ACTIONS
NODE_SIZE = CHILDREN + N_ACTIONS
N_NODES = 0  # of the counters

WORST = 1e300


class Tree(NamedTuple):
    """The state of a search. Letters: A actions, N nodes.

    nodes    [(4 + 2 A) N]  of each: visits, wins less losses, number of children, number of
                            actions; the actions; the children in the order they were tried
    counters [1]            nodes in use
    path     [N + 1]        the nodes of this iteration
    state, after, actions   scratch space: two positions and a list of actions
    """

    nodes: Ints
    counters: Ints
    path: Ints
    state: Ints
    after: Ints
    actions: Ints


@inline
def utility(state, player):
    """(cells + power of the rival) / (cells + power of the player): the lower, the better."""
    own, other = state[STONES + player], state[STONES + 1 - player]
    strength = count_bits(own) + power_within(state, own)
    return (count_bits(other) + power_within(state, other)) / strength if strength else WORST


@inline
def play_greedily(setup, state, after, actions):
    """Play greedily in place to the game's end: always the first action of the best utility."""
    while not is_over(setup, state):
        player = state[TURN] & 1
        best, best_utility = actions[0], 2.0 * WORST
        for i in range(legal(setup, state, actions)):
            apply(setup, state, actions[i], after)
            value = utility(after, player)
            if value < best_utility:
                best, best_utility = actions[i], value
        apply(setup, state, best, state)


@inline
def add_node(setup, tree):
    """A new node for the position, with its actions listed but none tried."""
    nodes = tree.nodes
    node = tree.counters[N_NODES] * NODE_SIZE
    tree.counters[N_NODES] += 1
    nodes[node + VISITS] = nodes[node + WINS] = nodes[node + N_CHILDREN] = 0
    over = is_over(setup, tree.state)
    nodes[node + N_LISTED] = 0 if over else legal(setup, tree.state, tree.actions)
    for i in range(nodes[node + N_LISTED]):
        nodes[node + ACTIONS + i] = tree.actions[i]
    return node


@inline
def action_of(nodes, node, i):
    """The action of a node's child number i: the last one listed is tried first."""
    return nodes[node + ACTIONS + nodes[node + N_LISTED] - 1 - i]


@inline
def best_child(nodes, node, exploration):
    """The number of the child with the best mean and bonus; the first of equals."""
    best, best_bound = 0, -WORST
    for i in range(nodes[node + N_CHILDREN]):
        child = nodes[node + CHILDREN + i]
        bonus = math.sqrt(2.0 * math.log(nodes[node + VISITS]) / nodes[child + VISITS])
        bound = nodes[child + WINS] / nodes[child + VISITS] + exploration * bonus
        if bound > best_bound:
            best, best_bound = i, bound
    return best


@kernel
def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
    """N more iterations from the position `root`."""
    nodes, counters, path, state, after, actions = tree
    for _ in range(n):
        for i in range(STATE_SIZE):
            state[i] = root[i]
        if counters[N_NODES] == 0:
            add_node(setup, tree)
        node = 0
        depth = 1
        path[0] = 0
        all_tried = True
        while all_tried and not is_over(setup, state):
            i = nodes[node + N_CHILDREN]
            all_tried = i == nodes[node + N_LISTED]
            if all_tried:
                i = best_child(nodes, node, EXPLORATION)
            apply(setup, state, action_of(nodes, node, i), state)
            if not all_tried:
                nodes[node + CHILDREN + i] = add_node(setup, tree)
                nodes[node + N_CHILDREN] += 1
            node = nodes[node + CHILDREN + i]
            path[depth] = node
            depth += 1
        mover = 1 - (state[TURN] & 1)
        play_greedily(setup, state, after, actions)
        lead = count_bits(state[STONES + mover]) - count_bits(state[STONES + 1 - mover])
        for i in range(depth):
            nodes[path[i] + VISITS] += 1
            nodes[path[i] + WINS] += (1 if lead > 0 else 0) - (1 if lead < 0 else 0)


def new_tree():
    """An empty tree."""
    return Tree(
        nodes=int_buffer(NODE_SIZE * (N_ITERATIONS + 1)),
        counters=int_buffer(1),
        path=int_buffer(N_ITERATIONS + 2),
        state=new_state(),
        after=new_state(),
        actions=int_buffer(N_ACTIONS),
    )


def choose(setup, state, tree, clock):
    """The action of the best mean after N_ITERATIONS, or fewer if the time is up."""
    tree.counters[N_NODES] = 0
    left = N_ITERATIONS
    while left and (granted := clock.grant()):
        n = min(granted, left)
        search(setup, state, tree, n)
        left -= n
    best = best_child(tree.nodes, 0, 0.0)
    action, child = int(action_of(tree.nodes, 0, best)), tree.nodes[CHILDREN + best]
    value = tree.nodes[child + WINS] / tree.nodes[child + VISITS]
    expect(value, 1, N_ITERATIONS - left, [format_action(action)])
    return action


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    read_start(read_line)
    setup, state, tree = new_setup(), new_state(), new_tree()
    return (
        lambda: read_turn(read_line, state),
        lambda: [format_action(choose(setup, state, tree, clock))],
        clock,
    )


if __name__ == "__main__":
    run(new_player)
