"""The state of a league as the page gets it: standings, matrix, tests, running games, problems.

It is made by the thread that plays, in a small share of its time, and read as text by the server's.
"""

import json
import math
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from referee.arena.score_table import estimate_data, relative_score
from referee.arena.standings import ScoreStandings, Standings
from referee.arena.statistics.elo import ELO_SCALE, Estimate, elos
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
    """Makes the state of a league again when something has changed; `news` counts the versions.

    test: of a version against its predecessor, and of a candidate against all others.
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
        """Make the state again unless nothing has changed, or the last one is fresh."""
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
        standings = league.standings
        is_solo = isinstance(standings, ScoreStandings)
        shown = [
            version for version in league.lineage.versions if version.state is not State.REMOVED
        ]
        notes = league.store.notes(league.series) if league.series else {}
        rows = scores(league, shown) if is_solo else strengths(league, shown, self.test)
        for version, row in zip(shown, rows):
            row["note"] = notes.get(version.id, "")
            if is_solo:
                row["test"] = self.solo_test(version)
        order = sorted(range(len(rows)), key=lambda row: rank_key(rows[row]))
        rows, shown = [rows[row] for row in order], [shown[row] for row in order]
        return {
            "title": league.settings.rules.title,
            "contest": league.settings.rules.name,
            "conditions": league.series.title() if league.series else "",
            "solo": is_solo,
            "seats": league.settings.n_seats,
            "games": league.n_games,
            "errors": sum(row["errors"] for row in rows),
            "rate": self.rate(),
            "paused": league.paused,
            "bundling": league.scanner.busy,
            "problems": league.problems,
            "bots": rows,
            "matrix": [] if is_solo else matrix(league, shown),
            "running": league.running_games(),
        }

    def rate(self) -> float:
        """Returns the games of a minute since the start."""
        if self.first_games < 0:
            self.first_games = self.league.n_games
            self.began = time.monotonic()
        elapsed = max(1.0, time.monotonic() - self.began)
        return round(60 * (self.league.n_games - self.first_games) / elapsed, 1)

    def solo_test(self, version: Version) -> dict[str, Any] | None:
        """Returns the lead of a version over its predecessor on the same cases."""
        league, former = self.league, self.league.lineage.former(version)
        standings, numbers = league.standings, league.numbers
        if former is None or not isinstance(standings, ScoreStandings):
            return None
        if version.id not in numbers or former.id not in numbers:
            return None
        leads = standings.scores.differences(numbers[version.id], numbers[former.id])
        lead = standings.scores.difference(numbers[version.id], numbers[former.id])
        data: dict[str, Any] = {"against": former.label, "samples": len(leads)}
        data["lead"] = estimate_data(lead)
        if self.score_test:
            low, high = self.score_test.bounds
            verdict = self.score_test.verdict(leads)
            llr = round(self.score_test.llr(leads), 2)
            data |= {"llr": llr, "low": round(low, 2), "high": round(high, 2), "verdict": verdict}
        return data


def rank_key(row: dict[str, Any]) -> tuple[bool, float]:
    """The best first, and those without games last."""
    value = row["value"]
    return value is None, -(value or 0.0) * (-1 if row.get("lowest") else 1)


def base_row(league: League, version: Version, games: int, errors: int) -> dict[str, Any]:
    """Returns the part of a row that all contests have."""
    return {
        "label": version.label,
        "name": version.name,
        "number": version.number,
        "given": version.bot.bot,
        "since": version.since,
        "state": str(version.state),
        "problem": version.problem,
        "priority": version.priority,
        "candidate": version.key == league.candidate,
        "games": games,
        "errors": errors,
    }


def strengths(league: League, shown: list[Version], test: Sprt) -> list[dict[str, Any]]:
    """Returns the rows of a contest of several players."""
    standings = league.standings
    assert isinstance(standings, Standings)
    estimates: list[Estimate] = []
    if standings.pairings:
        if standings.n_bots <= MOST_PRECISE:
            estimates = elos(standings.seeds)
        elif league.spread is not None:
            estimates = [
                Estimate(value, value - reach, value + reach)
                for value, reach in (
                    (
                        float(value) * ELO_SCALE,
                        1.96 * ELO_SCALE * math.sqrt(max(0.0, float(variance))),
                    )
                    for value, variance in zip(
                        league.spread.values, league.spread.covariance.diagonal()
                    )
                )
            ]
    rows = []
    for version in shown:
        number = league.numbers.get(version.id)
        games = 0 if number is None else standings.games[number]
        row = base_row(league, version, games, 0 if number is None else standings.errors[number])
        row |= {"value": None, "low": None, "high": None, "won": 0, "drawn": 0, "lost": 0}
        row["place"] = None
        if number is not None and games:
            pairings = standings.pairings_of(number)
            row["won"] = sum(pairing.wins for pairing in pairings)
            row["drawn"] = sum(pairing.draws for pairing in pairings)
            row["lost"] = sum(pairing.losses for pairing in pairings)
            if standings.most_seats > 2:
                row["place"] = round(standings.places[number] / standings.seats[number], 2)
            if number < len(estimates):
                elo = estimates[number]
                row |= {"value": round(elo.value, 1), "low": round(elo.low, 1)}
                row["high"] = round(elo.high, 1)
        row["test"] = version_test(league, version, test)
        row["pool"] = pool_test(league, version, test) if row["candidate"] else None
        rows.append(row)
    return rows


def version_test(league: League, version: Version, test: Sprt) -> dict[str, Any] | None:
    """Returns the state of the test of a version against its predecessor."""
    former = league.lineage.former(version)
    if former is None or not isinstance(league.standings, Standings):
        return None
    numbers = league.numbers
    if version.id not in numbers or former.id not in numbers:
        return None
    pairing = league.standings.pairing(numbers[version.id], numbers[former.id])
    return test_of(former.label, pairing, test)


def pool_test(league: League, version: Version, test: Sprt) -> dict[str, Any] | None:
    """Returns the state of the test of a version against all others together."""
    number = league.numbers.get(version.id)
    if number is None or not isinstance(league.standings, Standings):
        return None
    whole = Pairing()
    for pairing in league.standings.pairings_of(number):
        whole.wins += pairing.wins
        whole.draws += pairing.draws
        whole.losses += pairing.losses
        whole.groups.update(pairing.groups)
    return test_of("the pool", whole if whole.n_games else None, test)


def test_of(against: str, pairing: Pairing | None, test: Sprt) -> dict[str, Any]:
    """Returns the state of a test as plain JSON data."""
    n_compared = max((group.n_games for group in pairing.groups), default=2) if pairing else 2
    corrected = Sprt(test.elo0, test.elo1, test.alpha, test.beta, n_compared)
    samples: Counter[int] = pairing.scores(n_compared) if pairing else Counter()
    low, high = corrected.bounds
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
        "llr": round(corrected.llr(samples), 2),
        "low": round(low, 2),
        "high": round(high, 2),
        "verdict": corrected.verdict(samples),
    }


def scores(league: League, shown: list[Version]) -> list[dict[str, Any]]:
    """Returns the rows of a contest for one player."""
    standings = league.standings
    assert isinstance(standings, ScoreStandings)
    scores = standings.scores
    played = scores.has_played()
    rows = []
    for version in shown:
        number = league.numbers.get(version.id)
        games = 0 if number is None else int(played[:, number].sum())
        row = base_row(league, version, games, 0 if number is None else scores.failures(number))
        row |= {"value": None, "low": None, "high": None, "won": 0, "drawn": 0, "lost": 0}
        row |= {"relative": None, "lowest": scores.lowest}
        if number is not None and games:
            mean, best = scores.mean(number), relative_score(scores, number)
            row["won"], row["drawn"], row["lost"] = scores.results(number)
            row["relative"] = best and round(best.value, 4)
            if mean:
                row |= estimate_data(mean) or {}
        rows.append(row)
    return rows


def matrix(league: League, shown: list[Version]) -> list[list[list[float] | None]]:
    """Returns [points, games] of each version, a row, against each other one, None if never met."""
    standings = league.standings
    assert isinstance(standings, Standings)
    numbers = [league.numbers.get(version.id) for version in shown]
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
