"""HPA* on grids narrower than a sector, with buffers that refuse an index beyond them: `python -m
tests.paths.narrow SIDE`, with CG_JIT=0. Prints the number of wrong answers.
"""

import sys
from random import Random

from tests.parity.digests import check_buffers
from tests.paths.oracles import distances, random_rows


def n_wrong(side):
    """Returns the number of wrong answers on some narrow grids."""
    from shared.path import hpa
    from shared.path.grid import cell_at, new_grid, position
    from tests.paths.on_grids import steps_of

    rng, found = Random(side), 0
    for width, height in ((1, 330), (5, 120), (31, 70), (33, 90), (90, 3)):
        rows = random_rows(rng, width, height, 0.9)
        grid = new_grid(rows)
        around = hpa.new_sectors(grid, side)
        route, heap = hpa.new_route(grid, around)
        for _ in range(4):
            x, y = rng.randrange(width), rng.randrange(height)
            hpa.change(grid, around, cell_at(grid, x, y), not rows[y][x])
            rows[y][x] = not rows[y][x]
            ends = [(rng.randrange(width), rng.randrange(height)) for _ in range(2)]
            cells = [cell_at(grid, *end) for end in ends]
            cost = hpa.find(grid, around, route, heap, *cells, hpa.ALL_SECTORS, True)
            path = [position(grid, cell) for cell in hpa.cells_of(route)]
            found += (cost >= 0) != (ends[1] in distances(rows, ends[0]))
            found += cost >= 0 and steps_of(rows, path) is None
        found += list(around.n_gates) != list(hpa.new_sectors(grid, side).n_gates)
    return found


if __name__ == "__main__":
    check_buffers()
    print(n_wrong(int(sys.argv[1])))
