"""The talk with one bot of a match: a question on its way to an answer, one after the other."""

import os
import select
from signal import SIGCONT, SIGSTOP, Signals
from time import perf_counter
from typing import Callable

from referee.log.limits import Clock
from referee.log.records import PlayerTurn
from referee.play.lateness import MEMORY_LOOK_S, OwnQueue, Stopwatch
from referee.play.question import Question
from referee.play.verdict import verdict
from referee.process.bot_process import BotProcess, read_pipe
from referee.process.unflushed_output import hint

# To look this up in its class takes as long as a call.
WALL = Clock.WALL


class Dialogue:
    """A bot, what it was asked last, and how far that has come.

    question: the last one. is_simple: whether nothing but a limit of wall time holds, and the answer is
    not so late that a stopwatch had to look at the bot. to_write: what of the input the bot has not read
    yet. started: when its clock started. arrived: when output came last, 0 before any did. signals: when
    to send one to the bot, the last one first. exited, is_stderr_left: whether the bot was found to have
    ended, and its stderr left unread, both until the next question. has_news: whether something has come
    since it was last settled. event: when to settle it though nothing has.
    """

    # Set by each question; one object for all questions costs less than one for each.
    question: Question
    is_simple: bool
    warnings: list[str]
    to_write: bytes
    asked: float
    started: float
    arrived: float
    event: float
    has_news: bool
    signals: list[tuple[float, Signals]]
    answer: PlayerTurn
    _stopwatch: Stopwatch | None

    def __init__(self, process: BotProcess, own_queue: OwnQueue):
        self.process = process
        self.own_queue = own_queue
        self.exited = self.is_stderr_left = False
        self.to_write, self.signals, self._stopwatch = b"", [], None

    def expect(self, question: Question) -> bool:
        """Take a question that is asked next; whether other descriptors are to be waited for."""
        self.question = question
        self.is_simple = (
            question.clock is WALL and question.bank_ms is None and question.pause is None
        )
        self.warnings = []
        self.arrived, self.has_news = 0.0, False
        if self.to_write:
            self.to_write = b""
        if self._stopwatch:
            self._stopwatch, self.signals = None, []
        is_changed = self.exited or self.is_stderr_left
        self.exited = self.is_stderr_left = False
        return is_changed

    def begin(self) -> bool:
        """Write the question and start its clock; False if the pipe did not take all of it."""
        question, process = self.question, self.process
        if self.arrived:
            text = process.output.beginning()
            self.warnings.append(f"wrote {text} before it was asked: it counts as this answer")
        lines = question.input
        if question.initial_input is not None:
            lines = question.initial_input + lines
        if lines:
            self.to_write = ("\n".join(lines) + "\n").encode()
        self.asked = now = perf_counter()
        if now > process.meter.start_due:
            process.meter.start(now)
        self.started = self.arrived = now if question.started is None else question.started
        if self.is_simple:
            limit, look = self.started + question.limit_ms / 1000.0, now + MEMORY_LOOK_S
            self.event = limit if limit < look else look
        else:
            self._set_timer(now)
        # It may have been answered before.
        if process.output.held or not question.n_lines:
            self.has_news = True
        return not self._write()

    @property
    def stopwatch(self) -> Stopwatch:
        """What times it; for an answer that comes soon none is needed."""
        if self._stopwatch is None:
            self._stopwatch = Stopwatch(self.question, self.own_queue, self.asked)
            self.is_simple = False
        return self._stopwatch

    def descriptors(self) -> list[tuple[int, int]]:
        """What to wait for: descriptors with their events.

        Output comes before stderr: they are looked at in this order, so that with an answer all is
        seen that was written to stderr before it.
        """
        process = self.process
        waited_for = []
        if process.stdout_open:
            waited_for.append((process.stdout, select.POLLIN))
        if process.stderr_open and not process.errors.is_full():
            waited_for.append((process.stderr, select.POLLIN))
        if not self.exited:
            waited_for.append((process.status, select.POLLIN))
        if self.to_write:
            waited_for.append((process.stdin, select.POLLOUT))
        return waited_for

    def transfers(self) -> list[tuple[int, Callable[[], bool]]]:
        """What to do when a descriptor is ready; False comes of it if from then on others are to be
        waited for.
        """
        process = self.process
        return [
            (process.stdin, self._go_on_writing),
            (process.stdout, self._read_output),
            (process.stderr, self._read_stderr),
            (process.status, self._read_the_rest),
        ]

    def _go_on_writing(self) -> bool:
        self.has_news = True
        return self._write()

    def _write(self) -> bool:
        """Write as much of the input as the pipe takes; whether some is left."""
        try:
            n_written = os.write(self.process.stdin, self.to_write)
        except BlockingIOError:
            return True
        except BrokenPipeError:
            # The bot reads no more; whether it answers all the same shows on its other pipes.
            n_written = len(self.to_write)
        self.to_write = self.to_write[n_written:]
        return bool(self.to_write)

    def _read_output(self) -> bool:
        self.has_news = True
        process = self.process
        if chunk := read_pipe(process.stdout):
            self.arrived = perf_counter()
            process.output.add(chunk)
        elif chunk is not None:
            process.stdout_open = False
        return process.stdout_open

    def _read_stderr(self) -> bool:
        self.has_news = True
        process = self.process
        process.drain_stderr()
        self.is_stderr_left = process.errors.is_full()
        return process.stderr_open and not self.is_stderr_left

    def _read_the_rest(self) -> bool:
        """What it wrote before it ended is in the pipes, whoever else may hold them open."""
        self.has_news = self.exited = True
        held, n_before = self.process.output.held, -1
        while n_before < len(held) <= self.question.max_bytes:
            n_before = len(held)
            self._read_output()
        self.process.drain_stderr()
        return False

    def _set_timer(self, now: float) -> None:
        """Have more looked after than wall time."""
        if self.question.pause:
            after_ms, for_ms = self.question.pause
            stop = now + after_ms / 1000.0
            self.signals = [(stop + for_ms / 1000.0, SIGCONT), (stop, SIGSTOP)]
        self._set_event()

    def _set_event(self) -> None:
        self.event = self.stopwatch.next_check()
        if self.signals:
            self.event = min(self.event, self.signals[-1][0])

    def settle(self, now: float) -> bool:
        """Set the answer if it is complete or has failed by the time `now`; whether it is."""
        self.has_news = False
        while self.signals and self.signals[-1][0] <= now:
            self.process.pause(self.signals.pop()[1])
        answer = verdict(self, now)
        if answer is None:
            self._set_event()
            return False
        self.answer = answer
        if self.signals:
            self.process.pause(SIGCONT)
        return True

    def explain(self) -> None:
        """Say in a late answer's fault if the bot may be buffering its output."""
        answer = self.answer
        if answer.fault and answer.late and not self.exited:
            if n_missing := self.process.output.n_missing(self.question.n_lines, answer.output):
                answer.fault += hint(self.process, n_missing)
