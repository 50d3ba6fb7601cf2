"""Plays a match within this process: no pipes, no other processes, no clock.

A bot's file, its bundle as a rule, is run here up to where it would play. Its `new_player(read_line)`
gives what `shared/core/loop.py` takes, and each turn's lines go to and from that as text, so a game
is the one that is played over pipes with as many nodes, to the bit. What is kept between games has to
stand in a player: a bot is loaded once for many.

Bots share the process: one that writes to stdout spoils the arena's, one that crashes ends it, one
that does not come back hangs it. Who plays games here has to watch this process.
"""

import ast
import contextlib
import io
import os
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, Callable

from referee.arena.play import Result, SeatResult, time_class
from referee.errors import UsageError, shorten
from referee.log import Conditions
from referee.log.records import PARAMETERS, Bot
from referee.play.match_loop import Answer, MatchLoop, Request
from referee.sources.contests import own_errors, start_match
from shared.core.contest import Contest

MAKER = "new_player"
NODES = "CG_NODES"


@dataclass(frozen=True)
class Guest:
    """A bot that has been loaded: `new_player` of its file."""

    name: str
    new_player: Callable


def load(bot: Bot) -> Guest:
    """A bot's file, run up to where it would play. Raises UsageError."""
    path = Path(bot.command[-1])
    if path.suffix != ".py" or len(bot.command) != 2:
        raise UsageError(f"{bot.bot}: only a Python file can play in this process")
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    said, finders = io.StringIO(), len(sys.meta_path)
    # The referee's own choice between plain and compiled Python is not the bots'.
    with told({PARAMETERS: bot.parameters, "CG_JIT": ""}), contextlib.redirect_stderr(said):
        try:
            exec(code_of(path), names)
        except (Exception, SystemExit) as error:
            raise UsageError(f"{bot.bot} cannot be loaded: {one_line(error)}") from error
    if len(sys.meta_path) > finders:
        raise UsageError(f"{bot.bot} carries modules whole: it can only play over pipes")
    if MAKER not in names:
        raise UsageError(
            f"{bot.bot} has no {MAKER}(read_line): it can only play over pipes (see CONTRIBUTING.md)"
        )
    return Guest(bot.name, names[MAKER])


@lru_cache(maxsize=64)
def code_of(path: Path) -> CodeType:
    """The code of a Python file without what it does as a program."""
    tree = ast.parse(path.read_bytes(), str(path))
    guards = ("__name__ == '__main__'", "'__main__' == __name__")
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and ast.unparse(node.test) in guards)
    ]
    return compile(tree, str(path), "exec", dont_inherit=True)


@contextlib.contextmanager
def told(variables: dict[str, str]) -> Iterator[None]:
    """The environment with some variables, those that are "" left out."""
    before = {name: os.environ.get(name) for name in variables}
    set_variables(variables)
    try:
        yield
    finally:
        set_variables({name: text or "" for name, text in before.items()})


def set_variables(variables: dict[str, str]) -> None:
    for name, text in variables.items():
        if text:
            os.environ[name] = text
        else:
            os.environ.pop(name, None)


class Seat:
    """A player of a running match: made when it is asked first."""

    def __init__(self, guest: Guest, nodes: int | None):
        self.guest, self.nodes = guest, nodes
        self.lines: deque[str] = deque()
        self.turns: tuple = ()
        self.wall_ms: list[float] = []
        self.cpu_ms = 0.0
        self.n_nodes = self.n_searches = 0
        self.fault: str | None = None

    def read_line(self) -> str:
        return self.lines.popleft() if self.lines else ""

    def reply(self, request: Request) -> Answer:
        """What the bot answers, or why it is out."""
        self.lines.extend(f"{line}\n" for line in request.sent)
        started, cpu = time.perf_counter(), time.thread_time()
        try:
            lines = self._answer()
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

    def _answer(self) -> list[str]:
        if not self.turns:
            with told({NODES: str(self.nodes or "")}):
                read_turn, choose, *clock = self.guest.new_player(self.read_line)
            self.turns = read_turn, choose, clock[0] if clock else None
        read_turn, choose, clock = self.turns
        if not read_turn():
            raise EOFError("it takes the input for ended")
        if clock is not None:
            clock.start()
        lines = [str(line) for line in choose()]
        if clock is not None:
            self.n_nodes += clock.granted
            self.n_searches += 1
        return lines

    def result(self, rank: int, score: float) -> SeatResult:
        said = {"nodes": (float(self.n_nodes), self.n_searches)} if self.n_searches else {}
        return SeatResult(
            rank,
            score,
            self.fault,
            round(self.cpu_ms, 3),
            round(max(self.wall_ms, default=0.0), 3),
            dict(Counter(map(time_class, self.wall_ms))),
            said,
        )


def play_inside(contest: Contest, guests: list[Guest], conditions: Conditions) -> Result:
    """Play a match to its end. Raises UsageError where the contest's own code fails."""
    with own_errors(contest.name):
        assert conditions.seed is not None  # of a game that is to be played
        match = start_match(contest, conditions.seed, len(guests), conditions.options)
        seats = [Seat(guest, nodes) for guest, nodes in zip(guests, conditions.nodes)]
        loop = MatchLoop(match)

        def ask(requests: list[Request]) -> list[Answer]:
            return [seats[request.player].reply(request) for request in requests]

        while (outcome := match.outcome()) is None:
            for player, fault in loop.play_turn(ask).items():
                seats[player].fault = fault
    placed = zip(seats, outcome.ranks, outcome.scores)
    results = tuple(seat.result(rank, score) for seat, rank, score in placed)
    return Result(results, loop.turn, outcome.reason, attempts=1)


def one_line(error: BaseException) -> str:
    """An exception as a line for people."""
    kind = "" if isinstance(error, SystemExit) else f"{type(error).__name__}: "
    return shorten(f"{kind}{' '.join(str(error).split())}".rstrip(": "))
