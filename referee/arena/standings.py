"""The standings of a series and their history: the one source of table, JSON line and report."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from referee.arena.entrants import Entrant
from referee.arena.play import Result
from referee.arena.series import Series
from referee.arena.statistics.elo import Estimate, elos, score
from referee.arena.statistics.sprt import Sprt
from referee.arena.statistics.tally import Tally
from referee.arena.store import Store

# A chart's line needs no more points.
MAX_POINTS = 80


@dataclass(frozen=True)
class Standing:
    """The results of a bot.

    games: it took part in. wins, draws, losses: against each opponent at the table. errors: games
    in which it was eliminated. score: its share of the points. elo: of two bots above the other
    one, of more above the mean of all. place: its mean place, 1 the best, where equal ranks share
    theirs; None where no more than two sit at a table. All are None before the first game.
    """

    games: int
    wins: int
    draws: int
    losses: int
    errors: int
    score: Estimate | None
    elo: Estimate | None
    place: float | None


class Standings:
    """The standings of a series, whose games are added group by group."""

    def __init__(self, n_bots: int) -> None:
        self.tally = Tally(n_bots)

    def add_group(self, seed: int, games: Sequence[tuple[tuple[int, ...], Result]]) -> None:
        """Count the games of a group, as many as there are: seating and result of each.

        Where each bot played by itself, the higher score on the seed is better.
        """
        counted = []
        if all(len(seating) == 1 for seating, _ in games):
            games = [compared(games)]
        for seating, result in games:
            ranks = [seat.rank for seat in result.seats]
            counted.append((seating, ranks, [seat.fault is not None for seat in result.seats]))
        self.tally.add_group(seed, counted)

    @property
    def n_games(self) -> int:
        return self.tally.n_games

    def of_bots(self) -> list[Standing]:
        """The standing of each bot, in the order of their numbers."""
        tally, n_bots = self.tally, self.tally.n_bots
        # Nobody has met anybody before the first game.
        all_elos = elos(tally.seeds) if tally.pairings else []
        standings = []
        for bot in range(n_bots):
            pairings = [
                pairing for other in range(n_bots) if (pairing := tally.pairing(bot, other))
            ]
            has_met = bool(pairings)
            is_large = has_met and tally.most_seats > 2
            standings.append(
                Standing(
                    tally.games[bot],
                    sum(pairing.wins for pairing in pairings),
                    sum(pairing.draws for pairing in pairings),
                    sum(pairing.losses for pairing in pairings),
                    tally.errors[bot],
                    score(tally.seeds, bot) if has_met else None,
                    all_elos[bot] if has_met else None,
                    tally.places[bot] / tally.seats[bot] if is_large else None,
                )
            )
        return standings


def compared(games: Sequence[tuple[tuple[int, ...], Result]]) -> tuple[tuple[int, ...], Result]:
    """Returns games that bots played by themselves as one game; a failed bot is last."""
    seats = [result.seats[0] for _, result in games]
    worth = [(seat.fault is None, seat.score) for seat in seats]
    ranked = [
        replace(seat, rank=sum(other > own for other in worth)) for seat, own in zip(seats, worth)
    ]
    seating = tuple(bot for (bot,), _ in games)
    return seating, replace(games[0][1], seats=tuple(ranked))


def standings_of(store: Store, series: Series, entrants: list[Entrant]) -> Standings:
    """The standings of a stored series."""
    last = Standings(len(entrants))
    for standings in running_standings(store, series, entrants):
        last = standings
    return last


def running_standings(store: Store, series: Series, entrants: list[Entrant]) -> Iterator[Standings]:
    """The standings of a stored series after each group: games of a seed between the same bots."""
    numbers = {entrant.key: number for number, entrant in enumerate(entrants)}
    standings = Standings(len(entrants))
    for seed, games in groupby(store.games(series), key=lambda game: game.seed):
        tables: dict[tuple[int, ...], list[tuple[tuple[int, ...], Result]]] = {}
        for game in games:
            seating = tuple(numbers[key] for key in game.seating)
            tables.setdefault(tuple(sorted(seating)), []).append((seating, game.result))
        if all(len(table) == 1 for table in tables):
            tables = {(): [game for table in sorted(tables) for game in tables[table]]}
        for table in sorted(tables):
            standings.add_group(seed, tables[table])
            yield standings


@dataclass
class History:
    """The estimates after so many games each.

    games: their numbers. elos: of each bot then. llrs: the test's log-likelihood ratio then, []
    unless there are two bots.
    """

    games: list[int] = field(default_factory=list)
    elos: list[list[Estimate]] = field(default_factory=list)
    llrs: list[float] = field(default_factory=list)


def standings_with_history(
    store: Store, series: Series, entrants: list[Entrant], sprt: Sprt
) -> tuple[Standings, History]:
    """Returns the standings of a stored series, and their history."""
    history, standings = History(), Standings(len(entrants))
    n_games = store.n_games(series)
    step = max(1, n_games // MAX_POINTS)
    for standings in running_standings(store, series, entrants):
        last = history.games[-1] if history.games else 0
        if standings.n_games >= last + step or standings.n_games == n_games:
            elos = [one.elo for one in standings.of_bots() if one.elo is not None]
            if len(elos) == len(entrants):
                history.games.append(standings.n_games)
                history.elos.append(elos)
                pairing = standings.tally.pairing(0, 1)
                if len(entrants) == 2 and pairing:
                    n_compared = max(group.n_games for group in pairing.groups)
                    of_groups = replace(sprt, n_games=max(n_compared, sprt.n_games))
                    if samples := pairing.scores(of_groups.n_games):
                        history.llrs.append(of_groups.llr(samples))
    if len(history.llrs) < len(history.games):
        history.llrs = []
    return standings, history
