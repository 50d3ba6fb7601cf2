"""The gain in food and sight of each ant's moves, by distance maps that change with the ants.

Every cell has a value: food, or the turns since it was seen. It counts for the nearest ant,
discounted by distance: value * nearness ** distance. So an ant gains nothing next to another one,
and ants spread by themselves (a1k0n's bot, AI Challenge 2011). A map holds the distance from each
cell to its nearest ant, and that ant. To judge an ant's moves, the ant is removed, its cells go to
its neighbours, and it is inserted again for each move.

    distance, owner [C]  of the nearest own ant, up to the reach; FAR and -1 beyond.
    value [C]            the value of the cell.
    powers [reach + 2]   nearness ** distance, 0 beyond the reach.
    region, saved [C]    the cells of an ant and their distances.
    queue, depth, marks [C], stamp [1]  scratch space.
    gains [A M]          the gain of each move of each own ant.
"""

from typing import NamedTuple

from bots.ants.memory import FAR, N_CELLS, N_OWN_ANTS
from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer

N_MOVES = 5


class Territory(NamedTuple):
    """The buffers of a map of nearest ants; see the module."""

    distance: Ints
    owner: Ints
    value: Floats
    powers: Floats
    region: Ints
    saved: Ints
    queue: Ints
    depth: Ints
    marks: Ints
    stamp: Ints
    gains: Floats


def new_territory(n_cells: int, max_ants: int, reach: int, nearness: float) -> Territory:
    """Returns buffers. Cells beyond `reach` do not count."""
    powers = [nearness**distance for distance in range(reach + 1)] + [0.0]
    return Territory(
        distance=int_buffer(n_cells),
        owner=int_buffer(n_cells),
        value=float_buffer(n_cells),
        powers=float_buffer(powers),
        region=int_buffer(n_cells),
        saved=int_buffer(n_cells),
        queue=int_buffer(5 * n_cells),
        depth=int_buffer(n_cells),
        marks=int_buffer(n_cells),
        stamp=int_buffer(1),
        gains=float_buffer(max_ants * N_MOVES),
    )


@inline
def power(territory, distance):
    """Returns a distance's discount."""
    powers = territory.powers
    return powers[distance] if distance < len(powers) else 0.0


@inline
def measure_territory(memory, territory):
    """Find the nearest own ant of every cell within reach."""
    distance, owner, queue = territory.distance, territory.owner, territory.queue
    reach = len(territory.powers) - 2
    for cell in range(memory.numbers[N_CELLS]):
        distance[cell] = FAR
        owner[cell] = -1
    end = memory.numbers[N_OWN_ANTS]
    for ant in range(end):
        cell = memory.own[ant]
        distance[cell] = 0
        owner[cell] = ant
        queue[ant] = cell
    i = 0
    while i < end:
        cell = queue[i]
        i += 1
        if distance[cell] < reach and not memory.food[cell]:
            for step in range(4 * cell, 4 * cell + 4):
                near = memory.steps[step]
                if distance[near] == FAR and not memory.water[near]:
                    distance[near] = distance[cell] + 1
                    owner[near] = owner[cell]
                    queue[end] = near
                    end += 1


@inline
def take_out(memory, territory, ant):
    """Give an ant's cells to its neighbours; returns their number. `put_back` undoes it."""
    distance, owner, region = territory.distance, territory.owner, territory.region
    queue, steps = territory.queue, memory.steps
    reach = len(territory.powers) - 2
    region[0] = memory.own[ant]
    owner[region[0]] = -1
    n = 1
    i = 0
    while i < n:
        cell = region[i]
        territory.saved[i] = distance[cell]
        distance[cell] = FAR
        i += 1
        for step in range(4 * cell, 4 * cell + 4):
            if owner[steps[step]] == ant:
                owner[steps[step]] = -1
                region[n] = steps[step]
                n += 1
    # Cells next to other ants' cells go to these ants first, then the cells next to those.
    end = 0
    for i in range(n):
        least = FAR
        for step in range(4 * region[i], 4 * region[i] + 4):
            near = steps[step]
            if owner[near] >= 0 and distance[near] < least and not memory.food[near]:
                least = distance[near]
        if least < reach:
            distance[region[i]] = least + 1
            queue[end] = region[i]
            end += 1
    i = 0
    while i < end:
        cell = queue[i]
        i += 1
        further = distance[cell] + 1
        if further <= reach and not memory.food[cell]:
            for step in range(4 * cell, 4 * cell + 4):
                near = steps[step]
                if owner[near] == -1 and distance[near] > further and not memory.water[near]:
                    distance[near] = further
                    if end < len(queue):
                        queue[end] = near
                        end += 1
    return n


@inline
def put_back(territory, ant, n):
    for i in range(n):
        territory.distance[territory.region[i]] = territory.saved[i]
        territory.owner[territory.region[i]] = ant


@inline
def gain(memory, territory, start):
    """Returns the gain on a cell."""
    distance, queue, marks = territory.distance, territory.queue, territory.marks
    reach = len(territory.powers) - 2
    territory.stamp[0] += 1
    stamp = territory.stamp[0]
    total = 0.0
    end = 0
    if distance[start] > 0:
        queue[0] = start
        territory.depth[start] = 0
        marks[start] = stamp
        end = 1
    i = 0
    while i < end:
        cell = queue[i]
        depth = territory.depth[cell]
        i += 1
        brings = power(territory, depth) - power(territory, distance[cell])
        total += territory.value[cell] * brings
        if depth < reach and not memory.food[cell]:
            for step in range(4 * cell, 4 * cell + 4):
                near = memory.steps[step]
                if marks[near] != stamp and distance[near] > depth + 1 and not memory.water[near]:
                    marks[near] = stamp
                    territory.depth[near] = depth + 1
                    queue[end] = near
                    end += 1
    return total


@inline
def measure_gains(memory, territory):
    """Compute the gain of each move of each own ant, the others staying in place."""
    measure_territory(memory, territory)
    for ant in range(memory.numbers[N_OWN_ANTS]):
        n = take_out(memory, territory, ant)
        for move in range(N_MOVES):
            cell = memory.own[ant]
            if move < N_MOVES - 1:
                cell = memory.steps[4 * cell + move]
            brings = 0.0
            if not memory.water[cell]:
                brings = gain(memory, territory, cell)
            territory.gains[ant * N_MOVES + move] = brings
        put_back(territory, ant, n)
