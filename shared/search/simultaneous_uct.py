"""Simultaneous-move UCT: one tree of positions in which all players choose at once.

Source: decoupled UCT of CadiaPlayer (Finnsson and Björnsson, "Simulation-Based Approach to General
Game Playing", AAAI 2008), which Jolindien describes for X-mas Rush (CodinGame, 2018). All choose as
in Smitsimax, whose search and buffers these are, but their trees meet: every combination of
children, the *arms*, has a position of its own below it. Legal actions may depend on what all did;
the tree is as wide as the combinations are many.

A position is a node of each player, neighbours, named by the first; 0 is the root. The first child of
player 0's arm is a block of numbers, one for each of player 1's arms: the block of player 2's arms,
and so on; the last player's has the positions, 0 where there is none yet.
"""

from typing import Callable

from shared.core.game import SimultaneousGame
from shared.core.jit import inline
from shared.search import smitsimax
from shared.search.smitsimax import Options
from shared.search.tree import FIRST_CHILD, N_CHILDREN, NODE_SIZE, clear_node, reserve


@inline
def block_below(tree, cell, n_arms):
    """The block whose number stands in a cell of the nodes, new or not; 0 where there is no room."""
    nodes = tree.nodes
    if nodes[cell] == 0:
        n = n_arms + NODE_SIZE - 1 >> 2
        block = reserve(tree, n)
        if block > 0:
            for i in range(NODE_SIZE * block, NODE_SIZE * (block + n)):
                nodes[i] = 0
        nodes[cell] = block
    return nodes[cell]


def make_meet(n_agents: int) -> Callable:
    """What leads the paths of so many agents on together."""

    @inline
    def meet(tree, n_nodes):
        """Lead all paths on to the position below the arms just pulled."""
        path, nodes = tree.path, tree.nodes
        stride = len(path) // n_agents
        for agent in range(n_agents):
            if path[stride * agent] != n_nodes:
                return
        cell = NODE_SIZE * path[n_nodes] + FIRST_CHILD
        for agent in range(1, n_agents):
            node, arm = path[stride * agent + n_nodes - 1], path[stride * agent + n_nodes]
            block = block_below(tree, cell, nodes[NODE_SIZE * node + N_CHILDREN])
            if block == 0:
                return
            cell = NODE_SIZE * block + arm - nodes[NODE_SIZE * node + FIRST_CHILD]
        position = nodes[cell]
        if position == 0:
            position = reserve(tree, n_agents)
            if position == 0:
                return
            for agent in range(n_agents):
                clear_node(tree, position + agent, 0)
            nodes[cell] = position
        for agent in range(n_agents):
            path[stride * agent] = n_nodes + 1
            path[stride * agent + n_nodes + 1] = position + agent

    return meet


def make_uct_search(game: SimultaneousGame, options: Options) -> Callable:
    """`smitsimax.make_search` with trees that meet. Raises ValueError for a single agent."""
    if game.n_agents < 2:
        raise ValueError(f"simultaneous UCT is for 2 agents or more, the game has {game.n_agents}")
    return smitsimax.make_search(game, options, make_meet(game.n_agents))
