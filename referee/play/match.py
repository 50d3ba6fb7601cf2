"""Plays one match: asks the bots turn by turn, applies what they answer, and logs all of it."""

import math
import os
import random
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from typing import Callable

from referee.log.file import LogWriter, versions
from referee.log.limits import Clock, Profile
from referee.log.records import (
    Bot,
    Conditions,
    Header,
    Idle,
    Late,
    Log,
    LoggedOutcome,
    LoggedTurn,
    PlayerTurn,
)
from referee.play.cores import CoreAllocation, allocate_cores
from referee.play.lateness import AnswerLimits
from referee.play.leader import Leader, Scorer, leader_of
from referee.play.match_loop import MatchLoop, Request
from referee.play.scorer import play_scored
from referee.play.turn_io import Question, TurnIO
from referee.process.bot_process import BotProcess, end_gracefully
from referee.process.warmup import wait_until_reading, wait_until_ready
from referee.sources.contests import ContestError, own_errors
from shared.core.contest import Contest, Match, Outcome

# The turns after which the bots' files are looked at.
TURNS_OF_FILES = 2


def play_match(
    contest: Contest,
    bots: list[Bot],
    conditions: Conditions,
    writer: LogWriter,
    on_turn: Callable[[int], None] = lambda turn: None,
    n_turns: int | None = None,
    on_files: Callable[[int, set[str]], None] | None = None,
) -> Log:
    """Play a match to its end and return its log, which `writer` writes as it grows.

    on_turn is called with each turn's number before the turn. on_files is called in the first turns
    and at the end, with a player and the paths of the files that its bot has in use. With `n_turns`
    the match is cut short after so many turns, and the log then has no outcome. The outcome's
    "spoiled" says that the machine, not the bot, put a player out: such a match is no result.
    Raises UsageError when a bot cannot be started or the contest's own code fails. No process of a
    bot outlives the call.
    """
    leader = leader_of(conditions)
    if isinstance(leader, Scorer):
        environment = _environment(bots[0], conditions, 0)
        return play_scored(contest, bots[0], conditions, environment, writer, leader.line)
    with own_errors(contest.name), ExitStack() as stack:
        match = stack.enter_context(leader.start_match(contest, bots, conditions))
        at_once = 1 if conditions.serial else len(match.players_to_move())
        allocation = allocate_cores(len(bots), at_once)
        header = _header(contest, leader, match, bots, conditions, allocation.idle)
        # A foreign referee may have played the whole game with bots it started itself.
        to_start = [] if match.outcome() else list(enumerate(bots))
        processes: list[BotProcess] = []
        loaded: list[float | None] = []
        n_at_once = _starts_at_once(leader, conditions, len(bots))
        for player, bot in to_start:
            environment = _environment(bot, conditions, player)
            process = BotProcess(bot.command, environment, is_apart=allocation.shares_cores)
            processes.append(stack.enter_context(process))
            if n_at_once and (len(processes) % n_at_once == 0 or player == len(bots) - 1):
                first_s = max(one.first_ms for one in conditions.limits) / 1000.0
                loaded += wait_until_reading(processes[len(loaded) :], first_s)
        turn_io = stack.enter_context(TurnIO(processes, allocation))
        writer.header(header)
        loop, seats = MatchLoop(match), _warm_up(processes, header.conditions, loaded)
        if loop.engine:
            # An engine counts from its question, and may have asked other players before.
            for seat in seats:
                seat.started = None
        table = Table(loop, seats, turn_io, writer, allocation, conditions.serial)
        while (outcome := match.outcome()) is None:
            if loop.turn == n_turns:
                return writer.log
            on_turn(loop.turn)
            writer.turn(table.play_turn())
            if on_files and loop.turn <= TURNS_OF_FILES:
                _tell_files(processes, on_files)
        if on_files:
            _tell_files(processes, on_files)
        writer.outcome(_outcome(contest, outcome, any(seat.spoiled for seat in seats)))
        if contest.final_input and leader.applies_rules:
            for player, process in enumerate(processes):
                process.tell(contest.final_input(match, player))
        end_gracefully(processes)
    return writer.log


