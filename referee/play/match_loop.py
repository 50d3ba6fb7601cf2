"""The loop of a match, for any source of answers: a log that is checked, another tool, and bots
over pipes (`Dialogue`), with a `Seat` that keeps account of each bot's limits.

Mostly all players of a turn are asked at once. An engine, official or Kaggle's (`Engine`), states
each question's limit and receives the time of each answer; an official engine may ask one player
after the other within a turn.
"""

from dataclasses import dataclass
from functools import cache
from typing import Callable, Protocol, Sequence, runtime_checkable

from referee.errors import shorten
from referee.log.file import LogWriter
from referee.log.limits import Clock, Profile
from referee.log.records import Conditions, Late, LoggedTurn, PlayerTurn
from referee.play.cores import CoreAllocation
from referee.play.lateness import AnswerLimits
from referee.play.turn_io import Request, TurnIO
from referee.process.bot_process import BotProcess
from shared.core.contest import Match
from shared.core.protocol import IllegalAction


@runtime_checkable
class Engine(Protocol):
    """A match that states limits and receives times. goes_on: True while its turn is not over, as
    other players are still to be asked.
    """

    goes_on: bool

    def limit_ms(self, player: int) -> int:
        """Returns the milliseconds allowed for the player's answer."""

    def took(self, player: int, ms: float) -> None:
        """Record the time of the player's answer, which is played next."""


class Answered(Protocol):
    """A player's answer: its lines, or the reason for its elimination."""

    output: list[str]
    fault: str | None


@dataclass(slots=True)
class Answer:
    """An answer without further data."""

    output: list[str]
    fault: str | None = None


Ask = Callable[[list[Request]], Sequence[Answered]]


class MatchLoop:
    """Plays a match turn by turn. turn: the number of the next turn. engine: the match if it is an
    `Engine`, else None.
    """

    def __init__(self, match: Match):
        self.match = match
        self.engine = match if isinstance(match, Engine) else None
        self.turn = 0
        self.greeted: set[int] = set()

    def play_turn(self, ask: Ask) -> dict[int, str]:
        """Ask the players to move and apply their answers. Returns {player: fault} of the
        eliminated players.

        ask: returns the answers to requests, in the order of the requests, and reports their times
        to the engine.
        """
        faults = self._ask_and_play(ask)
        while self.engine and self.engine.goes_on and self.match.outcome() is None:
            faults |= self._ask_and_play(ask)
        self.turn += 1
        return faults

    def _ask_and_play(self, ask: Ask) -> dict[int, str]:
        """Ask the players who move at once, and apply their answers. Returns {player: fault} of the
        eliminated players.
        """
        match = self.match
        requests = [self._request(player) for player in match.players_to_move()]
        actions, faults = {}, {}
        for request, answer in zip(requests, ask(requests)):
            player, fault = request.player, answer.fault
            if fault is None:
                try:
                    actions[player] = match.parse(player, answer.output)
                except IllegalAction as error:
                    fault = f"illegal action: {shorten(str(error))}"
            if fault:
                faults[player] = self.prefix(player) + fault
        for player, fault in faults.items():
            match.eliminate(player, fault)
        if not faults or match.outcome() is None:
            match.play(actions)
        return faults

    def prefix(self, player: int) -> str:
        """Returns the beginning of the reason for a player's elimination."""
        return f"player {player}, turn {self.turn}: "

    def _request(self, player: int) -> Request:
        match, initial = self.match, None
        if player not in self.greeted:
            self.greeted.add(player)
            initial = match.initial_input(player)
        return Request(
            player=player,
            input=match.turn_input(player),
            lines_expected=match.lines_expected(player),
            initial_input=initial,
            limit_ms=self.engine.limit_ms(player) if self.engine else None,
        )


