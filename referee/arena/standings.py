"""Computes the standings of a stored series."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter

from referee.arena.entrants import Entrant
from referee.arena.measures import CaseStandings, Standings, Wins
from referee.arena.series import Series
from referee.arena.statistics.tally import GameOutcome, outcome_of
from referee.arena.store import Alike, Store
from shared.core.contest import Case


def standings_of(
    store: Store, series: Series, entrants: list[Entrant], known: Mapping[str, float]
) -> Standings:
    """Returns the standings of a stored series.

    known: the best known scores by case, for a contest for one player.
    """
    if store.is_solo(series):
        return scores_of(store, series, entrants, known)
    return wins_of(store.alike(series), entrants)


def scores_of(
    store: Store, series: Series, entrants: list[Entrant], known: Mapping[str, float]
) -> CaseStandings:
    """Returns the standings of a stored series for one player.

    known: the best known scores by case.
    """
    numbers = {entrant.key: number for number, entrant in enumerate(entrants)}
    cases = store.cases(series)

    def case_of(seed: int) -> Case:
        return cases.get(seed) or Case(str(seed))

    standings = CaseStandings(len(entrants), series.lowest_wins, case_of, known)
    for row in store.scores(series):
        standings.add_seat(row.seed, numbers[row.bot], row)
    return standings


def wins_of(all_games: Iterable[Alike], entrants: list[Entrant]) -> Wins:
    """Returns the standings of games, which are sorted by seed.

    A group is the games of a seed between the same bots.
    """
    standings = Wins(len(entrants))
    numbers = {entrant.key: number for number, entrant in enumerate(entrants)}
    # By the number of a game: those at its table, and the outcome.
    outcomes: dict[int, tuple[tuple[int, ...], GameOutcome]] = {}
    for seed, games in groupby(all_games, key=itemgetter(1)):
        tables: dict[tuple[int, ...], list[GameOutcome]] = {}
        for _, _, game in games:
            if game.number not in outcomes:
                seating = tuple(numbers[key] for key in game.seating)
                outcome = outcome_of(seating, game.result.seats)
                outcomes[game.number] = tuple(sorted(seating)), outcome
            table, outcome = outcomes[game.number]
            tables.setdefault(table, []).append(outcome)
        for table in sorted(tables):
            standings.add_outcomes(seed, tables[table])
    return standings
