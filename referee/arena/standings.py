"""The standings of a series and their history: the one source of table, JSON line and report."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter

from referee.arena.entrants import Entrant
from referee.arena.series import Series
from referee.arena.statistics.elo import Estimate, elos, score
from referee.arena.statistics.scores import Scores
from referee.arena.statistics.sprt import ScoreSprt, Sprt, Verdict
from referee.arena.statistics.tally import GameOutcome, Placed, Tally, outcome_of
from referee.arena.store import Alike, Store
from shared.core.contest import Case

# A chart's line needs no more points.
MAX_POINTS = 80


@dataclass(frozen=True)
class Standing:
    """The results of a bot.

    games: it took part in. wins, draws, losses: against each opponent at the table. errors: games
    in which it was eliminated. score: its share of the points. elo: relative to the other bot, or
    to the mean of more than two. place: its mean place, 1 the best, shared by equal ranks; None if
    only two sit at a table. All are None before the first game.
    """

    games: int
    wins: int
    draws: int
    losses: int
    errors: int
    score: Estimate | None
    elo: Estimate | None
    place: float | None


class Standings(Tally):
    """The standings of a series, whose games are added group by group."""

    def of_bots(self) -> list[Standing]:
        """The standing of each bot, in the order of their numbers."""
        # No bot has met another before the first game.
        all_elos = elos(self.seeds) if self.pairings else []
        standings = []
        for bot in range(self.n_bots):
            pairings = self.pairings_of(bot)
            has_met = bool(pairings)
            is_large = has_met and self.most_seats > 2
            standings.append(
                Standing(
                    self.games[bot],
                    sum(pairing.wins for pairing in pairings),
                    sum(pairing.draws for pairing in pairings),
                    sum(pairing.losses for pairing in pairings),
                    self.errors[bot],
                    score(self.seeds, bot) if has_met else None,
                    all_elos[bot] if has_met else None,
                    self.places[bot] / self.seats[bot] if is_large else None,
                )
            )
        return standings


class ScoreStandings:
    """The standings of a series for one player, whose games are added group by group.

    case_of: the case of a seed.
    """

    def __init__(
        self,
        n_bots: int,
        lowest_wins: bool,
        case_of: Callable[[int], Case],
        known: Mapping[str, float] | None = None,
    ) -> None:
        self.scores = Scores(n_bots, lowest_wins, known)
        self.case_of = case_of

    def grow(self, n_bots: int) -> None:
        """Make room for further bots."""
        self.scores.grow(n_bots)

    def add_group(
        self, seed: int, games: Sequence[tuple[tuple[int, ...], Sequence[Placed]]]
    ) -> None:
        """Count games of a seed, in each of which a bot played by itself."""
        case = self.case_of(seed)
        for [bot], [seat] in games:
            failed = seat.fault is not None
            self.scores.add(case.name, bot, seat.score, failed, case.group, seat.opening)

    @property
    def n_games(self) -> int:
        return self.scores.n_games


AnyStandings = Standings | ScoreStandings


def state_of_test(
    standings: AnyStandings, test: Sprt | ScoreSprt
) -> tuple[int, float, Verdict | None]:
    """Returns a test's number of samples, its log-likelihood ratio, and its verdict if any."""
    if isinstance(test, ScoreSprt):
        assert isinstance(standings, ScoreStandings)  # the test of a contest for one player
        leads = standings.scores.differences(0, 1)
        return len(leads), test.llr(leads), test.verdict(leads)
    assert isinstance(standings, Standings)
    pairing = standings.pairing(0, 1)
    samples: Counter[int] = pairing.scores(test.n_games) if pairing else Counter()
    return samples.total(), test.llr(samples), test.verdict(samples)


def scores_of(
    store: Store, series: Series, entrants: list[Entrant], known: Mapping[str, float] | None = None
) -> ScoreStandings:
    """The standings of a stored series for one player; known: the best known scores by case."""
    numbers = {entrant.key: number for number, entrant in enumerate(entrants)}
    cases = store.cases(series)
    standings = ScoreStandings(
        len(entrants), series.lowest_wins, lambda seed: cases.get(seed, Case(str(seed))), known
    )
    for row in store.scores(series):
        case = cases.get(row.seed) or Case(str(row.seed))
        failed = row.fault is not None
        standings.scores.add(
            case.name, numbers[row.bot], row.score, failed, case.group, row.opening
        )
    return standings


def standings_of(store: Store, series: Series, entrants: list[Entrant]) -> Standings:
    """The standings of a stored series."""
    standings = Standings(len(entrants))
    for _ in count_groups(standings, store.alike(series), entrants):
        pass
    return standings


def count_groups(
    standings: Standings, all_games: Iterable[Alike], entrants: list[Entrant]
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

    games: their numbers. elos: of each bot then. llrs: the test's log-likelihood ratio then, []
    unless there are two bots.
    """

    games: list[int] = field(default_factory=list)
    elos: list[list[Estimate]] = field(default_factory=list)
    llrs: list[float] = field(default_factory=list)


def standings_with_history(
    all_games: list[Alike], entrants: list[Entrant], sprt: Sprt
) -> tuple[Standings, History]:
    """Returns the standings of a stored series, and their history."""
    history, standings = History(), Standings(len(entrants))
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
