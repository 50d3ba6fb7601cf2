"""Paths of many agents without collisions: prioritized, in windows of time, or of the least cost.

Prioritized: each agent plans around all earlier ones, by its true distances (HCA*; D. Silver,
"Cooperative Pathfinding", AIIDE 2005). An agent without a path is planned first in another attempt
(M. Bennewitz, W. Burgard, S. Thrun, ICRA 2001). In windows: WHCA* plans only some steps ahead,
walks half of them, and plans again in another order. Both are fast, neither complete nor optimal:
None means that no plan was found, not that there is none.

Conflict-based search finds plans of few agents of the least sum of costs (G. Sharon, R. Stern, A.
Felner, N. Sturtevant, "Conflict-Based Search for Optimal Multi-Agent Pathfinding", Artificial
Intelligence 219, 2015). Each agent takes its shortest path. In each child of a node one of two
agents that collide gets a constraint, and the cheapest node is expanded next. Of several conflicts
the search splits one with two dearer children, if there is one (E. Boyarski et al., "ICBS", IJCAI
2015). Without a plan it would not end, so that its nodes are bounded. Where agents have to give way
to each other in little space its nodes are too many: after FEW_NODES nodes the agents are searched
jointly (`joint.py`), which also proves that there is no plan.
"""

import heapq
from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Optional

from ..core.jit import Ints, int_buffer
from ..path.breadth_first import count_steps, new_steps
from ..path.grid import Grid, cell_at, offset_of, position
from ..path.joint import (
    begin_search,
    can_search,
    continue_search,
    new_states,
    new_team,
    paths_of,
)
from ..path.plans import Cell
from ..path.space_time import (
    NEVER,
    WAIT,
    cells_of,
    clear_reservations,
    find,
    new_reservations,
    new_space_time,
    reserve_path,
    reserve_step,
)
from ..path.statuses import FOUND, FULL, NO_PATH, SEARCHING

Plan = list[list[Cell]]
FEW_NODES = 64  # nodes of the constraint tree before a joint search is tried
MOST_STATES = 1 << 18  # the most states of a joint search: 25 MB
FIRST_BITS = 13  # the first attempt of a joint search has 2**FIRST_BITS slots
SLICE = 1000  # states, between which Python can be interrupted


class Crowd:
    """Agents on a grid with their goals, and the buffers to plan with.

    distances: per agent int64[N], the steps from a cell to its goal, or -1. Raises ValueError for
    cells beyond the grid, and unless there are as many goals as starts.
    """

    def __init__(self, grid: Grid, starts: Sequence[Cell], goals: Sequence[Cell], bits: int = 18):
        if len(starts) != len(goals):
            raise ValueError(f"{len(starts)} starts, but {len(goals)} goals")
        self.grid = grid
        self.starts = [cell_at(grid, *start) for start in starts]
        self.goals = [cell_at(grid, *goal) for goal in goals]
        self.distances = [self._distances(goal) for goal in self.goals]
        self.reservations = new_reservations(grid, bits)
        self.search, self.queue = new_space_time(bits)

    def _distances(self, goal: int) -> Ints:
        """Returns the steps from each cell to a goal."""
        steps = new_steps(self.grid)
        count_steps(self.grid, steps, int_buffer([goal]), 1, NEVER)
        return steps.distances

    def is_hopeless(self) -> bool:
        """Returns True if an agent has no path at all, or shares its start or goal with another."""
        shares = len(set(self.starts)) < len(self.starts) or len(set(self.goals)) < len(self.goals)
        return shares or any(d[s] < 0 for d, s in zip(self.distances, self.starts))

    def find(self, agent: int, start: int, time: int = 0, horizon: int = NEVER) -> list[int]:
        """Returns an agent's path around reservations, to its goal or until `horizon`, or []."""
        goal, distances = self.goals[agent], self.distances[agent]
        n = find(
            self.grid,
            self.reservations,
            self.search,
            self.queue,
            distances,
            start,
            goal,
            time,
            horizon,
        )
        return cells_of(self.search, n)

    def keep_free(self, path: list[int], time: int, parks: bool) -> None:
        """Reserve all steps that collide with a path. Raises OverflowError without room."""
        if not reserve_path(self.grid, self.reservations, int_buffer(path), len(path), time, parks):
            raise OverflowError("too many steps to keep free: make the Crowd with more bits")

    def plan_of(self, paths: Sequence[Sequence[int]]) -> Plan:
        """Returns paths of (x, y)."""
        return [[position(self.grid, cell) for cell in path] for path in paths]


