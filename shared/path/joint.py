"""The least sum of costs of few agents in few cells: A* over the cells of all agents.

Each agent goes to one of 4 neighbours or waits, which costs 1 until it stays at its goal for good;
no two are in a cell at one time, no two swap places (T. Standley, "Finding Optimal Solutions to
Cooperative Pathfinding Problems", AAAI 2010).

The lower bound of a state is exact for each pair of agents: tables have the least costs of two
agents from all their cells. Each agent needs its own shortest path and a delay; the delays of two
agents sum up to at least the pair's extra cost. The bound has the least delays that suffice for all
pairs: an edge-weighted vertex cover (J. Li et al., "Improved Heuristics for Multi-Agent Path
Finding with Conflict-Based Search", IJCAI 2019). It is consistent.

A state has up to 6^A successors, few of which are as cheap as the state's own bound promises. Only
these and slightly dearer ones are generated; then the state returns to the open list with the bound
of the next ones (M. Goldenberg et al., "Enhanced Partial Expansion A*", JAIR 50, 2014).

A agents, C free cells, V = C + 1 places of an agent: a cell, or C at its goal for good. P pairs of
agents i < j: pair j (j - 1) / 2 + i. S = 2^k slots of states, of which half are used.

    sizes     int64[2]      A, C
    steps     int64[5 C]    of each cell: the cells after a step in 4 directions and a wait, or -1
    goals     int64[A]      the cell of each agent's goal
    alone     int32[A V]    the least cost of each agent from each place, FAR without a path
    pairs     int32[P V V]  of each pair: the least cost of both from their places, [i V + j]

    keys      int64[S]      1 + the places of all agents as digits of base V, 0 in a free slot
    costs     int64[S]      the cost of reaching a state
    parents   int64[S]      the slot of the state before, -1 for the first
    counts    int64[2]      states in use; the slot of the state that ends the plan
    work      int64[*]      rows of a number per agent: OLD places, NEW places, ...; then A A
                            delays of pairs
    heaviest  int64[2^A]    of each set of agents: the greatest sum of delays
    ones      int64[2^A]    of each set of agents: their number
"""

from typing import NamedTuple

from ..core.jit import Int32s, Ints, inline, int32_buffer, int_buffer, kernel, njit
from ..path.open_lists import (
    Heap,
    heap_clear,
    heap_is_empty,
    heap_least_key,
    heap_pop,
    heap_push,
    new_heap,
)
from ..path.space_time import slot_of
from ..path.statuses import FOUND, FULL, NO_PATH, SEARCHING

MOST_AGENTS = 8
MOST_ENTRIES = 1 << 22  # the greatest length of `pairs`, 16 MB
FAR = 1 << 28
AHEAD = 2  # makes successors this much dearer than the bound; 0 takes a third more time
WAIT, STAY, N_OPTIONS = 4, 5, 6  # 0 to 3 are the directions; STAY: at the goal, for good
OLD, NEW, TRIED, COST, REST, GREATEST, N_ROWS = range(7)
N_STATES, FINAL = range(2)
TIE_BITS = 24


class Team(NamedTuple):
    """Agents with their tables; see the module's docstring."""

    sizes: Ints
    steps: Ints
    goals: Ints
    alone: Int32s
    pairs: Int32s


class States(NamedTuple):
    """The states of a joint search; see the module's docstring."""

    keys: Ints
    costs: Ints
    parents: Ints
    counts: Ints
    work: Ints
    heaviest: Ints
    ones: Ints


def can_search(n_agents: int, n_cells: int) -> bool:
    """Returns True if the tables of so many agents and free cells are within the limits."""
    n_places = n_cells + 1
    n_entries = n_agents * (n_agents - 1) // 2 * n_places**2
    return n_agents <= MOST_AGENTS and n_entries <= MOST_ENTRIES and n_places**n_agents < 1 << 60


def new_team(steps: list[int], goals: list[int]) -> Team:
    """Returns agents with these goals, their tables filled. steps: see the module's docstring.

    Raises ValueError for more agents or cells than `can_search` allows.
    """
    n_agents, n_cells = len(goals), len(steps) // 5
    if not can_search(n_agents, n_cells):
        raise ValueError(f"{n_agents} agents in {n_cells} cells are too many to search jointly")
    n_places, n_pairs = n_cells + 1, n_agents * (n_agents - 1) // 2
    team = Team(
        int_buffer([n_agents, n_cells]),
        int_buffer(steps),
        int_buffer(goals),
        int32_buffer(n_agents * n_places),
        int32_buffer(n_pairs * n_places * n_places),
    )
    fill_tables(team, new_heap(n_places * n_places))
    return team


