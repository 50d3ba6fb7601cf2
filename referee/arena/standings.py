"""The standings of a stored series, and their history."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter

from referee.arena.entrants import Entrant
from referee.arena.measures import CaseStandings, Standings, Wins
from referee.arena.series import Series
from referee.arena.statistics.elo import Estimate, elos
from referee.arena.statistics.sprt import Sprt
from referee.arena.statistics.tally import GameOutcome, outcome_of
from referee.arena.store import Alike, Store
from shared.core.contest import Case

# A chart's line needs no more points.
MAX_POINTS = 80


def standings_of(
    store: Store, series: Series, entrants: list[Entrant], known: Mapping[str, float]
) -> Standings:
    """The standings of a stored series; known: the best known scores by case, of one player."""
    if store.is_solo(series):
        return scores_of(store, series, entrants, known)
    standings = Wins(len(entrants))
    for _ in count_groups(standings, store.alike(series), entrants):
        pass
    return standings


def scores_of(
    store: Store, series: Series, entrants: list[Entrant], known: Mapping[str, float]
) -> CaseStandings:
    """The standings of a stored series for one player; known: the best known scores by case."""
    numbers = {entrant.key: number for number, entrant in enumerate(entrants)}
    cases = store.cases(series)

    def case_of(seed: int) -> Case:
        return cases.get(seed) or Case(str(seed))

    standings = CaseStandings(len(entrants), series.lowest_wins, case_of, known)
    for row in store.scores(series):
        standings.add_seat(row.seed, numbers[row.bot], row)
    return standings


def count_groups(
    standings: Wins, all_games: Iterable[Alike], entrants: list[Entrant]
) -> Iterator[None]:
    """Count a stored series group by group: games of a seed between the same bots."""
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
            yield


@dataclass
class History:
    """The estimates after increasing numbers of games.

    games: the numbers of games. elos: each bot's Elo after them. llrs: the test's log-likelihood
    ratio after them, [] unless there are two bots.
    """

    games: list[int] = field(default_factory=list)
    elos: list[list[Estimate]] = field(default_factory=list)
    llrs: list[float] = field(default_factory=list)


def standings_with_history(
    all_games: list[Alike], entrants: list[Entrant], sprt: Sprt
) -> tuple[Wins, History]:
    """Returns the standings of a stored series, and their history."""
    history, standings = History(), Wins(len(entrants))
    n_games = len(all_games)
    step = max(1, n_games // MAX_POINTS)
    for _ in count_groups(standings, all_games, entrants):
        last = history.games[-1] if history.games else 0
        is_due = standings.n_games >= last + step or standings.n_games == n_games
        if is_due and all(map(standings.pairings_of, range(len(entrants)))):
            history.games.append(standings.n_games)
            history.elos.append(elos(standings.seeds))
            pairing = standings.pairing(0, 1)
            if len(entrants) == 2 and pairing:
                n_compared = max(group.n_games for group in pairing.groups)
                of_groups = replace(sprt, n_games=max(n_compared, sprt.n_games))
                if samples := pairing.scores(of_groups.n_games):
                    history.llrs.append(of_groups.llr(samples))
    if len(history.llrs) < len(history.games):
        history.llrs = []
    return standings, history
