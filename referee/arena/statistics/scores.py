"""Scores of bots that play alone, case by case: means, paired differences, shares of the best.

A case counts once: several games of a bot on a case are averaged first. The interval of a mean is
taken over cases; the interval of a difference is taken over the paired differences on the cases
that both bots have played, which removes the difficulty of the cases. Scores may be skewed: the
distribution of the mean's deviation, in estimated standard errors, comes from resampled cases (the
bootstrap-t: Efron, 1982; its symmetric form: Hall, Journal of the Royal Statistical Society B 50,
1988). Where the lower score wins, a bot that fails has no score, and its case is left out of means
and differences; where the higher score wins, the contest's rules give a score to the failure. The
relative score of a failure is 0.

Shapes: C cases, B bots.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.arena.statistics.elo import Estimate
from referee.arena.statistics.plackett_luce import Z95

# With fewer cases, more than 5% of all series contain no score that occurs in one of 50 cases. No
# interval from such a series holds a mean that depends on these scores.
LEAST_CASES = 150
# The resampled series, of at most so many cases: of more the mean is close to normal.
N_RESAMPLED, MOST_RESAMPLED = 500, 2000
# Of scores with more skewness than this, resampled cases lack the rare large scores that the series
# has not met: of lognormal scores (sigma 1.5) 95% of their deviations hold the mean in 92%. The
# wider share holds it in 95%; and its normal quantile.
MOST_SKEW, SHARE_OF_SKEWED, Z975 = 2.0, 0.975, 2.241403


@dataclass
class CaseScores:
    """The games on a case: the case's group, and by bot the scores and the number of failures.

    opening: the digest of a game's first input, "" if unknown. is_constant: all games had the same
    input, as far as it is known.
    """

    name: str
    group: str = ""
    scores: dict[int, list[float]] = field(default_factory=dict)
    failures: dict[int, int] = field(default_factory=dict)
    opening: str = ""
    is_constant: bool = True


class Scores:
    """The scores of bots numbered from 0 on the cases of a contest for one player.

    lowest: the lower score wins. known: the best known score of cases by name, of any bot.
    """

    def __init__(
        self, n_bots: int, lowest: bool = False, known: Mapping[str, float] | None = None
    ) -> None:
        self.n_bots, self.lowest = n_bots, lowest
        self.known = dict(known or {})
        self.n_games = 0
        self._cases: dict[str, CaseScores] = {}
        # Results by the method that computes them, until the next game.
        self._memo: dict[str, Any] = {}

    def add(
        self,
        case: str,
        bot: int,
        score: float,
        failed: bool = False,
        group: str = "",
        opening: str = "",
    ) -> None:
        """Add a game of a bot on a case."""
        self.n_games += 1
        self._memo.clear()
        case_scores = self._cases.get(case)
        if case_scores is None:
            case_scores = self._cases[case] = CaseScores(case, group)
        bot_scores = case_scores.scores.setdefault(bot, [])
        if failed:
            case_scores.failures[bot] = case_scores.failures.get(bot, 0) + 1
        if not (failed and self.lowest):
            bot_scores.append(score)
        case_scores.is_constant &= not (
            opening and case_scores.opening and opening != case_scores.opening
        )
        case_scores.opening = case_scores.opening or opening

    def grow(self, n_bots: int) -> None:
        """Set a larger number of bots."""
        self.n_bots = n_bots
        self._memo.clear()

    @property
    def cases(self) -> list[CaseScores]:
        """The cases that count: the cases whose first input is the same in all games."""
        if "cases" not in self._memo:
            self._memo["cases"] = [case for case in self._cases.values() if case.is_constant]
        cases: list[CaseScores] = self._memo["cases"]
        return cases

    @property
    def inconstant(self) -> list[str]:
        """The names of cases whose input changed from game to game, which are left out."""
        return [case.name for case in self._cases.values() if not case.is_constant]

    def matrix(self) -> np.ndarray:
        """Returns the mean scores, C x B; NaN where a bot has none."""
        return self._once("matrix", self._means)

    def _means(self) -> np.ndarray:
        means: np.ndarray = np.full((len(self.cases), self.n_bots), math.nan)
        for row, case in enumerate(self.cases):
            for bot, scores in case.scores.items():
                if scores:
                    means[row, bot] = sum(scores) / len(scores)
        return means

    def _once(self, name: str, compute: Callable[[], np.ndarray]) -> np.ndarray:
        """Returns the result of `compute`, stored under a name until the next game is added."""
        if name not in self._memo:
            self._memo[name] = compute()
        memo: np.ndarray = self._memo[name]
        return memo

    def _marks(self, mark: Callable[[CaseScores, int], bool]) -> np.ndarray:
        marks = [[mark(case, bot) for bot in range(self.n_bots)] for case in self.cases]
        return np.array(marks, dtype=bool).reshape(len(self.cases), self.n_bots)

    def has_played(self) -> np.ndarray:
        """Returns booleans, C x B: the bot has finished or failed the case."""
        return self._once("played", lambda: self._marks(lambda case, bot: bot in case.scores))

    def has_failed(self) -> np.ndarray:
        """Returns booleans, C x B: the bot has failed the case at least once."""
        return self._once("failed", lambda: self._marks(lambda case, bot: bot in case.failures))

    def failures(self, bot: int) -> int:
        """Returns the number of a bot's failed games."""
        return sum(case.failures.get(bot, 0) for case in self.cases)

    def mean(self, bot: int) -> Estimate | None:
        """Returns a bot's mean score over the cases, None without a score."""
        return mean_of(present(self.matrix()[:, bot]))

    def differences(self, bot: int, other: int) -> np.ndarray:
        """Returns a bot's score less the other bot's, for each case on which both have one.

        Where the lower score wins the signs are inverted: a positive difference is always a lead.
        """
        sign = -1.0 if self.lowest else 1.0
        return present(sign * (self.matrix()[:, bot] - self.matrix()[:, other]))

    def difference(self, bot: int, other: int) -> Estimate | None:
        """Returns the mean lead of a bot over another on the same cases, None without any case."""
        return mean_of(self.differences(bot, other))

    def best(self) -> np.ndarray:
        """Returns the best known score of each case, C, NaN if there is none.

        It is taken from these games and from `known`.
        """
        choose = np.fmin if self.lowest else np.fmax
        known = np.array([self.known.get(case.name, math.nan) for case in self.cases])
        best: np.ndarray = choose(choose.reduce(self.matrix(), axis=1, initial=math.nan), known)
        return best

    def best_cases(self) -> dict[str, tuple[float, int]]:
        """Returns {name of a case: (best score in these games, the bot that reached it)}.

        Of several bots with this score it is the bot that played the case first.
        """
        best_bots = {}
        for case in self.cases:
            ended = [(bot, scores) for bot, scores in case.scores.items() if scores]
            if ended:
                choose = min if self.lowest else max
                best = choose(ended, key=lambda item: choose(item[1]))
                best_bots[case.name] = choose(best[1]), best[0]
        return best_bots

    def relative(self) -> np.ndarray:
        """Returns the share of the best known score, C x B from 0 to 1; NaN for cases not played.

        The share is score / best, or best / score where the lower score wins; for negative scores,
        such as costs with a minus sign, it is the reciprocal. The share is 0 for a failure, and for
        a score whose sign differs from the best score's.
        """
        return self._once("relative", self._relative)

    def relative_mean(self, bot: int) -> Estimate | None:
        """Returns the bot's mean share of the best known scores, None without a game."""
        return mean_of(present(self.relative()[:, bot]))

    def _relative(self) -> np.ndarray:
        matrix, best = self.matrix(), self.best()[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            is_cost = self.lowest != ((matrix < 0.0) & (best < 0.0))
            share = np.where(is_cost, best / matrix, matrix / best)
        share = np.where(np.isfinite(share) & (share >= 0.0) & (share <= 1.0), share, 0.0)
        share = np.where(matrix == best, 1.0, share)
        return np.where(self.has_played(), np.where(self.has_failed(), 0.0, share), math.nan)

    def worth(self) -> np.ndarray:
        """Returns the scores as numbers of which the higher is better, C x B.

        A failure is -inf; a case not played is NaN.
        """
        sign = -1.0 if self.lowest else 1.0
        worth: np.ndarray = np.where(self.has_failed(), -math.inf, sign * self.matrix())
        return worth

    def rank_sum(self, bot: int) -> float | None:
        """Returns the sum of a bot's places, 1 the best, on the cases that all bots have played.

        Bots of equal worth share the mean of their places. None without such a case.
        """
        worth = self.worth()[self.has_played().all(axis=1)]
        if not len(worth):
            return None
        better = (worth > worth[:, [bot]]).sum()
        equal = (worth == worth[:, [bot]]).sum()
        return float(better + (equal + len(worth)) / 2)

    def results(self, bot: int) -> tuple[int, int, int]:
        """Returns a bot's total wins, draws and losses against the other bots on the same case."""
        worth, played = self.worth(), self.has_played()
        others = [other for other in range(self.n_bots) if other != bot]
        met = played[:, [bot]] & played[:, others]
        own_worth, theirs = worth[:, [bot]], worth[:, others]
        wins, losses = int((met & (own_worth > theirs)).sum()), int(
            (met & (own_worth < theirs)).sum()
        )
        return wins, int(met.sum()) - wins - losses, losses

    def order(self, bot: int) -> list[int]:
        """Returns the row numbers of the cases that a bot has played, the worst first.

        They are sorted by the share of the best known score, then by the score: without rivals, all
        shares of a bot may be equal.
        """
        share, worth = self.relative()[:, bot], self.worth()[:, bot]
        rows = np.flatnonzero(~np.isnan(share))
        order: list[int] = rows[np.lexsort((worth[rows], share[rows]))].tolist()
        return order

    def by_group(self) -> "dict[str, Scores]":
        """Returns the scores of each group of cases, sorted by name; {} if there is one group."""
        groups = sorted({case.group for case in self.cases})
        if len(groups) < 2:
            return {}
        parts = {}
        for name in groups:
            group_scores = Scores(self.n_bots, self.lowest, self.known)
            group_scores._cases = {case.name: case for case in self.cases if case.group == name}
            parts[name] = group_scores
        return parts


def present(values: np.ndarray) -> np.ndarray:
    """Returns the values without NaN."""
    numbers: np.ndarray = values[~np.isnan(values)]
    return numbers


def mean_of(values: Sequence[float] | np.ndarray) -> Estimate | None:
    """Returns the mean of independent values with its 95% interval, None for no values.

    The interval is unbounded for fewer than LEAST_CASES values. It is unbounded also where the
    values that differ are so rare that resampled series lack them: on the side of these values, or
    on both.
    """
    array, n = np.asarray(values, dtype=float), len(values)
    if n == 0:
        return None
    mean = float(array.mean())
    if n < LEAST_CASES:
        return Estimate(mean, -math.inf, math.inf)
    spread = float(array.std(ddof=1))
    error = spread / math.sqrt(n)
    if error == 0.0:
        return Estimate(mean, mean, mean)
    is_skewed = abs(float((((array - mean) / spread) ** 3).mean())) > MOST_SKEW
    if n > MOST_RESAMPLED:
        high = Z975 if is_skewed else Z95
        low = -high
    else:
        low, high = deviations_of(array, SHARE_OF_SKEWED if is_skewed else 0.95)
    return Estimate(mean, mean - error * high, mean - error * low)


def deviations_of(values: np.ndarray, share: float) -> tuple[float, float]:
    """Returns the bounds, in standard errors, of a share of the deviations of resampled means.

    Each bound is the wider of two: by the sizes of the deviations, which holds for long tails, and
    by their signed values, which holds for skewed values.
    """
    n = len(values)
    resampled = values[np.random.default_rng(n).integers(0, n, (N_RESAMPLED, n))]
    errors = resampled.std(axis=1, ddof=1) / math.sqrt(n)
    with np.errstate(divide="ignore"):
        deviations = np.sort((resampled.mean(axis=1) - values.mean()) / errors)
    size = float(np.sort(np.abs(deviations))[round(share * N_RESAMPLED)])
    ends = (1 - share) / 2, (1 + share) / 2
    left, right = (float(deviations[round(end * N_RESAMPLED)]) for end in ends)
    return min(left, -size), max(right, size)
