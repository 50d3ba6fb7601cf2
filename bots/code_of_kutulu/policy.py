"""A model of explorers: the odds of each step of a player, by the cell it leads to.

The odds are proportional to e to the cell's points (a conditional logit model), with e**x taken as
(1 + x / 16)**16. The points were fitted to 6,500 moves of three bots: see NOTES.md. Plans, lights
and yells are counted as WAIT.
"""

from bots.code_of_kutulu.game import WAYS_OUT, is_threatened
from shared.core.jit import inline, njit
from shared.core.rng import random_unit
from shared.games.code_of_kutulu.maze import (
    N_DIRECTIONS,
    N_SHELTERS,
    SHELTER_CELLS,
    UNREACHABLE,
    distance,
    is_clear,
    neighbour,
    pair_of,
)
from shared.games.code_of_kutulu.sim import is_alive
from shared.games.code_of_kutulu.state import (
    CELL,
    CELLS,
    KIND_BIT,
    MINIONS,
    N_MINIONS,
    N_PLAYERS,
    SHELTER,
    SHELTER_BITS,
    SHELTERS,
    SPAWNING,
    STALKING,
    STATE,
    STATE_BIT,
    TIMER,
    TIMER_BIT,
    UP,
    WAIT,
    WANDERER,
    WANDERING,
)

THREAT = -1.4  # a minion can hit there in the next turn
WANDERER_STEP, FAR_WANDERER = 0.77, 8  # a step from the nearest wanderer, up to that distance
CLOSE_STEP, CLOSE_MINION = -0.31, 6  # a step nearer than that to a minion, summed over all
RUSH_SOON, SOON = -0.24, 2  # seen by a slasher that rushes after at most that many turns
LONELY_STEP, COMPANY = -0.71, 2  # a step beyond that distance from the nearest other player
OTHERS_STEP = -0.125  # a step from any other player
DEAD_END_STEP = -0.38
SHELTER_STEP, FAR_SHELTER = 0.24, 12  # a step nearer than that to a shelter with energy
STAY = 0.13


@inline
def points_of_minions(setup, state, cell):
    """Returns a cell's points for minions around it, without THREAT."""
    nearest, close, soon = FAR_WANDERER, 0, 0
    for i in range(state[N_MINIONS]):
        minion = state[MINIONS + i]
        minion_state = minion >> STATE_BIT & STATE
        pair = pair_of(setup, cell, minion & CELL)
        if minion_state != SPAWNING:
            close += max(0, CLOSE_MINION - distance(pair))
        if minion >> KIND_BIT & 1 == WANDERER:
            if minion_state == WANDERING:
                nearest = min(nearest, distance(pair))
        elif minion_state in (STALKING, SPAWNING) and is_clear(pair):
            soon += int(minion >> TIMER_BIT & TIMER <= SOON)
    return WANDERER_STEP * nearest + CLOSE_STEP * close + RUSH_SOON * soon


@inline
def points_of_others(setup, state, player, cell):
    """Returns a cell's points for other players."""
    nearest, total = UNREACHABLE, 0
    for other in range(N_PLAYERS):
        if other != player and is_alive(state, other):
            steps = distance(pair_of(setup, cell, state[CELLS + other]))
            nearest = min(nearest, steps)
            total += steps
    if nearest == UNREACHABLE:
        return 0.0
    return LONELY_STEP * max(0, nearest - COMPANY) + OTHERS_STEP * total


@inline
def points_of_shelters(setup, state, cell):
    nearer = 0
    if state[SHELTERS] != 0:
        for i in range(setup[N_SHELTERS]):
            if state[SHELTERS] >> SHELTER_BITS * i & SHELTER > 0:
                pair = pair_of(setup, cell, setup[SHELTER_CELLS + i])
                nearer = max(nearer, FAR_SHELTER - distance(pair))
    return SHELTER_STEP * nearer


@njit
def points_of(setup, state, player, cell):
    """Returns a cell's points as a player's next cell."""
    points = points_of_minions(setup, state, cell) + points_of_others(setup, state, player, cell)
    points += points_of_shelters(setup, state, cell)
    points += DEAD_END_STEP * setup[WAYS_OUT + (cell & CELL)]
    return points + THREAT * is_threatened(state, cell)


@inline
def odds_of(points):
    """Returns about e ** points, equal in all modes."""
    odds = max(0.0, 1.0 + 0.0625 * points)
    odds *= odds
    odds *= odds
    odds *= odds
    return odds * odds


@njit
def foresee(setup, state, player, rng):
    """Draw a player's step by the odds."""
    if not is_alive(state, player):
        return WAIT
    cell = state[CELLS + player]
    chosen, total, stay = WAIT, 0.0, 0.0
    for action in range(N_DIRECTIONS + 1):
        next_cell = cell if action == WAIT else neighbour(setup, cell, action - UP)
        if action == WAIT or next_cell != cell:
            points = points_of(setup, state, player, next_cell)
            if action == WAIT:
                stay = points + STAY
                points = stay
            odds = odds_of(points - stay)
            total += odds
            if random_unit(rng) * total < odds:
                chosen = action
    return chosen
