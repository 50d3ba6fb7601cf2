"""Which games an arena plays, in which order.

A group is one seed played once in every seating of the same bots, so that neither the map nor the
seat favours anybody: two games for two players, six for three; four for one bot against three of
another. The groups of a seed come before
those of the next seed.
"""

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, count, islice, permutations
from typing import Iterator

from referee.errors import UsageError


class Shape(StrEnum):
    """Who meets whom.

    pairs: all bots sit at one table: two bots, in a game of two. gauntlet: the first bot meets all
    others. roundrobin: everybody meets everybody.
    """

    PAIRS = "pairs"
    GAUNTLET = "gauntlet"
    ROUNDROBIN = "roundrobin"


@dataclass(frozen=True)
class Game:
    """A game to play: its seed and who sits where, as indices of the arena's bots.

    group: the number of its group in the plan.
    """

    seed: int
    seating: tuple[int, ...]
    group: int


@dataclass(frozen=True)
class Plan:
    """The games of an arena: those of `tables`, from `first_seed` on, `n_games` in all."""

    tables: tuple[tuple[int, ...], ...]
    first_seed: int
    n_games: int

    @classmethod
    def of(cls, shape: Shape, n_bots: int, n_seats: int, first_seed: int, n_games: int) -> "Plan":
        """The plan of a shape for n_bots at tables of n_seats. Raises UsageError.

        Of two bots at a larger table, the second takes all seats but one.
        """
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

    def groups(self) -> Iterator[list[Game]]:
        """The games, group by group; the last group is cut short where n_games demands it."""
        tables = ((seed, table) for seed in count(self.first_seed) for table in self.tables)
        left = self.n_games
        for number, (seed, table) in enumerate(tables):
            if left <= 0:
                return
            seatings = islice(dict.fromkeys(permutations(table)), left)
            group = [Game(seed, seating, number) for seating in seatings]
            yield group
            left -= len(group)
