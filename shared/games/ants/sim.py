"""A turn of Ants (RULES.md, sections 4 and 5), without new food.

apply(world)    orders, collisions, battle, razing, hatching, gathering
look(world)     updates the visible cells, also before turn 1
"""

from ...core.jit import inline, kernel
from ...games.ants.state import (
    HILL_POINTS,
    HOLD,
    MARGIN,
    N_ANTS,
    N_CELLS,
    N_DEAD,
    N_EDGE,
    N_FOOD,
    N_FOUND,
    N_HILLS,
    N_SPAWNED,
    RAZE_POINTS,
    TURN,
    World,
)

ALIVE, COLLIDED, KILLED = range(3)


@inline
def move_ants(world):
    """Move all ants at once; ants that meet on a cell are marked dead."""
    numbers, cells, crowd = world.numbers, world.cells, world.crowd
    n_ants = numbers[N_ANTS]
    for ant in range(n_ants):
        world.ant_at[cells[ant]] = 0
    for ant in range(n_ants):
        if world.orders[ant] != HOLD:
            cells[ant] = world.steps[4 * cells[ant] + world.orders[ant]]
            world.orders[ant] = HOLD
        crowd[cells[ant]] += 1
    for ant in range(n_ants):
        if crowd[cells[ant]] > 1:
            world.marks[ant] = COLLIDED
        else:
            world.marks[ant] = ALIVE
            world.ant_at[cells[ant]] = ant + 1
    for ant in range(n_ants):
        crowd[cells[ant]] = 0


@inline
def fight(world):
    """Mark battle deaths: an ant dies if an enemy in reach has no more enemies than it has."""
    numbers, attack, ant_at, enemies = world.numbers, world.attack, world.ant_at, world.enemies
    margin, n_around = numbers[MARGIN], len(world.attack)
    for ant in range(numbers[N_ANTS]):
        enemies[ant] = 0
        if world.marks[ant] == ALIVE:
            row = world.rows[world.cells[ant]] + margin
            column = world.columns[world.cells[ant]] + margin
            for i in range(0, n_around, 2):
                near = world.row_starts[row + attack[i]] + world.wrapped[column + attack[i + 1]]
                other = ant_at[near] - 1
                if other >= 0 and world.owners[other] != world.owners[ant]:
                    enemies[ant] += 1
    for ant in range(numbers[N_ANTS]):
        if enemies[ant] > 0:
            row = world.rows[world.cells[ant]] + margin
            column = world.columns[world.cells[ant]] + margin
            for i in range(0, n_around, 2):
                near = world.row_starts[row + attack[i]] + world.wrapped[column + attack[i + 1]]
                other = ant_at[near] - 1
                if (
                    other >= 0
                    and world.owners[other] != world.owners[ant]
                    and enemies[other] <= enemies[ant]
                ):
                    world.marks[ant] = KILLED
                    break


@inline
def bury(world):
    """Remove the dead from the board, collided ones first, and close the gaps in the vectors."""
    numbers, marks = world.numbers, world.marks
    n_dead = 0
    for mark in range(COLLIDED, KILLED + 1):
        for ant in range(numbers[N_ANTS]):
            if marks[ant] == mark:
                world.dead[n_dead] = world.cells[ant]
                world.dead_owners[n_dead] = world.owners[ant]
                world.dead_looks[n_dead] = world.looks[ant]
                world.n_ants_of[world.owners[ant]] -= 1
                n_dead += 1
                if mark == KILLED:
                    world.ant_at[world.cells[ant]] = 0
    numbers[N_DEAD] = n_dead
    if n_dead:
        n_ants = 0
        for ant in range(numbers[N_ANTS]):
            if marks[ant] == ALIVE:
                world.cells[n_ants] = world.cells[ant]
                world.owners[n_ants] = world.owners[ant]
                world.looks[n_ants] = world.looks[ant]
                world.ant_at[world.cells[n_ants]] = n_ants + 1
                n_ants += 1
        numbers[N_ANTS] = n_ants


@inline
def raze_hills(world):
    """Note hills touched by their own ants, and raze hills reached by enemies."""
    turn, scores = world.numbers[TURN], world.scores
    for hill in range(world.numbers[N_HILLS]):
        ant = world.ant_at[world.hill_cells[hill]] - 1
        if ant >= 0:
            owner, visitor = world.hill_owners[hill], world.owners[ant]
            if owner == visitor:
                world.hill_touched[hill] = turn
            elif world.hill_razers[hill] < 0:
                world.hill_razers[hill] = visitor
                world.hill_razed[hill] = turn
                scores[visitor] += HILL_POINTS
                if not world.hill_paid[hill]:
                    world.hill_paid[hill] = 1
                    scores[owner] += RAZE_POINTS


