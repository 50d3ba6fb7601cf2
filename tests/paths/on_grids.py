"""Queries on grids answered by every search of `shared/path`, and the faults of the answers."""

import itertools
import math
from functools import cached_property

from shared.core.jit import int_buffer, kernel
from shared.path import astar, distance_field, hpa, jps, pra
from shared.path.grid import UNREACHED, cell_at, length, new_grid, position, steps
from shared.path.statuses import NO_PATH

FIND = kernel(astar.make_astar())
JUMP = kernel(jps.make_jps())
JUMP_FAR = kernel(jps.make_jps_plus())


class Searches:
    """All searches on one grid."""

    def __init__(self, rows):
        self.rows = rows
        self.grid = new_grid(rows)
        self.search = astar.new_search(self.grid)

    @cached_property
    def jumps(self):
        return jps.new_jumps(self.grid)

    @cached_property
    def bits(self):
        return jps.new_bits(self.grid)

    @cached_property
    def table(self):
        return jps.new_table(self.grid)

    def astar(self, start, goal):
        cost = FIND(self.grid, self.search, start, goal)
        return cost, astar.cells_of(self.search)

    def jps(self, start, goal):
        cost = JUMP(self.grid, self.bits, self.jumps, start, goal)
        return cost, astar.cells_of(self.jumps)

    def jps_plus(self, start, goal):
        cost = JUMP_FAR(self.grid, self.table, self.jumps, start, goal)
        return cost, astar.cells_of(self.jumps)

    def field(self, start, goal):
        """The path by a distance field from the goal."""
        field, queue = distance_field.new_field(self.grid)
        path = int_buffer(len(field.costs))
        distance_field.fill(self.grid, field, queue, int_buffer([goal]), 1)
        n = distance_field.write_path(self.grid, field, start, path)
        cost = int(field.costs[start])
        return NO_PATH if cost >= UNREACHED else cost, [int(cell) for cell in path[:n]]

    @cached_property
    def sectors(self):
        found = hpa.new_sectors(self.grid, 8)
        return found, *hpa.new_route(self.grid, found)

    def hpa(self, start, goal):
        found, route, queue = self.sectors
        cost = hpa.find(self.grid, found, route, queue, start, goal, hpa.ALL_SECTORS, True)
        return cost, hpa.cells_of(route)

    @cached_property
    def cliques(self):
        found = pra.new_cliques(self.grid)
        return found, *pra.new_corridor(found)

    def pra(self, start, goal):
        found, corridor, queue = self.cliques
        cost = pra.find(self.grid, found, corridor, queue, start, goal, 0, pra.LEVELS)
        return cost, pra.cells_of(corridor)

    def optimal(self):
        """The searches that find optimal paths, by name."""
        return {"A*": self.astar, "JPS": self.jps, "JPS+": self.jps_plus}

    def near_optimal(self):
        """Searches that find a path if there is one, by name."""
        return {"HPA*": self.hpa, "PRA*": self.pra}


def steps_of(rows, path):
    """Returns (straight, diagonal) steps of a path of (x, y); None if it leaves the free cells or
    cuts a corner.
    """
    counts = [0, 0]
    for x, y in path:
        if not (0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x]):
            return None
    for (x, y), (to_x, to_y) in itertools.pairwise(path):
        dx, dy = abs(to_x - x), abs(to_y - y)
        if max(dx, dy) != 1 or not (rows[y][to_x] and rows[to_y][x]):
            return None
        counts[dx + dy - 1] += 1
    return tuple(counts)


def differences(searches, found, start, goal, name):
    """Yields the faults of a path: it is invalid, or does not have its cost."""
    cost, cells = found
    if cost == NO_PATH:
        return [f"{name} has no path but {len(cells)} cells"] if cells else []
    path = [position(searches.grid, cell) for cell in cells]
    if path[0] != start or path[-1] != goal:
        return [f"{name}'s path goes from {path[0]} to {path[-1]}"]
    walked = steps_of(searches.rows, path)
    return (
        [] if walked == steps(cost) else [f"{name} says {steps(cost)} steps, its path has {walked}"]
    )


def check_grids(grids, every):
    """Yields (case, checks, differences) of each query of `grid_extra`, comparing the numbers of
    steps.
    """
    number = 0
    for grid in grids:
        searches = Searches([[letter == "." for letter in row] for row in grid["rows"]])
        optimal = {**searches.optimal(), "the field": searches.field}
        for start_x, start_y, goal_x, goal_y, straight, diagonal in grid["queries"]:
            number += 1
            if number % every:
                continue
            start, goal = (start_x, start_y), (goal_x, goal_y)
            cells = cell_at(searches.grid, *start), cell_at(searches.grid, *goal)
            wrong = []
            for name, find in optimal.items():
                found = find(*cells)
                wrong += differences(searches, found, start, goal, name)
                if steps(found[0]) != (straight, diagonal):
                    wrong.append(f"{name} {steps(found[0])}, stated ({straight}, {diagonal})")
            stated = straight + diagonal * math.sqrt(2) if straight >= 0 else math.inf
            n, worse = check_near_optimal(searches, start, goal, cells, stated, 1e-9)
            yield f"query {number} from {start} to {goal}", len(optimal) + n, wrong + worse


def check_queries(rows, queries):
    """Yields (case, checks, differences) of each query of a scenario, comparing the lengths."""
    searches = Searches(rows)
    optimal = searches.optimal()
    for start, goal, stated, tolerance in queries:
        cells = cell_at(searches.grid, *start), cell_at(searches.grid, *goal)
        wrong = []
        for name, find in optimal.items():
            found = find(*cells)
            wrong += differences(searches, found, start, goal, name)
            mine = length(found[0])
            if not math.isclose(mine, stated, rel_tol=0, abs_tol=tolerance):
                wrong.append(f"{name} has length {mine}, stated {stated}")
        n, worse = check_near_optimal(searches, start, goal, cells, stated, tolerance)
        yield f"from {start} to {goal}", len(optimal) + n, wrong + worse


def check_near_optimal(searches, start, goal, cells, stated, tolerance):
    """Returns (checks, differences): a path is found if there is one, and it is not shorter than
    the shortest.
    """
    wrong = []
    for name, find in searches.near_optimal().items():
        found = find(*cells)
        wrong += differences(searches, found, start, goal, name)
        if (found[0] == NO_PATH) != (stated == math.inf) or length(found[0]) < stated - tolerance:
            wrong.append(f"{name} has length {length(found[0])}, the shortest is {stated}")
    return len(searches.near_optimal()), wrong
