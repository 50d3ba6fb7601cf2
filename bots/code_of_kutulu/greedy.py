"""Code of Kutulu without search: step away from minions and stay near the others."""

from bots.code_of_kutulu.planner import make_player
from shared.core.loop import run
from shared.games.code_of_kutulu.maze import N_DIRECTIONS, distance, neighbour, pair_of
from shared.games.code_of_kutulu.state import (
    CELL,
    CELLS,
    MINIONS,
    N_MINIONS,
    UP,
    WAIT,
    living,
)

SAFE = 6  # distance from a minion beyond which it does not matter
NEAR = 2  # distance from another player


def rank(setup, state, cell):
    """Returns a cell's rank."""
    minions = [int(minion) & CELL for minion in state[MINIONS : MINIONS + state[N_MINIONS]]]
    others = [state[CELLS + player] for player in living(state) if player != 0]
    danger = min([SAFE, *(int(distance(pair_of(setup, cell, other))) for other in minions)])
    alone = min((int(distance(pair_of(setup, cell, other))) for other in others), default=0)
    return danger - max(0, alone - NEAR)


def choose(setup, state):
    """Returns the step of highest rank, WAIT if none is better."""
    here = int(state[CELLS])
    steps = {UP + i: int(neighbour(setup, here, i)) for i in range(N_DIRECTIONS)}
    ranks = {WAIT: rank(setup, state, here)}
    ranks |= {step: rank(setup, state, cell) for step, cell in steps.items() if cell != here}
    return max(ranks, key=lambda action: ranks[action])


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return make_player(read_line, choose)


if __name__ == "__main__":
    run(new_player)