def _tell_files(processes: list[BotProcess], on_files: Callable[[int, set[str]], None]) -> None:
    for player, process in enumerate(processes):
        if not process.has_ended():
            on_files(player, process.files_in_use())


def _outcome(contest: Contest, found: Outcome, spoiled: bool) -> LoggedOutcome:
    """Returns the outcome in Python's own numbers, whatever number types a contest uses."""
    try:
        ranks = [int(rank) for rank in found.ranks]
        # A log holds whole numbers of 64 bits.
        is_whole = [type(one) is int and abs(one) < 2**63 for one in found.scores]
        scores = [one if whole else float(one) for one, whole in zip(found.scores, is_whole)]
        if not all(map(math.isfinite, scores)):
            raise ValueError(f"a score is {scores}")
    except (TypeError, ValueError, OverflowError) as error:
        problem = f"its ranks and scores should be numbers: {error}"
        raise ContestError(f"{contest.title}: {problem}") from error
    return LoggedOutcome(ranks=ranks, scores=scores, reason=str(found.reason), spoiled=spoiled)


class Seat:
    """A player of a running match: its process, and the use of its limits.

    started: the start of the first answer's clock, None for the moment of the question. loaded_s:
    the time that it shows then. note: added to a fault's text.
    """

    def __init__(
        self,
        player: int,
        process: BotProcess,
        conditions: Conditions,
        started: float | None,
        note: str = "",
        loaded_s: float = 0.0,
    ):
        self.process = process
        self.limits = conditions.limits[player]
        self.hiccup_ms = conditions.hiccup_ms
        self.clock = conditions.clock
        self.started, self.loaded_s = started, loaded_s
        self.note = note
        self.bank_ms: float | None = self.limits.bank_ms
        self.random = random.Random(conditions.seed)
        self.late: list[Late] = []
        self.spoiled = False

    def question(self, request: Request, n_cores: int) -> Question:
        """Returns the request with the limits of its answer, for a bot on this many cores."""
        limits, pause = self.limits, None
        limit_ms, started, loaded_s = limits.turn_ms, None, 0.0
        if request.initial_input is not None:
            limit_ms, started, loaded_s = limits.first_ms, self.started, self.loaded_s
        if request.limit_ms is not None and limits.profile in (Profile.SITE, Profile.SOFT3):
            limit_ms = request.limit_ms
        if self.hiccup_ms:
            latest_ms = max(0.0, limit_ms - self.hiccup_ms)
            pause = self.random.uniform(0.0, latest_ms), self.hiccup_ms
        allowed = AnswerLimits(
            limit_ms=limit_ms,
            grace_ms=limits.grace_ms,
            bank_ms=self.bank_ms,
            clock=self.clock,
            started=started,
            loaded_s=loaded_s,
            cores=n_cores,
        )
        return Question(request=request, limits=allowed, pause=pause)

    def judge(self, answer: PlayerTurn) -> None:
        """Record an answer's time; extend its fault, or set it after one late answer too many."""
        if self.bank_ms is not None:
            self.bank_ms -= answer.cpu_ms
        if answer.late is None and answer.fault is None:
            return
        fault = answer.fault
        if answer.late:
            self.late.append(answer.late)
            n_late, most = len(self.late), self.limits.late_turns
            if fault is None:
                took = f"answered after {answer.wall_ms:.1f} ms"
                if self.clock is Clock.CPU:
                    took = f"used {answer.cpu_ms:.1f} ms of CPU"
                text = f"{took}, late answer {n_late} of {most}"
                if n_late < most:
                    answer.warnings.append(text)
                else:
                    fault = text
            if fault is not None and Late.MACHINE in self.late:
                self.spoiled = True
                fault += " (the machine's fault: it kept the bot or the referee waiting)"
        if fault is not None:
            answer.fault = fault + self.note


def _environment(bot: Bot, conditions: Conditions, player: int) -> dict[str, str]:
    """Returns the variables that tell a bot its thinking time and the values of its parameters."""
    numbers = {"CG_NODES": conditions.nodes[player], "CG_MS": conditions.think_ms[player]}
    environment = {name: str(value) for name, value in numbers.items() if value is not None}
    environment |= bot.environment
    return environment | ({"CG_CLOCK": "cpu"} if conditions.clock is Clock.CPU else {})


