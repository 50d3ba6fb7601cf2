"""Scores and Elo with the interval that the groups of games allow.

The games of a group share their seed, so they are no independent trials: the spread is measured
between groups. For two bots and two games a group that is the pentanomial model (five possible
scores of a pair) of Stockfish's testing; the interval is Wilson's (Journal of the American
Statistical Association 22, 1927) for as many independent games as would have that spread.
"""

import math
from collections import Counter
from dataclasses import dataclass

from referee.arena.tally import Group, Pairing

# The normal quantile of a 95% interval.
Z95 = 1.959964
# Elo points per unit of natural log-odds.
ELO_SCALE = 400 / math.log(10)


@dataclass(frozen=True)
class Estimate:
    """A number and its 95% interval."""

    value: float
    low: float
    high: float


def score(pairing: Pairing) -> Estimate:
    """The first bot's share of the points, 0 to 1, of a pairing with at least one game."""
    share = pairing.points / pairing.n_games
    return Estimate(share, *wilson_interval(share, independent_games(pairing.groups)))


def elo(pairing: Pairing) -> Estimate:
    """How many Elo points the first bot is above the second.

    A clean sweep would be infinite: it counts as if half a point had gone the other way.
    """
    share, half_point = score(pairing), 0.5 / pairing.n_games

    def of(value: float) -> float:
        value = min(max(value, half_point), 1 - half_point)
        return ELO_SCALE * math.log(value / (1 - value))

    return Estimate(of(share.value), of(share.low), of(share.high))


def expected_score(elo_difference: float) -> float:
    """The share of the points that a lead in Elo promises."""
    return 1 / (1 + 10 ** (-elo_difference / 400))


def independent_games(groups: Counter[Group]) -> float:
    """How many independent games without draws would tell as much about the score as these groups.

    Few groups may be all alike by chance. So one more group is added that nothing is known of: its
    games are tosses of a coin.
    """
    size = max(group.n_games for group in groups)
    n_games = sum(group.n_games * count for group, count in groups.items())
    points = sum(group.half_points / 2 * count for group, count in groups.items())
    mean = (points + size / 2) / (n_games + size)
    squares = sum(
        (group.half_points / 2 - group.n_games * mean) ** 2 * count
        for group, count in groups.items()
    )
    squares += (size / 2 - size * mean) ** 2 + size / 4
    return mean * (1 - mean) * n_games * (n_games + size) / squares


def wilson_interval(share: float, n_games: float) -> tuple[float, float]:
    """The 95% interval of a share of the points in so many independent games."""
    z2 = Z95 * Z95
    middle = (share + z2 / (2 * n_games)) / (1 + z2 / n_games)
    reach = Z95 / (1 + z2 / n_games)
    reach *= math.sqrt(share * (1 - share) / n_games + z2 / (4 * n_games * n_games))
    return max(0.0, middle - reach), min(1.0, middle + reach)
