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

from typing import TYPE_CHECKING, Any

from ..core.game import SimultaneousGame
from ..core.jit import Function, inline
from ..search import smitsimax
from ..search.tree import (
    FIRST_CHILD,
    NODE_SIZE,
    children,
    clear_node,
    first_child_of,
    n_children_of,
    node_action,
    node_at,
    reserve,
)

if TYPE_CHECKING:
    from ..search.smitsimax import Trees


@inline
def block_below(tree: "Trees", cell: int, n_arms: int) -> int:
    """Returns the block whose number a cell of the nodes holds, made if needed; 0 without room."""
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


def n_trees(search: Any) -> int:
    """Returns the number of trees for `explore`: one per agent."""
    return int(search.game.n_agents)


def show_nodes(search: Any, node: Any, state: Any) -> "list[dict[str, Any]]":
    """Returns a node's children as rows for `explore`: below a position an agent's actions, below
    an action the joint actions with it.

    node: at first the agent, then (agent, position, arm or None).
    """
    agent, position, arm = (node, 0, None) if isinstance(node, int) else node
    tree = search.tree
    if arm is None:
        rows = smitsimax.show_nodes(search, (agent, position + agent), state)
        return [{**row, "node": (agent, position, row["node"][1])} for row in rows]
    rows = []
    for below, arms in positions_below(tree, position, search.game.n_agents):
        fields = node_at(tree, below + agent)
        if arms[agent] == arm and fields.visits:
            action = tuple((i, node_action(tree, choice)) for i, choice in enumerate(arms))
            row = {"action": action, "visits": fields.visits, "value": fields.mean}
            rows.append({**row, "node": (agent, below, None)})
    return rows


def positions_below(tree: "Trees", position: int, n_agents: int) -> "list[tuple[int, Any]]":
    """Returns (position, an arm of each agent) of the positions reached from one."""
    found: list[tuple[int, Any]] = []
    cells: list[tuple[int, Any]] = [
        (NODE_SIZE * arm + FIRST_CHILD, (arm,)) for arm in children(tree, position)
    ]
    for cell, arms in cells:
        if int(tree.nodes[cell]) and len(arms) == n_agents:
            found.append((int(tree.nodes[cell]), arms))
        elif int(tree.nodes[cell]):
            block = NODE_SIZE * int(tree.nodes[cell])
            others = enumerate(children(tree, position + len(arms)))
            cells += [(block + i, (*arms, arm)) for i, arm in others]
    return found
