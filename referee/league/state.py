"""The state of a league as the page gets it: standings, matrix, tests, running games, problems.

The thread that plays computes the state, in a small share of its time; the threads of the server
read it as text.
"""

import json
import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from referee.arena.measures import CaseStandings, Wins, estimate_data
from referee.arena.statistics.elo import ELO_SCALE, Estimate
from referee.arena.statistics.sprt import ScoreSprt, Sprt
from referee.arena.statistics.tally import Pairing
from referee.league.league import League
from referee.league.versions import State, Version

# The share of the time that the state may take, and the least interval between two.
SHARE, LEAST_S = 0.02, 0.5
# Of more bots the intervals come from the estimate for pairing: those of `elos` take seconds.
MOST_PRECISE = 24


@dataclass
class Publisher:
    """Computes the state of a league again when something has changed; `news` counts the computed
    states.

    test: compares a version with its predecessor, and a candidate with all others. score_test:
    compares a version with its predecessor in a contest for one player, None for no test.
    """

    league: League
    test: Sprt
    score_test: ScoreSprt | None = None
    text: str = "{}"
    news: int = 0
    made: float = 0.0
    cost_s: float = 0.0
    seen: tuple[int, tuple[str, ...]] = (-1, ())
    began: float = field(default_factory=time.monotonic)
    first_games: int = -1

    def update(self) -> None:
        """Compute the state anew if the league has changed and the last state is old enough."""
        league = self.league
        running = tuple(str(game["name"]) for game in league.running_games())
        if (league.news, running) == self.seen or not league.settings:
            return
        if time.monotonic() - self.made < max(LEAST_S, self.cost_s / SHARE):
            return
        began = time.monotonic()
        self.seen = league.news, running
        self.text = json.dumps(self.data(), separators=(",", ":"), allow_nan=False)
        self.news += 1
        self.made = time.monotonic()
        self.cost_s = self.made - began

    def data(self) -> dict[str, Any]:
        """Returns the state as plain JSON data."""
        league = self.league
        shown = [
            version for version in league.lineage.versions if version.state is not State.REMOVED
        ]
        notes = league.store.notes(league.series) if league.series else {}
        values = self.values()
        rows = [
            self.row(version, values) | {"note": notes.get(version.id, "")} for version in shown
        ]
        order = sorted(range(len(rows)), key=lambda row: rank_key(rows[row]))
        rows, shown = [rows[row] for row in order], [shown[row] for row in order]
        return {
            "title": league.settings.rules.title,
            "contest": league.settings.rules.name,
            "conditions": league.series.title() if league.series else "",
            "solo": league.plan.standings.is_solo,
            "seats": league.settings.n_seats,
            "games": league.plan.n_games,
            "errors": sum(row["errors"] for row in rows),
            "rate": self.rate(),
            "paused": league.paused,
            "bundling": league.scanner.busy,
            "problems": league.problems,
            "bots": rows,
            "matrix": matrix(league, shown),
            "running": league.running_games(),
        }

    def rate(self) -> float:
        """Returns the number of games per minute since the first call."""
        if self.first_games < 0:
            self.first_games = self.league.plan.n_games
            self.began = time.monotonic()
        elapsed = max(1.0, time.monotonic() - self.began)
        return round(60 * (self.league.plan.n_games - self.first_games) / elapsed, 1)

    def test_of(self, version: Version) -> dict[str, Any] | None:
        """Returns the results of a version against its predecessor and the state of their test, as
        JSON data; None if there is no predecessor or one of the two has not entered the plan.
        """
        league, former = self.league, self.league.lineage.former(version)
        if former is None or not {version.id, former.id} <= league.plan.numbers.keys():
            return None
        number, other = league.plan.numbers[version.id], league.plan.numbers[former.id]
        if isinstance(league.plan.standings, CaseStandings):
            return lead_data(league.plan.standings, number, other, former.label, self.score_test)
        assert isinstance(league.plan.standings, Wins)
        return pairing_data(former.label, league.plan.standings.pairing(number, other), self.test)

    def pool_test(self, number: int | None) -> dict[str, Any] | None:
        """Returns the results of a candidate against all other bots together and the state of their
        test, as JSON data; None in a contest for one player.
        """
        standings = self.league.plan.standings
        if number is None or not isinstance(standings, Wins):
            return None
        whole = Pairing()
        for pairing in standings.pairings_of(number):
            whole.wins += pairing.wins
            whole.draws += pairing.draws
            whole.losses += pairing.losses
            whole.groups.update(pairing.groups)
        return pairing_data("the pool", whole if whole.n_games else None, self.test)

    def row(self, version: Version, values: Sequence[Estimate | None]) -> dict[str, Any]:
        """Returns the row of a version in the table of bots, as JSON data. values: the estimates by
        bot number.
        """
        league, standings = self.league, self.league.plan.standings
        number = league.plan.numbers.get(version.id)
        n_played = 0 if number is None else standings.n_played(number)
        row: dict[str, Any] = {
            "label": version.label,
            "name": version.name,
            "number": version.number,
            "given": version.bot.bot,
            "since": version.since,
            "state": str(version.state),
            "problem": version.problem,
            "priority": version.priority,
            "candidate": version.key == league.plan.candidate,
            "games": n_played,
            "errors": 0 if number is None else standings.n_failed(number),
            "value": None,
            "low": None,
            "high": None,
            "test": self.test_of(version),
        }
        results = (0, 0, 0)
        if number is not None and n_played:
            results = standings.results(number)
            value = values[number] if number < len(values) else None
            digits = 6 if standings.is_solo else 1
            row |= estimate_data(value, digits) or {}
        row |= dict(zip(("won", "drawn", "lost"), results))
        if isinstance(standings, CaseStandings):
            best = standings.relative_mean(number) if number is not None and n_played else None
            row |= {"relative": best and round(best.value, 4), "lowest": standings.lowest}
        if isinstance(standings, Wins):
            row["place"] = None
            if number is not None and n_played and standings.most_seats > 2:
                row["place"] = round(standings.places[number] / standings.seats[number], 2)
            row["pool"] = self.pool_test(number) if row["candidate"] else None
        return row

    def values(self) -> Sequence[Estimate | None]:
        """Returns the estimates of the bots by number: Elo, or mean scores in a contest for one
        player. Bots at the end may be missing.
        """
        standings, spread = self.league.plan.standings, self.league.plan.spread
        if standings.is_solo or standings.n_bots <= MOST_PRECISE:
            return standings.values()
        if spread is None:
            return []
        reaches = 1.96 * np.sqrt(np.maximum(spread.covariance.diagonal(), 0.0))
        ends = ELO_SCALE * np.stack(
            [spread.values, spread.values - reaches, spread.values + reaches]
        )
        return [Estimate(*row) for row in ends.T.tolist()]


