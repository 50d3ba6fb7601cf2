"""Computes the table of results by a measure: wins between bots, or scores of single bots.

A measure turns the outcome of a game into numbers, and compares the numbers of two bots. Both
measures have the same methods, which the tables of the terminal and of the report, the line of
JSON, the charts and the sequential test read.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from referee.arena.statistics.elo import Estimate, elos, score
from referee.arena.statistics.scores import Scores
from referee.arena.statistics.sprt import ScoreSprt, Sprt, Verdict
from referee.arena.statistics.tally import Placed, Scored, Tally
from shared.core.contest import Case

# 99.7% of the points: an arena has too few games to measure a larger difference.
MAX_ELO = 1000
# The number of best and of worst cases that are named for each bot.
N_NAMED = 3
# Titles of columns: that of failed games, and the beginning of that of leads over a named bot.
ERRORS, OVER = "errors", "over "


class Column(NamedTuple):
    """A column of the table of results, with a cell for each bot."""

    title: str
    cells: list[str]


class Wins(Tally):
    """The standings by wins between bots.

    The value of a bot is its Elo, relative to the other bot of two, or to the mean of several.
    """

    is_solo = False
    unit = "Elo"
    # The values, and the numbers of games and bots that they are of.
    _values: list[Estimate | None]
    _valued = -1, 0

    def n_played(self, bot: int) -> int:
        """Returns the number of a bot's games."""
        return self.games[bot]

    def n_failed(self, bot: int) -> int:
        """Returns the number of times that a bot was eliminated."""
        return self.errors[bot]

    def values(self) -> list[Estimate | None]:
        """Returns the Elo of each bot, None for a bot that has met no other."""
        state = self.n_games, self.n_bots
        if self._valued != state:
            met = {bot for pair in self.pairings for bot in pair}
            # No bot has met another before the first game.
            all_elos = elos(self.seeds) if met else []
            values = {bot: elo for bot, elo in enumerate(all_elos) if bot in met}
            self._values = [values.get(bot) for bot in range(self.n_bots)]
            self._valued = state
        return self._values

    def results(self, bot: int) -> tuple[int, int, int]:
        """Returns a bot's total wins, draws and losses against the other bots at its tables."""
        pairings = self.pairings_of(bot)
        return (
            sum(pairing.wins for pairing in pairings),
            sum(pairing.draws for pairing in pairings),
            sum(pairing.losses for pairing in pairings),
        )

    def samples(self, test: Sprt | ScoreSprt) -> Counter[int]:
        """Returns {half points of bot 0: number of samples} for a test of bot 0 against bot 1."""
        assert isinstance(test, Sprt)
        pairing = self.pairing(0, 1)
        return pairing.scores(test.n_games) if pairing else Counter()

    def ranking(self) -> list[int]:
        """Returns the bots by strength, the winner first."""
        strengths = [0.0 if value is None else value.value for value in self.values()]
        return sorted(range(self.n_bots), key=lambda bot: -strengths[bot])

    def columns(
        self, names: Sequence[str], against: int | None = None, is_page: bool = False
    ) -> list[Column]:
        """Returns the columns of the table of results; is_page: with the numbers of games."""
        bots = range(self.n_bots)
        values = self.values()
        columns = [Column("games", [str(self.games[bot]) for bot in bots])] if is_page else []
        results = zip(*map(self.results, bots))
        for title, counts in zip(("won", "drawn", "lost"), results):
            columns.append(Column(title, [str(count) for count in counts]))
        columns.append(Column(ERRORS, [str(self.errors[bot]) for bot in bots]))
        if self.most_seats > 2:
            # The mean place, 1 the best, shared by equal ranks.
            places = [
                "" if value is None else f"{self.places[bot] / self.seats[bot]:.2f}"
                for bot, value in enumerate(values)
            ]
            columns.append(Column("place", places))
        scores = [
            None if value is None else score(self.seeds, bot) for bot, value in enumerate(values)
        ]
        for title, texts in (("score", map(percent, scores)), ("Elo", map(signed, values))):
            cells, intervals = zip(*texts)
            columns += [Column(title, list(cells)), Column("95%", list(intervals))]
        return columns

    def data(self, names: Sequence[str], against: int | None = None) -> dict[str, Any]:
        """Returns the results as plain JSON data."""
        bots = []
        for bot, (name, elo) in enumerate(zip(names, self.values())):
            wins, draws, losses = self.results(bot)
            bots.append(
                {
                    "name": name,
                    "wins": wins,
                    "draws": draws,
                    "losses": losses,
                    "errors": self.errors[bot],
                    "elo": elo and round(elo.value, 1),
                    "elo_low": elo and round(elo.low, 1),
                    "elo_high": elo and round(elo.high, 1),
                }
            )
        return {"games": self.n_games, "bots": bots}


