"""Plays the games of a training in worker processes, which alone import the player's files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from referee.errors import UsageError
from referee.sources.workspace import workspace
from shared.learn.network_task import MAX_PLIES, ROLLOUTS, Examples, Task, TaskError
from shared.learn.searched_games import Games, Mind, Schedule, Side, concatenated
from shared.search.mcts import new_tree
from shared.search.network import Network, Shape, Symmetries, new_network, unfolded

# The file of the weights of a side; None: the search with rollouts.
Weights = Path | None
SPARE_NODES = 1000


@dataclass(frozen=True)
class Description:
    """The plain data of a task."""

    shape: Shape
    symmetries: Symmetries | None


@dataclass(frozen=True)
class Play:
    """Games to learn from, one a seed, by one side."""

    seeds: range
    schedule: Schedule
    weights: Weights


@dataclass(frozen=True)
class Compare:
    """Pairs of games, one a seed, between two sides that begin them in turns."""

    seeds: range
    schedule: Schedule
    weights: Weights
    other: Weights


class Player:
    """Answers questions: None for a checked Description, a Play by Examples, a Compare by the half
    points of the first side in each pair.
    """

    def __init__(self, contest: str) -> None:
        self.contest = contest
        self.task: Task | None = None
        self.sides: dict[bool, Side] = {}
        self.games: dict[tuple[bool, bool], Games] = {}

    def __call__(self, question: Play | Compare | None) -> Any:
        try:
            if self.task is None:
                workspace()  # its files can be imported from here on
                self.task = Task(self.contest)
            if question is None:
                self.task.check()
                return Description(self.task.shape, self.task.symmetries)
            if isinstance(question, Play):
                return self._play(self.task, question)
            return self._compare(self.task, question)
        except TaskError as error:
            raise UsageError(str(error)) from error

    def _side(self, task: Task, has_network: bool) -> Side:
        if has_network not in self.sides:
            side = task.network_side() if has_network else Side(task.game, ROLLOUTS)
            self.sides[has_network] = side
        return self.sides[has_network]

    def _games(self, task: Task, *have_networks: bool) -> Games:
        key = have_networks[0], have_networks[-1]
        if key not in self.games:
            sides = [self._side(task, has_network) for has_network in key]
            self.games[key] = Games(task.game, task.tables, task.start, MAX_PLIES, *sides)
        return self.games[key]

    def _mind(self, task: Task, weights: Weights, iterations: int) -> Mind:
        side = self._side(task, weights is not None)
        tree = new_tree(side.game, side.options, iterations * task.game.max_actions + SPARE_NODES)
        return Mind(read_network(task, weights) if weights else task.tables, tree)

    def _play(self, task: Task, question: Play) -> Examples:
        mind = self._mind(task, question.weights, question.schedule.iterations)
        games = self._games(task, question.weights is not None)
        played = [games.play(question.schedule, seed, mind, mind) for seed in question.seeds]
        return task.examples(concatenated(played))

    def _compare(self, task: Task, question: Compare) -> list[int]:
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


def read_network(task: Task, file: Path) -> Network:
    """Returns the network of a file of weights."""
    with np.load(file) as arrays:
        weights = {name: arrays[name].ravel() for name in Network._fields if name in arrays}
    if task.symmetries:
        weights = unfolded(weights, task.symmetries)
    return new_network(task.tables, weights, task.shape)
