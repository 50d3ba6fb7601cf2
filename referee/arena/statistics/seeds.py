"""What the games of each seed came to, as the statistics need it: the seeds are their samples.

Kept are sums, so a series of many games is no longer than one of few games on as many seeds. Shapes: S seeds,
P players (the arena's bots), C choice sets.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations

import numpy as np

from referee.arena.statistics.plackett_luce import Choices, Finish, choices_of


class Seeds:
    """Sums over the games of each seed.

    `chosen` and `offered` as in `Choices`; points: of each player, of as many comparisons with
    others at the table (`met`), S x P; equal rank is half a point.
    """

    def __init__(self, n_players: int):
        self.rows: dict[int, int] = {}
        self.columns: dict[tuple[int, ...], int] = {}
        self._chosen, self._points, self._met = (np.zeros((16, n_players)) for _ in range(3))
        self._offered = np.zeros((16, 4))

    def add(self, seed: int, finish: Finish) -> None:
        """Add a game of a seed."""
        row = self.rows.setdefault(seed, len(self.rows))
        if row == len(self._chosen):
            for name in ("_chosen", "_points", "_met", "_offered"):
                grown = getattr(self, name)
                setattr(self, name, np.concatenate([grown, np.zeros_like(grown)]))
        chosen, offered = choices_of(finish)
        for player, times in chosen.items():
            self._chosen[row, player] += times
        for choice_set, times in offered.items():
            column = self.columns.setdefault(choice_set, len(self.columns))
            if column == self._offered.shape[1]:
                self._offered = np.concatenate([self._offered, np.zeros_like(self._offered)], 1)
            self._offered[row, column] += times
        points, met = points_of(finish)
        for player, n in met.items():
            self._points[row, player] += points[player]
            self._met[row, player] += n

    def choices(self) -> Choices:
        """All choices in the games."""
        n_players = self._chosen.shape[1]
        sets = np.zeros((len(self.columns), n_players))
        for choice_set, column in self.columns.items():
            np.add.at(sets[column], list(choice_set), 1)
        n = len(self.rows)
        return Choices(self._chosen[:n], self._offered[:n, : len(sets)], sets)

    def comparisons(self, player: int) -> Choices:
        """The player's comparisons with all others, as with one other of number 1."""
        n = len(self.rows)
        points, met = self._points[:n, player], self._met[:n, player]
        there = met > 0
        chosen = np.stack([points, met - points], axis=1)[there]
        return Choices(chosen, met[there, None], np.ones((1, 2)))


@lru_cache(maxsize=100_000)
def points_of(finish: Finish) -> tuple[Counter[int], Counter[int]]:
    """The points that each player made against others at the table, and how many it met."""
    points: Counter[int] = Counter()
    met: Counter[int] = Counter()
    placed = [(place, player) for place, tied in enumerate(finish) for player in tied]
    for (place, one), (other_place, other) in combinations(placed, 2):
        if one == other:
            continue
        met.update((one, other))
        points[one] += 1.0 if place < other_place else 0.5  # type: ignore[assignment]
        points[other] += 0.0 if place < other_place else 0.5  # type: ignore[assignment]
    return points, met
