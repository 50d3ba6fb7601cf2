"""The minions' moves, one after another (RULES.md, section 5)."""

from ...core.jit import inline, njit
from ...games.code_of_kutulu.maze import (
    CELL_BITS,
    COSTS,
    LIFE_TIME,
    STEPS,
    UNREACHABLE,
    distance,
    first_step,
    is_clear,
    pair_of,
    weigh_paths,
)
from ...games.code_of_kutulu.state import (
    ALIVE,
    CELL,
    CELLS,
    KIND_BIT,
    MAX_MINIONS,
    MEMORY,
    MEMORY_BIT,
    MINIONS,
    N_MINIONS,
    N_PLAYERS,
    NEXT_ID,
    RUSHING,
    SANITIES,
    SLASHER,
    SPAWNING,
    STALKING,
    STATE,
    STATE_BIT,
    STUNNED,
    TARGET,
    TARGET_BIT,
    TIMER,
    TIMER_BIT,
    TURN,
    WANDERER,
    WANDERING,
    pack_minion,
)

SPOOK = 20
STALK_TURNS = 2
STUN_TURNS = 6
FAR = 1 << 30


@inline
def by_number(state, target):
    return 0x3210


@inline
def chase(maze, state, minion, lit, order):
    """Returns the minion after a step towards the nearest player; ties go to the target, then to
    the first in `order`, 4 bits each.
    """
    cell, target = minion & CELL, (minion >> TARGET_BIT & TARGET) - 1
    turn = state[TURN] & 3
    if lit:
        targets = 0
        for i in range(N_PLAYERS):
            targets |= state[CELLS + i] << CELL_BITS * i
        weigh_paths(maze, cell, turn, targets, state[ALIVE])
    best, nearest, step = FAR, -1, cell
    for i in range(N_PLAYERS):
        player = order >> 4 * i & 15
        if state[ALIVE] >> player & 1 == 0:
            continue
        at = state[CELLS + (player & 3)]
        pair = pair_of(maze, cell, at)
        cost, next_cell = distance(pair), first_step(pair, turn)
        if cost == UNREACHABLE:
            continue
        if lit:
            cost, next_cell = maze[COSTS + at], maze[STEPS + at]
        if cost < best or (cost == best and player == target):
            best, nearest, step = cost, player, next_cell
    kept = minion & ~(CELL | TARGET << TARGET_BIT)
    return kept | step | nearest + 1 << TARGET_BIT if nearest >= 0 else minion


@inline
def spook(state, cell):
    found = False
    for player in range(N_PLAYERS):
        if state[CELLS + player] == cell and state[ALIVE] >> player & 1:
            state[SANITIES + player] = max(0, state[SANITIES + player] - SPOOK)
            found = True
    return found


@inline
def with_timer(minion, minion_state, timer):
    kept = minion & ~(STATE << STATE_BIT | TIMER << TIMER_BIT)
    return kept | minion_state << STATE_BIT | timer << TIMER_BIT


@inline
def with_target(minion, target, memory):
    """Returns the minion with another target and memory, each stored plus one, or 0."""
    kept = minion & ~(TARGET << TARGET_BIT | MEMORY << MEMORY_BIT)
    return kept | target << TARGET_BIT | memory << MEMORY_BIT


@inline
def look_out(maze, state, minion):
    """Returns a slasher with its visible target or the nearest visible player. A tie clears target
    and memory, no visible player the target.
    """
    cell, target = minion & CELL, (minion >> TARGET_BIT & TARGET) - 1
    if target >= 0:
        if state[SANITIES + target] <= 0:
            minion = with_target(minion, 0, 0)
        elif is_clear(pair_of(maze, cell, state[CELLS + target])):
            return with_target(minion, target + 1, state[CELLS + target] + 1)
    nearest, found, n = FAR, -1, 0
    for player in range(N_PLAYERS):
        if state[ALIVE] >> player & 1:
            pair = pair_of(maze, cell, state[CELLS + player])
            if is_clear(pair):
                n = n + 1 if distance(pair) == nearest else n
                if distance(pair) < nearest:
                    nearest, found, n = distance(pair), player, 1
    if n == 0:
        return with_target(minion, 0, minion >> MEMORY_BIT & MEMORY)
    if n == 1:
        return with_target(minion, found + 1, state[CELLS + (found & 3)] + 1)
    return with_target(minion, 0, 0)


@inline
def count_down(minion, next_state, timer):
    if minion >> TIMER_BIT & TIMER == 1:
        return with_timer(minion, next_state, timer)
    return minion - (1 << TIMER_BIT)


@inline
def update_slasher(maze, state, minion):
    """Returns a slasher after its turn. A slasher that still wanders has yet to move."""
    minion_state = minion >> STATE_BIT & STATE
    if minion_state == SPAWNING:
        return count_down(minion, RUSHING, maze[LIFE_TIME])
    if minion_state == STUNNED:
        return count_down(minion, WANDERING, maze[LIFE_TIME])
    minion = look_out(maze, state, minion)
    if minion_state == STALKING:
        return count_down(minion, RUSHING, maze[LIFE_TIME])
    if minion_state == WANDERING:
        found = minion >> TARGET_BIT & TARGET > 0
        return with_timer(minion, STALKING, STALK_TURNS) if found else minion
    # It rushes to the remembered cell, which `look_out` has set to a visible target's.
    memory = minion >> MEMORY_BIT & MEMORY
    cell = memory - 1 if memory > 0 else minion & CELL
    spook(state, cell)
    return with_timer(with_target(minion & ~CELL | cell, 0, 0), STUNNED, STUN_TURNS)


def make_update(order_of):
    """Returns update_minions(maze, state, lit), which plays the minions' turn and removes spent
    wanderers. order_of(state, target): see `chase`.
    """

    @njit
    def update_minions(maze, state, lit):
        n = 0
        for i in range(state[N_MINIONS]):
            minion = state[MINIONS + i]
            kind = minion >> KIND_BIT & 1
            wanders = minion >> STATE_BIT & STATE == WANDERING
            if kind == SLASHER:
                minion = update_slasher(maze, state, minion)
                wanders = wanders and minion >> STATE_BIT & STATE == WANDERING
            elif not wanders:
                minion = count_down(minion, WANDERING, maze[LIFE_TIME])
            if wanders:
                order = order_of(state, (minion >> TARGET_BIT & TARGET) - 1)
                minion = chase(maze, state, minion, lit, order)
                if kind == WANDERER:
                    if spook(state, minion & CELL) or minion >> TIMER_BIT & TIMER == 1:
                        continue
                    minion -= 1 << TIMER_BIT
            state[MINIONS + n] = minion
            n += 1
        state[N_MINIONS] = n

    return update_minions


@inline
def add_minion(state, kind, cell, timer, target, memory):
    if state[N_MINIONS] < MAX_MINIONS:
        minion = pack_minion(kind, cell, SPAWNING, timer, target, memory, state[NEXT_ID])
        state[MINIONS + state[N_MINIONS]] = minion
        state[N_MINIONS] += 1
        state[NEXT_ID] += 1
