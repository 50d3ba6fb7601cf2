"""How the estimates of a series moved with its games."""

from dataclasses import dataclass, field, replace

from referee.arena.entrants import Entrant
from referee.arena.series import Series
from referee.arena.statistics.elo import Estimate
from referee.arena.statistics.sprt import Sprt
from referee.arena.statistics.standings import Standings, standings_on_the_way
from referee.arena.store import Store

# So many points of a line tell as much as the eye sees.
MAX_POINTS = 80


@dataclass
class History:
    """What was known after so many games each.

    games: how many. elos: for each bot its Elo then. llrs: the test's log-likelihood ratio then, []
    where it has nothing to say: it is about two bots.
    """

    games: list[int] = field(default_factory=list)
    elos: list[list[Estimate]] = field(default_factory=list)
    llrs: list[float] = field(default_factory=list)


def history_of(
    store: Store, series: Series, entrants: list[Entrant], sprt: Sprt
) -> tuple[Standings, History]:
    """The standings of a stored series, and how they came to be."""
    history, standings = History(), Standings(len(entrants))
    n_games = store.n_games(series)
    step = max(1, n_games // MAX_POINTS)
    for standings in standings_on_the_way(store, series, entrants):
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
