"""Lists the games of an arena in their order.

A group is the games of a table of bots on one seed. Each bot has every seat once, so that neither
the map nor the seat favours a bot: there are as many games as seats. The neighbours at the table
change from seed to seed, until every order has been played: after 2 seeds for three players, after
6 for four. The groups of a seed come before the groups of the next seed.

In a contest for one player a group is one game of each bot, alone, on the same case; a seed whose
case has been played already is left out.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, count, islice, permutations
from typing import ClassVar

from referee.errors import UsageError

# So many seeds in a row without a new case: there is no other one.
MAX_REPEATED_CASES = 1000


class Shape(StrEnum):
    """The shape of a plan.

    pairs: all bots sit at one table; in a game of two, there are two bots. gauntlet: the first bot
    meets all other bots. roundrobin: every bot meets every other bot.
    """

    PAIRS = "pairs"
    GAUNTLET = "gauntlet"
    ROUNDROBIN = "roundrobin"


@dataclass(frozen=True)
class Game:
    """A game to play: its seed, and its seating, the index of the arena's bot on each seat.

    group: the number of the game's group in the plan. parameters: for each of the arena's bots, the
    values of its tunable numbers in JSON; () if they do not vary between games.
    """

    seed: int
    seating: tuple[int, ...]
    group: int
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The games of an arena, on `seeds`, or on all seeds from `first_seed` on.

    tables: the bots of each table, as indices. is_solo: each bot plays alone, once on each case.
    case_of: returns the name of a seed's case. is_open: the groups are counted in the order in
    which they end, not in the order of the plan.
    """

    is_open: ClassVar[bool] = False

    tables: tuple[tuple[int, ...], ...]
    first_seed: int
    n_games: int
    is_solo: bool = False
    seeds: tuple[int, ...] | None = None
    case_of: Callable[[int], str] = str

    @classmethod
    def of(cls, shape: Shape, n_bots: int, n_seats: int, first_seed: int, n_games: int) -> "Plan":
        """Returns the plan of a shape for n_bots at tables of n_seats. Raises UsageError.

        With two bots at a larger table, the second takes all seats but one.
        """
        if n_seats == 1:
            return cls((tuple(range(n_bots)),), first_seed, n_games, is_solo=True)
        if n_bots == 2 < n_seats:
            return cls(((0, *[1] * (n_seats - 1)),), first_seed, n_games)
        if n_bots < n_seats:
            raise UsageError(f"{n_seats} or more bots are needed, {n_bots} given")
        if shape is Shape.PAIRS and n_bots > n_seats:
            raise UsageError(
                f"{n_bots} bots do not fit at one table of {n_seats}: "
                "take --plan roundrobin or gauntlet"
            )
        tables = list(combinations(range(n_bots), n_seats))
        if shape is Shape.GAUNTLET:
            tables = [table for table in tables if 0 in table]
        return cls(tuple(tables), first_seed, n_games)

    @property
    def n_seats(self) -> int:
        """The number of seats at a table."""
        return 1 if self.is_solo else len(self.tables[0])

    def groups(self) -> Iterator[list[Game]]:
        """Yields the groups of games in their order; n_games may cut the last group."""
        tables = ((seed, table) for seed in self._seeds() for table in self.tables)
        left = self.n_games
        for number, (seed, table) in enumerate(tables):
            if left <= 0:
                return
            all_seatings = [(bot,) for bot in table] if self.is_solo else seatings_of(table, seed)
            seatings = islice(all_seatings, left)
            group = [Game(seed, seating, number) for seating in seatings]
            yield group
            left -= len(group)

    def _seeds(self) -> Iterator[int]:
        """Yields the seeds to play, the first seed of each case.

        Ends after more than MAX_REPEATED_CASES seeds in a row without a new case.
        """
        cases: set[str] = set()
        n_repeated = 0
        for seed in count(self.first_seed) if self.seeds is None else self.seeds:
            name = self.case_of(seed)
            n_repeated = n_repeated + 1 if name in cases else 0
            if n_repeated > MAX_REPEATED_CASES:
                return
            if not n_repeated:
                yield seed
            cases.add(name)


@dataclass(frozen=True)
class OpenPlan(Plan):
    """A plan of unknown length: each group is chosen when it is needed, by the results so far.

    choose: returns the games of the group with a number, None to end the plan.
    """

    is_open = True

    choose: Callable[[int], list[Game] | None] = lambda number: None

    def groups(self) -> Iterator[list[Game]]:
        number = 0
        while (group := self.choose(number)) is not None:
            yield group
            number += 1


def n_compared(table: tuple[int, ...]) -> int:
    """Returns the number of comparisons between bots 0 and 1 in a group of a table.

    In each game, each seat of bot 0 is compared with each seat of bot 1.
    """
    return len(seatings_of(table, 0)) * table.count(0) * table.count(1)


def seatings_of(table: tuple[int, ...], seed: int) -> list[tuple[int, ...]]:
    """Returns the seatings of a table on a seed, as a Latin square.

    Each of the n bots has each of the n seats once. The first bot sits first in (n - 1)! orders;
    the seatings are the rotations of one of these, and the next seed has the next one. After (n -
    1)! seeds every order has been played once. Two bots with several seats each keep the table's
    order, so that every seed has as many games. Equal seatings are given once.
    """
    first, *others = table
    count = math.factorial(len(others))
    order = (first, *next(islice(permutations(others), seed % count, None)))
    if len(set(table)) == 2 and min(map(table.count, table)) > 1:
        order = table
    turned = [order[-place:] + order[:-place] for place in range(len(order))]
    return list(dict.fromkeys(turned))
