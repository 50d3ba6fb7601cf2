"""The rules of Code of Kutulu (RULES.md) on the buffers of `state.py` and `maze.py`."""

from ...core.jit import inline
from ...games.code_of_kutulu.maze import (
    FULL,
    GROUP,
    HEIGHT,
    LIT_CELLS,
    LONELY,
    N_CELLS,
    N_SHELTERS,
    N_SPAWNS,
    SHELTER_CELLS,
    SPAWN_TIME,
    SPAWNS,
    WIDTH,
    distance,
    manhattan,
    neighbour,
    pair_of,
)
from ...games.code_of_kutulu.minions import add_minion, by_number, make_update
from ...games.code_of_kutulu.state import (
    ALIVE,
    CELLS,
    EFFECTS,
    FRESH,
    LEFT,
    LIGHT,
    LIGHTS,
    LIT,
    MAX_SANITY,
    N_PLAYERS,
    NEXT_ID,
    PAIRS_BITS,
    PLAN,
    PLANS,
    RECEIVERS,
    SANITIES,
    SCORES,
    SHELTER,
    SHELTER_BITS,
    SHELTERS,
    SLASHED,
    SLASHER,
    TURN,
    UP,
    WAIT,
    WANDERER,
    YELL,
    YELLED,
    YELLS,
)

MAX_TURN = 200
SPAWN_INTERVAL = 5
SLASHER_SANITY = 200
SLASHER_SPAWN_TIME = 6
PLAN_TURNS, PLAN_RANGE, PLAN_HEAL = 4, 2, 3
LIGHT_TURNS, LIGHT_RANGE = 2, 5
YELL_RANGE = 1
COMPANY_RANGE = 2
LAST_LOSS = 50
SHELTER_INTERVAL, SHELTER_ENERGY, SHELTER_HEAL = 50, 10, 5
FULL_SHELTERS = sum(SHELTER_ENERGY << SHELTER_BITS * i for i in range(15))
OLD_YELLS = (1 << PAIRS_BITS) - 1


@inline
def is_over(maze, state):
    """Returns True if the game is over."""
    return state[ALIVE] == 0 or state[TURN] > MAX_TURN


@inline
def is_alive(state, player):
    return state[ALIVE] >> player & 1


@inline
def remove_player(state, player, score):
    """Remove a player from the game, with its plan or light."""
    state[ALIVE] &= ~(1 << player)
    state[SANITIES + player] = state[EFFECTS + player] = 0
    state[SCORES + player] = score


@inline
def running_yells(state):
    return state[YELLS] | state[YELLS] >> FRESH


@inline
def is_stuck(state, player):
    return running_yells(state) & RECEIVERS << player != 0


@inline
def is_casting(state, player):
    """Returns True if a player's effect is active. It forbids plan and light."""
    return state[EFFECTS + player] != 0 or running_yells(state) >> N_PLAYERS * player & 15 != 0


@inline
def spawn_slashers(maze, state):
    """Spawn a slasher for each player whose sanity falls below 200 for the first time."""
    for player in range(N_PLAYERS):
        low = state[SANITIES + player] < SLASHER_SANITY
        if low and is_alive(state, player) and state[SLASHED] >> player & 1 == 0:
            state[SLASHED] |= 1 << player
            cell = state[CELLS + player]
            add_minion(state, SLASHER, cell, SLASHER_SPAWN_TIME, player + 1, cell + 1)


@inline
def spawn_wanderers(maze, state):
    farthest, chosen = -1, 0
    for i in range(maze[N_SPAWNS]):
        nearest = maze[WIDTH] + maze[HEIGHT]
        for player in range(N_PLAYERS):
            if is_alive(state, player):
                pair = pair_of(maze, maze[SPAWNS + i], state[CELLS + player])
                nearest = min(nearest, manhattan(pair))
        if nearest > farthest:
            farthest, chosen = nearest, 0
        if nearest == farthest:
            chosen |= 1 << i
    for i in range(maze[N_SPAWNS]):
        if chosen >> i & 1:
            add_minion(state, WANDERER, maze[SPAWNS + i], maze[SPAWN_TIME], 0, 0)


@inline
def yell(maze, state, player):
    """Stun the players nearby at whom this player has not yelled before."""
    for other in range(N_PLAYERS):
        bit = 1 << N_PLAYERS * player + other
        if other != player and is_alive(state, other) and state[YELLED] & bit == 0:
            pair = pair_of(maze, state[CELLS + player], state[CELLS + other])
            if manhattan(pair) <= YELL_RANGE:
                state[YELLED] |= bit
                state[YELLS] |= bit << FRESH