def plan_prioritized(crowd: Crowd, restarts: int = 50, seed: int = 1) -> Optional[Plan]:
    """Returns a plan made agent by agent, the longest paths first; None if all attempts fail.

    An agent without a path is planned first in the next attempt; each fifth attempt shuffles the
    others.
    """
    if crowd.is_hopeless():
        return None
    rng = Random(seed)
    order = sorted(
        range(len(crowd.starts)),
        key=lambda agent: -int(crowd.distances[agent][crowd.starts[agent]]),
    )
    for restart in range(restarts + 1):
        paths: dict[int, list[int]] = {}
        clear_reservations(crowd.reservations)
        for agent in order:
            paths[agent] = crowd.find(agent, crowd.starts[agent])
            if not paths[agent]:
                break
            crowd.keep_free(paths[agent], 0, True)
        else:
            return crowd.plan_of([paths[agent] for agent in range(len(paths))])
        order.remove(agent)
        if restart % 5 == 4:
            rng.shuffle(order)
        order.insert(0, agent)
    return None


def plan_windowed(crowd: Crowd, window: int = 16, most_steps: int = 1000) -> Optional[Plan]:
    """Returns a plan by WHCA*: of each `window` planned steps the first half is walked.

    Returns None without a plan, or after about `most_steps`. Raises ValueError for a window of less
    than 1 step.
    """
    if window < 1:
        raise ValueError(f"a window is of 1 or more steps, not {window}")
    if crowd.is_hopeless():
        return None
    paths = [[start] for start in crowd.starts]
    order = list(range(len(paths)))
    time, stride = 0, max(window // 2, 1)
    while any(path[-1] != goal for path, goal in zip(paths, crowd.goals)):
        ahead = _plan_window(crowd, [path[-1] for path in paths], order, time, window)
        if ahead is None or time >= most_steps:
            return None
        for path, steps in zip(paths, ahead):
            # The path of an agent that has arrived and may stay ends early.
            path += (steps + steps[-1:] * window)[1 : stride + 1]
        time += stride
        order.append(order.pop(0))
    return crowd.plan_of(paths)


def _plan_window(
    crowd: Crowd, places: list[int], order: list[int], time: int, window: int
) -> Optional[list[list[int]]]:
    """Returns the next cells of each agent, None after too many attempts. An agent without a path
    is planned first in the next attempt.
    """
    for _ in range(2 * len(order) + 1):
        ahead: dict[int, list[int]] = {}
        clear_reservations(crowd.reservations)
        for agent in order:
            ahead[agent] = crowd.find(agent, places[agent], time, time + window)
            if not ahead[agent]:
                break
            steps = ahead[agent] + ahead[agent][-1:] * (window + 1 - len(ahead[agent]))
            crowd.keep_free(steps, time, False)
        else:
            return [ahead[agent] for agent in range(len(ahead))]
        order.remove(agent)
        order.insert(0, agent)
    return None


# Conflict-based search


class Node(NamedTuple):
    """A node of the constraint tree: the cost, the paths of all agents, the constraints of each:
    (cell, step, time).
    """

    cost: int
    paths: tuple
    constraints: tuple


def plan_optimal(
    crowd: Crowd, most_nodes: int = 20_000, most_states: int = MOST_STATES
) -> Optional[Plan]:
    """Returns a plan of the least sum of costs; None if no plan exists, or none is found within the
    limits on the nodes of the constraint tree and on the states of a joint search.
    """
    if crowd.is_hopeless():
        return None
    if not crowd.starts:
        return []
    tree = ConstraintTree(crowd)
    status, plan = tree.search(min(most_nodes, FEW_NODES))
    if status == FULL:
        status, plan = plan_jointly(crowd, most_states)
    if status == FULL:
        status, plan = tree.search(most_nodes)
    return plan


class ConstraintTree:
    """Conflict-based search of a crowd that is not hopeless."""

    def __init__(self, crowd: Crowd):
        n_agents = len(crowd.starts)
        paths = tuple(find_constrained(crowd, agent, ()) for agent in range(n_agents))
        root = Node(sum(len(path) - 1 for path in paths), paths, ((),) * n_agents)
        self.crowd = crowd
        self.open_list = [(root.cost, len(conflicts_of(crowd, paths)), 0, root)]
        self.n_nodes = 1

    def search(self, most_nodes: int) -> tuple[int, Optional[Plan]]:
        """Expand nodes until the tree has `most_nodes`. Returns FOUND and a plan, NO_PATH and None,
        or FULL and None: a call with more nodes continues.
        """
        while self.open_list and self.n_nodes < most_nodes:
            node = heapq.heappop(self.open_list)[-1]
            found = conflicts_of(self.crowd, node.paths)
            if not found:
                return FOUND, self.crowd.plan_of(node.paths)
            for child in split(self.crowd, node, found):
                self.n_nodes += 1
                rank = (child.cost, len(conflicts_of(self.crowd, child.paths)), -self.n_nodes)
                heapq.heappush(self.open_list, (*rank, child))
        return FULL if self.open_list else NO_PATH, None


def plan_jointly(crowd: Crowd, most_states: int = MOST_STATES) -> tuple[int, Optional[Plan]]:
    """Returns FOUND and a plan of the least sum of costs, or NO_PATH and None.

    Returns FULL and None if the search takes more than `most_states`, or if its tables are too
    large: at most 8 agents, P V V <= 2^22 (see `joint.py`).
    """
    grid = crowd.grid
    n = range(len(grid.moves))
    cells = [cell for cell in n if any(distances[cell] >= 0 for distances in crowd.distances)]
    if not can_search(len(crowd.goals), len(cells)):
        return FULL, None
    places = {cell: i for i, cell in enumerate(cells)}
    offsets = [int(offset_of(grid, k)) for k in range(4)]
    steps: list[int] = []
    for cell in cells:
        moves = int(grid.moves[cell])
        steps += [places[cell + offsets[k]] if moves >> k & 1 else -1 for k in range(4)]
        steps.append(places[cell])
    team = new_team(steps, [places[goal] for goal in crowd.goals])
    bits = FIRST_BITS
    while True:
        bits = min(bits, (most_states - 1).bit_length() + 1)
        states, queue = new_states(team, bits)
        for agent, start in enumerate(crowd.starts):
            states.work[agent] = places[start]
        status = begin_search(team, states, queue)
        while status == SEARCHING:
            status = continue_search(team, states, queue, SLICE)
        if status != FULL or 1 << bits >= 2 * most_states:
            break
        bits += 3
    if status != FOUND:
        return status, None
    paths = paths_of(team, states)
    return FOUND, crowd.plan_of([[cells[place] for place in path] for path in paths])


# Splitting


def split(crowd: Crowd, node: Node, found: list) -> list[Node]:
    """Returns a node's children for the conflict of found[:8] that makes most of them dearer; each
    constrains one agent.
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
    """Returns the node with one more constraint of an agent; None if the agent then has no path."""
    constraints = (*node.constraints[agent], step)
    path = find_constrained(crowd, agent, constraints)
    if not path:
        return None
    return Node(
        node.cost + len(path) - len(node.paths[agent]),
        (*node.paths[:agent], path, *node.paths[agent + 1 :]),
        (*node.constraints[:agent], constraints, *node.constraints[agent + 1 :]),
    )


def find_constrained(crowd: Crowd, agent: int, constraints: tuple) -> list[int]:
    """Returns the shortest path of an agent under its constraints, [] if there is none."""
    clear_reservations(crowd.reservations)
    for cell, step, time in constraints:
        reserve_step(crowd.grid, crowd.reservations, cell, step, time)
    return crowd.find(agent, crowd.starts[agent])


def conflicts_of(crowd: Crowd, paths: tuple) -> list:
    """Returns all conflicts in order of time, each as two pairs of an agent and its constraint."""
    found = []
    directions = {int(offset_of(crowd.grid, direction)): direction for direction in range(4)}
    before: list[int] = []
    for time in range(max(map(len, paths))):
        places = [path[time] if time < len(path) else path[-1] for path in paths]
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
