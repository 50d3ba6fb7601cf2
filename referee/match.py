"""Plays one match: asks the bots turn by turn, applies what they answer, and logs all of it."""

import random
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Callable

from referee.bots import Bot
from referee.exchange import MACHINE, Answer, Exchange, Question
from referee.foreign import foreign_match
from referee.inbox import shorten
from referee.limits import TurnLimits
from referee.log import Log, LogWriter, Record, versions
from referee.process import BotProcess, farewell
from referee.warmup import wait_until_ready
from shared.core.contest import Contest, Match
from shared.core.errors import IllegalAction


@dataclass(frozen=True)
class Conditions:
    """Under what a match is played.

    seed: which game. nodes: the node budget a turn given to the bots, None for none. warmup_s: how
    long, in seconds, the first turn waits for bots that are still starting; with 0 a first answer
    is timed from the start of its process. hiccup_ms: in every turn each bot is stopped once for so
    long, at a random moment of its time. referee: the command line of a foreign referee that leads
    the match (`referee/foreign.py`), None for the contest's own rules.
    """

    seed: int
    limits: TurnLimits
    nodes: int | None = None
    warmup_s: float = 0.0
    hiccup_ms: float = 0.0
    referee: str | None = None


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
    cannot be started. No process of a bot outlives the call.
    """
    environment = {} if conditions.nodes is None else {"CG_NODES": str(conditions.nodes)}
    with ExitStack() as stack:
        if conditions.referee:
            foreign = foreign_match(conditions.referee, bots, conditions.seed)
            match = stack.enter_context(foreign)
        else:
            match = contest.new_match(seed=conditions.seed, n_players=len(bots))
        # A foreign referee may have played the whole game with bots of its own.
        to_start = bots if match.outcome() is None else []
        processes = [stack.enter_context(BotProcess(bot.command, environment)) for bot in to_start]
        exchange = stack.enter_context(Exchange(processes))
        writer.header(_header(contest, match, bots, conditions))
        seats = _warm_up(processes, conditions)
        while (outcome := match.outcome()) is None:
            turn = len(writer.log.turns)
            if turn == n_turns:
                return writer.log
            on_turn(turn)
            writer.turn(_play_turn(match, turn, seats, exchange, writer))
        writer.outcome(
            {
                "ranks": list(outcome.ranks),
                "scores": list(outcome.scores),
                "reason": outcome.reason,
                "spoiled": any(seat.spoiled for seat in seats),
            }
        )
        farewell(processes)
    return writer.log


class Seat:
    """A player of a running match: its process, and what it has used of its limits.

    started: when the clock of the first answer started, None for when it is asked. note: added to a
    fault's text.
    """

    def __init__(
        self, process: BotProcess, conditions: Conditions, started: float | None, note: str = ""
    ):
        self.process = process
        self.limits = conditions.limits
        self.started = started
        self.note = note
        self.asked = False
        self.bank_ms = conditions.limits.bank_ms
        self.hiccup_ms = conditions.hiccup_ms
        self.random = random.Random(conditions.seed)
        self.late: list[str] = []
        self.spoiled = False

    def question(self, lines: list[str], n_lines: int) -> Question:
        """The player's next question."""
        limits = self.limits
        limit_ms, started = limits.turn_ms, None
        if not self.asked:
            limit_ms, started = limits.first_ms, self.started
        self.asked = True
        pause = None
        if self.hiccup_ms:
            pause = self.random.uniform(0.0, max(0.0, limit_ms - self.hiccup_ms)), self.hiccup_ms
        return Question(
            self.process,
            lines,
            n_lines,
            limit_ms,
            limits.grace_ms,
            started,
            self.bank_ms,
            pause,
        )

    def judge(self, answer: Answer) -> str | None:
        """Book an answer's time; why the player is out, or None."""
        fault = answer.fault
        if self.bank_ms is not None:
            self.bank_ms -= answer.cpu_ms
        if answer.late:
            self.late.append(answer.late)
            n_late, most = len(self.late), self.limits.late_turns
            if fault is None:
                text = f"answered after {answer.wall_ms:.1f} ms, late answer {n_late} of {most}"
                if n_late < most:
                    answer.warnings.append(text)
                else:
                    fault = text
            if fault is not None and MACHINE in self.late:
                self.spoiled = True
                fault += " (the machine's fault: it kept the bot waiting for a CPU)"
        return fault and fault + self.note


def _warm_up(processes: list[BotProcess], conditions: Conditions) -> list[Seat]:
    """Wait for the bots to start, as the conditions say; each player's seat."""
    warmup_s = conditions.warmup_s
    if warmup_s == 0.0:
        return [Seat(process, conditions, process.started) for process in processes]
    late_note = f" (it was still starting after {warmup_s:g} s of warm-up)"
    ready = wait_until_ready(processes, warmup_s)
    return [
        Seat(process, conditions, None, "" if is_ready else late_note)
        for process, is_ready in zip(processes, ready)
    ]


def _play_turn(
    match: Match, turn: int, seats: list[Seat], exchange: Exchange, writer: LogWriter
) -> Record:
    """Ask, judge and play one turn; its record for the log. The writer writes the
    last turn's meanwhile.
    """
    players = match.players_to_move()
    records: dict[str, Record] = {}
    questions = []
    for player in players:
        seat, record = seats[player], {}
        if not seat.asked:
            record["initial_input"] = match.initial_input(player)
        record["input"] = match.turn_input(player)
        record["lines_expected"] = match.lines_expected(player)
        records[str(player)] = record
        sent = record.get("initial_input", []) + record["input"]
        questions.append(seat.question(sent, record["lines_expected"]))
    actions, faults = {}, {}
    for player, answer in zip(players, exchange.ask(questions, writer.flush)):
        fault = seats[player].judge(answer)
        if fault is None:
            try:
                actions[player] = match.parse(player, answer.lines)
            except IllegalAction as error:
                fault = f"illegal action: {shorten(str(error))}"
        if fault:
            faults[player] = fault = f"player {player}, turn {turn}: {fault}"
        records[str(player)] |= _answer_record(answer, fault)
    for player, fault in faults.items():
        match.eliminate(player, fault)
        seats[player].process.end()
    if match.outcome() is None:
        match.play(actions)
    return {"turn": turn, "players": records, "state": match.snapshot()}


def _answer_record(answer: Answer, fault: str | None) -> Record:
    return {
        "output": answer.lines,
        "stderr": answer.stderr,
        "nodes": answer.nodes,
        "wall_ms": round(answer.wall_ms, 3),
        "cpu_ms": round(answer.cpu_ms, 3),
        "queue_ms": None if answer.queue_ms is None else round(answer.queue_ms, 3),
        "late": answer.late,
        "warnings": answer.warnings,
        "fault": fault,
    }


def _header(contest: Contest, match: Match, bots: list[Bot], conditions: Conditions) -> Record:
    return {
        "contest": contest.name,
        "title": contest.title,
        "n_players": len(bots),
        **asdict(conditions),
        "bots": [asdict(bot) for bot in bots],
        "versions": versions(),
        "setup": match.setup(),
        "state": match.snapshot(),
    }
