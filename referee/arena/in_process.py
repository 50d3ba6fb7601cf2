"""Plays games inside worker processes, without pipes, further processes or a clock.

A bot's file, usually its bundle, is run up to the start of its game. Its `new_player(read_line)`
returns the functions for `shared/core/loop.py`, and each turn's lines are passed as text. So a game
equals a game over pipes with the same node counts to the last bit. A bot is loaded once for many
games: its state must belong to a player.

The bots of a game share a process: a bot that crashes ends the process, a bot that does not return
hangs it. So worker processes play games in batches. If the process dies or hangs, its batch is
repeated game by game; a game that fails alone is played over pipes, where the fault can be
attributed to a player. The output that bots print is discarded.
"""

import ast
import contextlib
import io
import os
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn

from referee.arena.plan import Game
from referee.arena.play import Setting, digest_of, play
from referee.arena.result import Result, SeatResult, time_class
from referee.arena.workers import Played, Pool, Worker, next_batch_size
from referee.errors import UsageError, shorten
from referee.log.records import PARAMETERS, Bot, Conditions
from referee.play.match import logged_outcome
from referee.play.match_loop import Answer, MatchLoop
from referee.play.turn_io import Request
from referee.sources.contests import find_contest, own_errors, start_match
from shared.core.contest import Contest

# A longer game counts as hanging.
HANG_S = 120.0
# The number of bots kept in a process.
MAX_LOADED_BOTS = 16
MAKER = "new_player"
NODES = "CG_NODES"


class InProcessWorkers(Pool):
    """`jobs` processes that play games of a setting within themselves, in batches."""

    def __init__(self, setting: Setting, jobs: int) -> None:
        super().__init__(jobs, InProcessPlayer(setting))
        self.setting = setting
        # By cores: the size of the next batch.
        self.sizes = [1] * len(self.cores)
        self.waiting: deque[Game] = deque()
        # Games to be played alone, after their batch was lost
        self.suspect: deque[Game] = deque()

    def capacity(self) -> int:
        return 2 * sum(self.sizes)

    def start(self, game: Game) -> None:
        self.waiting.append(game)

    def wait(self, seconds: float) -> list[Played]:
        for worker, size in zip(self.workers, self.sizes):
            if not worker.games and (self.suspect or self.waiting):
                games, most = (self.suspect, 1) if self.suspect else (self.waiting, size)
                batch = [games.popleft() for _ in range(min(most, len(games)))]
                worker.start(batch, batch)
        played: list[Played] = []
        for worker, results in self.answers(seconds):
            if results is None:
                played += self._lost(worker)
                continue
            if isinstance(results, Exception):
                raise results
            played += [(game, result, None) for game, result in zip(worker.games, results)]
            took_s = time.monotonic() - worker.started
            self.sizes[self.workers.index(worker)] = next_batch_size(len(worker.games), took_s)
            worker.games = []
        for worker in self.busy().values():
            if time.monotonic() - worker.started > HANG_S * len(worker.games):
                played += self._lost(worker)
        return played

    def _lost(self, worker: Worker) -> list[Played]:
        """Replace a worker that has died or hangs, and return the results of its games, if any.

        Several games are queued to be repeated alone; a single game is played over pipes.
        """
        self.replace(worker)
        if len(worker.games) > 1:
            self.suspect.extend(worker.games)
            return []
        return [(game, *play(self.setting, game)) for game in worker.games]


class InProcessPlayer:
    """Plays batches of games in a worker process; loads a bot once for each set of values."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.bots: dict[tuple[int, str], LoadedBot] = {}

    def __call__(self, games: list[Game]) -> list[Result]:
        contest = find_contest(self.setting.contest)
        return [self._play(contest, game) for game in games]

    def _play(self, contest: Contest, game: Game) -> Result:
        conditions = self.setting.conditions.seated(game.seating)
        seated = [
            self._loaded_bot(number, bot)
            for number, bot in zip(game.seating, self.setting.seated(game))
        ]
        return play_in_process(contest, seated, replace(conditions, seed=game.seed))

    def _loaded_bot(self, number: int, bot: Bot) -> "LoadedBot":
        key = number, bot.parameters
        if key not in self.bots:
            # With values of its own, a bot plays a few games and never again.
            while len(self.bots) >= MAX_LOADED_BOTS:
                del self.bots[next(iter(self.bots))]
            try:
                self.bots[key] = load_bot(bot)
            except UsageError as error:
                if not bot.parameters:
                    raise
                # Some values may break the bot: then it loses with them.
                self.bots[key] = LoadedBot(bot.name, partial(lose_at_once, str(error)))
        return self.bots[key]


def lose_at_once(reason: str, *_: object) -> NoReturn:
    """Raise SystemExit instead of creating a player: a bot that could not be loaded loses."""
    raise SystemExit(reason)


@dataclass(frozen=True)
class LoadedBot:
    """A loaded bot: its name, and the function `new_player` of its file."""

    name: str
    new_player: Callable[[Callable[[], str]], tuple[Any, ...]]


def load_bot(bot: Bot) -> LoadedBot:
    """Run a bot's file up to the start of its game; return the loaded bot. Raises UsageError."""
    path = Path(bot.command[-1])
    if path.suffix != ".py" or len(bot.command) != 2:
        raise UsageError(f"{bot.bot}: only a Python file can play in this process")
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    stderr, finders = io.StringIO(), len(sys.meta_path)
    # The referee's own choice between plain and compiled Python must not affect the bots.
    with (
        environment_with({PARAMETERS: bot.parameters, "CG_JIT": ""}),
        contextlib.redirect_stderr(stderr),
    ):
        try:
            exec(code_of(path), names)
        except (Exception, SystemExit) as error:
            raise UsageError(f"{bot.bot} cannot be loaded: {one_line(error)}") from error
    if len(sys.meta_path) > finders:
        raise UsageError(f"{bot.bot} embeds modules: it can only play over pipes")
    if MAKER not in names:
        raise UsageError(
            f"{bot.bot} has no {MAKER}(read_line): it can only play over pipes (see"
            " CONTRIBUTING.md)"
        )
    return LoadedBot(bot.name, names[MAKER])