def new_states(team: Team, bits: int) -> tuple[States, Heap]:
    """Returns buffers for half of 2^bits states, and their open list."""
    n, n_agents = 1 << bits, len(team.goals)
    states = States(
        keys=int_buffer(n),
        costs=int_buffer(n),
        parents=int_buffer(n),
        counts=int_buffer(2),
        work=int_buffer((N_ROWS + n_agents) * n_agents),
        heaviest=int_buffer(1 << n_agents),
        ones=int_buffer([chosen.bit_count() for chosen in range(1 << n_agents)]),
    )
    return states, new_heap(n)


@inline
def place_of(team, agent, value):
    """Returns the cell of an agent."""
    return team.goals[agent] if value == team.sizes[1] else value


# Tables


@njit
def fill_pair(team, first, second, at, queue):
    """Write the least costs of two agents from all places, from their goals backwards (Dijkstra's
    algorithm), to `pairs` from `at` on.
    """
    n, pairs = team.sizes[1] + 1, team.pairs
    for i in range(n * n):
        pairs[at + i] = FAR
    heap_clear(queue)
    pairs[at + n * n - 1] = 0
    heap_push(queue, 0, n * n - 1)
    while not heap_is_empty(queue):
        item = heap_pop(queue)
        a, b = item // n, item % n
        here, there = place_of(team, first, a), place_of(team, second, b)
        # Backwards: before it stays for good an agent stayed too, or waited at its goal; each other
        # step has an opposite step.
        for i in range(5 if a < n - 1 else 2):
            before = team.steps[5 * a + i] if a < n - 1 else (a if i == 0 else here)
            if before < 0:
                continue
            left = place_of(team, first, before)
            for j in range(5 if b < n - 1 else 2):
                other = team.steps[5 * b + j] if b < n - 1 else (b if j == 0 else there)
                if other < 0:
                    continue
                right = place_of(team, second, other)
                if left == right or (left == there and right == here):
                    continue
                cost = pairs[at + item] + (1 if a < n - 1 else 0) + (1 if b < n - 1 else 0)
                if cost < pairs[at + before * n + other]:
                    pairs[at + before * n + other] = cost
                    heap_push(queue, cost, before * n + other)


@njit
def fill_alone(team, agent, queue):
    """Write the least costs of an agent from all places."""
    n, alone = team.sizes[1] + 1, team.alone
    at = agent * n
    for i in range(n):
        alone[at + i] = FAR
    heap_clear(queue)
    alone[at + n - 1] = alone[at + team.goals[agent]] = 0
    heap_push(queue, 0, team.goals[agent])
    while not heap_is_empty(queue):
        cell = heap_pop(queue)
        for i in range(4):
            before = team.steps[5 * cell + i]
            if before >= 0 and alone[at + cell] + 1 < alone[at + before]:
                alone[at + before] = alone[at + cell] + 1
                heap_push(queue, alone[at + before], before)


