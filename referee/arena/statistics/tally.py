"""Counts results: wins between each pair of bots by groups of games, and choices by seed.

In a game of more than two, each pair of players at the table counts as a game between them, unless
they are the same bot. The seeds are the samples of the statistics. Sums are kept of each, so a long
series takes no more memory than a short one on as many seeds.

Shapes: S seeds, P players (the arena's bots), C choice sets.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, groupby
from typing import Protocol

import numpy as np

from referee.arena.statistics.plackett_luce import Choices, Finish, Spread, choices_of, fit_quickly

# Half points, so that all counts are integers.
WIN, DRAW, LOSS = 2, 1, 0


@dataclass(frozen=True)
class Group:
    """Games of one seed between two bots: their number, and the half points of the first bot."""

    n_games: int
    half_points: int


@dataclass
class Pairing:
    """The games between two bots, from the view of the first.

    groups: the count of each kind of group; between two players in two games the half points 0 to 4
    of a group give the pentanomial distribution.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    groups: Counter[Group] = field(default_factory=Counter)

    @property
    def n_games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def pairs(self) -> Counter[int]:
        """Counts of groups of two games by their half points, 0 to 4."""
        return self.scores(2)

    def scores(self, n_games: int) -> Counter[int]:
        """Returns the counts of groups of this many games by their half points."""
        return Counter(
            {group.half_points: n for group, n in self.groups.items() if group.n_games == n_games}
        )

    def add_group(self, results: list[int]) -> None:
        """Count the games of a group, each a WIN, DRAW or LOSS."""
        self.wins += results.count(WIN)
        self.draws += results.count(DRAW)
        self.losses += results.count(LOSS)
        self.groups[Group(len(results), sum(results))] += 1

    def reversed(self) -> "Pairing":
        """The same games from the view of the second bot."""
        groups: Counter[Group] = Counter()
        for group, count in self.groups.items():
            groups[Group(group.n_games, WIN * group.n_games - group.half_points)] += count
        return Pairing(self.losses, self.draws, self.wins, groups)


class Placed(Protocol):
    """A player's place in a game.

    rank: 0 is the best. fault: the reason of its elimination, or None. opening: of a game for one
    player, the digest of its first input.
    """

    @property
    def rank(self) -> int: ...

    @property
    def score(self) -> float: ...

    @property
    def fault(self) -> str | None: ...

    @property
    def opening(self) -> str: ...


class Tally:
    """The pairings of bots numbered from 0, and their errors; groups must come one after the other.

    pairings: by the two bots' numbers, the lower first. games: of each bot. places: the sum of its
    places, 1 the best, shared by players of equal rank; seats: their total number. errors: games in
    which it was eliminated. n_games: all. most_seats: at a table.
    """

    def __init__(self, n_bots: int) -> None:
        self.n_bots = n_bots
        self.n_games = 0
        self.most_seats = 2
        self.games = [0] * n_bots
        self.seats = [0] * n_bots
        self.places = [0.0] * n_bots
        self.errors = [0] * n_bots
        self.pairings: dict[tuple[int, int], Pairing] = {}
        self.seeds = Seeds(n_bots)

    def grow(self, n_bots: int) -> None:
        """Make room for further bots."""
        n_new = n_bots - self.n_bots
        for counts in (self.games, self.seats, self.places, self.errors):
            counts.extend([0] * n_new)
        self.n_bots = n_bots
        self.seeds.grow(n_bots)

    def add_group(
        self, seed: int, games: Sequence[tuple[tuple[int, ...], Sequence[Placed]]]
    ) -> None:
        """Count a group's games, as many as there are: seating, and each seat's place."""
        results: dict[tuple[int, int], list[int]] = {}
        for seating, seats in games:
            self.n_games += 1
            self.most_seats = max(self.most_seats, len(seating))
            for bot in set(seating):
                self.games[bot] += 1
            for bot, seat in zip(seating, seats):
                self.errors[bot] += seat.fault is not None
            ranks = [seat.rank for seat in seats]
            better = 0
            finish = finish_of(seating, ranks)
            for tied in finish:
                for bot in tied:
                    self.seats[bot] += 1
                    self.places[bot] += better + (1 + len(tied)) / 2
                better += len(tied)
            self.seeds.add(seed, finish)
            placed = sorted(zip(seating, ranks))
            for index, (bot, rank) in enumerate(placed):
                for other, other_rank in placed[index + 1 :]:
                    if bot == other:
                        continue
                    result = WIN if rank < other_rank else LOSS if rank > other_rank else DRAW
                    results.setdefault((bot, other), []).append(result)
        for bots, half_points in results.items():
            self.pairings.setdefault(bots, Pairing()).add_group(half_points)

    def pairing(self, bot: int, other: int) -> Pairing | None:
        """The games between two bots from the view of `one`, None if they never met."""
        if bot < other:
            return self.pairings.get((bot, other))
        pairing = self.pairings.get((other, bot))
        return pairing and pairing.reversed()

    def pairings_of(self, bot: int) -> list[Pairing]:
        """Returns the games of a bot against each other that it has met."""
        pairings = (self.pairing(bot, other) for other in range(self.n_bots))
        return [pairing for pairing in pairings if pairing]


