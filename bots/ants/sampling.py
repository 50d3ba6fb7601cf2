"""A bot's choice by the sampler: samples until time is up, then the best moves of all own ants."""

from typing import Callable

from bots.ants.combat import N_AGENTS, N_OWN
from bots.ants.tracker import MAX_ANTS
from shared.core.clock import Clock
from shared.search.sampler import Options, SampledGame, is_finished, new_trees, reset


def make_choose(
    game: SampledGame,
    options: Options,
    search: Callable,
    best_actions: Callable,
    clock: Clock,
    most: int,
) -> Callable:
    """choose(field): sample by the clock, at most `most` times an ant, and put the own ants."""
    trees = new_trees(game, options, 2 * MAX_ANTS)

    def choose(field):
        n_own, n_agents = int(field.numbers[N_OWN]), int(field.numbers[N_AGENTS])
        reset(trees)
        left = most * n_agents
        while not is_finished(trees) and (nodes := clock.grant()):
            n = min(nodes, left)
            search(field, trees, n_agents, n)
            left -= n
            if left == 0:
                break
        best_actions(field, trees, 0, n_own)

    return choose
