"""Distances of contests beside breadth-first search of `shared/path`: CPU microseconds of each.

    python -m tests.lab.paths.contests

Ants counts the steps from some cells on a torus. Code of Kutulu counts those between all pairs of
cells of a maze, with the first steps of the ways that its referee prefers. The grid has neither.
"""

import statistics
import time

from bots.ants import memory as ants
from shared.core.jit import Ints, int_buffer, kernel
from shared.games.ants.protocol import Start
from shared.games.ants.state import Radii
from shared.games.code_of_kutulu import maps
from shared.games.code_of_kutulu import maze as mazes
from shared.path.breadth_first import Steps, count_steps, new_steps
from shared.path.grid import Grid, cell_at, new_grid

ROUNDS, SIDE = 200, 96


@kernel
def measure_ants(memory: ants.Memory) -> None:
    """Count the steps from all hills of our own."""
    ants.measure_distances(memory, ants.OWN_HILL)


@kernel
def count_from_each(grid: Grid, steps: Steps, sources: Ints, one: Ints) -> None:
    """Count the steps from each of some cells."""
    for i in range(len(sources)):
        one[0] = sources[i]
        count_steps(grid, steps, one, 1, 1 << 20)


def us(call, *arguments, rounds=ROUNDS):
    """Returns the median CPU time of a call."""
    call(*arguments)
    times = []
    for _ in range(rounds):
        began = time.process_time_ns()
        call(*arguments)
        times.append((time.process_time_ns() - began) / 1e3)
    return statistics.median(times)


def main():
    """Measure and print."""
    water = [[(x * 7 + y * 3) % 11 < 2 and x % 5 > 0 for x in range(SIDE)] for y in range(SIDE)]
    memory = ants.new_memory(Start(1000, SIDE, SIDE, Radii(attack=5)))
    for y in range(SIDE):
        for x in range(SIDE):
            memory.water[y * SIDE + x] = water[y][x]
    memory.sources[ants.OWN_HILL * SIDE * SIDE] = 0
    memory.n_sources[ants.OWN_HILL] = 1
    grid = new_grid([[not one for one in row] for row in water], diagonals=False)
    steps, sources = new_steps(grid), int_buffer([grid.size[2] + 1])
    print(f"Ants, {SIDE} x {SIDE}: {us(measure_ants, memory):.1f} us,", end=" ")
    print(f"grid: {us(count_steps, grid, steps, sources, 1, 1 << 20):.1f} us")

    rows = maps.make_rows(1)
    maze = mazes.new_maze(rows, *maps.WOOD_NUMBERS)
    grid = new_grid([[one != mazes.WALL for one in row] for row in rows], diagonals=False)
    cells = [cell_at(grid, *mazes.place_of(maze, i)) for i in range(int(maze[mazes.N_CELLS]))]
    steps, sources = new_steps(grid), int_buffer(cells)
    print(f"Code of Kutulu, {len(cells)} cells: {us(mazes.find_paths, maze):,.0f} us,", end=" ")
    print(
        f"grid, no first steps: {us(count_from_each, grid, steps, sources, int_buffer(1)):,.0f} us"
    )


if __name__ == "__main__":
    main()
