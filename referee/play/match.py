"""Plays one match: asks the bots turn by turn, applies what they answer, and logs all of it."""

import random
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Callable, Iterator

from referee.log import Header, Late, Log, LogWriter, Outcome, PlayerTurn, Turn, versions
from referee.log.limits import Clock, Profile, TurnLimits, scaled_ms
from referee.log.records import Bot, Idle, is_official
from referee.official.match import official_match
from referee.play.cores import Lent, lend_cores
from referee.play.foreign_referee import foreign_match, takes_seeds
from referee.play.match_loop import Course, Request
from referee.play.question import Question
from referee.play.turn_io import Exchange
from referee.process.bot_process import BotProcess, farewell
from referee.process.warmup import wait_until_ready
from referee.sources.contests import ContestError, own_errors, start_match
from shared.core.contest import Contest, Match
from shared.core.contest import Outcome as Ended

# Of the conditions, those that may be other ones for each player, and how they are told.
BY_PLAYER = {"limits": "limits {}", "nodes": "{} nodes", "think_ms": "thinks {} ms"}


@dataclass(frozen=True)
class Conditions:
    """Under what a match is played. What a player may use is one for all, or a tuple of one each.

    seed: which game. limits: of the time for an answer, by the clock. nodes, think_ms: how many
    nodes or milliseconds the bots are told to search in a turn, None for what they choose.
    warmup_s: how long, in seconds, the first turn waits for bots that are still starting; with 0 a
    first answer is timed from the start of its process. hiccup_ms: in every turn each bot is
    stopped once for so long, at a random moment of its time. referee: the command line of a foreign
    referee that leads the match (`referee/play/foreign_referee.py`), or "official:" with the classes of an official
    one (`referee/official/`), None for the contest's own rules. options: (name, text) of the contest's
    own, or of the official match. serial: whether the players of a turn are asked one after the
    other. host_speed: limits and thinking times are meant for a host of so many nodes a second
    (`referee/arena/cluster/calibration.py`) and longer on a slower one; None where they are for any.
    """

    seed: int
    limits: TurnLimits | tuple[TurnLimits, ...]
    nodes: int | None | tuple[int | None, ...] = None
    warmup_s: float = 0.0
    hiccup_ms: float = 0.0
    referee: str | None = None
    clock: Clock = Clock.WALL
    think_ms: int | None | tuple[int | None, ...] = None
    options: tuple[tuple[str, str], ...] = ()
    serial: bool = False
    host_speed: float | None = None

    def on_host(self, speed: float) -> "Conditions":
        """The conditions on a host of this speed, as long as on another for the same work."""
        if self.host_speed is None:
            return self
        factor = self.host_speed / speed
        limits = of_each(self.limits, lambda one: one.scaled(factor))
        think_ms = of_each(self.think_ms, lambda ms: ms and scaled_ms(ms, factor))
        return replace(self, limits=limits, think_ms=think_ms)

    def seated(self, seating: tuple[int, ...]) -> "Conditions":
        """The conditions where these bots sit, of conditions that count bots."""
        own: dict[str, Any] = {
            name: tuple(value[bot] for bot in seating)
            for name in BY_PLAYER
            if isinstance(value := getattr(self, name), tuple)
        }
        return replace(self, **own)

    def terms(self, player: int) -> str:
        """What a player may use where that is not the same for all; "" where it is."""
        texts = []
        for name, form in BY_PLAYER.items():
            value = getattr(self, name)
            if isinstance(value, tuple) and value[player] is not None:
                texts.append(form.format(value[player]))
        return ", ".join(texts)


@contextmanager
def _start(contest: Contest, bots: list[Bot], conditions: Conditions) -> Iterator[Match]:
    """The match, by who leads it."""
    referee, seed, options = conditions.referee, conditions.seed, dict(conditions.options)
    if is_official(referee):
        with official_match(referee, len(bots), seed, options) as official:
            yield official
    elif referee:
        with foreign_match(referee, bots, seed) as foreign:
            yield foreign
    else:
        yield start_match(contest, seed, len(bots), options)


