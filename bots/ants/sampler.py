"""Ants by random sampling: one sampler for the moves of all ants, as in a1k0n's bot; then local
fights by all joint moves and replies.
"""

import math
from typing import Callable

from bots.ants.clash import Fight, begin, new_clash, settle
from bots.ants.combat import HOLD, N_AGENTS, N_MOVES, N_OWN, make_game
from bots.ants.planner import MARGIN_MS, make_player
from bots.ants.survey import Weights
from bots.ants.tracker import MAX_ANTS
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import expect, run
from shared.games.ants.protocol import LIMITS
from shared.games.ants.state import DIRECTIONS
from shared.search.sampler import (
    Options,
    is_finished,
    make_best_actions,
    make_search,
    new_trees,
    reset,
    summary,
)

# Tuning: see NOTES.md.
MOST_SAMPLES = 2000  # samples an ant and turn
MOST_OF_ALL = 250_000  # samples a turn, some 60 ms: the fights need the rest
MOST_MS = 30  # the most time for a group's decision, less than the margin
OPTIONS = Options()
WEIGHTS = Weights(
    food=3.0,
    explore=40 / 65536,
    enemy=(0.05, 0.85),
    threat=(10.0, 0.8),
    defence=(3.0, 0.85),
    room=3.0,
)
FIGHT = Fight()

GAME = make_game()
search = kernel(make_search(GAME, OPTIONS))
best_actions = kernel(make_best_actions(GAME, OPTIONS))


def told(memory, field) -> str:
    """Returns all ants' orders for `expect`, enemies' as the samples left them."""
    orders = []
    for ant in range(field.numbers[N_AGENTS]):
        cell, move = field.targets[ant * N_MOVES + HOLD], field.moves[ant]
        if move != HOLD:
            orders.append(f"{memory.rows[cell]} {memory.columns[cell]} {DIRECTIONS[move]}")
    return ";".join(orders)


def make_choose(clock: Clock, fight: Fight) -> Callable:
    """Returns choose(memory, field): it samples until the clock stops it, MOST_SAMPLES an ant at
    most, lets groups decide in the time left, and sets the moves.
    """
    trees = new_trees(GAME, OPTIONS, 2 * MAX_ANTS)
    clash = new_clash(fight, 2 * MAX_ANTS)

    def choose(memory, field):
        n_own, n_agents = int(field.numbers[N_OWN]), int(field.numbers[N_AGENTS])
        reset(trees)
        left = min(MOST_SAMPLES * n_agents, MOST_OF_ALL)
        spare = 0
        while left > 0 and not is_finished(trees) and (spare := clock.grant()):
            before = summary(trees).iterations
            search(field, trees, n_agents, min(spare, left))
            taken = summary(trees).iterations - before
            left -= taken
            spare -= taken
        best_actions(field, trees, 0, n_own)
        for _ in range(fight.passes):
            begin(field, clash)
            while spare > 0 or (spare := clock.grant()) > 0:
                # Of the milliseconds left, or of the nodes.
                most = int(MOST_MS * clock.rate) or spare
                n = settle(memory, field, clash, fight.choosing, min(fight.replies, most))
                if n == 0:
                    break
                spare -= n
        expect(math.nan, 1, summary(trees).iterations, [told(memory, field)])

    return choose


def new_player(read_line: Callable, weights: Weights = WEIGHTS, fight: Fight = FIGHT) -> tuple:
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    return make_player(read_line, weights, make_choose(clock, fight), clock)


if __name__ == "__main__":
    run(new_player)