class CaseStandings(Scores):
    """The standings by scores of bots that play alone.

    The value of a bot is its mean score over the cases. lowest_wins: the lower of two scores is
    better. case_of: returns the case of a seed. known: {name of a case: best known score}.
    """

    is_solo = True
    unit = "mean score"

    def __init__(
        self,
        n_bots: int,
        lowest_wins: bool,
        case_of: Callable[[int], Case],
        known: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(n_bots, lowest_wins, known)
        self.case_of = case_of

    def add_group(
        self, seed: int, games: Sequence[tuple[tuple[int, ...], Sequence[Placed]]]
    ) -> None:
        """Count the games of a seed, each given as the seating and the result of its one seat."""
        for [bot], [seat] in games:
            self.add_seat(seed, bot, seat)

    def add_seat(self, seed: int, bot: int, seat: Scored) -> None:
        """Count a bot's game on a seed."""
        case, failed = self.case_of(seed), seat.fault is not None
        self.add(case.name, bot, seat.score, failed, case.group, seat.opening)

    def n_played(self, bot: int) -> int:
        """Returns the number of cases that a bot has played."""
        return int(self.has_played()[:, bot].sum())

    def n_failed(self, bot: int) -> int:
        """Returns the number of games that a bot failed."""
        return self.failures(bot)

    def ranking(self) -> list[int]:
        """Returns the bots by their mean score, the winner first."""
        sign = 1 if self.lowest else -1
        means = [math.inf if mean is None else sign * mean.value for mean in self.values()]
        return sorted(range(self.n_bots), key=lambda bot: means[bot])

    def values(self) -> list[Estimate | None]:
        """Returns the mean score of each bot, None for a bot without a score."""
        return [self.mean(bot) for bot in range(self.n_bots)]

    def samples(self, test: Sprt | ScoreSprt) -> np.ndarray:
        """Returns the leads of bot 0 over bot 1, one for each case on which both have a score."""
        return self.differences(0, 1)

    def lead(self, bot: int, against: int | None) -> Estimate | None:
        """Returns the mean lead of a bot over its reference: the bot `against`, else the other bot
        of two, else bot 0. None for the reference itself, and without a common case.
        """
        other = against or 0
        if against is None and self.n_bots == 2:
            other = 1 - bot
        return None if bot == other else self.difference(bot, other)

    def columns(
        self, names: Sequence[str], against: int | None = None, is_page: bool = False
    ) -> list[Column]:
        """Returns the columns of the table of results.

        against: the bot with which the other bots are compared, see `lead`. is_page: with all
        columns.
        """
        bots = range(self.n_bots)
        is_compared = is_page or len(names) > 1
        is_pair = against is None and len(names) == 2
        columns = [
            Column("cases", [str(self.n_played(bot)) for bot in bots]),
            Column(ERRORS, [str(self.failures(bot)) for bot in bots]),
            *estimate_columns("mean", self.values()),
        ]
        if is_compared:
            lead = "lead" if is_pair or is_page else OVER + names[against or 0]
            columns += estimate_columns(lead, [self.lead(bot, against) for bot in bots], "+")
        shares = [self.relative_mean(bot) for bot in bots]
        columns.append(
            Column("of best", ["" if share is None else f"{share.value:.1%}" for share in shares])
        )
        if is_compared:
            ranks = [self.rank_sum(bot) for bot in bots]
            columns.append(Column("ranks", ["" if each is None else f"{each:g}" for each in ranks]))
            shown = ("won", "drawn", "lost") if is_page else ("won",)
            for title, counts in zip(shown, zip(*map(self.results, bots))):
                columns.append(Column(title, [str(count) for count in counts]))
        return columns

    def data(self, names: Sequence[str], against: int | None = None) -> dict[str, Any]:
        """Returns the results as plain JSON data."""
        return {
            "games": self.n_games,
            "cases": len(self.cases),
            "lowest_wins": self.lowest,
            "bots": [self._bot_data(name, bot, against) for bot, name in enumerate(names)],
            "groups": [
                {
                    "group": group,
                    "cases": len(scores.cases),
                    "means": [estimate_data(scores.mean(bot)) for bot in range(len(names))],
                }
                for group, scores in self.by_group().items()
            ],
            "left_out": self.inconstant,
        }

    def _bot_data(self, name: str, bot: int, against: int | None) -> dict[str, Any]:
        wins, draws, losses = self.results(bot)
        order = self.order(bot)
        return {
            "name": name,
            "cases": self.n_played(bot),
            "errors": self.failures(bot),
            "mean": estimate_data(self.mean(bot)),
            "lead": estimate_data(self.lead(bot, against)),
            "relative": estimate_data(self.relative_mean(bot)),
            "rank_sum": self.rank_sum(bot),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "worst": [self.cases[row].name for row in order[:N_NAMED]],
            "best": [self.cases[row].name for row in order[::-1][:N_NAMED]],
        }


Standings = Wins | CaseStandings


def state_of_test(
    standings: Standings, test: Sprt | ScoreSprt
) -> tuple[int, float, Verdict | None]:
    """Returns a test's number of samples, its log-likelihood ratio, and its verdict if any."""
    samples: Any = standings.samples(test)
    return test.count(samples), test.llr(samples), test.verdict(samples)


# Texts of estimates


def percent(estimate: Estimate | None) -> tuple[str, str]:
    """Returns texts of a share of points and of its interval, in percent; "" and "" for None."""
    if estimate is None:
        return "", ""
    value, low, high = (100 * percent for percent in (estimate.value, estimate.low, estimate.high))
    return f"{value:.1f}%", f"{low:.0f} to {high:.0f}"


def signed(estimate: Estimate | None) -> tuple[str, str]:
    """Returns texts of a difference in Elo and of its interval; beyond MAX_ELO only the bound.

    The texts are "" and "" for None, "?" and "too few games" if the interval extends beyond MAX_ELO
    on both sides of 0.
    """
    if estimate is None:
        return "", ""
    if estimate.low < -MAX_ELO and estimate.high > MAX_ELO:
        return "?", "too few games"
    value, low, high = map(_bounded, (estimate.value, estimate.low, estimate.high))
    return value, f"{low} to {high}"


def elo_text(estimate: Estimate | None) -> str:
    """Returns a difference in Elo with its interval as a clause, or "too few games"."""
    value, interval = signed(estimate)
    return f"{value} Elo, 95% {interval}" if value not in ("", "?") else "too few games"


def clipped(estimate: Estimate) -> Estimate:
    """Returns a difference in Elo for a chart, within MAX_ELO of 0."""
    ends = (estimate.value, estimate.low, estimate.high)
    return Estimate(*(min(max(end, -MAX_ELO), MAX_ELO) for end in ends))


def _bounded(elo: float) -> str:
    if abs(elo) <= MAX_ELO:
        return f"{round(elo):+d}"
    return f"> +{MAX_ELO}" if elo > 0 else f"< -{MAX_ELO}"


def estimate_data(estimate: Estimate | None, digits: int = 6) -> dict[str, float | None] | None:
    """Returns an estimate as plain JSON data; an unbounded end is null."""
    if estimate is None:
        return None
    ends = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: round(end, digits) if math.isfinite(end) else None for name, end in ends.items()}


