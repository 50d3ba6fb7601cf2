"""Infexion by the report's Monte Carlo tree search, its faults included: it loses to
greedy, as it did there.

The faults, each kept on purpose ("COMP30024 Project: Part B", after ai-boson's article):
- 100 iterations a move, hardly one for each action of the root;
- a rollout is deterministic (the first of the greedy actions), so the same leaf always gives the same result;
- the result compares cells and not power, by which the game is decided;
- backpropagation adds the same result to all nodes of the way, whoever moved there, so that below the root the search
  hopes for the rival's best moves as well.

    tree    int64[(4 + 2 A) N]  of each node: visits, wins less losses, number of children, number of actions; the actions; the
                                children in the order they were tried
"""

import math
import sys

from shared.core.clock import Clock
from shared.core.jit import inline, int_buffer, kernel
from shared.core.loop import play
from shared.games.infexion.protocol import LIMITS, format_action, read_start, read_turn
from shared.games.infexion.sim import N_ACTIONS, apply_action, is_over, legal_actions, power_within
from shared.games.infexion.state import STATE_SIZE, STONES, TURN, count_bits, new_setup, new_state

MARGIN_MS = 20
N_ITERATIONS = 100
EXPLORATION = 0.1

VISITS, WINS, N_CHILDREN, N_LISTED, ACTIONS = range(5)
CHILDREN = ACTIONS + N_ACTIONS
NODE_SIZE = CHILDREN + N_ACTIONS
N_NODES = 0  # of the counters

WORST = 1e300


@inline
def utility(state, player):
    """(cells + power of the rival) / (cells + power of the player): the lower, the better."""
    own, other = state[STONES + player], state[STONES + 1 - player]
    strength = count_bits(own) + power_within(state, own)
    return (count_bits(other) + power_within(state, other)) / strength if strength else WORST


@inline
def play_greedily(setup, state, after, actions):
    """Play on in place to the game's end: always the first action of the best utility."""
    while not is_over(setup, state):
        player = state[TURN] & 1
        best, best_utility = actions[0], 2.0 * WORST
        for i in range(legal_actions(setup, state, actions)):
            apply_action(setup, state, actions[i], after)
            value = utility(after, player)
            if value < best_utility:
                best, best_utility = actions[i], value
        apply_action(setup, state, best, state)


@inline
def add_node(setup, state, tree, counters, actions):
    """A new node for the position, with its actions listed but none tried."""
    node = counters[N_NODES] * NODE_SIZE
    counters[N_NODES] += 1
    tree[node + VISITS] = tree[node + WINS] = tree[node + N_CHILDREN] = 0
    tree[node + N_LISTED] = legal_actions(setup, state, actions) if not is_over(setup, state) else 0
    for i in range(tree[node + N_LISTED]):
        tree[node + ACTIONS + i] = actions[i]
    return node


@inline
def action_of(tree, node, i):
    """The action of a node's child number i: the last one listed is tried first."""
    return tree[node + ACTIONS + tree[node + N_LISTED] - 1 - i]


@inline
def best_child(tree, node, exploration):
    """Which child has the best mean and bonus; the first of equals."""
    best, best_bound = 0, -WORST
    for i in range(tree[node + N_CHILDREN]):
        child = tree[node + CHILDREN + i]
        bonus = math.sqrt(2.0 * math.log(tree[node + VISITS]) / tree[child + VISITS])
        bound = tree[child + WINS] / tree[child + VISITS] + exploration * bonus
        if bound > best_bound:
            best, best_bound = i, bound
    return best


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], int64)"
)
def search(setup, root, tree, counters, path, state, after, actions, n):
    """n more iterations from the position `root`."""
    for _ in range(n):
        for i in range(STATE_SIZE):
            state[i] = root[i]
        if counters[N_NODES] == 0:
            add_node(setup, state, tree, counters, actions)
        node = 0
        depth = 1
        path[0] = 0
        all_tried = True
        while all_tried and not is_over(setup, state):
            i = tree[node + N_CHILDREN]
            all_tried = i == tree[node + N_LISTED]
            if all_tried:
                i = best_child(tree, node, EXPLORATION)
            apply_action(setup, state, action_of(tree, node, i), state)
            if not all_tried:
                tree[node + CHILDREN + i] = add_node(setup, state, tree, counters, actions)
                tree[node + N_CHILDREN] += 1
            node = tree[node + CHILDREN + i]
            path[depth] = node
            depth += 1
        mover = 1 - (state[TURN] & 1)
        play_greedily(setup, state, after, actions)
        lead = count_bits(state[STONES + mover]) - count_bits(state[STONES + 1 - mover])
        for i in range(depth):
            tree[path[i] + VISITS] += 1
            tree[path[i] + WINS] += (1 if lead > 0 else 0) - (1 if lead < 0 else 0)


def new_search():
    """The buffers of `search` after the position: tree, counters, path, two positions and
    a list of actions.
    """
    return (
        int_buffer(NODE_SIZE * (N_ITERATIONS + 1)),
        int_buffer(1),
        int_buffer(N_ITERATIONS + 2),
        new_state(),
        new_state(),
        int_buffer(N_ACTIONS),
    )


def choose(setup, state, buffers, clock):
    """The action of the best mean after N_ITERATIONS, or fewer where the time is up."""
    tree, counters = buffers[:2]
    counters[N_NODES] = 0
    left = N_ITERATIONS
    while left and (granted := clock.grant()):
        n = min(granted, left)
        search(setup, state, *buffers, n)
        left -= n
    return int(action_of(tree, 0, best_child(tree, 0, 0.0)))


def main():
    clock = Clock(LIMITS, MARGIN_MS)
    read_start(sys.stdin.readline)
    setup, state, buffers = new_setup(), new_state(), new_search()
    play(
        lambda: read_turn(sys.stdin.readline, state),
        lambda: [format_action(choose(setup, state, buffers, clock))],
        clock,
    )


if __name__ == "__main__":
    main()
