"""Conflict-based search: plans of few agents of the least sum of costs.

Source: G. Sharon, R. Stern, A. Felner, N. Sturtevant, "Conflict-Based Search for Optimal Multi-Agent
Pathfinding" (Artificial Intelligence 219, 2015). Each agent takes its shortest way; of the first two
that collide either the one or the other is forbidden to, and the cheapest of the plans that follow
is looked at next. Which of several collisions is taken first: one that makes both plans dearer if
there is one (E. Boyarski et al., "ICBS", IJCAI 2015). It does not end where there is no plan, so that
it is bounded.
"""

import heapq
from typing import NamedTuple, Optional

from shared.path.crowd import Crowd, Plan
from shared.path.grid import offset_of
from shared.path.space_time import WAIT, clear_reservations, reserve_step


class Node(NamedTuple):
    """A plan: its cost, the ways of all agents, what is forbidden to each: (cell, step, time)."""

    cost: int
    ways: tuple
    forbidden: tuple


def plan_optimal(crowd: Crowd, most_nodes: int = 20_000) -> Optional[Plan]:
    """A plan of the least sum of costs; None if there is none, or none was found among so many."""
    if crowd.is_hopeless():
        return None
    n_agents = len(crowd.starts)
    if n_agents == 0:
        return []
    ways = tuple(find_constrained(crowd, agent, ()) for agent in range(n_agents))
    root = Node(sum(len(way) - 1 for way in ways), ways, ((),) * n_agents)
    open_list = [(root.cost, len(conflicts_of(crowd, ways)), 0, root)]
    n_nodes = 1
    while open_list and n_nodes < most_nodes:
        node = heapq.heappop(open_list)[-1]
        found = conflicts_of(crowd, node.ways)
        if not found:
            return crowd.plan_of(node.ways)
        for child in split(crowd, node, found):
            n_nodes += 1
            rank = (child.cost, len(conflicts_of(crowd, child.ways)), -n_nodes)
            heapq.heappush(open_list, (*rank, child))
    return None


def split(crowd: Crowd, node: Node, found: list) -> list[Node]:
    """The plans that follow where one of two agents that collide is forbidden to, for the collision
    that makes them dearest.
    """
    best: list[Node] = []
    most = -1
    for conflict in found[:8]:
        children = [constrain(crowd, node, *side) for side in conflict]
        alive = [child for child in children if child is not None]
        dearer = sum(child is None or child.cost > node.cost for child in children)
        if dearer > most:
            best, most = alive, dearer
        if most == 2:
            break
    return best


def constrain(crowd: Crowd, node: Node, agent: int, step: tuple) -> Optional[Node]:
    """The plan with one thing more forbidden to an agent; None if that has no way then."""
    forbidden = (*node.forbidden[agent], step)
    way = find_constrained(crowd, agent, forbidden)
    if not way:
        return None
    return Node(
        node.cost + len(way) - len(node.ways[agent]),
        (*node.ways[:agent], way, *node.ways[agent + 1 :]),
        (*node.forbidden[:agent], forbidden, *node.forbidden[agent + 1 :]),
    )


def find_constrained(crowd: Crowd, agent: int, forbidden: tuple) -> list[int]:
    """The shortest way of an agent to whom some steps are forbidden, [] for none."""
    clear_reservations(crowd.forbidden)
    for cell, step, time in forbidden:
        reserve_step(crowd.grid, crowd.forbidden, cell, step, time)
    return crowd.find(agent, crowd.starts[agent])


def conflicts_of(crowd: Crowd, ways: tuple) -> list:
    """All collisions, in the order of time: for each the two agents, and what would be forbidden."""
    found = []
    directions = {int(offset_of(crowd.grid, direction)): direction for direction in range(4)}
    before: list[int] = []
    for time in range(max(map(len, ways))):
        places = [way[time] if time < len(way) else way[-1] for way in ways]
        seen: dict[int, int] = {}
        for agent, cell in enumerate(places):
            if cell in seen:
                step = (cell, WAIT, time)
                found.append(((seen[cell], step), (agent, step)))
            seen[cell] = agent
        came_from = {cell: agent for agent, cell in enumerate(before)}
        for agent, cell in enumerate(places):
            other = came_from.get(cell, agent) if time else agent
            if other < agent and places[other] == before[agent]:
                there, back = before[agent], cell
                found.append(
                    (
                        (agent, (there, directions[back - there], time)),
                        (other, (back, directions[there - back], time)),
                    )
                )
        before = places
    return found
