"""Simultaneous-move UCT: one tree of positions in which both players choose at once.

Source: decoupled UCT of CadiaPlayer (Finnsson and Björnsson, "Simulation-Based Approach to General
Game Playing", AAAI 2008), which Jolindien describes for X-mas Rush (CodinGame, 2018). Both choose
as in Smitsimax, whose search and buffers these are, but their trees meet: every pair of children,
the *arms*, has a position of its own below it. Legal actions may depend on what both did; the tree
is as wide as the pairs are many.

A position is two neighbouring nodes, player 0's and player 1's, named by the first; 0 is the root.
The first child of player 0's arm is a block of numbers, one for each of the other's arms: the
position below the pair, 0 where there is none yet.
"""

from typing import Callable

from shared.core.game import SimultaneousGame
from shared.core.jit import inline
from shared.search import smitsimax
from shared.search.smitsimax import Options
from shared.search.tree import FIRST_CHILD, N_CHILDREN, NODE_SIZE, clear_node, reserve


@inline
def position_below(tree, arm, other_node, other_arm):
    """The position of a pair of arms, new or not; 0 when the buffers are full."""
    nodes = tree.nodes
    block = nodes[NODE_SIZE * arm + FIRST_CHILD]
    if block == 0:
        n = nodes[NODE_SIZE * other_node + N_CHILDREN] + NODE_SIZE - 1 >> 2
        block = reserve(tree, n)
        if block == 0:
            return 0
        for i in range(NODE_SIZE * block, NODE_SIZE * (block + n)):
            nodes[i] = 0
        nodes[NODE_SIZE * arm + FIRST_CHILD] = block
    cell = NODE_SIZE * block + other_arm - nodes[NODE_SIZE * other_node + FIRST_CHILD]
    if nodes[cell] == 0:
        position = reserve(tree, 2)
        if position > 0:
            clear_node(tree, position, 0)
            clear_node(tree, position + 1, 0)
        nodes[cell] = position
    return nodes[cell]


@inline
def meet(tree, n_nodes):
    """Lead both paths on to the position below the arms just pulled, where both pulled one."""
    path = tree.path
    other = len(path) // 2
    if path[0] == n_nodes and path[other] == n_nodes:
        other_node, other_arm = path[other + n_nodes - 1], path[other + n_nodes]
        position = position_below(tree, path[n_nodes], other_node, other_arm)
        if position > 0:
            for agent in range(2):
                path[other * agent] = n_nodes + 1
                path[other * agent + n_nodes + 1] = position + agent


def make_uct_search(game: SimultaneousGame, options: Options) -> Callable:
    """`smitsimax.make_search` with trees that meet. Raises ValueError unless there are two agents."""
    if game.n_agents != 2:
        raise ValueError(f"simultaneous UCT is for 2 agents, the game has {game.n_agents}")
    return smitsimax.make_search(game, options, meet)