@lru_cache(maxsize=64)
def code_of(path: Path) -> CodeType:
    """Returns the compiled code of a Python file, without statements under a `__main__` guard."""
    tree = ast.parse(path.read_bytes(), str(path))
    guards = ("__name__ == '__main__'", "'__main__' == __name__")
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and ast.unparse(node.test) in guards)
    ]
    return compile(tree, str(path), "exec", dont_inherit=True)


@contextlib.contextmanager
def environment_with(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables within a context; a variable with the value "" is unset."""
    before = {name: os.environ.get(name) for name in variables}
    set_variables(variables)
    try:
        yield
    finally:
        set_variables({name: text or "" for name, text in before.items()})


@contextlib.contextmanager
def discarded_output() -> Iterator[None]:
    """Discard what Python code prints to stdout and stderr within a context."""
    with (
        open(os.devnull, "w", encoding="utf-8") as nothing,
        contextlib.redirect_stdout(nothing),
        contextlib.redirect_stderr(nothing),
    ):
        yield


def set_variables(variables: dict[str, str]) -> None:
    for name, text in variables.items():
        if text:
            os.environ[name] = text
        else:
            os.environ.pop(name, None)


class LoadedSeat:
    """A seat of a running match; its player is created by the first request."""

    def __init__(self, bot: LoadedBot, nodes: int | None) -> None:
        self.bot, self.nodes = bot, nodes
        self.lines: deque[str] = deque()
        self.turns: tuple[Any, ...] = ()
        self.wall_ms: list[float] = []
        self.cpu_ms = 0.0
        # Nodes of the searches by turn.
        self.nodes_by_turn: dict[int, float] = {}
        self.fault: str | None = None
        self.opening = ""

    def read_line(self) -> str:
        return self.lines.popleft() if self.lines else ""

    def answer(self, request: Request, turn: int) -> Answer:
        """Returns the bot's answer to a request.

        The answer has a fault if the bot fails or writes a wrong number of lines.
        """
        self.opening = self.opening or digest_of(request.sent)
        self.lines.extend(f"{line}\n" for line in request.sent)
        started, cpu = time.perf_counter(), time.thread_time()
        try:
            lines = self._answer(turn)
            fault = None
        except (Exception, SystemExit) as error:
            lines, fault = [], f"ended: {one_line(error)}"
        self.cpu_ms += 1000.0 * (time.thread_time() - cpu)
        self.wall_ms.append(1000.0 * (time.perf_counter() - started))
        if (
            fault is None
            and isinstance(request.lines_expected, int)
            and len(lines) != request.lines_expected
        ):
            fault = f"wrote {len(lines)} lines, {request.lines_expected} are expected"
        return Answer(lines, fault)

    def _answer(self, turn: int) -> list[str]:
        if not self.turns:
            with environment_with({NODES: str(self.nodes or "")}):
                read_turn, choose, *clock = self.bot.new_player(self.read_line)
            self.turns = read_turn, choose, clock[0] if clock else None
        read_turn, choose, clock = self.turns
        if not read_turn():
            raise EOFError("it takes the input for ended")
        if clock is not None:
            clock.start()
        lines = [str(line) for line in choose()]
        if clock is not None:
            self.nodes_by_turn[turn] = self.nodes_by_turn.get(turn, 0.0) + clock.granted
        return lines

    def result(self, rank: int, score: float) -> SeatResult:
        return SeatResult(
            rank,
            score,
            self.fault,
            round(self.cpu_ms, 3),
            round(max(self.wall_ms, default=0.0), 3),
            dict(Counter(map(time_class, self.wall_ms))),
            {"nodes": self.nodes_by_turn} if self.nodes_by_turn else {},
            self.opening,
        )


def play_in_process(contest: Contest, bots: list[LoadedBot], conditions: Conditions) -> Result:
    """Play a match to its end and return its result.

    Raises UsageError where the contest's own code fails.
    """
    with own_errors(contest.name), discarded_output():
        assert conditions.seed is not None  # of a game that is to be played
        match = start_match(contest, conditions.seed, len(bots), conditions.options)
        seats = [LoadedSeat(bot, nodes) for bot, nodes in zip(bots, conditions.nodes)]
        loop = MatchLoop(match)

        def ask(requests: list[Request]) -> list[Answer]:
            return [seats[request.player].answer(request, loop.turn) for request in requests]

        while (outcome := match.outcome()) is None:
            for player, fault in loop.play_turn(ask).items():
                seats[player].fault = fault
        logged = logged_outcome(contest, outcome, len(bots))
    placed = zip(seats, logged.ranks, logged.scores)
    results = tuple(seat.result(rank, score) for seat, rank, score in placed)
    return Result(results, loop.turn, logged.reason, attempts=1)


def one_line(error: BaseException) -> str:
    """Returns an exception as a single line of text."""
    kind = "" if isinstance(error, SystemExit) else f"{type(error).__name__}: "
    return shorten(f"{kind}{' '.join(str(error).split())}".rstrip(": "))