@kernel
def fill_tables(team: Team, queue: Heap) -> None:
    """Write the least costs of all agents and of all pairs. The open list has room for V V."""
    n = team.sizes[1] + 1
    for second in range(team.sizes[0]):
        fill_alone(team, second, queue)
        for first in range(second):
            fill_pair(team, first, second, (second * (second - 1) // 2 + first) * n * n, queue)


# The search


@njit
def least_delays(team, states):
    """Returns the least sum of delays of all agents in the new state that suffices for each pair of
    them, rounded up from halves: by duality half the heaviest assignment of agents to agents.
    """
    n, work, heaviest = team.sizes[0], states.work, states.heaviest
    for chosen in range(1, 1 << n):
        agent, best = states.ones[chosen] - 1, 0
        for other in range(n):
            if chosen >> other & 1:
                delay = work[(N_ROWS + agent) * n + other]
                best = max(best, heaviest[chosen ^ 1 << other] + delay)
        heaviest[chosen] = best
    return heaviest[(1 << n) - 1] + 1 >> 1


@njit
def push_state(team, states, queue, cost, bound, parent):
    """Push the new state unless it was reached as cheaply before. Returns False without room."""
    key = 0
    for agent in range(team.sizes[0]):
        key = key * (team.sizes[1] + 1) + states.work[NEW * team.sizes[0] + agent]
    slot = slot_of(states.keys, key)
    if states.keys[slot] == 0:
        if 2 * states.counts[N_STATES] >= len(states.keys):
            return False
        states.counts[N_STATES] += 1
        states.keys[slot] = key + 1
    elif states.costs[slot] <= cost:
        return True
    states.costs[slot], states.parents[slot] = cost, parent
    # Of equal bounds the greater cost comes first.
    heap_push(queue, (bound << TIE_BITS) - cost, slot)
    return True


@njit
def choose_step(team, states, agent, option):
    """Let an agent take a step, and note its delays with all earlier agents. Returns the greatest
    delay of any pair so far, FAR for a step that is illegal or leads to no plan.
    """
    n, base, work = team.sizes[0], team.sizes[1] + 1, states.work
    old = work[OLD * n + agent]
    if old == base - 1 or option == STAY:
        new = base - 1
        if option != STAY or (old < base - 1 and old != team.goals[agent]):
            return FAR
    else:
        new = team.steps[5 * old + option]
        if new < 0 or team.alone[agent * base + new] >= FAR:
            return FAR
    work[NEW * n + agent] = new
    here, there = place_of(team, agent, old), place_of(team, agent, new)
    greatest = work[GREATEST * n + agent - 1] if agent else 0
    for other in range(agent):
        old, value = work[OLD * n + other], work[NEW * n + other]
        place = place_of(team, other, value)
        if place == there or (place == here and place_of(team, other, old) == there):
            return FAR
        pair = agent * (agent - 1) // 2 + other
        both = team.pairs[(pair * base + value) * base + new]
        if both >= FAR:
            return FAR
        delay = both - team.alone[agent * base + new] - team.alone[other * base + value]
        work[(N_ROWS + agent) * n + other] = work[(N_ROWS + other) * n + agent] = delay
        greatest = max(greatest, delay)
    work[GREATEST * n + agent] = greatest
    return greatest


@njit
def expand(team, states, queue, state, bound):
    """Generate the successors of a state whose bound exceeds `bound` by at most AHEAD. Returns the
    bound of the next dearer successors, FAR if there are none, or FULL.
    """
    n, base, work = team.sizes[0], team.sizes[1] + 1, states.work
    key, cost, rest = states.keys[state] - 1, states.costs[state], 0
    for agent in range(n - 1, -1, -1):
        old = work[OLD * n + agent] = key % base
        key //= base
        work[REST * n + agent] = rest
        rest += team.alone[agent * base + old]
    following, agent = FAR, 0
    work[TRIED * n], work[COST * n] = -1, cost
    while agent >= 0:
        option = work[TRIED * n + agent] + 1
        if option == N_OPTIONS:
            agent -= 1
            continue
        work[TRIED * n + agent] = option
        delay = choose_step(team, states, agent, option)
        if delay >= FAR:
            continue
        new = work[NEW * n + agent]
        spent = work[COST * n + agent] + team.alone[agent * base + new]
        if new < base - 1:
            spent += 1
        least = spent + work[REST * n + agent] + delay
        if agent == n - 1 and least <= bound + AHEAD:
            least = spent + least_delays(team, states)
        if least > bound + AHEAD:
            following = min(following, least)
        elif agent < n - 1:
            agent += 1
            work[TRIED * n + agent], work[COST * n + agent] = -1, spent
        elif least >= bound:
            new_cost = cost
            for i in range(n):
                if work[NEW * n + i] < base - 1:
                    new_cost += 1
            if not push_state(team, states, queue, new_cost, least, state):
                return FULL
    return following


@kernel
def begin_search(team: Team, states: States, queue: Heap) -> int:
    """Begin a search from the starts, the first A numbers of `work`. Returns SEARCHING, or NO_PATH
    if a pair of agents has no plan even alone.
    """
    n, rest = team.sizes[0], 0
    heap_clear(queue)
    for i in range(len(states.keys)):
        states.keys[i] = 0
    states.counts[N_STATES], states.counts[FINAL] = 0, -1
    for agent in range(n):
        # The first state is the one after a wait of all.
        if choose_step(team, states, agent, WAIT) >= FAR:
            return NO_PATH
        rest += team.alone[agent * (team.sizes[1] + 1) + states.work[OLD * n + agent]]
    push_state(team, states, queue, 0, rest + least_delays(team, states), -1)
    return SEARCHING


@kernel
def continue_search(team: Team, states: States, queue: Heap, most_expanded: int) -> int:
    """Expand at most `most_expanded` states. Returns FOUND (`counts` has the plan's last state),
    NO_PATH, FULL without room, else SEARCHING.
    """
    for _ in range(most_expanded):
        if heap_is_empty(queue):
            return NO_PATH
        key = heap_least_key(queue)
        bound = -(-key >> TIE_BITS)
        state = heap_pop(queue)
        is_final = True
        rest = states.keys[state] - 1
        for _agent in range(team.sizes[0]):
            is_final &= rest % (team.sizes[1] + 1) == team.sizes[1]
            rest //= team.sizes[1] + 1
        if is_final:
            states.counts[FINAL] = state
            return FOUND
        following = expand(team, states, queue, state, bound)
        if following < 0:
            # Asked again, it answers the same.
            heap_push(queue, key, state)
            return FULL
        if following < FAR:
            heap_push(queue, (following << TIE_BITS) - states.costs[state], state)
    return SEARCHING


def paths_of(team: Team, states: States) -> list[list[int]]:
    """Returns the cells of each agent in the plan that was found, without its stay at the goal."""
    state, n_places = int(states.counts[FINAL]), int(team.sizes[1]) + 1
    paths: list[list[int]] = [[] for _ in team.goals]
    while state >= 0:
        key, state = int(states.keys[state]) - 1, int(states.parents[state])
        for path in reversed(paths):
            key, place = divmod(key, n_places)
            if place < n_places - 1:
                path.append(place)
    return [path[::-1] for path in paths]
