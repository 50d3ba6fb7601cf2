"""Ants by random sampling until time is up; then all own ants settle."""

from typing import Callable

from bots.ants.combat import N_AGENTS, N_OWN, make_game
from bots.ants.planner import MARGIN_MS, make_player
from bots.ants.survey import Weights
from bots.ants.tracker import MAX_ANTS
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.games.ants.protocol import LIMITS
from shared.search.sampler import SAMPLES, Options, make_sample, make_settle, new_samples, restart

# How they were tuned: NOTES.md.
MOST_SAMPLES = 2000  # an ant and turn
OPTIONS = Options()
WEIGHTS = Weights(
    food=3.0,
    explore=40 / 65536,
    enemy=(0.05, 0.85),
    threat=(10.0, 0.8),
    defence=(3.0, 0.85),
)

GAME = make_game()
sample = kernel(make_sample(GAME, OPTIONS))
settle = kernel(make_settle(GAME, OPTIONS))


def make_choose(clock: Clock) -> Callable:
    """choose(field) samples by the clock, MOST_SAMPLES an ant at most, and puts the own ants."""
    samples = new_samples(GAME, OPTIONS, 2 * MAX_ANTS)

    def choose(field):
        n_own, n_agents = int(field.numbers[N_OWN]), int(field.numbers[N_AGENTS])
        restart(samples)
        wanted, most = 0, MOST_SAMPLES * n_agents
        while nodes := clock.grant():
            wanted = min(wanted + nodes, most)
            sample(field, samples, n_agents, wanted - int(samples.counters[SAMPLES]))
            # All have converged, or have been sampled enough.
            if samples.counters[SAMPLES] < wanted or wanted == most:
                break
        settle(field, samples, 0, n_own)

    return choose


def sampling_player(read_line: Callable, weights: Weights) -> tuple:
    """Returns what `run` needs to play one game with these weights."""
    clock = Clock(LIMITS, MARGIN_MS)
    return make_player(read_line, weights, make_choose(clock), clock)
