"""Plays the trials of a tuning, one after the other; stored trials are not played again.

A trial is a number of seeds, on each of which both sides have every seat, or in a contest for one
player play once each; both sides are the same bot, with different values. The method gets the
results of the trials in their order, so a killed run goes on as if it had not been killed, with any
number of workers.
"""

import json
from dataclasses import dataclass, field
from typing import Callable

from referee.arena.plan import Game, seatings_of
from referee.arena.result import Result, SeatResult
from referee.arena.run import play_games
from referee.arena.statistics.tally import DRAW, LOSS, WIN
from referee.arena.workers import Played, Workers
from referee.tuning.methods import Method
from referee.tuning.space import Point, Space
from referee.tuning.trials import Trial, Trials


@dataclass
class Tuning:
    """A tuning of a bot's numbers by a method, and its trials so far."""

    space: Space
    method: Method
    trials: Trials
    # The side (0 or 1) of each seat; in a contest for one player both sides.
    table: tuple[int, ...]
    # Seeds of a trial, and the first seed of all.
    n_seeds: int
    first_seed: int
    # The values of numbers that are not tuned.
    fixed: dict[str, float] = field(default_factory=dict)
    # Each side plays by itself.
    is_solo: bool = False
    # The lower score is the better.
    lowest_wins: bool = False
    # Completed trials, and the best point after each.
    played: list[Trial] = field(default_factory=list)
    path: list[Point] = field(default_factory=list)
    # The number of trials that were stored before.
    n_found: int = 0

    def recall(self) -> None:
        """Report the stored trials to the method."""
        for trial in self.trials:
            self._count(trial)
        self.n_found = len(self.played)

    def run(self, workers: Workers, show: Callable[["Tuning"], None]) -> None:
        """Play until all trials of the method are done; `show` is called now and then."""
        show(self)
        while self.method.k < self.method.n_iterations:
            number = self.method.k
            plus, minus = (self.space.values(point) for point in self.method.ask())
            parameters = json.dumps(self.fixed | plus), json.dumps(self.fixed | minus)
            results = self._play(workers, number, parameters)
            if self.is_solo:
                trial = make_solo_trial(number, plus, minus, results, self.lowest_wins)
            else:
                trial = make_trial(number, plus, minus, results)
            self.trials.add(trial)
            self._count(trial)
            show(self)

    def _count(self, trial: Trial) -> None:
        self.method.tell(trial.lead)
        self.played.append(trial)
        self.path.append(self.method.best())

    def _play(
        self, workers: Workers, number: int, parameters: tuple[str, str]
    ) -> list[tuple[Game, Result]]:
        first = self.first_seed + number * self.n_seeds
        games = [
            Game(seed, seating, number, parameters)
            for seed in range(first, first + self.n_seeds)
            for seating in ([(0,), (1,)] if self.is_solo else seatings_of(self.table, seed))
        ]
        results: dict[Game, Result] = {}

        def keep(played: list[Played]) -> None:
            results.update({game: result for game, result, _ in played})

        play_games(iter(games), workers, set(), keep)
        return [(game, results[game]) for game in games]


def make_trial(
    number: int, plus: dict[str, float], minus: dict[str, float], results: list[tuple[Game, Result]]
) -> Trial:
    """Returns the trial of some games; each pair of players of different sides counts as a game."""
    half_points = most = faults = 0
    for game, result in results:
        faults += sum(seat.fault is not None for seat in result.seats)
        placed = list(zip(game.seating, result.seats))
        for first_seat in [seat for side, seat in placed if side == 0]:
            for other in [seat for side, seat in placed if side == 1]:
                half_points += (
                    WIN
                    if first_seat.rank < other.rank
                    else LOSS if first_seat.rank > other.rank else DRAW
                )
                most += WIN
    return Trial(number, plus, minus, half_points, most, len(results), faults)


def make_solo_trial(
    number: int,
    plus: dict[str, float],
    minus: dict[str, float],
    results: list[tuple[Game, Result]],
    lowest_wins: bool,
) -> Trial:
    """Returns the trial of some games that both sides have played by themselves.

    Its points are the differences of scores, so its lead is the sum of the differences over the sum
    of their absolute values. Where the lowest score wins, a failed case has no score: the side that
    failed loses the case by the greatest difference of the trial.
    """
    by_seed: dict[int, dict[int, SeatResult]] = {}
    for game, result in results:
        by_seed.setdefault(game.seed, {})[game.seating[0]] = result.seats[0]
    gains, lost = [], 0
    for sides in by_seed.values():
        first, other = sides[0], sides[1]
        if lowest_wins and (first.fault or other.fault):
            lost += bool(other.fault) - bool(first.fault)
        else:
            gains.append(other.score - first.score if lowest_wins else first.score - other.score)
    greatest = max(map(abs, gains), default=0.0) or 1.0
    gained = sum(gains) + greatest * lost
    most = sum(map(abs, gains)) + greatest * abs(lost)
    faults = sum(result.seats[0].fault is not None for _, result in results)
    return Trial(number, plus, minus, (most + gained) / 2, most, len(results), faults)
