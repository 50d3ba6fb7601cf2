"""One walker to its goal while cells change: D* Lite against fields that are repaired or filled
anew, and against searches from where it is.

    python -m tests.lab.paths.walker [--trips 6] [--maps AR0602SR]...

A walker goes a step at a time. Every EVERY steps some cells are blocked, around it, around its goal
or anywhere, and those of the change before are freed; or the walker initially knows only the
squares within a sensor's RADIUS, and assumes the rest to be free (the usual setting of D* Lite).
Each method makes trips of its own, all in turns; its cost at each change is compared with that of a
fresh, untimed search by another method. CPU time, with the calls from Python, 2.5 us each, and
without that of changing the grid's moves, which all need.
"""

import statistics
import time
from random import Random
from typing import Annotated, NamedTuple, Optional

import typer

from shared.core.jit import Ints, int_buffer, kernel
from shared.path import d_star_lite, distance_field, jps
from shared.path.astar import FIRST, new_search
from shared.path.grid import (
    UNREACHED,
    Grid,
    cell_at,
    change_cell,
    new_grid,
    offset_of,
    position,
    step_cost,
)
from shared.path.jps import new_jumps, set_free_bits
from shared.path.statuses import NO_PATH
from tests.lab.paths.grids import MAPS, NAMES, kernels
from tests.paths.maps import read_map, read_scenario, stratified

EVERY = 4
AROUND = 15
RADII = (5, 20)
CHANGES = (1, 10, 100)
PLACES = {"walker": "around the walker", "goal": "around the goal", "map": "anywhere"}
NEAR, _, ANYWHERE = PLACES
TRIPS = 6
# For a walker whose path is blocked repeatedly
MOST_STEPS = 2000
# A field filled anew is measured at one of this many changes.
SAMPLE = 16
LARGE = 1 << 20


@kernel
def change_moves(grid: Grid, cells: Ints, n_cells: int, weight: int) -> None:
    """Make cells free or blocked."""
    for i in range(n_cells):
        change_cell(grid, cells[i], weight)


@kernel
def change_bits(grid: Grid, bits: Ints, cells: Ints, n_cells: int) -> None:
    """Update the bits of changed cells."""
    for i in range(n_cells):
        set_free_bits(grid, bits, cells[i], 1 if grid.weights[cells[i]] else 0)


class DStarLite:
    """The walk of `d_star_lite.py`."""

    def __init__(self, grid):
        self.grid, self.walk = grid, d_star_lite.new_walk(grid)

    def begin(self, start, goal):
        return d_star_lite.plan(self.grid, self.walk, start, goal)

    def change(self, start, cells, n):
        return d_star_lite.replan(self.grid, self.walk, start, cells, n)

    def step(self, cell):
        return d_star_lite.next_cell(self.grid, self.walk, cell)


class Repair:
    """A field of the goal that is repaired."""

    def __init__(self, grid):
        self.grid = grid
        self.field, self.queue = distance_field.new_field(grid)

    def begin(self, start, goal):
        self.goal = int_buffer([goal])
        distance_field.fill(self.grid, self.field, self.queue, self.goal, 1)
        return self.cost(start)

    def cost(self, start):
        cost = self.field.costs[start]
        return cost if cost < UNREACHED else NO_PATH

    def change(self, start, cells, n):
        distance_field.repair(self.grid, self.field, self.queue, cells, n)
        return self.cost(start)

    def step(self, cell):
        return distance_field.next_cell(self.grid, self.field, cell)


class Fill(Repair):
    """A field of the goal that is filled anew: that takes so long, and so constant a time, that
    only some of the changes are measured.
    """

    def change(self, start, cells, n):
        distance_field.fill(self.grid, self.field, self.queue, self.goal, 1)
        return self.cost(start)


class AStar:
    """A* from the walker's place."""

    def __init__(self, grid):
        self.grid, self.search, self.find = grid, new_search(grid), kernels()[0]

    def begin(self, start, goal):
        self.goal = goal
        return self.change(start, None, 0)

    def change(self, start, cells, n):
        cost = self.find(self.grid, self.search, start, self.goal)
        self.place = int(self.search.counts[FIRST])
        return cost

    def step(self, cell):
        self.place += 1
        return int(self.search.path[self.place])


