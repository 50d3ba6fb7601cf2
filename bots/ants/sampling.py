"""How a bot lets the sampler choose: samples until time is up, then all own ants settle."""

from typing import Callable

from bots.ants.combat import N_AGENTS, N_OWN
from bots.ants.tracker import MAX_ANTS
from shared.core.clock import Clock
from shared.search.sampler import SAMPLES, Options, SampledGame, new_samples, restart


def make_choose(
    game: SampledGame, options: Options, sample: Callable, settle: Callable, clock: Clock, most: int
) -> Callable:
    """choose(field): sample by the clock, at most `most` times an ant, and put the own ants."""
    samples = new_samples(game, options, 2 * MAX_ANTS)

    def choose(field):
        n_own, n_agents = int(field.numbers[N_OWN]), int(field.numbers[N_AGENTS])
        restart(samples)
        wanted = 0
        while nodes := clock.grant():
            wanted = min(wanted + nodes, most * n_agents)
            sample(field, samples, n_agents, wanted - int(samples.counters[SAMPLES]))
            # All have converged, or have been sampled enough.
            if samples.counters[SAMPLES] < wanted or wanted == most * n_agents:
                break
        settle(field, samples, 0, n_own)

    return choose
