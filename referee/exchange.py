"""Asks bots for the answers of one turn: writes inputs, reads until all have answered or failed.

All bots of a turn are asked at once, each with a clock of its own; the site asks one after the
other, which on one core per bot comes to the same. The clock runs from the writing of a bot's input
to the arrival of its last expected line.
"""

import os
import select
from signal import SIGCONT, SIGSTOP, Signals
from time import perf_counter
from typing import Callable

from referee.blame import OwnQueue, Stopwatch
from referee.process import BotProcess, read_pipe
from referee.question import Answer, Question
from referee.verdict import verdict


class Exchange:
    """The referee's conversation with the bots of a match, as a context manager."""

    def __init__(self, processes: list[BotProcess]):
        self.channels = {
            descriptor: (process, channel)
            for process in processes
            for descriptor, channel in (
                (process.stdin, "stdin"),
                (process.stdout, "stdout"),
                (process.stderr, "stderr"),
                (process.exit_fd, "exit"),
            )
        }
        self.pending: dict[BotProcess, Pending] = {}
        # By the bots that are waited for: a poll object costs more to fill than to use.
        self.pollers: dict[tuple[BotProcess, ...], select.poll] = {}
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
        asked = waiting = [Pending(question) for question in questions]
        self.pending = {pending.process: pending for pending in asked}
        # What is there now came before the question. Mostly nothing is, nor to be settled before
        # something comes.
        came_early = self._wait(asked, 0.0)
        self.own_queue.start(perf_counter())
        for pending in asked:
            if not pending.begin(self.own_queue):
                self.pollers.clear()
            came_early = came_early or pending.process.output.has(pending.question.n_lines)
        meanwhile()
        if not came_early:
            self._wait(asked, min([pending.next_event() for pending in asked]) - perf_counter())
        while True:
            now = perf_counter()
            for pending in waiting:
                pending.settle(now)
            waiting = [pending for pending in waiting if pending.answer is None]
            if not waiting:
                return [pending.answer for pending in asked if pending.answer]
            self.own_queue.forget(now)
            self._wait(waiting, min([pending.next_event() for pending in waiting]) - now)

    def _wait(self, waiting: list["Pending"], seconds: float) -> bool:
        """Read what the bots write as soon as there is something, waiting `seconds` at most;
        whether there was.
        """
        key = tuple([pending.process for pending in waiting])
        poller = self.pollers.get(key)
        if poller is None:
            poller = self.pollers[key] = select.poll()
            for pending in waiting:
                for descriptor, events in pending.descriptors():
                    poller.register(descriptor, events)
        ready = poller.poll(max(0.0, seconds) * 1000.0)
        for descriptor, _ in ready:
            process, channel = self.channels[descriptor]
            if not self.pending[process].transfer(channel):
                self.pollers.clear()
        return bool(ready)


class Pending:
    """A question on its way to an answer."""

    __slots__ = (
        *("question", "process", "to_write", "arrived", "stopwatch", "exited", "signals"),
        *("warnings", "answer"),
    )

    def __init__(self, question: Question):
        self.question = question
        self.process = question.process
        self.to_write = b""
        # When output came last, 0 before any did.
        self.arrived = 0.0
        self.stopwatch: Stopwatch  # from `begin` on
        self.exited = False
        # When to send a signal to the bot, the last one first.
        self.signals: list[tuple[float, Signals]] = []
        self.warnings: list[str] = []
        self.answer: Answer | None = None

    def begin(self, own_queue: OwnQueue) -> bool:
        """Write the question and start its clock; False if the pipe did not take all of it."""
        question = self.question
        if self.arrived:
            text = self.process.output.beginning()
            self.warnings.append(f"wrote {text} before it was asked: it counts as this answer")
        self.to_write = "".join([line + "\n" for line in question.lines]).encode()
        now = perf_counter()
        self.stopwatch = Stopwatch(question, own_queue, now)
        self.arrived = self.stopwatch.started
        if question.pause:
            after_ms, for_ms = question.pause
            stop = now + after_ms / 1000.0
            self.signals = [(stop + for_ms / 1000.0, SIGCONT), (stop, SIGSTOP)]
        self._write()
        return not self.to_write

    def descriptors(self) -> list[tuple[int, int]]:
        """What to wait for: descriptors with their events.

        Output comes before stderr: they are looked at in this order, so that with an answer all is
        seen that was written to stderr before it.
        """
        process = self.process
        waited_for = []
        if process.stdout_open:
            waited_for.append((process.stdout, select.POLLIN))
        if process.stderr_open:
            waited_for.append((process.stderr, select.POLLIN))
        if not self.exited:
            waited_for.append((process.exit_fd, select.POLLIN))
        if self.to_write:
            waited_for.append((process.stdin, select.POLLOUT))
        return waited_for

    def transfer(self, channel: str) -> bool:
        """Read or write what can be; False if from now on other descriptors are to be waited for."""
        if channel == "stdout":
            self._read()
            return self.process.stdout_open
        if channel == "stderr":
            self.process.drain_stderr()
            return self.process.stderr_open
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

    def next_event(self) -> float:
        """When to look again though nothing has come."""
        event = min(self.stopwatch.deadline, self.stopwatch.cpu_check)
        return min(event, self.signals[-1][0]) if self.signals else event

    def settle(self, now: float) -> None:
        """Set the answer if it is complete or has failed by the time `now`."""
        while self.signals and self.signals[-1][0] <= now:
            self.process.pause(self.signals.pop()[1])
        self.answer = verdict(self, now)
        if self.answer and self.signals:
            self.process.pause(SIGCONT)
