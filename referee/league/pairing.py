"""Chooses the next table of a league: the bots whose game tells most about the order.

A game between i and j tells about the sign of their difference. Let d be the estimated difference
in natural log-odds, s the deviation of this estimate, and t the deviation after one more game,
whose information is p (1 - p) with p the expected score. The worth of the game is
(s - t) exp(-(d + e)² / 2 s²): the decrease of the deviation, weighted by the chance that the true
order is the reverse by more than e, a negligible difference. Bots without games have the prior's
deviation, and so are placed first. Of bots with games near neighbours meet, but bots of equal
strength do not meet for ever.

Every EXPLORED-th game goes to the two bots that have met least, so that no pair stays unknown: a
ranking by strength alone misses a bot that beats one other bot by its style.

Shapes: P bots.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referee.arena.statistics.plackett_luce import Spread

# The standard deviation of a bot without games, in natural log-odds: 350 Elo, as Glicko's.
PRIOR_SPREAD = 350 / (400 / math.log(10))
EXPLORED = 10
# The least variance, and the least information of a game.
LEAST = 1e-6
# The first games of a bot, in which it is being placed.
PLACED = 20

# A difference that is not worth a game: 10 Elo.
NEGLIGIBLE = 10 / (400 / math.log(10))
LEAST_WORTH = 1e-12


@dataclass(frozen=True)
class Contender:
    """A bot that may play: its number, the number of its games, its priority from 1 to 9, and the
    only opponent it may have, None for any.
    """

    number: int
    n_games: int
    priority: int = 1
    only: int | None = None


@dataclass(frozen=True)
class Choice:
    """The bots of the next table, and the reason, a text about the first of them."""

    table: tuple[int, ...]
    reason: str


class PairingEstimates:
    """The estimates that a choice is based on, and the number of chosen games that they do not
    contain.
    """

    def __init__(self, spread: Spread | None, n_games: Sequence[int]) -> None:
        """spread: the estimated strengths of P bots, None before the first game. n_games: each
        bot's number of games in this estimate.
        """
        n_bots = len(n_games)
        self.values = np.zeros(n_bots)
        self.covariance = np.zeros((n_bots, n_bots))
        if spread is not None:
            self.values[: len(spread.values)] = spread.values
            self.covariance[: len(spread.values), : len(spread.values)] = spread.covariance
        for bot, n in enumerate(n_games):
            if n == 0:
                self.covariance[bot, bot] = PRIOR_SPREAD**2
        # The games of each pair since, running ones among them, P x P.
        self.since = np.zeros((n_bots, n_bots))

    def add(self, table: Sequence[int], n_games: int) -> None:
        """Count `n_games` chosen games for each pair of bots at a table."""
        for number, other in combinations(set(table), 2):
            self.since[number, other] += n_games
            self.since[other, number] += n_games

    def worths(self) -> np.ndarray:
        """Returns the worth of one more game between each two bots, P x P."""
        difference = np.minimum(np.abs(self.values[:, None] - self.values), 50.0)
        own_variance = np.diag(self.covariance)
        variance = own_variance[:, None] + own_variance - 2 * self.covariance
        variance = np.clip(variance, LEAST, 2 * PRIOR_SPREAD**2)
        share = 1 / (1 + np.exp(-difference))
        information = np.maximum(share * (1 - share), LEAST)
        # A game in which one of them met another bot tells half as much about it.
        games = self.since + (self.since.sum(axis=0) + self.since.sum(axis=1)[:, None]) / 4
        variance = variance / (1 + variance * games * information)
        before = np.sqrt(variance)
        after = np.sqrt(variance / (1 + variance * information))
        doubt = np.exp(-0.5 * ((difference + NEGLIGIBLE) / before) ** 2)
        worths: np.ndarray = np.maximum((before - after) * doubt, LEAST_WORTH)
        return worths


def choose(
    contenders: Sequence[Contender],
    n_seats: int,
    strengths: PairingEstimates,
    met: np.ndarray,
    n_chosen: int,
) -> Choice | None:
    """Returns the bots of the next table of `n_seats`, None if no two contenders may meet. Copies
    of the last bot fill a table for which there are too few contenders.

    met: the number of games of each pair, P x P, in the row of the lower number. n_chosen: the
    number of choices before this one.
    """
    by_number = {contender.number: contender for contender in contenders}
    numbers = np.array(sorted(by_number))
    only = np.array(
        [by_number[bot].only if by_number[bot].only is not None else -1 for bot in numbers]
    )
    priorities = np.array([by_number[bot].priority for bot in numbers])
    # By pair of contenders, the lower number first.
    may = np.triu(
        ((only == -1)[:, None] | (only[:, None] == numbers))
        & ((only == -1) | (only == numbers[:, None])),
        1,
    )
    if not may.any():
        return None
    among = np.ix_(numbers, numbers)
    met = met[among] + strengths.since[among]
    worths = strengths.worths()

    def pair_at(place: np.intp) -> tuple[int, ...]:
        return tuple(int(numbers[bot]) for bot in np.unravel_index(place, may.shape))

    free = may & (only == -1)[:, None] & (only == -1)
    if n_chosen % EXPLORED == EXPLORED - 1 and free.any():
        place = np.where(free, met, np.inf).argmin()
        first = pair_at(place)
        reason = f"these two have met least, in {int(met.flat[place])} games"
    else:
        worth = np.where(may, np.maximum(priorities[:, None], priorities) * worths[among], -1.0)
        # Of equal worth are the pairs who have met least.
        first = pair_at(np.where(worth == worth.max(), met, np.inf).argmin())
        newest = min(first, key=lambda bot: by_number[bot].n_games)
        first = (newest, *[bot for bot in first if bot != newest])
        reason = "near rivals whose order is in doubt"
        if by_number[newest].n_games < PLACED:
            reason = "a new bot is being placed"
        elif max(by_number[bot].priority for bot in first) > 1:
            reason = "it has priority"
    table = list(first)
    while len(table) < n_seats:
        others = [
            contender.number
            for contender in contenders
            if contender.number not in table and contender.only is None
        ]
        if not others:
            # A table of fewer bots than seats is filled with copies of the last one.
            table.append(table[-1])
            continue
        table.append(max(others, key=lambda bot: float(worths[bot, table].sum())))
    return Choice(tuple(table), reason)