class Jps(AStar):
    """Jump point search from the walker's place."""

    def __init__(self, grid):
        self.grid, self.search, self.find = grid, new_jumps(grid), kernels()[1]
        self.bits = jps.new_bits(grid)

    def begin(self, start, goal):
        self.goal = goal
        jps.read_bits(self.grid, self.bits)
        return self.ask(start)

    def ask(self, start):
        self.cost = self.find(self.grid, self.bits, self.search, start, self.goal)
        self.place = int(self.search.counts[FIRST])
        return self.cost

    def change(self, start, cells, n):
        change_bits(self.grid, self.bits, cells, n)
        return self.ask(start)


@kernel
def cost_along(grid: Grid, path: Ints, place: int, cells: Ints, n_cells: int) -> int:
    """Returns the cost of a path from a place on; NO_PATH if a step is no longer legal, or if one
    of some cells is free, so that a better path may exist.
    """
    for i in range(n_cells):
        if grid.weights[cells[i]]:
            return NO_PATH
    cost = 0
    for i in range(place, len(path) - 1):
        is_legal = 0
        for direction in range(8):
            if path[i] + offset_of(grid, direction) == path[i + 1]:
                is_legal = grid.moves[path[i]] >> direction & 1
                cost += step_cost(direction)
        if is_legal == 0:
            return NO_PATH
    return cost


class PatientJps(Jps):
    """Jump point search after a cell was freed, or if the path is blocked."""

    def change(self, start, cells, n):
        change_bits(self.grid, self.bits, cells, n)
        if self.cost != NO_PATH:
            cost = cost_along(self.grid, self.search.path, self.place, cells, n)
            if cost != NO_PATH:
                return cost
        return self.ask(start)


WAYS = {
    "D* Lite": DStarLite,
    "field repaired": Repair,
    "field filled": Fill,
    "A*": AStar,
    "JPS": Jps,
    "JPS if need be": PatientJps,
}


class Trip(NamedTuple):
    """CPU us of the first plan, of changes, of all of the trip; steps walked."""

    first: float
    changes: list
    in_all: float
    n_steps: int


def cpu_us(do, *arguments):
    """Returns the result of `do`, and the CPU us that it takes."""
    began = time.process_time_ns()
    found = do(*arguments)
    return found, (time.process_time_ns() - began) / 1e3


class World:
    """A map that changes as a walker goes: its grid, the methods to plan on it, and the method that
    checks them.

    rows: the real grid, which the walker does not know; free: the indices of its free cells.
    """

    def __init__(self, name):
        self.rows = read_map(MAPS / "maps" / f"{name}.map")
        self.grid = grid = new_grid(self.rows)
        everything = self.square(cell_at(grid, 0, 0), LARGE)
        self.free = [cell for cell in everything if grid.moves[cell]]
        self.blocked = [cell for cell in everything if not grid.weights[cell]]
        self.ways = {name: make(grid) for name, make in WAYS.items()}
        self.checkers = AStar(grid), Jps(grid)

    def square(self, cell, radius):
        """The cells of the map up to a radius from one."""
        x, y = position(self.grid, cell)
        width, height, stride = (int(size) for size in self.grid.size[:3])
        return [
            row * stride + column
            for row in range(max(y - radius, 0) + 1, min(y + radius + 1, height) + 1)
            for column in range(max(x - radius, 0) + 1, min(x + radius + 1, width) + 1)
        ]

    def change(self, cells, free):
        """Make cells free or blocked."""
        change_moves(self.grid, int_buffer(cells or [0]), len(cells), int(free))

    def walk(self, name, start, goal, surroundings):
        """Returns a Trip by a method. Raises AssertionError if a cost differs from that of another
        search.
        """
        way, checker = self.ways[name], self.checkers["JPS" not in name]
        surroundings.look(start)
        cost, first = cpu_us(way.begin, start, goal)
        assert cost == checker.begin(start, goal)
        changes, of_steps, cell, n, n_changes = [], 0.0, start, 0, 0
        while cell != goal and n < MOST_STEPS:
            if cost != NO_PATH:
                cell, us = cpu_us(way.step, cell)
                of_steps += us
            n += 1
            cells = surroundings.look(cell)
            if cells:
                changed = int_buffer(cells)
                n_changes += 1
                if name == "field filled" and n_changes % SAMPLE != 1:
                    cost = Repair.change(way, cell, changed, len(cells))
                else:
                    cost, us = cpu_us(way.change, cell, changed, len(cells))
                    changes.append(us)
                assert cost == checker.change(cell, changed, len(cells)), (name, cell, n)
        in_all = first + of_steps + sum(changes) / max(len(changes), 1) * n_changes
        return Trip(first, changes, in_all, n)