def rank_key(row: dict[str, Any]) -> tuple[bool, float]:
    """Returns the sort key of a row of the table of bots: the best first, rows without a value
    last.
    """
    value = row["value"]
    return value is None, -(value or 0.0) * (-1 if row.get("lowest") else 1)


def lead_data(
    standings: CaseStandings, number: int, other: int, against: str, test: ScoreSprt | None
) -> dict[str, Any]:
    """Returns the lead of a bot over another on the same cases, with its test, as JSON data."""
    leads = standings.differences(number, other)
    data: dict[str, Any] = {"against": against, "samples": len(leads)}
    data["lead"] = estimate_data(standings.difference(number, other))
    return data if test is None else data | test_data(test, leads)


def pairing_data(against: str, pairing: Pairing | None, test: Sprt) -> dict[str, Any]:
    """Returns the results between two bots and the state of their test, as plain JSON data.
    against: the label of the opponent. pairing: the games, None if there are none.
    """
    n_compared = max((group.n_games for group in pairing.groups), default=2) if pairing else 2
    corrected = replace(test, n_games=n_compared)
    samples: Counter[int] = pairing.scores(n_compared) if pairing else Counter()
    score = pairing.points / pairing.n_games if pairing else None
    elo = None
    if score is not None and 0 < score < 1:
        elo = round(ELO_SCALE * math.log(score / (1 - score)), 1)
    return {
        "against": against,
        "games": pairing.n_games if pairing else 0,
        "samples": samples.total(),
        "score": None if score is None else round(score, 4),
        "elo": elo,
        "elo0": test.elo0,
        "elo1": test.elo1,
        **test_data(corrected, samples),
    }


def test_data(test: Sprt | ScoreSprt, samples: Any) -> dict[str, Any]:
    """Returns the state of a test as plain JSON data."""
    low, high = test.bounds
    return {
        "llr": round(test.llr(samples), 2),
        "low": round(low, 2),
        "high": round(high, 2),
        "verdict": test.verdict(samples),
    }


def matrix(league: League, shown: list[Version]) -> list[list[list[float] | None]]:
    """Returns a matrix, a row for each version: [points, games] against each version, None if the
    two have not met. Returns [] in a contest for one player.
    """
    standings = league.plan.standings
    if not isinstance(standings, Wins):
        return []
    numbers = [league.plan.numbers.get(version.id) for version in shown]
    return [
        [
            [pairing.points, pairing.n_games] if pairing else None
            for other in numbers
            for pairing in [
                (
                    None
                    if number is None or other is None or number == other
                    else standings.pairing(number, other)
                )
            ]
        ]
        for number in numbers
    ]
