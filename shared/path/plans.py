"""Plans of many agents: their faults and their costs.

Definitions: R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks" (SoCS
2019). An agent goes to one of 4 neighbours or waits; no two are in a cell at once (vertex
conflict), no two swap places (swap conflict), and an agent stays at its goal. This module validates
the planners' results, and shares no code with them.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple, Optional

Cell = tuple[int, int]


class Conflict(NamedTuple):
    """Two agents that collide at a time: in `cell`, or when the first agent moves from there to
    `other`.
    """

    time: int
    first: int
    second: int
    cell: Cell
    other: Optional[Cell]


def place_at(path: Sequence[Cell], time: int) -> Cell:
    """Returns the cell of an agent at a time."""
    return tuple(path[min(time, len(path) - 1)])  # type: ignore[return-value]


def first_conflict(paths: Sequence[Sequence[Cell]]) -> Optional[Conflict]:
    """Returns the earliest conflict of a plan, None without one."""
    places: list[Cell] = []
    for time in range(max(map(len, paths), default=0)):
        before, places = places, [place_at(path, time) for path in paths]
        if len(set(places)) < len(places):
            for second, place in enumerate(places):
                first = places.index(place)
                if first < second:
                    return Conflict(time, first, second, place, None)
        came_from = {place: agent for agent, place in enumerate(before)}
        for first, place in enumerate(places):
            # Two agents swap if each is at the previous place of the other.
            second = came_from.get(place, first) if time else first
            if second != first and places[second] == before[first]:
                low, high = sorted((first, second))
                return Conflict(time, low, high, before[low], places[low])
    return None


def agent_cost(path: Sequence[Cell], goal: Cell) -> int:
    """Returns the time at which an agent arrives at its goal to stay."""
    away = [time for time, cell in enumerate(path) if tuple(cell) != tuple(goal)]
    return away[-1] + 1 if away else 0


def problems(
    free: Sequence[Sequence[bool]],
    starts: Sequence[Cell],
    goals: Sequence[Cell],
    paths: Sequence[Sequence[Cell]],
) -> list[str]:
    """Returns a plan's faults, [] if valid. free: the grid's rows, True if free."""
    found = []
    height, width = len(free), len(free[0]) if free else 0
    is_whole = all(paths)
    for agent, (path, start, goal) in enumerate(zip(paths, starts, goals)):
        if not 0 <= start[1] < height or not 0 <= start[0] < width or not free[start[1]][start[0]]:
            found.append(f"agent {agent} starts at {tuple(start)}, which is not free")
        if not path or tuple(path[0]) != tuple(start) or tuple(path[-1]) != tuple(goal):
            found.append(f"agent {agent} does not go from its start to its goal")
        for time, ((x, y), (to_x, to_y)) in enumerate(itertools.pairwise(path)):
            is_on_grid = 0 <= to_x < width and 0 <= to_y < height
            if abs(x - to_x) + abs(y - to_y) > 1 or not is_on_grid or not free[to_y][to_x]:
                found.append(
                    f"agent {agent}: no step from ({x}, {y}) to ({to_x}, {to_y}) at {time}"
                )
    if len(paths) != len(starts):
        found.append(f"{len(paths)} paths for {len(starts)} agents")
    conflict = first_conflict(paths) if is_whole else None
    if conflict:
        time, first, second, cell, other = conflict
        fault = "are both in" if other is None else "swap places at"
        found.append(f"agents {first} and {second} {fault} {cell} at {time}")
    return found


def sum_of_costs(paths: Sequence[Sequence[Cell]], goals: Sequence[Cell]) -> int:
    """Returns the sum of costs of a plan."""
    return sum(agent_cost(path, goal) for path, goal in zip(paths, goals))