def estimate_columns(
    title: str, estimates: Sequence[Estimate | None], sign: str = ""
) -> list[Column]:
    """Returns a column of means, and a column of the half-widths of their intervals.

    title: the title of the former. sign: see value_and_reach.
    """
    cells = [value_and_reach(estimate, sign) for estimate in estimates]
    return [Column(title, [cell for cell, _ in cells]), Column("±95%", [each for _, each in cells])]


def value_and_reach(estimate: Estimate | None, sign: str = "") -> tuple[str, str]:
    """Returns texts of a mean and of the half-width of its interval, on the wider side.

    The half-width is "?" if there are too few cases for an interval. Both texts are "" for None.
    sign: "+" shows the sign of a positive mean.
    """
    if estimate is None:
        return "", ""
    reach = max(estimate.high - estimate.value, estimate.value - estimate.low)
    return number_text(estimate.value, sign), number_text(reach) if math.isfinite(reach) else "?"


def score_text(estimate: Estimate | None) -> str:
    """Returns a text of a mean, with its interval if the interval is bounded; "" for None."""
    value, reach = value_and_reach(estimate)
    return f"{value} ±{reach}" if reach.strip("?") else value


def number_text(value: float, sign: str = "") -> str:
    """Returns a text of a score, with at most 3 decimals: at most 1 from 10 on, 0 from 1000 on.

    Zeros at the end of the decimals are left out. sign: "+" shows the sign of a positive score.
    """
    magnitude = abs(value)
    decimals = 0 if magnitude >= 1000 else 1 if magnitude >= 10 else 3
    text = f"{value:{sign},.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
