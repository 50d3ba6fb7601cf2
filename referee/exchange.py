"""Asks bots for the answers of one turn: writes inputs, reads until all have answered or failed.

All bots of a turn are asked at once, each with a clock of its own; the site asks one after the
other, which on one core per bot comes to the same. The clock runs from the writing of a bot's input
to the arrival of its last expected line.
"""

import math
import os
import select
from signal import SIGCONT, SIGSTOP, Signals
from time import perf_counter
from typing import Callable

from referee.blame import MEMORY_LOOK_S, OwnQueue, Stopwatch
from referee.buffering import hint
from referee.cores import Idle, Lent
from referee.process import BotProcess, read_pipe
from referee.question import Answer, Question
from referee.verdict import verdict

# Who is not asked is stopped once somebody has thought for so long, or bots are kept to their own cores
# from then on: what a bot does right after its answer mostly is over by then. In turns of microseconds
# signals would take longer than the bots, and so would waking bots on other cores than the referee's.
SEPARATE_S = 0.002


class Exchange:
    """The referee's conversation with the bots of a match, as a context manager.

    lent: the bots' cores; by it a bot that is not asked is stopped while another one thinks, or each
    has its own. None where there is only one bot, or it is no matter.
    """

    def __init__(self, processes: list[BotProcess], lent: Lent | None = None):
        self.processes = processes
        self.lent = lent
        self.stops = lent is not None and lent.idle is Idle.STOPPED
        # Whether bots are still to be kept from each other.
        self.are_mixed = lent is not None and len(processes) > 1
        self.channels = {
            descriptor: (process, channel)
            for process in processes
            for descriptor, channel in (
                (process.stdin, "stdin"),
                (process.stdout, "stdout"),
                (process.stderr, "stderr"),
                (process.status, "exit"),
            )
        }
        self.pending: dict[BotProcess, Pending] = {}
        # By the bots that are waited for: a poll object costs more to fill than to use.
        self.pollers: dict[tuple[BotProcess, ...], select.poll] = {}
        # Whether a bot's stderr has been left unread, which it is until its next turn.
        self.is_stderr_left = False
        self.own_queue = OwnQueue()

    def __enter__(self) -> "Exchange":
        return self

    def __exit__(self, *_) -> None:
        self.own_queue.close()

    def ask(
        self, questions: list[Question], meanwhile: Callable[[], None] = lambda: None
    ) -> list[Answer]:
        """The answers to the questions, in their order, once each is answered or has failed.

        meanwhile: called once, while the bots think.
        """
        asked = waiting = [Pending(question, self.own_queue) for question in questions]
        self.pending = {pending.process: pending for pending in asked}
        if self.stops:
            self._resume(asked)
        if self.is_stderr_left:
            self.is_stderr_left = False
            self.pollers.clear()
        # What is there now came before the question.
        self._wait(asked, 0.0)
        now = perf_counter()
        separate_at = now + SEPARATE_S if self.are_mixed else math.inf
        self.own_queue.start(now)
        for pending in asked:
            if not pending.begin():
                self.pollers.clear()
        meanwhile()
        now = perf_counter()
        while True:
            event = separate_at
            still_waiting = []
            for pending in waiting:
                # Mostly one has written, and the others still think.
                if (pending.has_news or now >= pending.event) and pending.settle(now):
                    continue
                still_waiting.append(pending)
                event = min(event, pending.event)
            if not still_waiting:
                return [pending.explained_answer() for pending in asked]
            waiting = still_waiting
            self.own_queue.forget(now)
            if now >= separate_at:
                separate_at = self._separate(waiting, now)
                event = min([separate_at, *[pending.event for pending in waiting]])
            self._wait(waiting, event - now)
            now = perf_counter()

    def _separate(self, waiting: list["Pending"], now: float) -> float:
        """Stop the bots that nobody waits for, or keep each to its own cores; when to look again."""
        assert self.lent
        if self.stops:
            waited_for = [pending.process for pending in waiting]
            for process in self.processes:
                if not process.stopped and process not in waited_for and not process.has_ended():
                    process.stop()
            # Who answers next is stopped, too.
            return now + SEPARATE_S if len(waiting) > 1 else math.inf
        if not any(pending.process.has_used(SEPARATE_S) for pending in waiting):
            return now + SEPARATE_S  # they wait for a core, or for something else
        self.are_mixed = False
        for process, cores in zip(self.processes, self.lent.cores):
            if not process.has_ended():
                process.keep_to(cores)
        return math.inf

    def _resume(self, asked: list["Pending"]) -> None:
        """Let those go on that are asked."""
        for pending in asked:
            if pending.process.stopped:
                pending.process.resume()

    def _wait(self, waiting: list["Pending"], seconds: float) -> None:
        """Read what the bots write as soon as there is something, waiting `seconds` at most."""
        key = tuple([pending.process for pending in waiting])
        poller = self.pollers.get(key)
        if poller is None:
            poller = self.pollers[key] = select.poll()
            for pending in waiting:
                for descriptor, events in pending.descriptors():
                    poller.register(descriptor, events)
        for descriptor, _ in poller.poll(max(0.0, seconds) * 1000.0):
            process, channel = self.channels[descriptor]
            if not self.pending[process].transfer(channel):
                self.pollers.clear()
                self.is_stderr_left = self.is_stderr_left or process.errors.is_full()


