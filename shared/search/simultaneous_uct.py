"""Simultaneous-move UCT: Smitsimax in one tree of positions, in which all players choose at once.

Source: decoupled UCT of CadiaPlayer (Finnsson and Björnsson, "Simulation-Based Approach to General
Game Playing", AAAI 2008), which Jolindien describes for X-mas Rush (CodinGame, 2018). Agents choose
as in Smitsimax, whose search and buffers are used: `make_search(game, options,
make_descend(game))`. But every combination of children, the *arms*, has a position of its own below
it. Legal actions may depend on all previous moves; the branching is the number of combinations.

A position is a node of each player, neighbours, named by the first; 0 is the root. The first child
of player 0's arm is a block of numbers, one for each of player 1's arms: the block of player 2's
arms, and so on; the last player's has the positions, 0 if there is none yet.
"""

from typing import TYPE_CHECKING

from shared.core.game import SimultaneousGame
from shared.core.jit import Function, inline
from shared.search.tree import (
    FIRST_CHILD,
    NODE_SIZE,
    clear_node,
    first_child_of,
    n_children_of,
    reserve,
)

if TYPE_CHECKING:
    from shared.search.smitsimax import Trees


@inline
def block_below(tree: "Trees", cell: int, n_arms: int) -> int:
    """The block whose number is in a cell of the nodes, created if needed; 0 without room for
    it.
    """
    nodes = tree.nodes
    if nodes[cell] == 0:
        n = n_arms + NODE_SIZE - 1 >> 2
        block = reserve(tree, n)
        if block > 0:
            for i in range(NODE_SIZE * block, NODE_SIZE * (block + n)):
                nodes[i] = 0
        nodes[cell] = block
    return nodes[cell]


def make_descend(game: SimultaneousGame) -> Function:
    """descend(tree, n_nodes) leads all paths below the arms pulled. Raises ValueError."""
    n_agents = game.n_agents
    if n_agents < 2:
        raise ValueError(f"simultaneous UCT is for 2 agents or more, the game has {n_agents}")

    @inline
    def descend(tree: "Trees", n_nodes: int) -> None:
        path, nodes = tree.path, tree.nodes
        stride = len(path) // n_agents
        for agent in range(n_agents):
            if path[stride * agent] != n_nodes:
                return
        cell = NODE_SIZE * path[n_nodes] + FIRST_CHILD
        for agent in range(1, n_agents):
            node, arm = path[stride * agent + n_nodes - 1], path[stride * agent + n_nodes]
            block = block_below(tree, cell, n_children_of(nodes, node))
            if block == 0:
                return
            cell = NODE_SIZE * block + arm - first_child_of(nodes, node)
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

    return descend
