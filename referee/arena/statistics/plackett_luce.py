"""Fits strengths of players to their finishing orders, with intervals.

The model is Plackett and Luce's (Luce, Individual Choice Behavior, 1959; Plackett, Applied
Statistics 24, 1975): the order of a game is a series of choices, first the best of all players at
the table, then the best of the others, and so on; a player is chosen with a probability in
proportion to exp(its strength). For two players it is the model of Bradley and Terry. Players of
equal rank count as every order among them, with equal weights: a draw of two is half a win.

The games of a seed share their map and their players, so they are no independent trials. The spread
is measured between seeds: the sandwich of the likelihood's curvature and the seeds' squared
gradients (Huber, 1967; by clusters Liang and Zeger, Biometrika 73, 1986). An interval holds the
strengths whose profile likelihood is less below the maximum than this spread allows (Kent,
Biometrika 69, 1982), by Student's distribution with one degree of freedom less than there are
seeds. Unlike a symmetric interval, such an interval suits a player with almost all points.

The prior: each pair of players who met has played one more game, a draw that might as well have
been won or lost (Davidson and Solomon, Biometrika 60, 1973). So a player who won every game has
bounds on both sides, too (as Heinze and Schemper, Statistics in Medicine 21, 2002, find it by a
penalty).

Shapes: P players, S seeds, C choice sets, B profiles computed at once.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

# The players of a game by rank, the best first; those of equal rank stand together.
Finish = tuple[tuple[int, ...], ...]

# The normal quantile of a 95% interval.
Z95 = 1.959964
# Newton's method limits its steps, or it might diverge, and stops when they are shorter than the
# other number; both are in natural log-odds. Five steps are usual.
LARGEST_STEP = 1.0
CONVERGED = 1e-7
# Enough to choose a game by.
QUICKLY_CONVERGED = 1e-3
NEWTON_STEPS = 200
# Added to the curvature, so that steps are defined where the likelihood is flat.
FLAT = 1e-9
# The same for the ends of an interval, searched until the root of the profile has this precision.
# The profile is close to a straight line: a few steps are enough.
LARGEST_MOVE = 4.0
PROFILE_CONVERGED = 1e-3
PROFILE_STEPS = 40


class Choices(NamedTuple):
    """The choices in games, counted by seed.

    chosen: the number of times that each player was chosen, S x P. offered: the number of times
    that each choice set was offered, S x C. sets: the number of copies of each player in each set,
    C x P.
    """

    chosen: np.ndarray
    offered: np.ndarray
    sets: np.ndarray


class Strengths(NamedTuple):
    """Strengths in natural log-odds, and the ends of their 95% intervals, P each.

    The mean of the strengths is 0, in each part of the players that games connect.
    """

    values: np.ndarray
    lows: np.ndarray
    highs: np.ndarray


@lru_cache(maxsize=100_000)
def choices_of(finish: Finish) -> tuple[dict[int, float], dict[tuple[int, ...], float]]:
    """Returns the number of times each player of a game was chosen, and each choice set offered.

    A choice among copies of the same player does not count.
    """
    chosen: Counter[int] = Counter()
    offered: Counter[tuple[int, ...]] = Counter()
    for place, tied in enumerate(finish):
        chosen.update(tied)
        worse = [player for others in finish[place + 1 :] for player in others]
        for n_left in range(len(tied), 0, -1):
            share = 1 / math.comb(len(tied), n_left)
            for left in combinations(tied, n_left):
                offered[tuple(sorted([*left, *worse]))] += share  # type: ignore[assignment]
    for choice_set in [choices for choices in offered if len(set(choices)) == 1]:
        chosen[choice_set[0]] -= offered.pop(choice_set)
    return dict(chosen), dict(offered)


def fit(choices: Choices) -> Strengths:
    """Returns the most likely strengths, with their intervals."""
    n_seeds, n_players = choices.chosen.shape
    prior = _one_draw_each(choices.sets)
    model = _Model(
        choices.chosen.sum(axis=0) + prior.chosen.sum(axis=0),
        np.concatenate([choices.offered.sum(axis=0), np.ones(len(prior.sets))]),
        np.concatenate([choices.sets, prior.sets]),
    )
    strengths = model.highest(np.zeros((1, n_players)))[0]

    gradients = choices.chosen - choices.offered @ _chances(choices.sets, strengths)
    spread = gradients.T @ gradients * (n_seeds / max(1, n_seeds - 1))
    gradients = prior.chosen - prior.offered @ _chances(prior.sets, strengths)
    # Information of the prior's draw, and the half point by which it might have gone the other way.
    halves = prior.chosen * np.where(np.cumsum(prior.chosen, axis=1) < 1, 1, -1)
    spread += gradients.T @ gradients + halves.T @ halves

    roots = model.directions @ np.linalg.inv(model.curvature(strengths[None])[0])
    naive = np.einsum("ij,ij->i", roots, model.directions)
    robust = np.einsum("ij,jk,ik->i", roots, spread, roots)
    quantile = student95(n_seeds - 1)
    reaches = quantile * np.sqrt(robust)
    drops = quantile**2 * robust / np.where(naive > 0, naive, 1)
    lows, highs = (model.ends(strengths, drops, sign * reaches) for sign in (-1, 1))
    return Strengths(strengths, lows, highs)


class Spread(NamedTuple):
    """Strengths in natural log-odds, P, and the covariance of their errors, P x P.

    Games are taken as independent: this is quicker than `fit`, and good enough to choose the next
    game by.
    """

    values: np.ndarray
    covariance: np.ndarray


def fit_quickly(
    chosen: np.ndarray, offered: np.ndarray, sets: Sequence[tuple[int, ...]], start: np.ndarray
) -> Spread:
    """Returns the most likely strengths and the covariance of their errors.

    chosen, offered: as in Choices, but summed over all seeds, P and C. sets: the players of each
    choice set, C, at least one set. start: the initial strengths, P, of mean 0 as the result.
    """
    n = len(chosen)
    # A player of no weight fills the places of smaller sets. C x places.
    members = np.full((len(sets), max(map(len, sets))), n)
    for row, players in zip(members, sets):
        row[: len(players)] = players
    # The prior: a drawn game between each pair of players with a common choice set.
    left, right = np.triu_indices(members.shape[1], 1)
    met = np.unique(
        np.sort(members[:, [left, right]], axis=1).swapaxes(1, 2).reshape(-1, 2), axis=0
    )
    met = met[(met[:, 0] < met[:, 1]) & (met[:, 1] < n)]
    draws = np.full((len(met), members.shape[1]), n)
    draws[:, :2] = met
    members = np.concatenate([members, draws])
    offered = np.concatenate([offered, np.ones(len(met))])
    chosen = chosen + np.bincount(met.ravel(), minlength=n) / 2
    pairs = (members[:, :, None] * (n + 1) + members[:, None, :]).ravel()
    held, strengths = _held(met, n), start
    for _ in range(NEWTON_STEPS):
        weights = np.append(np.exp(strengths), 0.0)[members]
        chances = weights / weights.sum(axis=1, keepdims=True)
        expected = offered[:, None] * chances
        sums = np.bincount(members.ravel(), expected.ravel(), n + 1)[:n]
        products = (expected[:, :, None] * chances[:, None, :]).ravel()
        common = np.bincount(pairs, products, (n + 1) ** 2).reshape(n + 1, n + 1)[:n, :n]
        curvature = np.diag(sums + FLAT) - common + held
        steps = np.linalg.solve(curvature, chosen - sums)
        length = float(np.abs(steps).max())
        strengths = strengths + steps * min(1.0, LARGEST_STEP / max(length, FLAT))
        if length < QUICKLY_CONVERGED:
            break
    return Spread(strengths, np.linalg.inv(curvature) - held)


def _held(met: np.ndarray, n_players: int) -> np.ndarray:
    """Returns the matrix that fixes the mean of each part of players connected by games, P x P.

    met: the pairs of players who have met.
    """
    parts = np.arange(n_players)
    while True:
        least = parts.copy()
        np.minimum.at(least, met.ravel(), parts[met].min(axis=1).repeat(2))
        if (least == parts).all():
            break
        parts = least
    same = parts[:, None] == parts
    held: np.ndarray = same / same.sum(axis=1)
    return held


def student95(n_degrees: int) -> float:
    """Returns the two-sided 95% quantile of Student's distribution.

    It is exact to 1% from 2 degrees of freedom on (Abramowitz and Stegun, 26.7.5).
    """
    z, n = Z95, max(1, n_degrees)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / n**power for power, term in enumerate(terms, 1)))


def _one_draw_each(sets: np.ndarray) -> Choices:
    """Returns the choices of a drawn game between each pair of players with a common choice set."""
    n_players = sets.shape[1]
    met = (sets > 0).T.astype(float) @ (sets > 0)
    pairs = np.argwhere(np.triu(met, 1))
    games = np.zeros((len(pairs), n_players))
    for game, pair in zip(games, pairs):
        game[pair] = 1.0
    return Choices(games / 2, np.eye(len(pairs)), games)


def _chances(sets: np.ndarray, strengths: np.ndarray) -> np.ndarray:
    """Returns the probability of each player to be chosen from each set, C x P, or B x C x P."""
    weights = sets * np.exp(strengths)[..., None, :]
    chances: np.ndarray = weights / weights.sum(axis=-1, keepdims=True)
    return chances


class _Model:
    """The likelihood of the strengths of P players, from choices among C sets of players.

    chosen: the number of times each player was chosen, P. offered: the number of choices from each
    set, C. sets: the number of copies of each player in each set, C x P.

    directions: row p turns strengths into the difference of player p from the mean of all players
    connected to p by games, P x P.
    """

    def __init__(self, chosen: np.ndarray, offered: np.ndarray, sets: np.ndarray) -> None:
        self.chosen, self.offered, self.sets = chosen, offered, sets
        n_players = len(chosen)
        together = np.eye(n_players) + sets.T @ sets > 0
        for _ in range(n_players.bit_length()):
            together = together @ together
        parts = together / together.sum(axis=1)
        self.directions = np.eye(n_players) - parts
        # Fixes the mean of each connected part of the players: the likelihood is the same for all.
        self.held = parts

    def likelihood(self, strengths: np.ndarray) -> np.ndarray:
        """Returns the logarithm of the likelihood, B; strengths: B x P."""
        totals = np.log((self.sets * np.exp(strengths)[:, None, :]).sum(axis=2))
        values: np.ndarray = strengths @ self.chosen - totals @ self.offered
        return values

    def gradient(self, strengths: np.ndarray) -> np.ndarray:
        """Returns the gradient of the likelihood's logarithm, B x P."""
        values: np.ndarray = self.chosen - self.offered @ _chances(self.sets, strengths)
        return values

    def curvature(self, strengths: np.ndarray) -> np.ndarray:
        """Returns the negative Hessian of the likelihood's logarithm, B x P x P, made regular by
        terms for the mean of each connected part.
        """
        chances = _chances(self.sets, strengths)
        weighted = self.offered[:, None] * chances
        diagonal = np.einsum("bcp,pq->bpq", weighted, np.eye(len(self.chosen)))
        flat = FLAT * np.eye(len(self.chosen))
        values: np.ndarray = diagonal - np.swapaxes(weighted, 1, 2) @ chances + self.held + flat
        return values

    def highest(self, strengths: np.ndarray, players: np.ndarray | None = None) -> np.ndarray:
        """Returns the most likely strengths, B x P, by Newton's method from initial values.

        players: for each row, B, the player whose difference from the mean stays fixed.
        """
        n_players = len(self.chosen)
        for _ in range(NEWTON_STEPS):
            curvature, gradient = self.curvature(strengths), self.gradient(strengths)
            if players is not None:
                # The Lagrange multiplier of the fixed difference adds a row and a column.
                border = self.directions[players][:, None]
                corner = np.zeros((len(players), 1, 1))
                above = np.concatenate([curvature, np.swapaxes(border, 1, 2)], axis=2)
                below = np.concatenate([border, corner], axis=2)
                curvature = np.concatenate([above, below], axis=1)
                gradient = np.concatenate([gradient, corner[:, 0]], axis=1)
            steps = np.linalg.solve(curvature, gradient[..., None])[:, :n_players, 0]
            lengths = np.abs(steps).max(axis=1, initial=0.0, keepdims=True)
            strengths = strengths + steps * np.minimum(1, LARGEST_STEP / np.maximum(lengths, 1e-9))
            if lengths.max(initial=0.0) < CONVERGED:
                break
        return strengths

    def ends(self, strengths: np.ndarray, drops: np.ndarray, reaches: np.ndarray) -> np.ndarray:
        """Returns one end of each player's interval, as a difference from the mean, P.

        At the end, twice the logarithm of the profile likelihood is `drops` below its maximum. The
        signs of `reaches` give the side, their sizes the first guess. Newton's method is applied to
        the square root of the drop, which is close to linear.
        """
        players = np.flatnonzero(drops > 0)
        along = self.directions[players]
        along = along / (along * along).sum(axis=1, keepdims=True)
        top, targets = self.likelihood(strengths[None]), np.sqrt(drops[players])
        reached, moves = strengths + np.zeros((len(players), 1)), reaches[players]
        for _ in range(PROFILE_STEPS):
            reached = self.highest(reached + moves[:, None] * along, players)
            roots = np.sqrt(np.maximum(2 * (top - self.likelihood(reached)), 1e-12))
            miss = targets - roots
            if np.abs(miss).max(initial=0.0) < PROFILE_CONVERGED:
                break
            slopes = -(self.gradient(reached) * along).sum(axis=1) / roots
            moves = np.clip(miss / slopes, -LARGEST_MOVE, LARGEST_MOVE)
        ends = strengths.copy()
        ends[players] = reached[np.arange(len(players)), players]
        return ends
