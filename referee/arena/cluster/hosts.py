"""Tests if the hosts of a cluster play alike, by the residuals of their bots' games.

A slow host lets bots that think by time search fewer nodes a turn, and bots that count nodes take
longer for them. Of each bot's games the logarithm of both is compared with its mean. The residuals
of a host's games should differ from those of all others by chance only. Welch's t-test decides
(Biometrika 34, 1947), its level divided by the number of hosts and measures (Bonferroni).
"""

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import NormalDist, fmean, variance
from typing import Iterable

from referee.arena.series import Series
from referee.arena.store import Store

# The probability to name any host in an arena whose hosts are all alike.
LEVEL = 0.001
# Smaller differences do not matter.
LEAST_SHARE = 0.05
LEAST_GAMES = 20
MEASURES = {"nodes": "search {} nodes a turn", "ms": "take {} CPU time for a node"}


@dataclass(frozen=True)
class HostSample:
    """Nodes a turn and CPU milliseconds a node of a bot, in a game on a host."""

    game: int
    host: str
    bot: str
    nodes: float
    ms: float


@dataclass(frozen=True)
class HostOutlier:
    """A host that differs from the others; share: relative to the usual amount, as -0.3 for
    less.
    """

    host: str
    measure: str
    share: float
    n_games: int

    def __str__(self) -> str:
        amount = f"{abs(self.share):.0%} {'less' if self.share < 0 else 'more'}"
        if self.measure == "nodes":
            amount = amount.replace("less", "fewer")
        text = MEASURES[self.measure].format(amount)
        return f"on {self.host} bots {text} than elsewhere ({self.n_games} games)"


def host_samples(store: Store, series: Series) -> list[HostSample]:
    """Returns the samples of a stored series, of each bot and game with a node count."""
    rows = store.connection.execute(
        "SELECT games.id, host, bot, total / said.turns, cpu_ms / total FROM places"
        " JOIN games ON games.id = places.game JOIN seats ON seats.game = games.id"
        " JOIN said ON said.game = games.id AND said.seat = seats.seat AND said.name = 'nodes'"
        " WHERE series = ? AND total > 0 ORDER BY games.id, seats.seat",
        (series.number,),
    )
    return [HostSample(*row) for row in rows]


def find_outlier_hosts(samples: Iterable[HostSample]) -> list[HostOutlier]:
    """Returns the hosts that differ from the others that are left, the strongest outlier first."""
    seen = [sample for sample in samples if sample.nodes > 0 and sample.ms > 0]
    outliers = []
    for measure in MEASURES:
        left = seen
        while outlier := find_strongest_outlier(left, measure):
            outliers.append(outlier)
            left = [sample for sample in left if sample.host != outlier.host]
    return outliers


def find_strongest_outlier(samples: list[HostSample], measure: str) -> HostOutlier | None:
    """Returns the host that surely differs most from all others together; of two, the slower."""
    residuals = residuals_by_host(samples, measure)
    limit = NormalDist().inv_cdf(1 - LEVEL / (2 * len(MEASURES) * max(1, len(residuals))))
    candidates = []
    for host, leads in residuals.items():
        others = [value for other in residuals if other != host for value in residuals[other]]
        if min(len(leads), len(others)) < LEAST_GAMES:
            continue
        lead = fmean(leads) - fmean(others)
        spread = math.sqrt(variance(leads) / len(leads) + variance(others) / len(others))
        if abs(lead) > limit * spread and abs(math.expm1(lead)) >= LEAST_SHARE:
            slower = -lead if measure == "nodes" else lead
            outlier = HostOutlier(host, measure, math.expm1(lead), len(leads))
            candidates.append((round(abs(lead), 9), slower, outlier))
    return max(candidates, key=lambda candidate: candidate[:2])[2] if candidates else None


def residuals_by_host(samples: list[HostSample], measure: str) -> dict[str, list[float]]:
    """Returns by host the logarithms of a measure less the bot's mean.

    The mean counts each host once: else a host that plays most would be the norm.
    """
    logs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        logs[sample.bot][sample.host].append(math.log(getattr(sample, measure)))
    norms = {bot: fmean(map(fmean, of_hosts.values())) for bot, of_hosts in logs.items()}
    # A disturbance may have slowed all bots of a game: its mean is one sample.
    games: dict[tuple[str, int], list[float]] = defaultdict(list)
    for sample in samples:
        games[sample.host, sample.game].append(
            math.log(getattr(sample, measure)) - norms[sample.bot]
        )
    residuals: dict[str, list[float]] = defaultdict(list)
    for (host, _), values in games.items():
        residuals[host].append(fmean(values))
    return residuals
