"""HPA*: a path found among sectors first, and in detail as far as it is asked for.

Source: as `sectors.py`. Start and goal are connected to the gates of their sectors, A* goes from
gate to gate, and its route is refined sector by sector. Smoothing replaces stretches of the path by
lines that go diagonally and then straight, or the other way round, wherever such a line is free.

The paper puts larger sectors above, with the same entrances along their borders. On maps of 512 x 512
that does not pay: with squares of 4 x 4 sectors, all costs above known beforehand, the route from gate
to gate took 34, 27 and 413 us instead of 33, 22 and 529 (AR0602SR, 16room_000, random512-35-0, medians of
54 to 57 queries) of 59, 46 and 898 for the whole path. Fewer gates are looked at, 172 instead of 286 on
the first, but start and goal have to be connected across 16 sectors, and each stretch refined.

    counts    int64[N_COUNTS]  see below
    marks     int64[G]         the generation in which a gate was reached, of G gates and the goal
    g         int64[G]         the cost to it
    parents   int64[G]         the gate by which its sector's neighbour was entered, or -1
    to_start, to_goal  int64[4 K]  costs from the start to its sector's gates, from those to the goal
    route     int64[G]         the gates by which sectors are entered, in turn
    path      int64[N]         the cells of the path
    room      int64[N]         room for another path
"""

from typing import NamedTuple

from shared.core.jit import Ints, inline, int_buffer, kernel
from shared.path.astar import octile
from shared.path.grid import (
    DIAGONAL,
    NO_PATH,
    STRAIGHT,
    UNREACHED,
    Grid,
    is_free,
    offset_of,
)
from shared.path.heap import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap
from shared.path.lines import path_cost, write_line
from shared.path.sectors import (
    MAX_GATES,
    Sectors,
    copy_gate_costs,
    corner_of,
    flood,
    gate_across,
    gate_costs,
    local_index,
    sector_of,
)

GENERATION, N_PATH, N_ROUTE, N_EXPANDED, ABSTRACT_COST, N_COUNTS = range(6)
ALL_SECTORS = 1 << 40


class Route(NamedTuple):
    """What a search knows; see the module's docstring."""

    counts: Ints
    marks: Ints
    g: Ints
    parents: Ints
    to_start: Ints
    to_goal: Ints
    route: Ints
    path: Ints
    room: Ints


def new_route(grid: Grid, sectors: Sectors) -> tuple[Route, Heap]:
    """Buffers for searches among sectors, and their open list."""
    n_gates, n, most = len(sectors.gates) + 1, len(grid.moves), int(sectors.shape[MAX_GATES])
    sizes = (N_COUNTS, n_gates, n_gates, n_gates, 4 * most, 4 * most, n_gates, 2 * n, 2 * n)
    return Route(*(int_buffer(size) for size in sizes)), new_heap(n_gates)


def cells_of(route: Route) -> list[int]:
    """The cells of the path that was found last, as far as it was refined."""
    return [int(cell) for cell in route.path[: int(route.counts[N_PATH])]]


@inline
def relax_gate(route, queue, gate, cost, parent, h):
    """Put a gate, or the goal, in the open list if it is new or reached at less cost."""
    if route.marks[gate] == route.counts[GENERATION] and route.g[gate] <= cost:
        return
    route.marks[gate] = route.counts[GENERATION]
    route.g[gate] = cost
    route.parents[gate] = parent
    heap_push(queue, cost + h, gate)


