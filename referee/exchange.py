"""Asks bots for the answers of one turn: writes inputs, reads until all have answered or failed.

All bots of a turn are asked at once, each with a clock of its own; the site asks one after the
other, which on one core per bot comes to the same. The clock runs from the writing of a bot's input
to the arrival of its last expected line.

Who made an answer late: the machine, if it would have been in time but for the time that the bot
and the referee were ready to run and waited for a CPU (`/proc/PID/schedstat`); else the bot. To
tell, an answer is waited for as much longer, up to PATIENCE_MS. The kernel adds a wait to its sum
when the wait is over, so a bot that waits at its limit is looked at again until it runs.
"""

import math
import os
import select
from dataclasses import dataclass
from signal import SIGCONT, SIGSTOP, Signals
from time import perf_counter
from typing import Callable

from referee.inbox import (
    EXCERPT,
    MAX_OUTPUT_BYTES,
    MAX_STDERR_BYTES,
    NEAR,
    cut_stderr,
    excerpt,
)
from referee.process import BotProcess, read_pipe

# Who made an answer late.
BOT, MACHINE = "bot", "machine"

PATIENCE_MS = 500.0
# Between two looks at a bot that waits for a CPU.
LOOK_S = 0.001


@dataclass(slots=True)
class Question:
    """What is asked of a bot.

    lines: the input to write. n_lines: how many lines to wait for.
    limit_ms: the wall time for them. grace_ms: how much longer they are waited for.
    started: when the clock started (time.perf_counter), None for the moment the input is written.
    cpu_ms: the CPU time that is left to the bot, None for any.
    pause: (after, for) how many milliseconds the bot is stopped, None for no pause.
    """

    process: BotProcess
    lines: list[str]
    n_lines: int
    limit_ms: float
    grace_ms: float = 0.0
    started: float | None = None
    cpu_ms: float | None = None
    pause: tuple[float, float] | None = None

    @property
    def limit(self) -> str:
        """The limit as a verdict names it."""
        grace = f" and {self.grace_ms:g} ms more" if self.grace_ms else ""
        return f"the limit of {self.limit_ms:g} ms{grace}"


