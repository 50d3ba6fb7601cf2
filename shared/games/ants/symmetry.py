"""The symmetries of a map: mappings of the torus to itself that keep the water in place and map one
player's hills to another's (RULES.md, section 6).
"""

from random import Random

import numpy as np

from ...games.ants.maps import Map

# (transposed, rows mirrored, columns mirrored)
AIMS = [(t, r, c) for t in (False, True) for r in (False, True) for c in (False, True)]


def images(rows: int, cols: int, aim: tuple, origin: int, target: int) -> np.ndarray:
    """Returns the image of each cell, turned by an aim, with `origin` mapped to `target`."""
    transposed, row_mirrored, column_mirrored = aim
    row, column = np.divmod(np.arange(rows * cols), cols)
    dr, dc = row - origin // cols, column - origin % cols
    if transposed:
        dr, dc = dc, dr
    dr, dc = (-dr if row_mirrored else dr), (-dc if column_mirrored else dc)
    return (target // cols + dr) % rows * cols + (target % cols + dc) % cols


def symmetries(land: Map) -> list[list[np.ndarray]]:
    """Returns for each player the symmetries that map player 0's hills to the player's hills, if
    any.
    """
    rows, cols = land.rows, land.cols
    water = np.zeros(rows * cols, bool)
    water[list(land.water)] = True
    hills = np.full(rows * cols, -1)
    for cell, owner in land.hills:
        hills[cell] = owner
    own = [[cell for cell, owner in land.hills if owner == p] for p in range(land.n_players)]
    found: list[list[np.ndarray]] = []
    for player in range(land.n_players):
        ways = []
        for target in own[player]:
            for aim in AIMS:
                if not own[0] or (aim[0] and rows != cols):
                    continue
                to = images(rows, cols, aim, own[0][0], target)
                if (
                    (water[to] == water).all()
                    and ((hills[to] < 0) == (hills < 0)).all()
                    and all(hills[to[cell]] == player for cell in own[0])
                ):
                    ways.append(to)
        found.append(ways)
    return found


def food_sets(land: Map, rng: Random) -> list[list[int]]:
    """Returns the sets of cells that get food together, one image for each player; single
    cells without symmetry.

    Excluded are water, hills, and sets whose first cell is next to another.
    """
    ways = symmetries(land)
    n_cells = land.rows * land.cols
    chosen = [np.arange(n_cells)]
    if all(ways):
        chosen += [rng.choice(ways[player]) for player in range(1, land.n_players)]
    taken = bytearray(n_cells)
    for cell in [*land.water, *(cell for cell, _ in land.hills)]:
        taken[cell] = 1
    sets = []
    together = np.stack(chosen, axis=1).tolist()
    for cell in range(n_cells):
        if not taken[cell]:
            cells = list(dict.fromkeys(together[cell]))
            clear = not any(taken[one] for one in cells)
            for one in cells:
                taken[one] = 1
            if clear and not any(_adjacent(cells[0], one, land) for one in cells[1:]):
                sets.append(cells)
    return sets


def _adjacent(one: int, other: int, land: Map) -> bool:
    dr = abs(one // land.cols - other // land.cols)
    dc = abs(one % land.cols - other % land.cols)
    return min(dr, land.rows - dr) + min(dc, land.cols - dc) == 1
