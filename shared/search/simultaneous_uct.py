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

from shared.core.jit import inline
from shared.search import smitsimax
from shared.search.smitsimax import FIRST_CHILD, N_CHILDREN, NODE_SIZE, clear_node, reserve


@inline
def position_below(nodes, values, counters, arm, other_node, other_arm):
    """The position of a pair of arms, new or not; 0 when the buffers are full."""
    block = nodes[arm + FIRST_CHILD]
    if block == 0:
        n = nodes[other_node + N_CHILDREN] + NODE_SIZE - 1 >> 2
        block = reserve(nodes, counters, n)
        if block == 0:
            return 0
        for i in range(block, block + NODE_SIZE * n):
            nodes[i] = 0
        nodes[arm + FIRST_CHILD] = block
    cell = block + (other_arm - nodes[other_node + FIRST_CHILD] >> 2)
    if nodes[cell] == 0:
        position = reserve(nodes, counters, 2)
        if position > 0:
            clear_node(nodes, values, position, 0)
            clear_node(nodes, values, position + NODE_SIZE, 0)
        nodes[cell] = position
    return nodes[cell]


@inline
def meet(nodes, values, counters, ways, n_nodes):
    """Lead both ways on to the position below the arms just pulled, where both pulled one."""
    other = len(ways) // 2
    if ways[0] == n_nodes and ways[other] == n_nodes:
        arm, other_node, other_arm = ways[n_nodes], ways[other + n_nodes - 1], ways[other + n_nodes]
        position = position_below(nodes, values, counters, arm, other_node, other_arm)
        if position > 0:
            for agent in range(2):
                ways[other * agent] = n_nodes + 1
                ways[other * agent + n_nodes + 1] = position + NODE_SIZE * agent


def make_uct_search(game, options):
    """`smitsimax.make_search` with trees that meet. Raises ValueError unless there are two agents."""
    if game.n_agents != 2:
        raise ValueError(f"simultaneous UCT is for 2 agents, the game has {game.n_agents}")
    return smitsimax.make_search(game, options, meet)
