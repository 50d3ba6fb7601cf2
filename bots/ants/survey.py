"""Prepares a turn's sampling: the value of each ant's moves, and the pairs that may meet.

Worth is the value to the own side of an ant alive at a place. Terms and first weights are those of
a1k0n's bot (AI Challenge 2011); only their order matters to the sampler.

    fades [N_FADES FADE_SIZE]  values by kind and distance, 0 from FADE_SIZE - 1 on; the last row
                               values an enemy at that distance from an own hill as a target
    rates [N_RATES]            the other weights, by the names below
"""

from typing import NamedTuple

from bots.ants.combat import HOLD, MAX_PAIRS, MIRROR, N_AGENTS, N_MOVES, N_OWN, REACH, Field
from bots.ants.memory import (
    ENEMY,
    ENEMY_HILL,
    FRONTIER,
    INTRUDER,
    MARGIN,
    N_CELLS,
    N_ENEMIES,
    N_KINDS,
    N_OWN_ANTS,
    OWN_HILL,
    TURN,
    Memory,
    find_frontier,
    find_intruders,
    measure_distances,
)
from bots.ants.territory import Territory, measure_gains
from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel
from shared.games.ants.state import STEPS, flat

FADE_SIZE = 128
BOUNTY = N_KINDS  # the last of the fades
N_FADES = N_KINDS + 1
ALIVE, KILL, EXPLORE, FOOD, BLOCK, STAND, STALE, OLDEST, GUARDED, DEFENDERS, ROOM = range(11)
N_RATES = 11
AROUND = 6  # cells to each side of an ant in which friends and enemies are counted
FLIGHT = 8  # turns
PLACES = (*STEPS, (0, 0))


class Weights(NamedTuple):
    """The weights of the own side's aims.

    alive, kill: an own ant that lives, an enemy that dies. food: a meal, explore: a turn for which
    a cell has not been seen, of `oldest` at most; both times nearness ** distance up to `reach`.
    The others are (weight, share left for each step of distance): enemy_hill and frontier (cells
    unseen for `stale` turns) attract; enemy: being near enemies; threat: an enemy near an own hill;
    intruder: attracts the nearest ant; defence: attracts the nearest ones, `defenders` for each
    intruder that is at most `guarded` steps from the hill. block: on an own hill. stand: the share
    that a move has to bring to be better than none. room: a place from which an ant with more
    enemies than friends around can flee for FLIGHT turns.
    """

    alive: float = 5.0
    kill: float = 1.0
    food: float = 1.0
    explore: float = 5 / 65536
    oldest: int = 100
    nearness: float = 0.7
    reach: int = 12
    enemy_hill: tuple = (5.0, 0.8)
    enemy: tuple = (1e-4, 0.9)
    threat: tuple = (10.0, 0.9)
    frontier: tuple = (1e-3, 0.96)
    intruder: tuple = (2.0, 0.85)
    defence: tuple = (0.0, 0.85)
    guarded: int = 14
    defenders: int = 2
    stale: int = 60
    room: float = 0.0
    block: float = 1.0
    stand: float = 0.96

    def fades(self) -> Floats:
        fades = float_buffer(N_FADES * FADE_SIZE)
        for kind, (weight, left) in (
            (OWN_HILL, self.threat),
            (ENEMY_HILL, self.enemy_hill),
            (ENEMY, self.enemy),
            (FRONTIER, self.frontier),
            (INTRUDER, self.defence),
            (BOUNTY, self.intruder),
        ):
            for distance in range(FADE_SIZE - 1):
                fades[kind * FADE_SIZE + distance] = weight * left**distance
        return fades

    def rates(self) -> Floats:
        rates = float_buffer(N_RATES)
        for place, rate in (
            (ALIVE, self.alive),
            (KILL, self.kill),
            (EXPLORE, self.explore),
            (FOOD, self.food / self.nearness),
            (BLOCK, self.block),
            (STAND, self.stand),
            (STALE, float(self.stale)),
            (OLDEST, float(self.oldest)),
            (GUARDED, float(self.guarded)),
            (DEFENDERS, float(self.defenders)),
            (ROOM, self.room / FLIGHT),
        ):
            rates[place] = rate
        return rates


class Contacts(NamedTuple):
    """The steps that bring two ants within reach of each other.

    window [2 W]   offsets (dr, dc) from an ant to ants that it may meet in this turn
    own [W]        for each move of the ant there, five bits: moves of the ant here that bring
                   it within reach
    other [W]      as `own`, with here and there exchanged
    """

    window: Ints
    own: Ints
    other: Ints


