"""The plan of a league: chooses each group of games when a worker is free, by what is known then.

The plan has the standings of all bots that have played; a bot keeps its number from round to round.
"""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from referee.arena.measures import CaseStandings, Standings, Wins
from referee.arena.plan import Game, seatings_of
from referee.arena.series import Series
from referee.arena.statistics.elo import ELO_SCALE
from referee.arena.statistics.plackett_luce import Spread
from referee.arena.statistics.tally import Placed
from referee.arena.store import Store
from referee.league.pairing import Choice, Contender, PairingEstimates, choose
from referee.league.versions import MOST_PRIORITY, Lineage, State, Version
from shared.core.contest import Case

# The share of the time that estimates for pairing may take, and the least interval between two.
SHARE, LEAST_S = 0.02, 0.5
# The games between a version and its predecessor, after which that is not played any more.
COMPARED = 200
# The points of a chart of Elo over the games.
MOST_POINTS = 160

# The games of a group as standings count them: seating, ranks, and eliminations by seat.
Finished = list[tuple[tuple[int, ...], Sequence[Placed]]]


def plays(version: Version) -> bool:
    """Returns True for a version that is given games."""
    return version.state in (State.PLAYS, State.FORMER)


class LeaguePlan:
    """The plan of a series of a league, which begins with the stored games.

    n_seats: the number of seats at a table, 1 if each bot plays alone. n_cases: the number of cases
    of a contest for one player, None if endless. candidate: the key of a version that plays first.
    """

    def __init__(
        self,
        lineage: Lineage,
        n_seats: int,
        first_seed: int,
        n_cases: int | None = None,
    ) -> None:
        self.lineage, self.n_seats = lineage, n_seats
        self.first_seed, self.n_cases = first_seed, n_cases
        self.candidate = ""
        self.standings: Standings = Wins(0)
        # By the key of an entrant: its number in the standings.
        self.numbers: dict[str, int] = {}
        # By number: the versions of this round.
        self.seated: dict[int, Version] = {}
        # By table, as numbers: the next seed. By pair, the lower number first: the games.
        self.next_seeds: dict[tuple[int, ...], int] = {}
        self.met = np.zeros((0, 0))
        # Groups of a killed league that lack games: the numbers of the table, the seed.
        self.unfinished: dict[tuple[tuple[int, ...], int], Finished] = {}
        self.solo_seeds: dict[int, set[int]] = {}
        self.strengths = PairingEstimates(None, [])
        self.spread: Spread | None = None
        self.estimated, self.estimate_s = 0.0, 0.0
        self.n_chosen = 0
        # By seed and table: the reason of a choice, for people.
        self.reasons: dict[tuple[int, tuple[int, ...]], str] = {}
        # By key: (games of all, Elo, its half interval), for the charts.
        self.history: dict[str, list[tuple[int, float, float]]] = {}
        self.history_step = 1

    def load(
        self,
        store: Store,
        series: Series,
        case_of: Callable[[int], Case],
        known: Mapping[str, float],
    ) -> None:
        """Begin with the stored games of a series."""
        self.history_step = max(1, 2 * store.n_games(series) // MOST_POINTS)
        if self.n_seats == 1:
            alone = CaseStandings(0, series.lowest_wins, case_of, known)
            self.standings = alone
            for row in store.scores(series):
                self.add_numbers([row.bot])
                self.solo_seeds.setdefault(self.numbers[row.bot], set()).add(row.seed)
                alone.add_seat(row.seed, self.numbers[row.bot], row)
        else:
            self._load_groups(store, series)

    def _load_groups(self, store: Store, series: Series) -> None:
        """Count the stored games of several players, from the oldest on; incomplete groups become
        `unfinished`.
        """
        open_groups: dict[tuple[tuple[int, ...], int], Finished] = {}
        for _, seed, game in store.alike(series, order="games.id"):
            self.add_numbers([key for key in game.seating if key not in self.numbers])
            seating = tuple(self.numbers[key] for key in game.seating)
            table = tuple(sorted(seating))
            group = open_groups.setdefault((table, seed), [])
            group.append((seating, game.result.seats))
            self.next_seeds[table] = max(self.next_seeds.get(table, 0), seed + 1)
            if len(group) == len(seatings_of(table, seed)):
                self.add_group(seed, open_groups.pop((table, seed)))
                if self.n_games >= self.history_step * (1 + self.n_points()):
                    self.fit()
        self.unfinished = open_groups

    def enter(self, versions: Sequence[Version]) -> None:
        """Let these versions play, and no others."""
        self.add_numbers([version.id for version in versions])
        self.seated = {self.numbers[version.id]: version for version in versions}
        self.estimate()

    def leave_open(self, table: tuple[int, ...], seed: int, games: Finished) -> None:
        """Keep a group that has not been counted for the next round. games: the ended games of the
        group.
        """
        if self.n_seats == 1:
            self.solo_seeds[table[0]].discard(seed)
        else:
            self.unfinished[tuple(sorted(table)), seed] = games

    def add_numbers(self, keys: list[str]) -> None:
        """Number the bots that have no number yet."""
        n_known = len(self.numbers)
        for key in keys:
            self.numbers.setdefault(key, len(self.numbers))
        if n_new := len(self.numbers) - n_known:
            self.standings.grow(len(self.numbers))
            self.met = np.pad(self.met, (0, n_new))

    def choose(self, number: int) -> list[Game] | None:
        """Returns the games of the next group, None if there are none."""
        if self.n_seats == 1:
            return self.choose_alone(number)
        while self.unfinished:
            (table, seed), games = self.unfinished.popitem()
            if all(bot in self.seated and plays(self.seated[bot]) for bot in table):
                return self.group(table, seed, number, "it was interrupted")
            if games:
                self.add_group(seed, games)
        self.estimate()
        choice = self.choice()
        if choice is None:
            return None
        table = tuple(sorted(choice.table)) if len(choice.table) == 2 else choice.table
        known = tuple(sorted(table))
        seed = self.next_seeds.get(known, self.first_seed)
        self.next_seeds[known] = seed + 1
        self.n_chosen += 1
        group = self.group(table, seed, number, choice.reason)
        self.strengths.add(table, len(group))
        return group

    def choice(self) -> Choice | None:
        """Returns the next table, as numbers in the standings, with the reason; None if there is
        none. A former version that has been compared in COMPARED games becomes REPLACED.
        """
        contenders = []
        for number, version in self.seated.items():
            if not plays(version):
                continue
            only = None
            if version.state is State.FORMER:
                successor = self.lineage.successor(version)
                if successor is None or successor.id not in self.numbers:
                    continue
                only = self.numbers[successor.id]
                if self.met[min(number, only), max(number, only)] >= COMPARED:
                    self.lineage.set_state(version, State.REPLACED)
                    continue
            n_games = self.standings.n_played(number)
            contenders.append(Contender(number, n_games, self.priority_of(version), only))
        return choose(contenders, self.n_seats, self.strengths, self.met, self.n_chosen)

    def priority_of(self, version: Version) -> int:
        """Returns the priority of a version: the candidate's is the greatest."""
        return MOST_PRIORITY if version.key == self.candidate else version.priority

    def group(self, table: tuple[int, ...], seed: int, number: int, reason: str) -> list[Game]:
        """Returns the games of a table on a seed, and records the reason of the choice."""
        self.reasons[seed, tuple(sorted(table))] = reason
        return [Game(seed, seating, number) for seating in seatings_of(table, seed)]

    def choose_alone(self, number: int) -> list[Game] | None:
        """Returns the next game of a contest for one player, None if no case is missing: the bot
        with the fewest cases in proportion to its priority plays its first missing case.
        """
        n_cases = self.n_cases
        ready = []
        for place, version in self.seated.items():
            seeds = self.solo_seeds.setdefault(place, set())
            if plays(version) and (n_cases is None or len(seeds) < n_cases):
                ready.append((len(seeds) / self.priority_of(version), place, seeds))
        if not ready:
            return None
        _, place, seeds = min(ready, key=lambda row: row[:2])
        first = 0 if n_cases is not None else self.first_seed
        # Seeds are played in their order: the first missing one follows the longest known run.
        seed = first + len(seeds)
        while seed in seeds:
            seed += 1
        seeds.add(seed)
        self.reasons[seed, (place,)] = "it has played the fewest cases"
        return [Game(seed, (place,), number)]

    def estimate(self) -> None:
        """Estimate the strengths anew, unless the last estimate has all bots and is recent. In a
        contest for one player, do nothing.
        """
        if self.n_seats == 1:
            return
        is_known = len(self.strengths.values) == self.standings.n_bots
        if is_known and time.monotonic() - self.estimated < max(LEAST_S, self.estimate_s / SHARE):
            return
        began = time.monotonic()
        self.fit()
        self.estimated = time.monotonic()
        self.estimate_s = self.estimated - began

    def fit(self) -> None:
        """Estimate the strengths anew, beginning at the last estimates, and add to the charts when
        due.
        """
        standings = self.standings
        assert isinstance(standings, Wins)
        self.spread = None
        if standings.pairings:
            start = np.zeros(standings.n_bots)
            start[: len(self.strengths.values)] = self.strengths.values
            self.spread = standings.seeds.quick_fit(start)
        self.strengths = PairingEstimates(self.spread, standings.games)
        if self.spread is not None and self.n_games >= self.history_step * (1 + self.n_points()):
            self.sample(self.spread)

    def add_group(self, seed: int, games: Finished) -> None:
        """Count the games of a group."""
        self.standings.add_group(seed, games)
        for seating, _ in games:
            self.meet(seating)

    def meet(self, seating: tuple[int, ...]) -> None:
        """Count one game for each pair of the bots in a game."""
        present = sorted(set(seating))
        for place, bot in enumerate(present):
            self.met[bot, present[place + 1 :]] += 1

    @property
    def n_games(self) -> int:
        """The number of games in the standings."""
        return self.standings.n_games

    def n_points(self) -> int:
        """Returns the length of the longest chart."""
        return max(map(len, self.history.values()), default=0)

    def sample(self, spread: Spread) -> None:
        """Add a point to the chart of each bot with games; when a chart has MOST_POINTS, drop every
        second point of all charts.
        """
        for key, number in self.numbers.items():
            if self.standings.n_played(number):
                deviation = max(0.0, float(spread.covariance[number, number])) ** 0.5
                value, reach = (
                    float(spread.values[number]) * ELO_SCALE,
                    1.96 * deviation * ELO_SCALE,
                )
                self.history.setdefault(key, []).append((self.n_games, value, reach))
        if self.n_points() >= MOST_POINTS:
            self.history = {key: points[::2] for key, points in self.history.items()}
            self.history_step *= 2