class Unknown:
    """The view of a walker that knows nothing at first: the squares within a radius of its
    place.
    """

    def __init__(self, world, radius):
        self.world, self.radius = world, radius
        self.blocked = set(world.blocked)
        world.change(world.blocked, True)

    def look(self, cell):
        found = [c for c in self.world.square(cell, self.radius) if c in self.blocked]
        self.blocked.difference_update(found)
        self.world.change(found, False)
        return found

    def leave(self):
        """Restore the map."""
        self.world.change(self.world.blocked, False)


class Changing:
    """Every EVERY steps some cells are blocked, and those of the time before are freed: around the
    walker, around its goal, or anywhere.
    """

    def __init__(self, world, goal, seed, n, where):
        self.world, self.n, self.where, self.goal = world, n, where, goal
        self.rng, self.blocked, self.n_looks = Random(seed), [], 0

    def look(self, cell):
        self.n_looks += 1
        if self.n_looks % EVERY:
            return []
        around = self.world.free
        if self.where != ANYWHERE:
            around = self.world.square(cell if self.where == NEAR else self.goal, AROUND)
        weights = self.world.grid.weights
        could = [c for c in around if weights[c] and c not in (cell, self.goal)]
        freed, self.blocked = self.blocked, self.rng.sample(could, min(self.n, len(could)))
        self.world.change(self.blocked, False)
        self.world.change(freed, True)
        return self.blocked + freed

    def leave(self):
        """Restore the map."""
        self.world.change(self.blocked, True)


def cases():
    """Yields (description, function(world, goal, seed) that makes the surroundings) of each
    case.
    """
    for radius in RADII:
        yield f"unknown, sensor {radius}", lambda world, _, __, n=radius: Unknown(world, n)
    for where, what in PLACES.items():
        for n in CHANGES:
            yield f"{n} {what}", lambda *around, n=n, where=where: Changing(*around, n, where)


def walker_rows(name, n_trips=TRIPS):
    """(what changes, steps of D* Lite's trips on average, the Figures of each of WAYS) of each case
    on a map, one after the other.
    """
    world = World(name)
    queries = stratified(read_scenario(MAPS / "scen" / f"{name}.map.scen"), 2 * n_trips)[n_trips:]
    for what, make in cases():
        trips = {way: [] for way in WAYS}
        for seed, query in enumerate(queries):
            start, goal = cell_at(world.grid, *query.start), cell_at(world.grid, *query.goal)
            for way, of_way in trips.items():
                surroundings = make(world, goal, seed)
                of_way.append(world.walk(way, start, goal, surroundings))
                surroundings.leave()
        n_steps = statistics.mean(trip.n_steps for trip in trips["D* Lite"])
        yield what, f"{n_steps:.0f}", [figures_of(of_way) for of_way in trips.values()]


class Figures(NamedTuple):
    """For one method: median and 90th percentile of the CPU us of a change, mean ms of a trip."""

    median: float
    p90: float
    trip_ms: float


def figures_of(trips):
    """The Figures of some trips."""
    changes = sorted(us for trip in trips for us in trip.changes)
    return Figures(
        statistics.median(changes),
        changes[int(0.9 * (len(changes) - 1))],
        statistics.mean(trip.in_all for trip in trips) / 1e3,
    )


def main(
    trips: Annotated[int, typer.Option(min=1, help="Trips of each case.")] = TRIPS,
    maps: Annotated[Optional[list[str]], typer.Option(help="Maps of Moving AI.")] = None,
):
    """Print median and 90th percentile of the CPU us of a change, and ms of a trip."""
    for name in maps or NAMES:
        for what, n_steps, figures in walker_rows(name, trips):
            cells = [f"{one.median:,.0f} / {one.p90:,.0f} / {one.trip_ms:,.1f}" for one in figures]
            print(" | ".join([name, what, n_steps, *cells]), flush=True)


if __name__ == "__main__":
    print(" | ".join(["map", "what changes", "steps", *WAYS]))
    typer.run(main)
