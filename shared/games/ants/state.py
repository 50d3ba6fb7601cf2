"""The state of Ants as flat int64 buffers: a torus of cells, vectors of ants, food and hills.

A *cell* is row * cols + column. Directions are N, E, S, W and HOLD. Letters: C cells, P players,
A ants, H hills.

    numbers [N_NUMBERS]   scalars, indexed by the names below.
    rows, columns [C]     the row and the column of each cell.
    row_starts, wrapped   cell of (row + dr, column + dc) = row_starts[row + dr + MARGIN] +
                          wrapped[column + dc + MARGIN], for offsets up to MARGIN.
    steps [4 C]           the cell one step N, E, S and W of each.
    water, food_at [C]    1 where there is water, or food.
    ant_at [C]            0, or 1 + the number of the ant there.
    cells, owners [A]     of each ant, in the order of hatching.
    orders [A]            the direction ordered for each ant.
    looks [A]             the cell from which the ant is counted in `seen`, -1 before.
    enemies [A]           number of enemies within reach in the last battle.
    marks [A], crowd [C]  scratch space of a turn.
    dead, dead_owners, dead_looks [A]  the ants that died in the last turn.
    spawned [H]           the hills on which ants hatched in the last turn.
    food [C]              the cells with food, `numbers[N_FOOD]` of them.
    hill_cells, hill_owners, hill_touched [H]  touched: the last turn with an own ant on it.
    hill_razers, hill_razed [H]  the player who razed the hill, or -1; the turn.
    hill_paid [H]         1 once its owner has lost a point for the hill.
    hill_luck [H]         the lower number is first of hills touched in one turn.
    hives, scores, n_ants_of, n_seen [P]  of each player; n_seen: cells in view.
    seen [P C]            the number of a player's ants that see a cell.
    known [C]             a bit for each player that knows the water there.
    found [P C]           player * C + cell of the water seen first in the last turn.
    attack, spawn         offsets (dr, dc) within the radii, without (0, 0).
    eyes                  offsets that a step N, E, S and W brings into view, N_EDGE for each, then
                          all that are in view.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ...core.jit import Int16s, Ints, int16_buffer, int_buffer

N, E, S, W, HOLD = range(5)
DIRECTIONS = "nesw"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))

ROWS, COLS, N_CELLS, N_PLAYERS, N_HILLS, TURN, MARGIN = range(7)
N_ANTS, N_FOOD, N_DEAD, N_SPAWNED, N_FOUND, N_EDGE = range(7, 13)
N_NUMBERS = 13
HILL_POINTS, RAZE_POINTS = 2, -1  # RULES.md, section 1


class World(NamedTuple):
    """The buffers of a game, listed in the module."""

    numbers: Ints
    rows: Ints
    columns: Ints
    row_starts: Ints
    wrapped: Ints
    steps: Ints
    water: Ints
    food_at: Ints
    ant_at: Ints
    cells: Ints
    owners: Ints
    orders: Ints
    looks: Ints
    enemies: Ints
    marks: Ints
    crowd: Ints
    dead: Ints
    dead_owners: Ints
    dead_looks: Ints
    spawned: Ints
    food: Ints
    hill_cells: Ints
    hill_owners: Ints
    hill_touched: Ints
    hill_razers: Ints
    hill_razed: Ints
    hill_paid: Ints
    hill_luck: Ints
    hives: Ints
    scores: Ints
    n_ants_of: Ints
    n_seen: Ints
    seen: Int16s
    known: Ints
    found: Ints
    attack: Ints
    spawn: Ints
    eyes: Ints


class Radii(NamedTuple):
    """Squared radii of view, attack and spawning (RULES.md, section 2)."""

    view: int = 77
    attack: int = 5
    spawn: int = 1


RADII = Radii()


def disc(radius2: int, rows: int, cols: int) -> list[tuple[int, int]]:
    """Returns the offsets within a radius, row by row, with (0, 0), each cell of the torus once."""
    reach = int(radius2**0.5)
    found = {}
    for dr in range(-reach, reach + 1):
        for dc in range(-reach, reach + 1):
            if dr * dr + dc * dc <= radius2:
                found.setdefault((dr % rows, dc % cols), (dr, dc))
    return list(found.values())


def flat(offsets: Iterable[tuple[int, int]]) -> Ints:
    return int_buffer([number for offset in offsets for number in offset])


def all_steps(rows: int, cols: int) -> list[int]:
    """Returns the neighbour in each direction of each cell."""
    return [
        (row + dr) % rows * cols + (column + dc) % cols
        for row in range(rows)
        for column in range(cols)
        for dr, dc in STEPS
    ]


def torus(rows: int, cols: int, margin: int) -> dict[str, Ints]:
    """Returns the buffers of a torus by their names: rows, columns, row_starts, wrapped, steps.

    margin: the largest offset of `row_starts` and `wrapped`.
    """
    n_cells = rows * cols
    return {
        "rows": int_buffer([cell // cols for cell in range(n_cells)]),
        "columns": int_buffer([cell % cols for cell in range(n_cells)]),
        "row_starts": int_buffer([row % rows * cols for row in range(-margin, rows + margin)]),
        "wrapped": int_buffer([column % cols for column in range(-margin, cols + margin)]),
        "steps": int_buffer(all_steps(rows, cols)),
    }


def coming_into_view(radius2: int, step: tuple[int, int]) -> list[tuple[int, int]]:
    """Returns the offsets that a step brings into view, relative to the cell it leads to."""
    reach = int(radius2**0.5)
    around = range(-reach, reach + 1)
    dr, dc = step
    return [
        (row, column)
        for row in around
        for column in around
        if row**2 + column**2 <= radius2 < (row + dr) ** 2 + (column + dc) ** 2
    ]


def new_world(
    rows: int,
    cols: int,
    n_players: int,
    water: Iterable[int],
    hills: Iterable[tuple[int, int]] = (),
    radii: Radii = RADII,
) -> World:
    """Returns a world before its first turn, without ants and food.

    water: cells. hills: (cell, owner) pairs.
    """
    n_cells, hills = rows * cols, list(hills)
    # On a small torus, a cell counts once for each offset that views it.
    in_view = disc(radii.view, 10**6, 10**6)
    margin = max(int(max(radii) ** 0.5), 1)
    edges = [coming_into_view(radii.view, step) for step in STEPS]
    around = [
        [offset for offset in disc(radius2, rows, cols) if offset != (0, 0)]
        for radius2 in (radii.attack, radii.spawn)
    ]
    n_hills = max(len(hills), 1)
    world = World(
        numbers=int_buffer(N_NUMBERS),
        **torus(rows, cols, margin),
        **{name: int_buffer(n_cells) for name in ("water", "food_at", "ant_at", "crowd", "food")},
        **{name: int_buffer(n_cells) for name in ("cells", "owners", "orders", "looks", "known")},
        **{name: int_buffer(n_cells) for name in ("enemies", "marks", "dead", "dead_owners")},
        dead_looks=int_buffer(n_cells),
        spawned=int_buffer(n_hills),
        hill_cells=int_buffer([cell for cell, _ in hills]),
        hill_owners=int_buffer([owner for _, owner in hills]),
        hill_touched=int_buffer(n_hills),
        hill_razers=int_buffer([-1] * n_hills),
        hill_razed=int_buffer(n_hills),
        hill_paid=int_buffer(n_hills),
        hill_luck=int_buffer(n_hills),
        **{name: int_buffer(n_players) for name in ("hives", "scores", "n_ants_of", "n_seen")},
        seen=int16_buffer(n_players * n_cells),
        found=int_buffer(n_players * n_cells),
        attack=flat(around[0]),
        spawn=flat(around[1]),
        eyes=flat([offset for edge in edges for offset in edge] + in_view),
    )
    for index, number in (
        (ROWS, rows),
        (COLS, cols),
        (N_CELLS, n_cells),
        (N_PLAYERS, n_players),
        (N_HILLS, len(hills)),
        (MARGIN, margin),
        (N_EDGE, len(edges[0])),
    ):
        world.numbers[index] = number
    for cell in water:
        world.water[cell] = 1
    return world


def add_ant(world: World, cell: int, owner: int) -> None:
    ant = world.numbers[N_ANTS]
    world.cells[ant], world.owners[ant] = cell, owner
    world.orders[ant], world.looks[ant] = HOLD, -1
    world.ant_at[cell] = ant + 1
    world.n_ants_of[owner] += 1
    world.numbers[N_ANTS] = ant + 1


def add_food(world: World, cell: int) -> None:
    world.food[world.numbers[N_FOOD]] = cell
    world.food_at[cell] = 1
    world.numbers[N_FOOD] += 1


def ants(world: World) -> list[tuple[int, int]]:
    """Returns (cell, owner) of each ant, in the order of hatching."""
    n_ants = int(world.numbers[N_ANTS])
    return list(zip(listed(world.cells, n_ants), listed(world.owners, n_ants)))


def dead_ants(world: World) -> list[tuple[int, int]]:
    """Returns (cell, owner) of each ant that died in the last turn."""
    n_dead = int(world.numbers[N_DEAD])
    return list(zip(listed(world.dead, n_dead), listed(world.dead_owners, n_dead)))


def listed(buffer: Ints, n: int) -> list[int]:
    """Returns the first n numbers of a buffer as a list of Python ints, the fastest to read."""
    first = buffer[:n]
    return first if isinstance(first, list) else first.tolist()  # type: ignore[attr-defined]
