"""The order in which A* expands cells: `python -m tests.paths.expansions`, with CG_JIT=0, as only
plain Python can be observed.
"""

import itertools
from random import Random

from shared.path import astar, open_lists
from shared.path.astar import new_search
from shared.path.grid import cell_at, new_grid
from tests.paths.oracles import distances, random_rows


def expansions(find, grid, search, start, goal):
    """Returns [(cell, f)] in the order of their pops; the start is never pushed."""
    found = []

    def pop(queue):
        cell = open_lists.bucket_pop(queue)
        if cell >= 0:
            found.append((cell, search.records[2 * cell + 1] + guess(grid, search, cell, goal)))
        return cell

    guess = astar.octile if find is CONSISTENT else astar.tabulated
    astar.bucket_pop = pop
    find(grid, search, start, goal)
    return found


CONSISTENT, ANY = astar.make_astar(), astar.make_astar(astar.tabulated)


def tell():
    """Print the counts of expansions, reopenings and decreases of f for both kinds of
    heuristics.
    """
    rng = Random(7)
    rows = random_rows(rng, 40, 40, 0.75)
    grid = new_grid(rows)
    free = [(x, y) for y, row in enumerate(rows) for x, is_free in enumerate(row) if is_free]
    for name, find in (("consistent", CONSISTENT), ("inconsistent", ANY)):
        n_cells = n_again = n_falls = 0
        for start, goal in (rng.sample(free, 2) for _ in range(10)):
            ends, to_goal = (cell_at(grid, *start), cell_at(grid, *goal)), distances(rows, goal)
            # Never above the true cost, but far from consistent
            costs = {cell_at(grid, *cell): steps for cell, steps in to_goal.items()}
            estimates = [0] * len(grid.moves)
            for cell, (straight, diagonal) in costs.items():
                cost = straight * astar.STRAIGHT + diagonal * astar.DIAGONAL
                estimates[cell] = rng.choice((0, cost))
            search = new_search(grid)._replace(estimates=estimates)
            found = expansions(find, grid, search, *ends)
            n_cells += len(found)
            n_again += len(found) - len({cell for cell, _ in found})
            n_falls += sum(f > next_f for (_, f), (_, next_f) in itertools.pairwise(found))
        print(f"{name}: {n_cells > 500} {n_again > 0} {n_falls > 0}")


if __name__ == "__main__":
    tell()