def finish_of(seating: tuple[int, ...], ranks: list[int]) -> Finish:
    """Returns the bots of a game by rank, the best first, grouped by equal rank."""
    placed = sorted(zip(ranks, seating))
    return tuple(
        tuple(bot for _, bot in tied) for _, tied in groupby(placed, key=lambda place: place[0])
    )


class Seeds:
    """Sums over the games of each seed.

    `chosen` and `offered` as in `Choices`; points: of each player, of as many comparisons with
    others at the table (`met`), S x P; equal rank is half a point.
    """

    def __init__(self, n_players: int) -> None:
        self.rows: dict[int, int] = {}
        self.columns: dict[tuple[int, ...], int] = {}
        self._chosen, self._points, self._met = (np.zeros((16, n_players)) for _ in range(3))
        self._offered = np.zeros((16, 4))

    def grow(self, n_players: int) -> None:
        """Make room for further players."""
        n_new = n_players - self._chosen.shape[1]
        for name in ("_chosen", "_points", "_met"):
            setattr(self, name, np.pad(getattr(self, name), ((0, 0), (0, n_new))))

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

    def quick_fit(self, start: np.ndarray) -> Spread:
        """Returns the strengths of the players of at least one game, quickly; start: to begin with,
        of mean 0, P.
        """
        sums = self._chosen.sum(axis=0), self._offered[:, : len(self.columns)].sum(axis=0)
        return fit_quickly(*sums, list(self.columns), start)

    def choices(self) -> Choices:
        """All choices in the games."""
        n_players = self._chosen.shape[1]
        sets = np.zeros((len(self.columns), n_players))
        for choice_set, column in self.columns.items():
            np.add.at(sets[column], list(choice_set), 1)
        n = len(self.rows)
        return Choices(self._chosen[:n], self._offered[:n, : len(sets)], sets)

    def comparisons(self, player: int) -> Choices:
        """The player's comparisons with all others, as with a single other player, number 1."""
        n = len(self.rows)
        points, met = self._points[:n, player], self._met[:n, player]
        there = met > 0
        chosen = np.stack([points, met - points], axis=1)[there]
        return Choices(chosen, met[there, None], np.ones((1, 2)))


@lru_cache(maxsize=100_000)
def points_of(finish: Finish) -> tuple[Counter[int], Counter[int]]:
    """The points of each player against others at the table, and the number of these."""
    points: Counter[int] = Counter()
    met: Counter[int] = Counter()
    placed = [(place, player) for place, tied in enumerate(finish) for player in tied]
    for (place, player), (other_place, other) in combinations(placed, 2):
        if player == other:
            continue
        met.update((player, other))
        points[player] += 1.0 if place < other_place else 0.5  # type: ignore[assignment]
        points[other] += 0.0 if place < other_place else 0.5  # type: ignore[assignment]
    return points, met