def new_contacts(attack: int, rows: int, cols: int) -> Contacts:
    """Returns Contacts. attack: the square of ants' reach."""
    span = min(int(attack**0.5) + 2, 5)
    window, own, other = {}, [], []
    for dr in range(-span, span + 1):
        for dc in range(-span, span + 1):
            near = [
                [(dr + r - y) ** 2 + (dc + c - x) ** 2 <= attack for r, c in PLACES]
                for y, x in PLACES
            ]
            is_near = (dr, dc) != (0, 0) and any(map(any, near))
            if is_near and window.setdefault((dr % rows, dc % cols), (dr, dc)) == (dr, dc):
                both = [(here, there) for here in range(5) for there in range(5)]
                own.append(sum(near[i][j] << 5 * j + i for i, j in both))
                other.append(sum(near[i][j] << 5 * i + j for i, j in both))
    return Contacts(flat(list(window.values())), int_buffer(own), int_buffer(other))


@inline
def fade(fades, kind, distance):
    return fades[kind * FADE_SIZE + min(distance, FADE_SIZE - 1)]


@inline
def value_cells(memory, territory, fades, rates):
    """Write each cell's value to its nearest ant."""
    numbers = memory.numbers
    for cell in range(numbers[N_CELLS]):
        value = 0.0
        if not memory.water[cell]:
            age = min(float(numbers[TURN] - memory.last_seen[cell]), rates[OLDEST])
            if memory.last_seen[cell] == 0:
                age = rates[OLDEST]
            value = rates[EXPLORE] * age
            if memory.food[cell]:
                value += rates[FOOD]
        territory.value[cell] = value
    for i in range(numbers[N_ENEMIES]):
        cell = memory.enemies[i]
        distance = memory.distances[OWN_HILL * numbers[N_CELLS] + cell]
        territory.value[cell] += fade(fades, BOUNTY, distance)


@inline
def place_agents(memory, field):
    """Make all ants agents at their cells; own ants come first."""
    numbers, n_own = memory.numbers, memory.numbers[N_OWN_ANTS]
    n_agents = n_own + numbers[N_ENEMIES]
    field.numbers[N_AGENTS] = n_agents
    field.numbers[N_OWN] = n_own
    for cell in range(numbers[N_CELLS]):
        field.taken[cell] = 0
    for agent in range(n_agents):
        cell = memory.own[agent] if agent < n_own else memory.enemies[agent - n_own]
        field.taken[cell] = agent + 1
        field.moves[agent] = HOLD
        for move in range(N_MOVES):
            to = cell
            if move != HOLD:
                to = memory.steps[4 * cell + move]
                if memory.water[to] or memory.food[to]:
                    to = -1
            field.targets[agent * N_MOVES + move] = to


@inline
def count_balance(memory, field):
    """Count friends less enemies around each own ant."""
    n_own, margin = field.numbers[N_OWN], memory.numbers[MARGIN]
    for ant in range(n_own):
        cell, balance = memory.own[ant], 0
        row, column = memory.rows[cell] + margin, memory.columns[cell] + margin
        for dr in range(-AROUND, AROUND + 1):
            start = memory.row_starts[row + dr]
            for dc in range(-AROUND, AROUND + 1):
                other = field.taken[start + memory.wrapped[column + dc]] - 1
                if other >= 0:
                    balance += 1 if other < n_own else -1
        field.balance[ant] = balance


@inline
def turns_of_flight(memory, territory, start):
    """Returns for how many turns, at most FLIGHT, an ant that steps on a cell can avoid the reach
    of enemies that follow.
    """
    queue, marks, depth = territory.queue, territory.marks, territory.depth
    nearest = ENEMY * memory.numbers[N_CELLS]
    territory.stamp[0] += 1
    queue[0], depth[start], marks[start] = start, 0, territory.stamp[0]
    i, end = 0, 1
    longest = 0
    while i < end and longest < FLIGHT:
        cell = queue[i]
        i += 1
        # The enemy has stepped as often; two ants three steps apart may be within reach.
        if memory.distances[nearest + cell] - depth[cell] < 4:
            continue
        longest = depth[cell] + 1
        for step in range(4 * cell, 4 * cell + 4):
            near = memory.steps[step]
            if marks[near] != territory.stamp[0] and not memory.water[near]:
                marks[near] = territory.stamp[0]
                depth[near] = depth[cell] + 1
                queue[end] = near
                end += 1
    return longest


