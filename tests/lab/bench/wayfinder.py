"""Path searches of a point among polygons, on maps of Wayfinder: their costs and their paths.

Medians over maps, with the least and the greatest. Lengths are compared with the shortest found.
"""

import statistics
from random import Random

import numpy as np

from shared.games.wayfinder.clearance import are_free, ends_of
from shared.games.wayfinder.maps import KINDS, new_map
from shared.games.wayfinder.state import WORLD
from shared.path.statuses import NO_PATH
from tests.lab.measure import spread
from tests.lab.paths.rivals import mean_us, mesh_methods

N_MAPS, N_QUERIES = 10, 40


def free_queries(rings, rng):
    """Pairs of free places, [N, 4]."""
    places = np.array([(rng.randrange(WORLD), rng.randrange(WORLD)) for _ in range(500)])
    free = places[are_free(places.astype(float), *ends_of(rings))].tolist()
    return np.array([rng.choice(free) + rng.choice(free) for _ in range(N_QUERIES)])


def path_methods():
    """(title, columns, rows) of a table."""
    found = {}
    for seed in range(N_MAPS):
        rng = Random(f"bench {seed}")
        rings = new_map(KINDS[seed % len(KINDS)], rng)
        queries, lengths = free_queries(rings, rng), {}
        for name, (find, kept, ms) in mesh_methods(rings).items():
            us = mean_us(find, kept, queries)
            lengths[name] = np.array([find(kept, query) for query in queries], float)
            lengths[name][lengths[name] == NO_PATH] = np.inf
            found.setdefault(name, []).append((ms, us))
        best = np.minimum.reduce(list(lengths.values()))
        for name, long in lengths.items():
            has_path = np.isfinite(best) & np.isfinite(long)
            share = 100 * has_path.sum() / max(1, np.isfinite(best).sum())
            excess = 100 * (long[has_path] / np.maximum(best[has_path], 1e-9) - 1).mean()
            found[name][-1] += share, excess
    rows = []
    for name, measured in found.items():
        ms, us, shares, excess = zip(*measured)
        means = f"{statistics.mean(shares):.1f}", f"{statistics.mean(excess):.2f}"
        rows.append([name, spread(ms, digits=2), spread(us, digits=1), *means])
    columns = ("method", "prepared in ms", "query in us", "found, %", "longer by %")
    return f"Paths among polygons: {N_MAPS} maps, {N_QUERIES} queries each", columns, rows
