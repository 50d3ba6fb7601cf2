"""Runs the loop of a training: games of the present network against itself, a fit to the latest
games, a sequential test of the fitted network against the present one, again until the time is up.

The seeds of games and fits follow from the run's seed, the round and the game's number, and a test
counts its pairs in their order: a killed run goes on as if it had not been killed, with any number
of workers. The first games of a network's training are played by UCT with rollouts.

Source: Silver et al., "Mastering the game of Go without human knowledge" (Nature 550, 2017).
"""

import json
import math
import time
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np

from referee.arena.measures import elo_text
from referee.arena.plan import Game
from referee.arena.statistics.elo import Estimate, elos
from referee.arena.statistics.sprt import Sprt, Verdict
from referee.arena.statistics.tally import Seeds
from referee.arena.workers import MAX_LOSSES, Pool, Worker, WorkerLost
from referee.errors import UsageError
from referee.train.fits import NETWORK, NotFinite, Plan, TermsFit
from referee.train.folder import Folder, Round
from referee.train.player import Compare, Description, Play, Weights, read_weights
from shared.learn.searched_games import Schedule

CHUNK = 50  # games
CHUNK_OF_PAIRS = 8
TEST = Sprt(0.0, 40.0)
MOST_PAIRS = 400
# Pairs that measure a generation kept, apart from its test: those were won more than deserved.
MEASURED_PAIRS = 48
# A score that measures no more of what follows: a generation that has it is the next rival.
HIGH_SCORE = 0.85
# What a busy worker of the pool has for its games.
QUESTION = Game(0, (), 0)
# Of a game, by the half points of the first side.
FINISHES = (((1,), (0,)), ((0, 1),), ((0,), (1,)))


@dataclass(frozen=True)
class Settings:
    """The settings of a training.

    nodes: the nodes of a search. games: the games of a round. window: the number of latest rounds
    in a fit. rate: the first learning rate. random_plies, varied_plies, decided: see Schedule.
    """

    contest: str
    features: str
    seed: int
    nodes: int
    games: int
    random_plies: int
    fit: str = NETWORK
    decided: int = 1001
    varied_plies: int = 24
    window: int = 6
    epochs: int = 4
    rate: float = 2e-3


class Late(Exception):
    """The exception that ends a run when its time is up."""