class Seat:
    """A player of a running match: its process, and the use of its limits.

    started: the start of the first answer's clock, None for the moment of the question; the clock
    then begins at loaded_s, the seconds that the bot has taken to start. note: a text added to each
    fault.
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
        self.clock = conditions.clock
        self.started, self.loaded_s = started, loaded_s
        self.note = note
        self.bank_ms: float | None = self.limits.bank_ms
        # Most answers have the same limits; by the number of cores.
        self.usual: dict[int, AnswerLimits] = {}
        self.late: list[Late] = []
        self.spoiled = False

    def limit(self, request: Request, n_cores: int) -> None:
        """Set the limits of the answer to a request, for a bot on this many cores."""
        is_usual = request.initial_input is None and request.limit_ms is None
        if is_usual and n_cores in self.usual:
            request.limits = self.usual[n_cores]
            return
        limits = self.limits
        limit_ms, started, loaded_s = limits.turn_ms, None, 0.0
        if request.initial_input is not None:
            limit_ms, started, loaded_s = limits.first_ms, self.started, self.loaded_s
        if request.limit_ms is not None and limits.profile in (Profile.SITE, Profile.SOFT3):
            limit_ms = request.limit_ms
        request.limits = AnswerLimits(
            limit_ms=limit_ms,
            grace_ms=limits.grace_ms,
            bank_ms=self.bank_ms,
            clock=self.clock,
            started=started,
            loaded_s=loaded_s,
            cores=n_cores,
        )
        if is_usual and self.bank_ms is None:
            self.usual[n_cores] = request.limits

    def judge(self, answer: PlayerTurn) -> None:
        """Take the answer's CPU time from the bank, and count a late answer. The answer gets a
        warning, or a fault after one late answer too many; a fault is extended by the machine's
        part in it and the note.
        """
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
                    answer.warnings = [*answer.warnings, text]
                else:
                    fault = text
            if fault is not None and Late.MACHINE in self.late:
                self.spoiled = True
                fault += " (the machine's fault: it kept the bot or the referee waiting)"
        if fault is not None:
            answer.fault = fault + self.note


class Dialogue(MatchLoop):
    """A running match with its bots, which are asked and judged turn by turn."""

    def __init__(
        self,
        match: Match,
        seats: list[Seat],
        turn_io: TurnIO,
        writer: LogWriter,
        allocation: CoreAllocation,
        is_serial: bool,
    ):
        super().__init__(match)
        self.seats, self.turn_io, self.writer = seats, turn_io, writer
        self.n_cores = cache(allocation.n_cores)
        self.is_serial = is_serial
        self.answers: dict[int, PlayerTurn] = {}

    def log_turn(self) -> LoggedTurn:
        """Ask the bots, judge and play one turn. Returns its record. The writer writes the record
        of the last turn meanwhile.
        """
        number, self.answers = self.turn, {}
        for player, fault in self.play_turn(self._ask_bots).items():
            self.answers[player].fault = fault
            self.seats[player].process.end()
        return LoggedTurn(turn=number, players=self.answers, state=self.match.snapshot())

    def _ask_bots(self, requests: list[Request]) -> list[PlayerTurn]:
        """Returns the judged answers to requests, and adds them to `answers`."""
        seats, flush = self.seats, self.writer.flush
        cores = self.n_cores(1 if self.is_serial else len(requests))
        for request in requests:
            player = request.player
            seats[player].limit(request, cores[player])
        if self.is_serial:
            answers = [self.turn_io.ask([request], flush)[0] for request in requests]
        else:
            answers = self.turn_io.ask(requests, flush)
        for request, answer in zip(requests, answers):
            player = request.player
            self.answers[player] = answer
            seats[player].judge(answer)
            if self.engine:
                self.engine.took(player, reported_ms(answer, seats[player].clock))
        return answers


def reported_ms(answer: PlayerTurn, clock: Clock) -> float:
    """Returns the milliseconds of an answer to report to an engine: no more than the engine's
    limit, unless the answer is late by the project's limits, which decide.
    """
    used_ms = answer.cpu_ms if clock is Clock.CPU else answer.wall_ms
    return used_ms if answer.late or answer.limit_ms is None else min(used_ms, answer.limit_ms)