def _starts_at_once(leader: Leader, conditions: Conditions, n_bots: int) -> int:
    """Returns the number of bots that start at once, a core each; 0 for all.

    Bots that share a core would wait for each other, in a time that counts. Where they do not start
    all at once, the clock of each one shows its own start when it is asked.
    """
    counts = conditions.warmup_s == 0.0 and conditions.clock is Clock.WALL
    is_timed = any(one.profile is not Profile.OFF for one in conditions.limits)
    n_cores = len(os.sched_getaffinity(0))
    few = counts and is_timed and leader.applies_rules and n_bots > n_cores
    return n_cores if few else 0


def _warm_up(
    processes: list[BotProcess], conditions: Conditions, loaded: list[float | None]
) -> list[Seat]:
    """Wait for the bots to start, as the conditions demand. Returns each player's seat.

    loaded: the seconds that each bot has taken to start; [] if all have started at once.
    """
    warmup_s = conditions.warmup_s
    if None not in loaded and loaded:
        return [
            Seat(player, process, conditions, None, loaded_s=loaded_s or 0.0)
            for player, (process, loaded_s) in enumerate(zip(processes, loaded))
        ]
    if warmup_s == 0.0:
        return [
            Seat(player, process, conditions, process.started)
            for player, process in enumerate(processes)
        ]
    late_note = f" (it was still starting after {warmup_s:g} s of warm-up)"
    ready = wait_until_ready(processes, warmup_s)
    return [
        Seat(player, process, conditions, None, "" if is_ready else late_note)
        for player, (process, is_ready) in enumerate(zip(processes, ready))
    ]


class Table:
    """The players of a running match, asked and judged turn by turn."""

    def __init__(
        self,
        loop: MatchLoop,
        seats: list[Seat],
        turn_io: TurnIO,
        writer: LogWriter,
        allocation: CoreAllocation,
        is_serial: bool,
    ):
        self.loop, self.seats, self.turn_io, self.writer = loop, seats, turn_io, writer
        self.n_cores = cache(allocation.n_cores)
        self.is_serial = is_serial
        self.parts: dict[int, PlayerTurn] = {}

    def play_turn(self) -> LoggedTurn:
        """Ask, judge and play one turn. The writer writes the last turn's meanwhile."""
        loop = self.loop
        number, self.parts = loop.turn, {}
        for player, fault in loop.play_turn(self._ask).items():
            self.parts[player].fault = fault
            self.seats[player].process.end()
        return LoggedTurn(turn=number, players=self.parts, state=loop.match.snapshot())

    def _ask(self, requests: list[Request]) -> list[PlayerTurn]:
        """Returns the answers to requests, judged; they are in `parts` as well."""
        seats, flush = self.seats, self.writer.flush
        cores = self.n_cores(1 if self.is_serial else len(requests))
        questions = []
        for request in requests:
            player = request.player
            questions.append(seats[player].question(request, cores[player]))
        if self.is_serial:
            answers = [self.turn_io.ask([question], flush)[0] for question in questions]
        else:
            answers = self.turn_io.ask(questions, flush)
        engine = self.loop.engine
        for request, answer in zip(requests, answers):
            player = request.player
            self.parts[player] = answer
            seats[player].judge(answer)
            if engine:
                engine.took(player, reported_ms(answer, seats[player].clock))
        return answers


def reported_ms(part: PlayerTurn, clock: Clock) -> float:
    """Returns the time of an answer for an engine: lateness is decided by the project's limits, not
    by the engine's.
    """
    used_ms = part.cpu_ms if clock is Clock.CPU else part.wall_ms
    return used_ms if part.late or part.limit_ms is None else min(used_ms, part.limit_ms)


def _header(
    contest: Contest,
    leader: Leader,
    match: Match,
    bots: list[Bot],
    conditions: Conditions,
    idle: Idle,
) -> Header:
    if not leader.takes_seeds:
        conditions = replace(conditions, seed=None)
    return Header(
        contest=contest.name,
        title=contest.title,
        n_players=len(bots),
        conditions=conditions,
        site_ms=[contest.limits.first_ms, contest.limits.turn_ms],
        idle=idle,
        bots=bots,
        versions=versions(),
        setup=match.setup(),
        state=match.snapshot(),
    )
