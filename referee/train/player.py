"""Plays the games of a training in worker processes, which alone import the player's files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from referee.errors import UsageError
from referee.sources.workspace import workspace
from referee.train.fits import NETWORK, NetworkFit, TermsFit
from shared.learn.network_task import NetworkTask
from shared.learn.searched_games import Games, Mind, Schedule, Side, concatenated
from shared.learn.task import MAX_PLIES, TaskError
from shared.learn.terms_task import TermsTask

# The file of the weights of a side; None: the search that plays the first games.
Weights = Path | None
# The plain data of a task.
Description = NetworkFit | TermsFit


@dataclass(frozen=True)
class Play:
    """A question for games to learn from, one for each seed, of one side against itself."""

    seeds: range
    schedule: Schedule
    weights: Weights


@dataclass(frozen=True)
class Compare:
    """A question for pairs of games between two sides, one pair for each seed.

    Each side begins one game of a pair.
    """

    seeds: range
    schedule: Schedule
    weights: Weights
    other: Weights


class Player:
    """Answers the questions of a training.

    To None the answer is the Description of the checked task, to a Play it is Examples, and to a
    Compare the first side's half points in each pair. Raises UsageError for a task with an error.
    """

    def __init__(self, contest: str, fit: str) -> None:
        self.contest, self.fit = contest, fit
        self.task: NetworkTask | TermsTask | None = None
        self.sides: dict[bool, Side] = {}
        self.games: dict[tuple[bool, bool], Games] = {}

    def __call__(self, question: Play | Compare | None) -> Any:
        try:
            if self.task is None:
                workspace()  # its files can be imported from here on
                kind = NetworkTask if self.fit == NETWORK else TermsTask
                self.task = kind(self.contest)
            if question is None:
                self.task.check()
                if isinstance(self.task, NetworkTask):
                    return NetworkFit(self.task.shape, self.task.symmetries)
                return TermsFit(self.fit, self.task.names, self.task.sizes)
            if isinstance(question, Play):
                return self._play(self.task, question)
            return self._compare(self.task, question)
        except TaskError as error:
            raise UsageError(str(error)) from error

    def _side(self, task: NetworkTask | TermsTask, is_trained: bool) -> Side:
        if is_trained not in self.sides:
            self.sides[is_trained] = task.side(is_trained)
        return self.sides[is_trained]

    def _games(self, task: NetworkTask | TermsTask, *are_trained: bool) -> Games:
        key = are_trained[0], are_trained[-1]
        if key not in self.games:
            sides = [self._side(task, is_trained) for is_trained in key]
            self.games[key] = Games(task.game, task.tables, task.start, MAX_PLIES, *sides)
        return self.games[key]

    def _mind(self, task: NetworkTask | TermsTask, weights: Weights, iterations: int) -> Mind:
        tree = self._side(task, weights is not None).new_tree(iterations)
        return Mind(task.setup(read_weights(weights) if weights else None), tree)

    def _play(self, task: NetworkTask | TermsTask, question: Play) -> Any:
        mind = self._mind(task, question.weights, question.schedule.iterations)
        games = self._games(task, question.weights is not None)
        played = [games.play(question.schedule, seed, mind, mind) for seed in question.seeds]
        return task.examples(concatenated(played))

    def _compare(self, task: NetworkTask | TermsTask, question: Compare) -> list[int]:
        sides = question.weights, question.other
        minds = [self._mind(task, side, question.schedule.iterations) for side in sides]
        games = self._games(task, *(side is not None for side in sides))
        pairs = []
        for seed in question.seeds:
            half_points = 0
            for swapped in range(2):
                schedule = question.schedule._replace(swapped=swapped)
                results = games.play(schedule, seed, *minds).results[:1].sum()
                half_points += 1 + int(-results if swapped else results)
            pairs.append(half_points)
        return pairs


def read_weights(file: Path) -> dict[str, np.ndarray]:
    """Returns {name: flat array} of the arrays in a file of weights, without the header."""
    with np.load(file) as arrays:
        return {name: arrays[name].ravel() for name in arrays if name != "header"}
