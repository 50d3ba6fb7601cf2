"""Counts results: who beat whom, and what each group of games came to.

In a game of more than two, every two players at the table count as a game between them, unless they
are one bot. What the intervals need is kept by seed (`seeds`).
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import Sequence

from referee.arena.statistics.plackett_luce import Finish
from referee.arena.statistics.seeds import Seeds

# Half points, so that all counts are whole.
WIN, DRAW, LOSS = 2, 1, 0


@dataclass(frozen=True)
class Group:
    """Games of one seed between two bots: how many, and the half points of the first bot."""

    n_games: int
    half_points: int


@dataclass
class Pairing:
    """What the games between two bots came to, as the first of them sees it.

    groups: how often each kind of group was seen; between two players in two games the half points
    0 to 4 of a group give the pentanomial distribution.
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
        """How often each number of half points, 0 to 4, was made in a group of two games."""
        return self.scores(2)

    def scores(self, n_games: int) -> Counter[int]:
        """How often each number of half points was made in a group of so many games."""
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
        """The same games as the second bot sees them."""
        groups: Counter[Group] = Counter()
        for group, count in self.groups.items():
            groups[Group(group.n_games, WIN * group.n_games - group.half_points)] += count
        return Pairing(self.losses, self.draws, self.wins, groups)


class Tally:
    """The pairings of bots numbered from 0, and their errors; groups must come one after the other.

    pairings: by the two bots' numbers, the lower first. games: of each bot. places: the sum of its
    places, 1 the best, where players of equal rank share theirs; seats: of how many. errors: games
    in which it was eliminated. n_games: all. most_seats: at a table.
    """

    def __init__(self, n_bots: int):
        self.n_bots = n_bots
        self.n_games = 0
        self.most_seats = 2
        self.games = [0] * n_bots
        self.seats = [0] * n_bots
        self.places = [0.0] * n_bots
        self.errors = [0] * n_bots
        self.pairings: dict[tuple[int, int], Pairing] = {}
        self.seeds = Seeds(n_bots)

    def add_group(
        self, seed: int, games: Sequence[tuple[tuple[int, ...], list[int], list[bool]]]
    ) -> None:
        """Count a group's games, as many as there are: seating, ranks, and who was eliminated."""
        results: dict[tuple[int, int], list[int]] = {}
        for seating, ranks, eliminated in games:
            self.n_games += 1
            self.most_seats = max(self.most_seats, len(seating))
            for bot in set(seating):
                self.games[bot] += 1
            for bot, failed in zip(seating, eliminated):
                self.errors[bot] += failed
            better = 0
            finish = finish_of(seating, ranks)
            for tied in finish:
                for bot in tied:
                    self.seats[bot] += 1
                    self.places[bot] += better + (1 + len(tied)) / 2
                better += len(tied)
            self.seeds.add(seed, finish)
            placed = sorted(zip(seating, ranks))
            for index, (one, rank) in enumerate(placed):
                for other, other_rank in placed[index + 1 :]:
                    if one == other:
                        continue
                    result = WIN if rank < other_rank else LOSS if rank > other_rank else DRAW
                    results.setdefault((one, other), []).append(result)
        for bots, half_points in results.items():
            self.pairings.setdefault(bots, Pairing()).add_group(half_points)

    def pairing(self, one: int, other: int) -> Pairing | None:
        """The games between two bots as `one` sees them, None if they never met."""
        if one < other:
            return self.pairings.get((one, other))
        pairing = self.pairings.get((other, one))
        return pairing and pairing.reversed()


def finish_of(seating: tuple[int, ...], ranks: list[int]) -> Finish:
    """The bots of a game by rank, the best first; those of equal rank stand together."""
    placed = sorted(zip(ranks, seating))
    return tuple(
        tuple(bot for _, bot in tied) for _, tied in groupby(placed, key=lambda one: one[0])
    )