def of_each(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value that is one for all or a tuple of one each, changed."""
    return tuple(map(change, value)) if isinstance(value, tuple) else change(value)


def for_each(value: Any, n_players: int) -> list[Any]:
    """What each player may use, of a value that is one for all or a tuple of one each."""
    return list(value) if isinstance(value, tuple) else [value] * n_players


def play_match(
    contest: Contest,
    bots: list[Bot],
    conditions: Conditions,
    writer: LogWriter,
    on_turn: Callable[[int], None] = lambda turn: None,
    n_turns: int | None = None,
) -> Log:
    """Play a match to its end and return its log, which `writer` writes as it grows.

    on_turn is called with each turn's number before the turn. With `n_turns` the match is cut short
    after so many turns, and the log then has no outcome. The outcome's "spoiled" says that the
    machine, not the bot, put a player out: such a match is no result. Raises UsageError when a bot
    cannot be started or the contest's own code fails. No process of a bot outlives the call.
    """
    with own_errors(contest.name), ExitStack() as stack:
        match = stack.enter_context(_start(contest, bots, conditions))
        at_once = 1 if conditions.serial else len(match.players_to_move())
        lent = lend_cores(len(bots), at_once)
        header = _header(contest, match, bots, conditions, lent.idle)
        # A foreign referee may have played the whole game with bots of its own.
        to_start = [] if match.outcome() else list(enumerate(bots))
        processes = [
            stack.enter_context(BotProcess(bot.command, _environment(header, player)))
            for player, bot in to_start
        ]
        exchange = stack.enter_context(Exchange(processes, lent))
        writer.header(header)
        course, seats = Course(match), _warm_up(processes, header)
        if course.led:
            # An engine counts from its question, and may have asked others before.
            for seat in seats:
                seat.started = None
        table = Table(course, seats, exchange, writer, lent)
        while (outcome := match.outcome()) is None:
            if course.turn == n_turns:
                return writer.log
            on_turn(course.turn)
            writer.turn(table.play_turn())
        writer.outcome(_outcome(contest, outcome, any(seat.spoiled for seat in seats)))
        if contest.final_input and not conditions.referee:
            for player, process in enumerate(processes):
                process.tell(contest.final_input(match, player))
        farewell(processes)
    return writer.log


def _outcome(contest: Contest, found: Ended, spoiled: bool) -> Outcome:
    """How a match ended, in Python's own numbers, whatever a contest computes with."""
    try:
        ranks = [int(rank) for rank in found.ranks]
        # A log holds whole numbers of 64 bits.
        is_whole = [type(one) is int and abs(one) < 2**63 for one in found.scores]
        scores = [one if whole else float(one) for one, whole in zip(found.scores, is_whole)]
    except (TypeError, ValueError, OverflowError) as error:
        problem = f"its ranks and scores should be numbers: {error}"
        raise ContestError(f"{contest.title}: {problem}") from error
    return Outcome(ranks=ranks, scores=scores, reason=str(found.reason), spoiled=spoiled)


class Seat:
    """A player of a running match: its process, and what it has used of its limits.

    started: when the clock of the first answer started, None for when it is asked. note: added to a
    fault's text.
    """

    def __init__(
        self,
        player: int,
        process: BotProcess,
        header: Header,
        started: float | None,
        note: str = "",
    ):
        self.process = process
        self.header = header
        self.limits = header.limits[player]
        self.hiccup_ms = header.hiccup_ms
        self.clock = header.clock
        self.started = started
        self.note = note
        self.bank_ms: float | None = self.limits.bank_ms
        self.random = random.Random(header.seed)
        self.late: list[Late] = []
        self.spoiled = False

    def question(self, request: Request, n_cores: int) -> Question:
        """The player's next question, with so many cores to think on."""
        limits, pause = self.limits, None
        limit_ms, started = limits.turn_ms, None
        if request.initial_input is not None:
            limit_ms, started = limits.first_ms, self.started
        if request.limit_ms is not None and limits.profile in (Profile.OFFICIAL, Profile.SOFT3):
            limit_ms = request.limit_ms
        if self.hiccup_ms:
            latest_ms = max(0.0, limit_ms - self.hiccup_ms)
            pause = self.random.uniform(0.0, latest_ms), self.hiccup_ms
        return Question(
            self.process,
            request.input,
            request.n_lines,
            limit_ms,
            limits.grace_ms,
            started,
            self.bank_ms,
            pause,
            self.clock,
            n_cores,
            request.initial_input,
            request.limit_ms,
        )

    def judge(self, answer: PlayerTurn) -> None:
        """Book an answer's time, and add to its fault or set it where it was late once too often."""
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
                fault += " (the machine's fault: it kept the bot waiting for a CPU)"
        if fault is not None:
            answer.fault = fault + self.note


def _environment(header: Header, player: int) -> dict[str, str]:
    """The variables that tell a bot how long to think, and by which numbers."""
    told = {"CG_NODES": header.nodes[player], "CG_MS": header.think_ms[player]}
    environment = {name: str(value) for name, value in told.items() if value is not None}
    environment |= header.bots[player].environment
    return environment | ({"CG_CLOCK": "cpu"} if header.clock is Clock.CPU else {})


def _warm_up(processes: list[BotProcess], header: Header) -> list[Seat]:
    """Wait for the bots to start, as the conditions say; each player's seat."""
    warmup_s = header.warmup_s
    if warmup_s == 0.0:
        return [
            Seat(player, process, header, process.started)
            for player, process in enumerate(processes)
        ]
    late_note = f" (it was still starting after {warmup_s:g} s of warm-up)"
    ready = wait_until_ready(processes, warmup_s)
    return [
        Seat(player, process, header, None, "" if is_ready else late_note)
        for player, (process, is_ready) in enumerate(zip(processes, ready))
    ]


class Table:
    """The players of a running match, who are asked turn by turn, and judged."""

    def __init__(
        self,
        course: Course,
        seats: list[Seat],
        exchange: Exchange,
        writer: LogWriter,
        lent: Lent,
    ):
        self.course, self.seats, self.exchange, self.writer = course, seats, exchange, writer
        self.n_cores = cache(lent.n_cores)
        self.is_serial = bool(seats and seats[0].header.serial)
        self.parts: dict[int, PlayerTurn] = {}

    def play_turn(self) -> Turn:
        """Ask, judge and play one turn. The writer writes the last turn's meanwhile."""
        course = self.course
        number, self.parts = course.turn, {}
        for player, fault in course.play_turn(self._ask).items():
            self.parts[player].fault = fault
            self.seats[player].process.end()
        return Turn(number, self.parts, course.match.snapshot())

    def _ask(self, requests: list[Request]) -> list[PlayerTurn]:
        """The answers to requests, judged; they are in `parts` as well."""
        seats, flush = self.seats, self.writer.flush
        cores = self.n_cores(1 if self.is_serial else len(requests))
        questions = []
        for request in requests:
            player = request.player
            questions.append(seats[player].question(request, cores[player]))
        if self.is_serial:
            answers = [self.exchange.ask([question], flush)[0] for question in questions]
        else:
            answers = self.exchange.ask(questions, flush)
        led = self.course.led
        for request, answer in zip(requests, answers):
            player = request.player
            self.parts[player] = answer
            seats[player].judge(answer)
            if led:
                led.took(player, reported_ms(answer, seats[player].clock))
        return answers


def reported_ms(part: PlayerTurn, clock: Clock) -> float:
    """What an engine that judges late answers is told of one: by our limits, not by its own, an answer
    is late.
    """
    used_ms = part.cpu_ms if clock is Clock.CPU else part.wall_ms
    return used_ms if part.late or part.limit_ms is None else min(used_ms, part.limit_ms)


def _header(
    contest: Contest, match: Match, bots: list[Bot], conditions: Conditions, idle: Idle
) -> Header:
    n_players = len(bots)
    return Header(
        contest=contest.name,
        title=contest.title,
        n_players=n_players,
        seed=conditions.seed if takes_seeds(conditions.referee or "") else None,
        limits=for_each(conditions.limits, n_players),
        site_ms=[contest.limits.first_ms, contest.limits.turn_ms],
        clock=conditions.clock,
        idle=idle,
        warmup_s=conditions.warmup_s,
        hiccup_ms=conditions.hiccup_ms,
        referee=conditions.referee,
        nodes=for_each(conditions.nodes, n_players),
        think_ms=for_each(conditions.think_ms, n_players),
        bots=bots,
        versions=versions(),
        serial=conditions.serial,
        options=dict(conditions.options),
        setup=match.setup(),
        state=match.snapshot(),
    )