@inline
def alarm_radius(memory, wanted):
    """Returns the least radius around intruders with this many own ants."""
    start = INTRUDER * memory.numbers[N_CELLS]
    for radius in range(FADE_SIZE):
        n = 0
        for ant in range(memory.numbers[N_OWN_ANTS]):
            if memory.distances[start + memory.own[ant]] <= radius:
                n += 1
        if n >= wanted:
            return radius
    return FADE_SIZE


@inline
def weigh_moves(memory, territory, field, fades, rates):
    """Compute the value of each ant, alive, after each of its moves."""
    n_cells, n_own = memory.numbers[N_CELLS], field.numbers[N_OWN]
    distances = memory.distances
    # The others go on gathering: when all came home, the colony starved.
    alarmed = alarm_radius(memory, rates[DEFENDERS] * memory.n_sources[INTRUDER])
    for agent in range(field.numbers[N_AGENTS]):
        defends = agent < n_own and distances[INTRUDER * n_cells + memory.own[agent]] <= alarmed
        n_kinds = N_KINDS if defends else INTRUDER
        for move in range(N_MOVES):
            cell = field.targets[agent * N_MOVES + move]
            worth = 0.0
            if cell >= 0 and agent < n_own:
                brings = territory.gains[agent * N_MOVES + move]
                worth = rates[ALIVE] + (brings * rates[STAND] if move == HOLD else brings)
                for kind in range(ENEMY_HILL, n_kinds):
                    worth += fade(fades, kind, distances[kind * n_cells + cell])
                if field.balance[agent] < 0:
                    worth += rates[ROOM] * turns_of_flight(memory, territory, cell)
                    worth -= fade(fades, ENEMY, distances[ENEMY * n_cells + cell])
                if distances[OWN_HILL * n_cells + cell] == 0:
                    worth -= rates[BLOCK]
            elif cell >= 0:
                worth = -rates[KILL]
                worth -= fade(fades, OWN_HILL, distances[OWN_HILL * n_cells + cell])
            field.worth[agent * N_MOVES + move] = worth


@inline
def add_pair(field, agent, other, mirror, reach):
    """Add an enemy to an ant's pairs, with the steps that bring it within reach."""
    i = field.n_pairs[agent]
    field.pairs[agent * MAX_PAIRS + i] = reach << REACH | mirror << MIRROR | other
    field.n_pairs[agent] = i + 1
    if reach >> N_MOVES * HOLD + HOLD & 1:
        field.contacts[agent] |= 1 << i
        field.n_near[agent] += 1


@inline
def find_pairs(memory, field, contacts):
    """Find the pairs of ants of both sides that may meet, and the nearest friends."""
    margin, n_own = memory.numbers[MARGIN], field.numbers[N_OWN]
    window, n_around = contacts.window, len(contacts.window)
    for agent in range(field.numbers[N_AGENTS]):
        field.n_pairs[agent] = field.contacts[agent] = field.n_near[agent] = 0
        field.above[agent] = field.left[agent] = -1
    for agent in range(field.numbers[N_AGENTS]):
        cell = field.targets[agent * N_MOVES + HOLD]
        row, column = memory.rows[cell] + margin, memory.columns[cell] + margin
        nearest_above = nearest_left = 1000
        for i in range(0, n_around, 2):
            dr, dc = window[i], window[i + 1]
            other = field.taken[memory.row_starts[row + dr] + memory.wrapped[column + dc]] - 1
            if other < 0:
                continue
            if (other < n_own) == (agent < n_own):
                distance = dr * dr + dc * dc
                if dr < 0 and abs(dc) <= -dr and distance < nearest_above:
                    nearest_above = distance
                    field.above[agent] = other
                if dc < 0 and abs(dr) < -dc and distance < nearest_left:
                    nearest_left = distance
                    field.left[agent] = other
            elif agent < n_own:
                mine, its = field.n_pairs[agent], field.n_pairs[other]
                if mine < MAX_PAIRS and its < MAX_PAIRS:
                    add_pair(field, agent, other, its, contacts.own[i // 2])
                    add_pair(field, other, agent, mine, contacts.other[i // 2])


@kernel
def survey(
    memory: Memory,
    territory: Territory,
    field: Field,
    contacts: Contacts,
    fades: Floats,
    rates: Floats,
) -> None:
    """Compute everything that a turn's sampling needs."""
    find_frontier(memory, int(rates[STALE]))
    for kind in range(N_KINDS):
        if kind == INTRUDER:
            find_intruders(memory, int(rates[GUARDED]))
        measure_distances(memory, kind)
    value_cells(memory, territory, fades, rates)
    measure_gains(memory, territory)
    place_agents(memory, field)
    count_balance(memory, field)
    weigh_moves(memory, territory, field, fades, rates)
    find_pairs(memory, field, contacts)
