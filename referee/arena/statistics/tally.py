"""Counts results: wins between each pair of bots by groups of games, and choices by seed.

In a game of more than two, each pair of players at the table counts as a game between them, unless
both are the same bot. The seeds are the samples of the statistics. Only sums by seed are kept, so a
long series takes no more memory than a short one on as many seeds.

Shapes: S seeds, P players (the arena's bots), C choice sets.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, groupby
from typing import NamedTuple, Protocol

import numpy as np

from referee.arena.statistics.plackett_luce import Choices, Finish, Spread, choices_of, fit_quickly

# Half points, so that all counts are integers.
WIN, DRAW, LOSS = 2, 1, 0


class Group(NamedTuple):
    """Games of one seed between two bots: their number, and the half points of the first bot."""

    n_games: int
    half_points: int


@dataclass
class Pairing:
    """The games between two bots, from the view of the first bot.

    groups: the number of groups of each kind; for groups of two games between two players, the half
    points 0 to 4 give the pentanomial distribution.
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
        """The number of groups of two games, by their half points, 0 to 4."""
        return self.scores(2)

    def scores(self, n_games: int) -> Counter[int]:
        """Returns the number of groups of n_games games, by their half points."""
        return Counter(
            {group.half_points: n for group, n in self.groups.items() if group.n_games == n_games}
        )

    def add(self, result: int, n: int) -> None:
        """Count n games of a result, a WIN, DRAW or LOSS."""
        self.wins += n * (result == WIN)
        self.draws += n * (result == DRAW)
        self.losses += n * (result == LOSS)

    def reversed(self) -> "Pairing":
        """Returns the games from the view of the second bot."""
        groups: Counter[Group] = Counter()
        for group, count in self.groups.items():
            groups[Group(group.n_games, WIN * group.n_games - group.half_points)] += count
        return Pairing(self.losses, self.draws, self.wins, groups)


class Scored(Protocol):
    """A player's score in a game.

    fault: the reason for the player's elimination, or None. opening: in a game for one player, the
    digest of the player's first input.
    """

    @property
    def score(self) -> float: ...

    @property
    def fault(self) -> str | None: ...

    @property
    def opening(self) -> str: ...


class Placed(Scored, Protocol):
    """A player's score and place in a game; rank: 0 is the best."""

    @property
    def rank(self) -> int: ...


@dataclass(frozen=True, eq=False)
class GameOutcome:
    """The outcome of a game; games with equal outcomes share one object.

    finish: the bots by rank. bots: all bots, without repetition. failed: the bot of each eliminated
    seat. places: (bot, place) for each seat, 1 the best. results: ((bot, other bot), WIN, DRAW or
    LOSS of the former) for each pair of seats of different bots.
    """

    finish: Finish
    bots: tuple[int, ...]
    failed: tuple[int, ...]
    places: tuple[tuple[int, float], ...]
    results: tuple[tuple[tuple[int, int], int], ...]


def outcome_of(seating: tuple[int, ...], seats: Sequence[Placed]) -> GameOutcome:
    """Returns the outcome of a game; seating: the bots by seats. seats: the results by seats."""
    failed = tuple(bot for bot, seat in zip(seating, seats) if seat.fault is not None)
    return _outcome(seating, tuple(seat.rank for seat in seats), failed)


@lru_cache(maxsize=100_000)
def _outcome(
    seating: tuple[int, ...], ranks: tuple[int, ...], failed: tuple[int, ...]
) -> GameOutcome:
    finish = finish_of(seating, list(ranks))
    places: list[tuple[int, float]] = []
    for tied in finish:
        places += [(bot, len(places) + (1 + len(tied)) / 2) for bot in tied]
    results = []
    for (bot, rank), (other, other_rank) in combinations(sorted(zip(seating, ranks)), 2):
        if bot != other:
            result = WIN if rank < other_rank else LOSS if rank > other_rank else DRAW
            results.append(((bot, other), result))
    return GameOutcome(finish, tuple(set(seating)), failed, tuple(places), tuple(results))


