"""Plays the trials of a tuning, one after the other; trials that are stored are not played again.

A trial is a number of seeds, on each of which both sides have every seat; all sides are the same
bot, with values of their own. The method hears of trials in their order, so a run that was killed
goes on as if it had not been, with any number of workers.
"""

import json
from dataclasses import dataclass, field
from typing import Callable

from referee.arena.plan import Game, seatings_of
from referee.arena.play import Result
from referee.arena.statistics.tally import DRAW, LOSS, WIN
from referee.arena.workers import Workers
from referee.tuning.methods import Method
from referee.tuning.space import Point, Space
from referee.tuning.trials import Trial, Trials

TICK_S = 0.5


@dataclass
class Tuning:
    """A tuning; table: each seat's side. fixed: other numbers. path: best points by trial."""

    space: Space
    method: Method
    trials: Trials
    table: tuple[int, ...]
    n_seeds: int
    first_seed: int
    fixed: dict[str, float] = field(default_factory=dict)
    played: list[Trial] = field(default_factory=list)
    path: list[Point] = field(default_factory=list)
    n_found: int = 0

    def recall(self) -> None:
        """Tell the method the stored trials."""
        for trial in self.trials:
            self._count(trial)
        self.n_found = len(self.played)

    def run(self, workers: Workers, show: Callable[["Tuning"], None]) -> None:
        """Play until the method has had all its trials; `show` is called now and then."""
        show(self)
        while self.method.k < self.method.n_iterations:
            number = self.method.k
            plus, minus = (self.space.values(point) for point in self.method.ask())
            parameters = json.dumps(self.fixed | plus), json.dumps(self.fixed | minus)
            results = self._play(workers, number, parameters)
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
            for seating in seatings_of(self.table, seed)
        ]
        left, running = games[::-1], 0
        results: dict[Game, Result] = {}
        while left or running:
            while left and running < workers.capacity():
                workers.start(left.pop())
                running += 1
            for game, result, _ in workers.wait(TICK_S):
                results[game] = result
                running -= 1
        return [(game, results[game]) for game in games]


def make_trial(
    number: int, plus: dict[str, float], minus: dict[str, float], results: list[tuple[Game, Result]]
) -> Trial:
    """Returns the trial of some games; each two players of different sides at a table count."""
    half_points = most = faults = 0
    for game, result in results:
        faults += sum(seat.fault is not None for seat in result.seats)
        placed = list(zip(game.seating, result.seats))
        for one in [seat for side, seat in placed if side == 0]:
            for other in [seat for side, seat in placed if side == 1]:
                half_points += (
                    WIN if one.rank < other.rank else LOSS if one.rank > other.rank else DRAW
                )
                most += WIN
    return Trial(number, plus, minus, half_points, most, len(results), faults)