class Pending:
    """A question on its way to an answer.

    to_write: what of it the bot has not read yet. arrived: when output came last, 0 before any did.
    exited: whether the bot has ended. signals: when to send one to the bot, the last one first.
    has_news: whether something has come since it was last settled. event: when to settle it though
    nothing has.
    """

    event: float  # from `begin` on
    # Until something happens.
    to_write = b""
    arrived = 0.0
    exited = False
    has_news = False
    signals: list[tuple[float, Signals]] = []
    answer: Answer | None = None
    _stopwatch: Stopwatch | None = None

    def __init__(self, question: Question, own_queue: OwnQueue):
        self.question = question
        self.process = question.process
        self.own_queue = own_queue
        self.warnings: list[str] = []

    def begin(self) -> bool:
        """Write the question and start its clock; False if the pipe did not take all of it."""
        question, process = self.question, self.process
        if self.arrived:
            text = process.output.beginning()
            self.warnings.append(f"wrote {text} before it was asked: it counts as this answer")
        lines = question.lines
        self.to_write = ("\n".join(lines) + "\n").encode() if lines else b""
        self.asked = now = perf_counter()
        process.asked(now)
        self.started = self.arrived = now if question.started is None else question.started
        if question.is_simple:
            self.event = min(self.started + question.limit_ms / 1000.0, now + MEMORY_LOOK_S)
        else:
            self._set_timer(now)
        # It may have been answered before.
        if process.output.held or not question.n_lines:
            self.has_news = True
        self._write()
        return not self.to_write

    @property
    def stopwatch(self) -> Stopwatch:
        """What times it; for an answer that comes soon none is needed."""
        if self._stopwatch is None:
            self._stopwatch = Stopwatch(self.question, self.own_queue, self.asked)
        return self._stopwatch

    @property
    def is_timed(self) -> bool:
        """Whether there is a stopwatch."""
        return self._stopwatch is not None

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

    def transfer(self, channel: str) -> bool:
        """Read or write what can be; False if from now on other descriptors are to be waited for."""
        self.has_news = True
        if channel == "stdout":
            self._read()
            return self.process.stdout_open
        if channel == "stderr":
            self.process.drain_stderr()
            return self.process.stderr_open and not self.process.errors.is_full()
        if channel == "stdin":
            self._write()
            return bool(self.to_write)
        # What it wrote before it ended is in the pipe, whoever else may hold the pipe open.
        self.exited = True
        while len(self.process.output.held) <= self.question.max_bytes and self._read():
            pass
        self.process.drain_stderr()
        return False

    def _read(self) -> bool:
        """Read once from the bot's output; whether there was anything."""
        process = self.process
        chunk = read_pipe(process.stdout)
        if chunk:
            self.arrived = perf_counter()
            process.output.add(chunk)
        process.stdout_open = chunk != b""
        return bool(chunk)

    def _write(self) -> None:
        """Write as much of the input as the pipe takes."""
        try:
            written = os.write(self.process.stdin, self.to_write)
        except BlockingIOError:
            return
        except BrokenPipeError:
            # The bot reads no more; whether it answers all the same shows on its other pipes.
            written = len(self.to_write)
        self.to_write = self.to_write[written:]

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
        self.answer = verdict(self, now)
        if self.answer is None:
            self._set_event()
            return False
        if self.signals:
            self.process.pause(SIGCONT)
        return True

    def explained_answer(self) -> Answer:
        """The answer; one that is late says so if the bot may be buffering its output."""
        answer = self.answer
        assert answer is not None
        if answer.fault and answer.late and not self.exited:
            if n_missing := self.process.output.n_missing(self.question.n_lines, answer.lines):
                answer.fault += hint(self.process, n_missing)
        return answer
