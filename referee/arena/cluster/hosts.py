"""Whether the hosts of a cluster play alike: by the residuals of what bots did there.

A slow host lets bots that think by time search fewer nodes a turn, and bots that count nodes take
longer for them. Of each bot's games the logarithm of both is compared with its mean; the residuals
of a host's games should be those of all others but for chance. Welch's t-test says whether they are
(Biometrika 34, 1947), its level divided by the number of hosts and measures (Bonferroni).
"""

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import NormalDist, fmean, variance
from typing import Iterable

# How often any host is to be named in an arena whose hosts are all alike.
LEVEL = 0.001
# Less than that does not matter.
LEAST_SHARE = 0.05
LEAST_GAMES = 20
MEASURES = {"nodes": "search {} nodes a turn", "ms": "take {} CPU time for a node"}


@dataclass(frozen=True)
class HostSample:
    """What a bot did in a game on a host: nodes a turn, and CPU milliseconds for a node."""

    game: int
    host: str
    bot: str
    nodes: float
    ms: float


@dataclass(frozen=True)
class HostOutlier:
    """A host that differs from the others. share: by how much of what is usual, as -0.3 for less."""

    host: str
    measure: str
    share: float
    n_games: int

    def __str__(self) -> str:
        amount = f"{abs(self.share):.0%} {'less' if self.share < 0 else 'more'}"
        if self.measure == "nodes":
            amount = amount.replace("less", "fewer")
        said = MEASURES[self.measure].format(amount)
        return f"on {self.host} bots {said} than elsewhere ({self.n_games} games)"


def find_outlier_hosts(samples: Iterable[HostSample]) -> list[HostOutlier]:
    """The hosts that differ from the others. The find_strongest_outlier is named first and counts
    no more: what is odd may be odd only beside it.
    """
    seen = [one for one in samples if one.nodes > 0 and one.ms > 0]
    found = []
    for measure in MEASURES:
        left = seen
        while odd := find_strongest_outlier(left, measure):
            found.append(odd)
            left = [one for one in left if one.host != odd.host]
    return found


def find_strongest_outlier(samples: list[HostSample], measure: str) -> HostOutlier | None:
    """The host that surely differs most from all others together; of two, the slower."""
    residuals = residuals_by_host(samples, measure)
    limit = NormalDist().inv_cdf(1 - LEVEL / (2 * len(MEASURES) * max(1, len(residuals))))
    candidates = []
    for host, own in residuals.items():
        others = [value for other in residuals if other != host for value in residuals[other]]
        if min(len(own), len(others)) < LEAST_GAMES:
            continue
        lead = fmean(own) - fmean(others)
        spread = math.sqrt(variance(own) / len(own) + variance(others) / len(others))
        if abs(lead) > limit * spread and abs(math.expm1(lead)) >= LEAST_SHARE:
            slower = -lead if measure == "nodes" else lead
            odd = HostOutlier(host, measure, math.expm1(lead), len(own))
            candidates.append((round(abs(lead), 9), slower, odd))
    return max(candidates, key=lambda one: one[:2])[2] if candidates else None


def residuals_by_host(samples: list[HostSample], measure: str) -> dict[str, list[float]]:
    """By hosts, the logarithms of a measure less the bot's mean, which counts each host as one: a
    host that plays most would else be the norm.
    """
    logs: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in samples:
        logs[one.bot][one.host].append(math.log(getattr(one, measure)))
    norms = {bot: fmean(map(fmean, of_hosts.values())) for bot, of_hosts in logs.items()}
    # What slowed one bot of a game may have slowed the others.
    games: dict[tuple[str, int], list[float]] = defaultdict(list)
    for one in samples:
        games[one.host, one.game].append(math.log(getattr(one, measure)) - norms[one.bot])
    residuals: dict[str, list[float]] = defaultdict(list)
    for (host, _), values in games.items():
        residuals[host].append(fmean(values))
    return residuals