@dataclass(slots=True)
class Answer:
    """What came back: at most the lines asked for, and why it is no answer (`fault`) if it is none.

    nodes: the number in the last `nodes=N` line on stderr, which `stderr` leaves out.
    wall_ms: from the input's writing to the last line's arrival, or to the fault. cpu_ms: used by
    the bot since its last answer. queue_ms: how long it waited for a CPU meanwhile, None where
    that is not known.
    late: BOT or MACHINE, who made the answer late, be it a fault or within the grace; None
    if it is not late.
    warnings: what the site bears, but a bot should not rely on.
    """

    lines: list[str]
    stderr: str
    nodes: int | None
    wall_ms: float
    cpu_ms: float
    queue_ms: float | None
    late: str | None
    warnings: list[str]
    fault: str | None


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
            if not pending.begin():
                self.pollers.clear()
            came_early = came_early or pending.process.output.has(pending.question.n_lines)
        meanwhile()
        if not came_early:
            self._wait(asked, min([pending.next_event() for pending in asked]) - perf_counter())
        while True:
            now = perf_counter()
            for pending in waiting:
                pending.settle(now, self.own_queue)
            waiting = [pending for pending in waiting if pending.answer is None]
            if not waiting:
                return [pending.answer for pending in asked]
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
        *("question", "process", "to_write", "started", "arrived", "deadline", "cpu_check"),
        *("exited", "signals", "cpu_ms", "queue_ms", "is_queued", "warnings", "answer"),
    )

    def __init__(self, question: Question):
        self.question = question
        self.process = question.process
        self.to_write = b""
        self.arrived = 0.0
        self.cpu_check = math.inf
        self.exited = False
        # When to send a signal to the bot, the last one first.
        self.signals: list[tuple[float, Signals]] = []
        self.cpu_ms, self.queue_ms = 0.0, None
        # Whether it waited for a CPU, as far as can be told, when its time was over;
        # None before that.
        self.is_queued: bool | None = None
        self.warnings: list[str] = []
        self.answer: Answer | None = None

    def begin(self) -> bool:
        """Write the question and start its clock; False if the pipe did not take all of it."""
        question = self.question
        if self.arrived:
            text = self.process.output.beginning()
            self.warnings.append(f"wrote {text} before it was asked: it counts as this answer")
        self.to_write = "".join([line + "\n" for line in question.lines]).encode()
        now = perf_counter()
        self.started = self.arrived = now if question.started is None else question.started
        self.deadline = self.started + (question.limit_ms + question.grace_ms) / 1000.0
        if question.cpu_ms is not None:
            self.cpu_check = now + question.cpu_ms / 1000.0
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
        while len(self.process.output.held) <= MAX_OUTPUT_BYTES and self._read():
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
        event = min(self.deadline, self.cpu_check)
        return min(event, self.signals[-1][0]) if self.signals else event

    def settle(self, now: float, own_queue: "OwnQueue") -> None:
        """Set the answer if it is complete or has failed by the time `now`."""
        question, output = self.question, self.process.output
        while self.signals and self.signals[-1][0] <= now:
            self.process.pause(self.signals.pop()[1])
        complete = output.has(question.n_lines)
        fault = late = None
        if not complete or self.to_write or len(output.held) > MAX_OUTPUT_BYTES:
            fault = self._fault(now, complete, own_queue)
            if fault is None and (self.to_write or not complete):
                return
        wall_ms = ((self.arrived if complete else now) - self.started) * 1000.0
        self._measure()
        if wall_ms > question.limit_ms and not self.exited:
            own_ms = wall_ms - self._waited_ms(own_queue)
            allowed_ms = question.limit_ms if complete else question.limit_ms + question.grace_ms
            waits = self.is_queued and not complete
            late = MACHINE if waits or own_ms < allowed_ms else BOT
            if fault is None and wall_ms > question.limit_ms + question.grace_ms:
                fault = f"answered after {wall_ms:.1f} ms, past {question.limit}: {self._written()}"
        if fault is None and question.cpu_ms is not None and self.cpu_ms > question.cpu_ms:
            fault = self._bank_is_used_up()
        self._finish(wall_ms, late, fault)

    def _fault(self, now: float, complete: bool, own_queue: "OwnQueue") -> str | None:
        """Why there is no answer, or None if there is or may still be one."""
        question, process = self.question, self.process
        if len(process.output.held) > MAX_OUTPUT_BYTES < process.output.size_of(question.n_lines):
            return f"wrote over {MAX_OUTPUT_BYTES} bytes in a turn: {self._written()}"
        if complete:
            if self.to_write and now >= self.deadline:
                return f"did not read its input within {question.limit}: {self._written()}"
            return None
        if self.exited:
            ended = f"{process.how_it_ended()} before its answer was complete: {self._written()}"
            said = process.errors.last_line()
            return f"{ended}; last on its stderr: {excerpt(said)}" if said else ended
        if now >= self.deadline and not self._be_patient(now, own_queue):
            closed = "" if process.stdout_open else " (it has closed its output)"
            return f"no complete answer within {question.limit}{closed}: {self._written()}"
        if now >= self.cpu_check:
            self._measure()
            left_ms = question.cpu_ms - self.cpu_ms
            if left_ms < 0.0:
                return self._bank_is_used_up()
            self.cpu_check = now + (left_ms + 1.0) / 1000.0
        return None

    def _finish(self, wall_ms: float, late: str | None, fault: str | None) -> None:
        """Set the answer."""
        question, process = self.question, self.process
        if self.signals:
            process.pause(SIGCONT)
        n_bytes = len(process.output.held)
        lines = process.output.take(question.n_lines)
        if process.output.held and fault is None:
            text = process.output.beginning()
            self.warnings.append(f"wrote more than its answer: {text} stays for the next turn")
        n_bytes -= len(process.output.held)
        if n_bytes > NEAR * MAX_OUTPUT_BYTES:
            self.warnings.append(f"wrote {n_bytes} of the {MAX_OUTPUT_BYTES} bytes a turn may have")
        stderr, nodes = process.errors.take()
        if len(stderr) > NEAR * MAX_STDERR_BYTES:
            self.warnings.append(
                f"wrote {len(stderr)} of the {MAX_STDERR_BYTES} characters of stderr a turn may have"
            )
            stderr = cut_stderr(stderr)
        self.answer = Answer(
            lines,
            stderr,
            nodes,
            wall_ms,
            self.cpu_ms,
            self.queue_ms,
            late,
            self.warnings,
            fault,
        )

    def _measure(self) -> None:
        """Add up what the bot has used since the last time."""
        cpu_ms, queue_ms = self.process.measure()
        self.cpu_ms += cpu_ms
        if queue_ms is not None:
            self.queue_ms = queue_ms + (self.queue_ms or 0.0)

    def _waited_ms(self, own_queue: "OwnQueue") -> float:
        """How long the bot and the referee have waited for a CPU, as far as that is known."""
        return 0.0 if self.queue_ms is None else self.queue_ms + own_queue.ms()

    def _be_patient(self, now: float, own_queue: "OwnQueue") -> bool:
        """Move the deadline by the time that was waited for a CPU; whether there is time left then."""
        cpu_ms = self.cpu_ms
        self._measure()
        waited_ms = min(self._waited_ms(own_queue), PATIENCE_MS)
        question = self.question
        limit = self.started + (question.limit_ms + question.grace_ms) / 1000.0
        self.deadline = limit + waited_ms / 1000.0
        if now < self.deadline:
            return True
        # At the first look nothing is known yet of whether a bot that is ready to run does run.
        has_run = self.is_queued is not None and self.cpu_ms > cpu_ms
        self.is_queued = not has_run and self.process.is_ready()
        self.deadline = now + LOOK_S
        return self.is_queued and now < limit + PATIENCE_MS / 1000.0

    def _bank_is_used_up(self) -> str:
        return (
            f"used {self.cpu_ms:.0f} ms of CPU, its bank held {self.question.cpu_ms:.0f} ms: "
            f"{self._written()}"
        )

    def _written(self) -> str:
        return self.process.output.written(self.question.n_lines)


class OwnQueue:
    """How long the referee's own thread waited for a CPU of late; nothing where the
    kernel does not say.
    """

    def __init__(self) -> None:
        path = "/proc/thread-self/schedstat"
        self.descriptor = os.open(path, os.O_RDONLY) if os.path.exists(path) else None
        self.start_ns = 0
        self.started = 0.0

    def start(self, now: float) -> None:
        """Count from now."""
        self.start_ns, self.started = self._read(), now

    def forget(self, now: float) -> None:
        """Count from now if it began long ago: what was waited for before that keeps no
        answer from being read.
        """
        if now > self.started + PATIENCE_MS / 1000.0:
            self.start(now)

    def ms(self) -> float:
        """Milliseconds since the start."""
        return (self._read() - self.start_ns) / 1e6

    def close(self) -> None:
        """Close the kernel's file."""
        if self.descriptor is not None:
            os.close(self.descriptor)

    def _read(self) -> int:
        return 0 if self.descriptor is None else int(os.pread(self.descriptor, 64, 0).split()[1])