@inline
def hatch(world, cell, owner):
    """Add a new ant on a cell."""
    ant = world.numbers[N_ANTS]
    world.cells[ant] = cell
    world.owners[ant] = owner
    world.orders[ant] = HOLD
    world.looks[ant] = -1
    world.ant_at[cell] = ant + 1
    world.n_ants_of[owner] += 1
    world.numbers[N_ANTS] = ant + 1


@inline
def hatch_ants(world):
    """Hatch ants on the free hills, the least recently touched hill first."""
    numbers, touched = world.numbers, world.hill_touched
    numbers[N_SPAWNED] = 0
    for hill in range(numbers[N_HILLS]):
        # Keeps the order of the start of the turn: a hill used now counts as touched.
        world.marks[hill] = world.hill_razers[hill] < 0
    for _ in range(numbers[N_HILLS]):
        first = -1
        for hill in range(numbers[N_HILLS]):
            if world.marks[hill] and (
                first < 0
                or touched[hill] < touched[first]
                or (
                    touched[hill] == touched[first]
                    and world.hill_luck[hill] < world.hill_luck[first]
                )
            ):
                first = hill
        if first < 0:
            break
        world.marks[first] = 0
        owner = world.hill_owners[first]
        if world.hives[owner] > 0 and world.ant_at[world.hill_cells[first]] == 0:
            world.hives[owner] -= 1
            hatch(world, world.hill_cells[first], owner)
            touched[first] = numbers[TURN]
            world.spawned[numbers[N_SPAWNED]] = first
            numbers[N_SPAWNED] += 1


@inline
def gather(world):
    """Remove food near ants. Food near ants of a single owner is gathered."""
    numbers, spawn = world.numbers, world.spawn
    margin, n_around = numbers[MARGIN], len(world.spawn)
    n_food = 0
    for i in range(numbers[N_FOOD]):
        cell = world.food[i]
        row, column = world.rows[cell] + margin, world.columns[cell] + margin
        gatherer, contested = -1, False
        for k in range(0, n_around, 2):
            near = world.row_starts[row + spawn[k]] + world.wrapped[column + spawn[k + 1]]
            ant = world.ant_at[near] - 1
            if ant >= 0:
                if gatherer >= 0 and gatherer != world.owners[ant]:
                    contested = True
                gatherer = world.owners[ant]
        if gatherer < 0:
            world.food[n_food] = cell
            n_food += 1
        else:
            world.food_at[cell] = 0
            if not contested:
                world.hives[gatherer] += 1
    numbers[N_FOOD] = n_food


@inline
def change_view(world, player, center, first, end, change):
    """Add `change`, 1 or -1, to the number of ants that see the cells at eyes[first:end]."""
    numbers, seen = world.numbers, world.seen
    row, column = world.rows[center] + numbers[MARGIN], world.columns[center] + numbers[MARGIN]
    start = player * numbers[N_CELLS]
    for i in range(first, end, 2):
        cell = world.row_starts[row + world.eyes[i]] + world.wrapped[column + world.eyes[i + 1]]
        before = seen[start + cell]
        seen[start + cell] = before + change
        if before == 0:
            world.n_seen[player] += 1
            if world.water[cell] and not world.known[cell] >> player & 1:
                world.known[cell] |= 1 << player
                world.found[numbers[N_FOUND]] = start + cell
                numbers[N_FOUND] += 1
        elif before + change == 0:
            world.n_seen[player] -= 1


@kernel
def apply(world: World) -> None:
    """Increment the turn, and play its orders up to gathering food."""
    world.numbers[TURN] += 1
    move_ants(world)
    fight(world)
    bury(world)
    raze_hills(world)
    hatch_ants(world)
    gather(world)


@kernel
def look(world: World) -> None:
    """Update the visible cells from the ants' positions."""
    numbers, edge = world.numbers, 2 * world.numbers[N_EDGE]
    numbers[N_FOUND] = 0
    # The dead first: cells that only they would have seen now do not count as seen.
    for i in range(numbers[N_DEAD] + numbers[N_ANTS]):
        ant = i - numbers[N_DEAD]
        if ant < 0:
            player, before, now = world.dead_owners[i], world.dead_looks[i], -1
        else:
            player, before, now = world.owners[ant], world.looks[ant], world.cells[ant]
            world.looks[ant] = now
        if before == now:
            continue
        direction = 0
        if before >= 0 and now >= 0:
            while world.steps[4 * before + direction] != now:
                direction += 1
        for change in range(1, -2, -2):
            center = now if change > 0 else before
            if center >= 0:
                first = edge * (direction if change > 0 else direction ^ 2)
                end = first + edge
                if before < 0 or now < 0:
                    first, end = 4 * edge, len(world.eyes)
                change_view(world, player, center, first, end, change)