class Training:
    """A training in a folder.

    minutes: the time for this run. show: called with texts about the present activity.
    """

    def __init__(
        self,
        settings: Settings,
        folder: Folder,
        pool: Pool,
        minutes: float,
        show: Callable[[str], None],
    ) -> None:
        self.settings, self.folder, self.pool, self.show = settings, folder, pool, show
        self.deadline = time.monotonic() + 60.0 * minutes
        [task] = [answer for _, answer in self.ask([None])]
        self.task: Description = task

    @property
    def rounds(self) -> list[Round]:
        return self.folder.state.rounds

    @property
    def left_s(self) -> float:
        return self.deadline - time.monotonic()

    def run(self, most: int | None = None) -> Iterator[int]:
        """Run rounds until the time is up or `most` rounds are done; yield the number of each."""
        state = self.folder.state
        try:
            for number in range(len(state.rounds)):
                self.measure(number)
            while most is None or self.n_done < most:
                if not state.rounds or state.rounds[-1].is_kept is not None:
                    self.check_time()
                    state.rounds.append(Round())
                number = len(state.rounds) - 1
                if not self.folder.weights(number).exists():
                    self.play(number)
                    self.fit(number)
                self.test(number)
                self.measure(number)
                self.folder.drop_games(number - self.settings.window)
                yield number
        except Late:
            self.folder.save()

    @property
    def n_done(self) -> int:
        return sum(one.is_kept is not None for one in self.rounds)

    def check_time(self) -> None:
        """Raise Late if the time is up."""
        if self.left_s <= 0:
            raise Late

    def first_seed(self, number: int) -> int:
        return (self.settings.seed * 10_000 + number) * 1_000_000

    def text_of_time(self) -> str:
        return f"{max(0.0, self.left_s) / 60:.1f} minutes left"

    def play(self, number: int) -> None:
        """Play the games of a round that are not stored yet, and store their examples."""
        settings, count = self.settings, -(-self.settings.games // CHUNK)
        schedule = Schedule(
            settings.nodes, settings.random_plies, settings.varied_plies, decided=settings.decided
        )
        first, current = self.first_seed(number), self.rounds[number]
        missing = [c for c in range(count) if not self.folder.chunk(number, c).exists()]
        seeds = [
            range(first + CHUNK * c, first + min(CHUNK * (c + 1), settings.games)) for c in missing
        ]
        weights = self.folder.present_weights()
        questions = [Play(some, schedule, weights) for some in seeds]
        started, n_played = math.inf, 0
        for i, examples in self.ask(questions):
            self.folder.save_chunk(number, missing[i], examples)
            # The first answer came after the compilation of the search.
            if n_played:
                rate = n_played / (time.monotonic() - started)
                current.games_per_s = round(rate, 1)
            else:
                started = time.monotonic()
            n_played += len(seeds[i])
            done = settings.games - sum(map(len, seeds)) + n_played
            self.show(
                f"generation {number}: {done:,} of {settings.games:,} games,"
                f" {current.games_per_s:.0f} a second; {self.text_of_time()}"
            )
        current.games = settings.games
        self.folder.save()

    def fit(self, number: int) -> None:
        """Fit weights to the games of the latest rounds, and store them.

        Raises UsageError if the fit fails.
        """
        settings, folder = self.settings, self.folder
        count, current = -(-settings.games // CHUNK), self.rounds[number]
        chunks = [
            chunk
            for one in range(max(0, number + 1 - settings.window), number + 1)
            for chunk in folder.chunks(one, count)
        ]
        columns = {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}
        start = folder.present_weights()
        plan = Plan(settings.seed, number, settings.rate, settings.epochs)
        try:
            fitted = self.task.fit(
                plan,
                read_weights(start) if start else None,
                columns,
                lambda text: self.show(f"generation {number}: {text}; {self.text_of_time()}"),
            )
        except NotFinite as error:
            raise UsageError(
                f"the loss of generation {number} is no number after {error.args[0]} epochs: begin"
                f" again in another --folder with a lower --rate than {settings.rate:g};"
                f" {self.kept_text()}"
            ) from error
        current.positions, current.losses = fitted.n_positions, fitted.losses
        # The state first: with the weights there the round's games and fit are done.
        folder.save()
        self.write_weights(folder.weights(number), number, fitted.weights)

    def write_random(self, path: Path) -> None:
        """Write a file of random weights."""
        self.write_weights(path, -1, self.task.random(self.settings.seed))

    def write_weights(self, path: Path, number: int, numbers: dict[str, Any]) -> None:
        header = json.dumps(self.task.header | {"generation": number} | asdict(self.settings))
        self.folder.write(
            path, lambda file: np.savez_compressed(file, header=np.array(header), **numbers)
        )

    def test(self, number: int) -> None:
        """Test the new network against the present network, and keep it if the test accepts H1.

        A test without a verdict after MOST_PAIRS does not keep the new network.
        """
        folder, current = self.folder, self.rounds[number]
        sides = folder.weights(number), folder.present_weights()
        first = self.first_seed(number) + 500_000
        begin = len(current.pairs)
        questions = comparisons(first, range(begin, MOST_PAIRS), self.even_schedule, *sides)
        verdict = TEST.verdict(Counter(current.pairs))
        early: dict[int, list[int]] = {}
        asked = self.ask(questions if verdict is None else [])
        for i, pairs in asked:
            early[i] = pairs
            while verdict is None and (following := self.next_chunk(begin)) in early:
                current.pairs += early.pop(following)
                verdict = TEST.verdict(Counter(current.pairs))
                folder.save()
            self.show(
                f"generation {number}: test against {self.present_text()}, {2 * len(current.pairs)}"
                f" games, {elo_text(elo_of(current.pairs))};"
                f" {self.text_of_time()}"
            )
            if verdict is not None:
                break
        asked.close()
        current.is_kept = verdict is Verdict.H1
        if current.is_kept:
            folder.write(
                folder.network, lambda file: file.write(folder.weights(number).read_bytes())
            )
            folder.state.present = number
        folder.save()

    @property
    def even_schedule(self) -> Schedule:
        """The schedule of games that compare two sides: best play after a random opening."""
        return Schedule(self.settings.nodes, max(self.settings.random_plies, 2), 0)

    def measure(self, number: int) -> None:
        """Play a kept generation against an earlier side, in the same openings as all generations.

        Do nothing if the generation has been measured or was not kept. If the time is up before all
        games are played, the next run plays them.
        """
        current, folder = self.rounds[number], self.folder
        if not current.is_kept or current.measured:
            return
        rival = rival_of(self.rounds[:number], folder.first_side)
        sides = folder.weights(number), folder.weights_of(rival)
        first = self.first_seed(0) + 900_000
        questions = comparisons(first, range(MEASURED_PAIRS), self.even_schedule, *sides)
        self.show(
            f"generation {number}: {2 * MEASURED_PAIRS} games against {self.text_of(rival)};"
            f" {self.text_of_time()}"
        )
        try:
            answers = dict(self.ask(questions))
        except Late:
            return
        current.rival = rival
        current.measured = [pair for i in sorted(answers) for pair in answers[i]]
        folder.save()

    def next_chunk(self, begin: int) -> int:
        """Returns the index of the question whose pairs the test counts next.

        begin: the number of pairs that were stored before.
        """
        return (len(self.rounds[-1].pairs) - begin) // CHUNK_OF_PAIRS

    def present_text(self) -> str:
        """Returns a name of the present side."""
        return self.text_of(self.folder.state.present)

    def text_of(self, side: int | None) -> str:
        """Returns a name of a side, which is a number as `State.present`."""
        if side is None:
            return "rollouts" if self.settings.fit == NETWORK else "the first weights"
        return f"generation {side}" if side >= 0 else "the first network"

    def kept_text(self) -> str:
        """Returns a text about the generation that stays and its file, or that there is none."""
        if self.folder.state.present in (None, -1):
            return "no generation has been kept yet"
        return f"{self.present_text()} stays in {self.folder.network}"

    def described_weights(self) -> list[str]:
        """Returns a line for each term of the present evaluation, [] if there is none."""
        if isinstance(self.task, TermsFit) and self.folder.network.exists():
            return self.task.describe(read_weights(self.folder.network)["weights"])
        return []

    def ask(self, questions: Sequence[object]) -> Generator[tuple[int, Any], None, None]:
        """Yield (index of a question, its answer) in the order of the answers.

        Raises Late once the time is up and the running questions are answered, WorkerLost if a
        question ends its process MAX_LOSSES times, and any exception that is an answer.
        """
        waiting, losses = deque(enumerate(questions)), Counter[int]()
        running: dict[Worker, int] = {}
        try:
            while waiting or self.pool.busy():
                is_late = self.left_s <= 0
                for worker in self.pool.workers:
                    if not worker.games and waiting and not is_late:
                        number, question = waiting.popleft()
                        running[worker] = number
                        worker.start([QUESTION], question)
                if not self.pool.busy():
                    raise Late
                for worker, answer in self.pool.answers(1.0):
                    number = running.pop(worker)
                    worker.games = []
                    if answer is None:
                        losses[number] += 1
                        self.pool.replace(worker)
                        if losses[number] == MAX_LOSSES:
                            raise WorkerLost(
                                f"a process that plays games ended {MAX_LOSSES} times, with status"
                                f" {worker.process.exitcode}: less --jobs take less memory"
                            )
                        waiting.appendleft((number, questions[number]))
                        continue
                    if isinstance(answer, Exception):
                        raise answer
                    yield number, answer
        except GeneratorExit:
            # The caller has enough answers; those to come would be taken for later ones.
            while self.pool.busy():
                for worker, answer in self.pool.answers(1.0):
                    worker.games = []
                    if answer is None:
                        self.pool.replace(worker)
            raise


def elo_of(pairs: Sequence[int]) -> Estimate:
    """Returns the Elo of the first side, with its 95% interval, by the half points of its pairs."""
    if not pairs:
        return Estimate(0.0, -math.inf, math.inf)
    seeds = Seeds(2)
    for number, half_points in enumerate(pairs):
        for points in (min(half_points, 2), half_points - min(half_points, 2)):
            seeds.add(number, FINISHES[points])
    return elos(seeds)[0]


def elos_of(rounds: Sequence[Round]) -> dict[int, Estimate]:
    """Returns the Elo of each measured round above the first side, by the round's number.

    It is the Elo of the round's rival plus the lead over the rival.
    """
    elos: dict[int, Estimate] = {}
    for number, one in enumerate(rounds):
        if one.measured:
            base = elos.get(-1 if one.rival is None else one.rival, Estimate(0.0, 0.0, 0.0))
            lead = elo_of(one.measured)
            value = base.value + lead.value
            below = math.hypot(base.value - base.low, lead.value - lead.low)
            above = math.hypot(base.high - base.value, lead.high - lead.value)
            elos[number] = Estimate(value, value - below, value + above)
    return elos


def rival_of(rounds: Sequence[Round], first_side: int | None) -> int | None:
    """Returns the side that measures the next round.

    It is the latest round whose score is HIGH_SCORE or more, else the first side.
    """
    highs = [
        number
        for number, one in enumerate(rounds)
        if one.measured and sum(one.measured) >= HIGH_SCORE * 4 * len(one.measured)
    ]
    return highs[-1] if highs else first_side


def comparisons(first: int, pairs: range, schedule: Schedule, *sides: Weights) -> list[Compare]:
    """Returns the questions for pairs of games between two sides; pair n has the seed first + n."""
    return [
        Compare(range(first + i, first + min(i + CHUNK_OF_PAIRS, pairs.stop)), schedule, *sides)
        for i in pairs[::CHUNK_OF_PAIRS]
    ]