@inline
def play_actions(maze, state, joint_action, first):
    waiting = 0
    for player in range(N_PLAYERS):
        if is_stuck(state, player):
            waiting |= 1 << player
    for player in range(N_PLAYERS):
        if (
            joint_action[first + player] == YELL
            and is_alive(state, player)
            and not waiting >> player & 1
        ):
            yell(maze, state, player)
    for player in range(N_PLAYERS):
        action = joint_action[first + player]
        if action == WAIT or not is_alive(state, player) or is_stuck(state, player):
            continue
        if action <= LEFT:
            state[CELLS + player] = neighbour(maze, state[CELLS + player], action - UP)
        elif action < YELL and not is_casting(state, player):
            if action == PLAN and state[PLANS + player] > 0:
                state[PLANS + player] -= 1
                state[EFFECTS + player] = PLAN_TURNS
            elif action == LIGHT and state[LIGHTS + player] > 0:
                state[LIGHTS + player] -= 1
                state[EFFECTS + player] = LIT | LIGHT_TURNS


@inline
def heal(state, player, points):
    state[SANITIES + player] = min(MAX_SANITY, state[SANITIES + player] + points)


@inline
def share_plan(maze, state, caster):
    heal(state, caster, PLAN_HEAL)
    for player in range(N_PLAYERS):
        if player != caster and is_alive(state, player):
            pair = pair_of(maze, state[CELLS + caster], state[CELLS + player])
            if distance(pair) <= PLAN_RANGE:
                heal(state, player, PLAN_HEAL)
                heal(state, caster, PLAN_HEAL)


@inline
def light_up(maze, state, caster, lit):
    """Light the cells around a caster. lit: True to keep other lit cells."""
    for cell in range(maze[N_CELLS]):
        near = distance(pair_of(maze, state[CELLS + caster], cell)) <= LIGHT_RANGE
        maze[LIT_CELLS + cell] = int(near or (lit and maze[LIT_CELLS + cell] != 0))


@inline
def play_effects(maze, state):
    """Play plans, lights, shelters. Count down plans, lights, yells. Returns True if cells are
    lit.
    """
    lit = False
    for player in range(N_PLAYERS):
        effect = state[EFFECTS + player]
        if effect == 0:
            continue
        if effect & LIT:
            light_up(maze, state, player, lit)
            lit = True
        else:
            share_plan(maze, state, player)
        state[EFFECTS + player] = 0 if effect & ~LIT == 1 else effect - 1
    if state[SHELTERS] != 0:
        for i in range(maze[N_SHELTERS]):
            use_shelter(maze, state, i)
    state[YELLS] = state[YELLS] >> FRESH & OLD_YELLS
    return lit


@inline
def use_shelter(maze, state, i):
    bit = SHELTER_BITS * i
    energy = state[SHELTERS] >> bit & SHELTER
    if energy > 0:
        n = 0
        for player in range(N_PLAYERS):
            if state[CELLS + player] == maze[SHELTER_CELLS + i] and is_alive(state, player):
                heal(state, player, SHELTER_HEAL)
                n += 1
        state[SHELTERS] ^= (energy ^ max(0, energy - n)) << bit


@inline
def lose_sanity(maze, state):
    last = state[ALIVE] & state[ALIVE] - 1 == 0
    for player in range(N_PLAYERS):
        if not is_alive(state, player):
            continue
        loss = maze[LONELY]
        for other in range(N_PLAYERS):
            if other != player and is_alive(state, other):
                pair = pair_of(maze, state[CELLS + player], state[CELLS + other])
                if manhattan(pair) <= COMPANY_RANGE:
                    loss = maze[GROUP]
        if last:
            loss = LAST_LOSS
        state[SANITIES + player] = max(0, state[SANITIES + player] - loss)
    for player in range(N_PLAYERS):
        if is_alive(state, player) and state[SANITIES + player] <= 0:
            remove_player(state, player, state[TURN])


@inline
def end_turn(maze, state):
    turn = state[TURN]
    if turn != 0 and turn % SHELTER_INTERVAL == 0:
        state[SHELTERS] = FULL_SHELTERS & (1 << SHELTER_BITS * maze[N_SHELTERS]) - 1
    if turn == MAX_TURN:
        for player in range(N_PLAYERS):
            if is_alive(state, player):
                state[SCORES + player] = MAX_TURN + state[SANITIES + player]
    state[TURN] = turn + 1


@inline
def no_draws(state, n):
    """Draw nothing for n new minions: the draws are not known."""


def make_apply(order_of, draw_for_minions):
    """Returns apply(maze, state, joint_action, first), which plays a turn.

    joint_action int64[*]: the players' actions from index `first` on. Impossible actions, also
    of eliminated players, count as WAIT. order_of: see `make_update`. draw_for_minions: see
    `no_draws`.
    """
    update_minions = make_update(order_of)

    @inline
    def apply(maze, state, joint_action, first):
        next_id = state[NEXT_ID]
        if maze[FULL]:
            spawn_slashers(maze, state)
        if state[TURN] % SPAWN_INTERVAL == 0:
            spawn_wanderers(maze, state)
        draw_for_minions(state, state[NEXT_ID] - next_id)
        play_actions(maze, state, joint_action, first)
        lit = play_effects(maze, state)
        update_minions(maze, state, lit)
        lose_sanity(maze, state)
        end_turn(maze, state)

    return apply


# For searches: without the random draws.
apply = make_apply(by_number, no_draws)