@inline
def search_gates(grid, sectors, route, queue, start, goal):
    """Find the cheapest route from gate to gate; false where there is none."""
    counts, the_goal = route.counts, len(sectors.gates)
    most = sectors.shape[MAX_GATES]
    counts[GENERATION] += 1
    heap_clear(queue)
    first = 0
    start_sector, goal_sector = sector_of(grid, sectors, start), sector_of(grid, sectors, goal)
    flood(grid, sectors, goal_sector, goal)
    copy_gate_costs(grid, sectors, goal_sector, route.to_goal, 0)
    if start_sector == goal_sector:
        corner = corner_of(grid, sectors, goal_sector)
        direct = sectors.local[local_index(grid, sectors, corner, start)]
        if direct < UNREACHED:
            relax_gate(route, queue, the_goal, direct, -1, 0)
    flood(grid, sectors, start_sector, start)
    copy_gate_costs(grid, sectors, start_sector, route.to_start, 0)
    counts[N_EXPANDED] = 0
    gate = -1
    while gate != the_goal:
        sector, cost = start_sector, 0
        if gate >= 0:
            sector, cost = gate // (4 * most), route.g[gate]
            first = gate_costs(grid, sectors, gate)
            inside = route.to_goal[gate - sector * 4 * most] if sector == goal_sector else UNREACHED
            if inside < UNREACHED:
                relax_gate(route, queue, the_goal, cost + inside, gate, 0)
        for side in range(4):
            for place in range(sectors.n_gates[4 * sector + side]):
                exit_gate = (4 * sector + side) * most + place
                number = side * most + place
                inside = sectors.costs[first + number] if gate >= 0 else route.to_start[number]
                if exit_gate != gate and inside < UNREACHED:
                    other = gate_across(sectors, exit_gate)
                    h = octile(grid, route, sectors.gates[other], goal)
                    relax_gate(route, queue, other, cost + inside + STRAIGHT, gate, h)
        if heap_is_empty(queue):
            return False
        gate = heap_pop(queue)
        counts[N_EXPANDED] += 1
    n, gate = 0, route.parents[the_goal]
    while gate >= 0:
        route.route[n] = gate
        n += 1
        gate = route.parents[gate]
    for i in range(n >> 1):
        gate = route.route[i]
        route.route[i] = route.route[n - 1 - i]
        route.route[n - 1 - i] = gate
    counts[N_ROUTE] = n
    counts[ABSTRACT_COST] = route.g[the_goal]
    return True


@inline
def refine_sector(grid, sectors, route, start, end):
    """Go on with the path from its last cell to another of the same sector, by a shortest way in it; false
    where there is none, as the sectors were not told of a change.
    """
    n = write_line(grid, route.path, route.counts[N_PATH], start, end)
    if n > 0:
        route.counts[N_PATH] = n
        return True
    n = route.counts[N_PATH]
    sector = sector_of(grid, sectors, start)
    corner = corner_of(grid, sectors, sector)
    flood(grid, sectors, sector, end)
    cell = start
    cost = sectors.local[local_index(grid, sectors, corner, cell)]
    while cell != end:
        legal, before = grid.moves[cell] & 255, cell
        for direction in range(8):
            if legal >> direction & 1 == 0:
                continue
            other = cell + offset_of(grid, direction)
            if sector_of(grid, sectors, other) == sector:
                new = sectors.local[local_index(grid, sectors, corner, other)]
                if new + (STRAIGHT if direction < 4 else DIAGONAL) == cost:
                    cell, cost = other, new
                    break
        if cell == before:
            return False
        route.path[n] = cell
        n += 1
    route.counts[N_PATH] = n
    return True


@inline
def smooth(grid, route):
    """Replace stretches of the path by free lines, each as long as possible."""
    path, room = route.path, route.room
    n, n_new, i = route.counts[N_PATH], 1, 0
    room[0] = path[0]
    while i < n - 1:
        ahead = min(n - 1 - i, MAX_LINE)
        while ahead > 1:
            written = write_line(grid, room, n_new, path[i], path[i + ahead])
            if written > 0:
                n_new = written
                break
            ahead -= (ahead >> 2) + 1
        if ahead <= 1:
            ahead = 1
            room[n_new] = path[i + 1]
            n_new += 1
        i += ahead
    for i in range(n_new):
        # From the goal back the next time.
        path[i] = room[n_new - 1 - i]
    route.counts[N_PATH] = n_new


MAX_LINE = 100


@kernel
def find(
    grid: Grid,
    sectors: Sectors,
    route: Route,
    queue: Heap,
    start: int,
    goal: int,
    n_sectors: int,
    smooths: bool,
) -> int:
    """The cost of a path, refined for the first so many sectors (`ALL_SECTORS` of them; 0: the route alone,
    whose cost this is then) and smoothed if that is asked for; NO_PATH where there is none.
    """
    route.counts[N_PATH] = 0
    if not is_free(grid, start) or not is_free(grid, goal):
        return NO_PATH
    if not search_gates(grid, sectors, route, queue, start, goal):
        return NO_PATH
    n_gates = route.counts[N_ROUTE]
    if n_sectors == 0:
        return route.counts[ABSTRACT_COST]
    route.path[0] = cell = start
    route.counts[N_PATH] = 1
    for i in range(min(n_gates + 1, n_sectors)):
        end = goal
        if i < n_gates:
            end = sectors.gates[gate_across(sectors, route.route[i])]
        if not refine_sector(grid, sectors, route, cell, end):
            route.counts[N_PATH] = 0
            return NO_PATH
        if i < n_gates:
            cell = sectors.gates[route.route[i]]
            route.path[route.counts[N_PATH]] = cell
            route.counts[N_PATH] += 1
    if smooths:
        for _ in range(2):
            smooth(grid, route)
    return path_cost(grid, route.path, route.counts[N_PATH])
