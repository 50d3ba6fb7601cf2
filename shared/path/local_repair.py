"""Paths of many agents by the plain methods: each agent alone, or a squad behind its leader.

Alone: each agent follows its own shortest path, and searches again around its neighbours as soon
as one of them stands in its way (Local Repair A*, the baseline of D. Silver, "Cooperative
Pathfinding", AIIDE 2005). Agents in a corridor may push each other to and fro for ever, against
which an agent that was stopped often takes a step at random.

In a squad one agent searches, and the others follow: the agent nearest to the goal takes a
shortest path, each other one walks to the nearest cell of that path, and then along it. Two
searches serve all agents. The steps to be taken form a tree that leads to the goal, so that the
foremost agent is never stopped, and the squad always arrives, in line.

Both methods let one agent after the other step into an empty cell: plans have neither vertex nor
swap conflicts. They cost more than plans of `multi_agent.py`.
"""

import itertools
from collections.abc import Sequence
from random import Random
from typing import Optional

from ..core.jit import Ints, int_buffer
from ..path.breadth_first import Steps, count_steps, new_steps
from ..path.grid import N_MOVES, Grid, cell_at, change_cell, offset_of, position
from ..path.multi_agent import Crowd, Plan
from ..path.plans import Cell
from ..path.space_time import NEVER


def plan_alone(crowd: Crowd, most_steps: int = 1000, seed: int = 1) -> Optional[Plan]:
    """Returns a plan of agents that search alone, None if they take `most_steps` or more.

    Raises ValueError for a grid with diagonals.
    """
    require_sides(crowd.grid)
    if crowd.is_hopeless():
        return None
    grid, goals, rng = crowd.grid, crowd.goals, Random(seed)
    repaired = new_steps(grid)
    routes = [_descend(grid, d, start) for d, start in zip(crowd.distances, crowd.starts)]
    paths = [[start] for start in crowd.starts]
    taken = set(crowd.starts)
    stops = [0] * len(paths)
    for _ in range(most_steps):
        if all(path[-1] == goal for path, goal in zip(paths, goals)):
            return crowd.plan_of(paths)
        for agent, (path, goal) in enumerate(zip(paths, goals)):
            cell = path[-1]
            if cell == goal:
                routes[agent] = [cell]
            elif not routes[agent][1:] or routes[agent][1] in taken:
                beside = [other for other in neighbours(grid, cell) if other in taken]
                routes[agent] = _route_around(grid, repaired, cell, goal, beside)
                stops[agent] += 1
                ways = [other for other in neighbours(grid, cell) if other not in taken]
                if ways and rng.random() * 20 < stops[agent]:
                    routes[agent] = [cell, rng.choice(ways)]
                    stops[agent] = 0
            if routes[agent][1:] and routes[agent][1] not in taken:
                routes[agent].pop(0)
                taken.remove(cell)
                taken.add(routes[agent][0])
            path.append(routes[agent][0])
    return None


def plan_squad(grid: Grid, starts: Sequence[Cell], goal: Cell) -> Optional[Plan]:
    """Returns a plan of a squad: its leader ends at `goal`, the others in line behind it.

    Returns None if an agent cannot reach the goal or two share a start. Raises ValueError for cells
    beyond the grid, and for a grid with diagonals.
    """
    require_sides(grid)
    cells, target = [cell_at(grid, *start) for start in starts], cell_at(grid, *goal)
    to_goal, to_trail = new_steps(grid), new_steps(grid)
    count_steps(grid, to_goal, int_buffer([target]), 1, NEVER)
    if len(set(cells)) < len(cells) or any(to_goal.distances[cell] < 0 for cell in cells):
        return None
    if not cells:
        return []
    trail = _descend(grid, to_goal.distances, min(cells, key=lambda cell: to_goal.distances[cell]))
    count_steps(grid, to_trail, int_buffer(trail), len(trail), NEVER)
    after = dict(itertools.pairwise(trail))

    def rest(cell: int) -> int:
        joins = _descend(grid, to_trail.distances, cell)
        return len(joins) - 1 + int(to_goal.distances[joins[-1]])

    order = sorted(range(len(cells)), key=lambda agent: rest(cells[agent]))
    paths = [[cell] for cell in cells]
    taken, moved = set(cells), True
    while moved:
        moved = False
        for agent in order:
            cell = paths[agent][-1]
            if cell not in after and cell != target:
                after[cell] = _descend(grid, to_trail.distances, cell)[1]
            onward = after.get(cell, cell)
            if onward not in taken:
                taken.remove(cell)
                taken.add(onward)
                cell, moved = onward, True
            paths[agent].append(cell)
    # In the last step nobody moved.
    return [[position(grid, cell) for cell in path[:-1]] for path in paths]


def require_sides(grid: Grid) -> None:
    """Raises ValueError for a grid with diagonals."""
    if grid.size[N_MOVES] != 4:
        raise ValueError("agents step along the sides: make the grid with diagonals=False")


def neighbours(grid: Grid, cell: int) -> list[int]:
    """Returns the cells one step from a cell, along the sides of the grid."""
    moves = int(grid.moves[cell])
    return [cell + int(offset_of(grid, k)) for k in range(4) if moves >> k & 1]


def _descend(grid: Grid, distances: Ints, cell: int) -> list[int]:
    """Returns the cells of a shortest path to the nearest source of `distances`, with both ends."""
    path = [cell]
    while distances[path[-1]] > 0:
        steps = neighbours(grid, path[-1])
        path.append(next(other for other in steps if distances[other] == distances[path[-1]] - 1))
    return path


def _route_around(grid: Grid, steps: Steps, cell: int, goal: int, beside: list[int]) -> list[int]:
    """Returns a shortest path that avoids the cells `beside`, or `cell` alone if there is none."""
    weights = [int(grid.weights[other]) for other in beside]
    for other in beside:
        change_cell(grid, other, 0)
    count_steps(grid, steps, int_buffer([goal]), 1, NEVER)
    for other, weight in zip(beside, weights):
        change_cell(grid, other, weight)
    return _descend(grid, steps.distances, cell) if steps.distances[cell] >= 0 else [cell]