class Tally:
    """The counts of the games of bots numbered from 0, which are added in complete groups.

    n_games: the number of games. most_seats: the greatest number of seats at a table, 2 or more.
    pairings: by the two bots' numbers, the lower first. games: the number of games of each bot.
    places: the sum of each bot's places, 1 the best, shared by players of equal rank. seats: the
    number of places in this sum. errors: the number of eliminations of each bot.

    Equal groups are counted together, when a count is read.
    """

    def __init__(self, n_bots: int) -> None:
        self.n_bots = n_bots
        self.n_games = 0
        self.most_seats = 2
        self.seeds = Seeds(n_bots)
        self._games, self._seats, self._errors = ([0] * n_bots for _ in range(3))
        self._places = [0.0] * n_bots
        self._pairings: dict[tuple[int, int], Pairing] = {}
        # Equal groups that are not in the counts yet.
        self._new_groups: Counter[tuple[GameOutcome, ...]] = Counter()

    def grow(self, n_bots: int) -> None:
        """Set a larger number of bots."""
        self.n_bots = n_bots
        self.seeds.grow(n_bots)
        for counts in (self._games, self._seats, self._places, self._errors):
            counts.extend([0] * (n_bots - len(counts)))

    def add_group(
        self, seed: int, games: Sequence[tuple[tuple[int, ...], Sequence[Placed]]]
    ) -> None:
        """Count a group's games, each given as its seating and the place of each seat."""
        self.add_outcomes(seed, [outcome_of(seating, seats) for seating, seats in games])

    def add_outcomes(self, seed: int, games: Sequence[GameOutcome]) -> None:
        """Count a group's games by their outcomes."""
        self.n_games += len(games)
        for game in games:
            self.most_seats = max(self.most_seats, len(game.places))
            self.seeds.add(seed, game.finish)
        self._new_groups[tuple(games)] += 1

    def _count(self) -> None:
        """Add all groups that are not in the counts yet."""
        outcomes: Counter[GameOutcome] = Counter()
        groups: Counter[tuple[tuple[int, int], int, int]] = Counter()
        for games, n_groups in self._new_groups.items():
            # By pair: the number of its games in the group, and the half points.
            counts: dict[tuple[int, int], tuple[int, int]] = {}
            for game in games:
                outcomes[game] += n_groups
                for bots, result in game.results:
                    n_games, half_points = counts.get(bots, (0, 0))
                    counts[bots] = n_games + 1, half_points + result
            for bots, (n_games, half_points) in counts.items():
                groups[bots, n_games, half_points] += n_groups
        for game, n in outcomes.items():
            for bot in game.bots:
                self._games[bot] += n
            for bot in game.failed:
                self._errors[bot] += n
            for bot, place in game.places:
                self._seats[bot] += n
                self._places[bot] += n * place
            for bots, result in game.results:
                self._pairings.setdefault(bots, Pairing()).add(result, n)
        for (bots, n_games, half_points), n_groups in groups.items():
            self._pairings[bots].groups[Group(n_games, half_points)] += n_groups
        self._new_groups.clear()

    @property
    def games(self) -> list[int]:
        self._count()
        return self._games

    @property
    def seats(self) -> list[int]:
        self._count()
        return self._seats

    @property
    def places(self) -> list[float]:
        self._count()
        return self._places

    @property
    def errors(self) -> list[int]:
        self._count()
        return self._errors

    @property
    def pairings(self) -> dict[tuple[int, int], Pairing]:
        self._count()
        return self._pairings

    def pairing(self, bot: int, other: int) -> Pairing | None:
        """Returns the games between two bots from the view of `bot`, None if they never met."""
        if bot < other:
            return self.pairings.get((bot, other))
        pairing = self.pairings.get((other, bot))
        return pairing and pairing.reversed()

    def pairings_of(self, bot: int) -> list[Pairing]:
        """Returns the games of a bot against each other bot that it has met."""
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

    `chosen` and `offered` are those of `Choices`. `met` is the number of each player's comparisons
    with other players at the table, `points` the player's points in these comparisons, half a point
    for equal rank; both are S x P. Games are added to the sums all at once, when a sum is read:
    adding one game takes as long as adding a hundred together.
    """

    def __init__(self, n_players: int) -> None:
        self.n_players = n_players
        self.rows: dict[int, int] = {}
        self.columns: dict[tuple[int, ...], int] = {}
        self._sums = {name: np.zeros((0, n_players)) for name in ("chosen", "points", "met")}
        self._sums["offered"] = np.zeros((0, 0))
        # The games that are not in the sums yet: the row, and the finish of each.
        self._new_rows: list[int] = []
        self._new_finishes: list[Finish] = []

    def grow(self, n_players: int) -> None:
        """Set a larger number of players."""
        self.n_players = n_players

    def add(self, seed: int, finish: Finish) -> None:
        """Add a game of a seed."""
        self._new_rows.append(self.rows.setdefault(seed, len(self.rows)))
        self._new_finishes.append(finish)

    @property
    def _chosen(self) -> np.ndarray:
        return self._sum("chosen")

    @property
    def _offered(self) -> np.ndarray:
        return self._sum("offered")

    def _sum(self, name: str) -> np.ndarray:
        """Returns the sum with a name over all games, with a row for each seed."""
        numbers: dict[Finish, int] = {}
        kinds = np.array([numbers.setdefault(each, len(numbers)) for each in self._new_finishes])
        entries: dict[str, list[list[tuple[int, float]]]] = {each: [] for each in self._sums}
        for finish in numbers:
            chosen, offered = choices_of(finish)
            points, met = points_of(finish)
            entries["chosen"].append([*chosen.items()])
            entries["offered"].append(
                [
                    (self.columns.setdefault(choice_set, len(self.columns)), times)
                    for choice_set, times in offered.items()
                ]
            )
            entries["points"].append([(player, points[player]) for player in met])
            entries["met"].append([*met.items()])
        for each, of_finishes in entries.items():
            n_columns = len(self.columns) if each == "offered" else self.n_players
            total = self._sums[each]
            n_more = len(self.rows) - len(total), n_columns - total.shape[1]
            if any(n_more):
                total = self._sums[each] = np.pad(total, [(0, n) for n in n_more])
            if of_finishes:
                add_entries(total, np.array(self._new_rows), of_finishes, kinds)
        self._new_rows, self._new_finishes = [], []
        return self._sums[name]

    def quick_fit(self, start: np.ndarray) -> Spread:
        """Returns the strengths of the players by `fit_quickly`.

        There has been at least one game. start: the initial strengths, P, of mean 0.
        """
        sums = self._chosen.sum(axis=0), self._offered[:, : len(self.columns)].sum(axis=0)
        return fit_quickly(*sums, list(self.columns), start)

    def choices(self) -> Choices:
        """Returns all choices in the games."""
        chosen, offered = self._chosen, self._offered
        sets = np.zeros((len(self.columns), self.n_players))
        for choice_set, column in self.columns.items():
            np.add.at(sets[column], list(choice_set), 1)
        return Choices(chosen, offered, sets)

    def comparisons(self, player: int) -> Choices:
        """Returns a player's comparisons with all other players, as choices between two players.

        Player 0 is the given player, player 1 stands for all other players.
        """
        points, met = self._sum("points")[:, player], self._sum("met")[:, player]
        there = met > 0
        chosen = np.stack([points, met - points], axis=1)[there]
        return Choices(chosen, met[there, None], np.ones((1, 2)))


def add_entries(
    total: np.ndarray,
    rows: np.ndarray,
    entries: list[list[tuple[int, float]]],
    kinds: np.ndarray,
) -> None:
    """Add entries (column, number) to rows of a total.

    rows: the row of each game, which may repeat. kinds: the index of each game's list in `entries`.
    """
    lengths = np.array([len(each) for each in entries])
    columns = np.array([column for each in entries for column, _ in each], dtype=int)
    numbers = np.array([number for each in entries for _, number in each], dtype=float)
    # The place of each row's first entry, and of the further ones after it.
    firsts, n_entries = (np.cumsum(lengths) - lengths)[kinds], lengths[kinds]
    places = np.arange(n_entries.sum()) + np.repeat(
        firsts - np.cumsum(n_entries) + n_entries, n_entries
    )
    np.add.at(total, (np.repeat(rows, n_entries), columns[places]), numbers[places])


@lru_cache(maxsize=100_000)
def points_of(finish: Finish) -> tuple[Counter[int], Counter[int]]:
    """Returns the points of each player against other players, and the number of comparisons."""
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
