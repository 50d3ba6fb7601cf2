"""A round of a league: an arena of the bots that are there, whose plan goes on until they change.

The plan is endless: each group is chosen when a worker is free, by what is known then. When the
bots change it ends; the games under way are played to their end, and the next round begins.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from referee.arena.plan import Game, Plan
from referee.arena.play import Result
from referee.arena.run import Arena
from referee.arena.workers import Played
from shared.core.contest import Case

Counted = Sequence[tuple[Game, Result]]


def choose_nothing(number: int) -> list[Game] | None:
    """The plan of no games."""
    return None


def ignore(_: object) -> None:
    """Do nothing."""


def no_map(seed: int) -> Case | None:
    """The map of a contest without maps."""
    return None


@dataclass(frozen=True)
class OpenPlan(Plan):
    """A plan whose groups are chosen one by one.

    choose: returns the games of the group with a number, None at the end of the round.
    """

    choose: Callable[[int], list[Game] | None] = choose_nothing

    def groups(self) -> Iterator[list[Game]]:
        number = 0
        while (group := self.choose(number)) is not None:
            yield group
            number += 1


@dataclass
class Round(Arena):
    """The arena of a round. Its standings are the league's.

    on_group: called with the games of each complete group. on_played: with each game that has been
    stored. map_of: the map of a seed, None if the contest names none.
    """

    on_group: Callable[[Counted], None] = ignore
    on_played: Callable[[list[Played]], None] = ignore
    map_of: Callable[[int], Case | None] = no_map

    def _keep(self, played: list[Played]) -> None:
        maps = {game.seed: self.map_of(game.seed) for game, _, _ in played}
        known = {seed: case for seed, case in maps.items() if case}
        if known:
            self.store.add_cases(self.series, known)
        super()._keep(played)
        self.on_played(played)

    def _count(self) -> None:
        """Count the complete groups, in the order of their ends: a bot that hangs holds none up."""
        for number, group in list(self.open_groups.items()):
            if not group.pending:
                del self.open_groups[number]
                self.on_group([(game, group.results[game]) for game in group.games])
