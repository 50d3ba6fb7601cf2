"""Asks bots for the answers of one turn: writes inputs, reads until all have answered or failed.

All bots of a turn are asked at once, each with a clock of its own; the site asks one after the
other, which on one core per bot comes to the same. The clock runs from the writing of a bot's input
to the arrival of its last expected line.
"""

import os
import re
import selectors
import time
from dataclasses import dataclass

from referee.process import BotProcess, read_pipe

# As on the site: what a bot may write in a turn before its answer is complete, and what is kept of
# its stderr.
MAX_OUTPUT_BYTES = 10_000
MAX_STDERR_BYTES = 4_096
EXCERPT = 200

# The line in which a bot of this project says how many nodes its search took
# (`shared/core/clock.py`).
NODES_LINE = re.compile(r"^nodes=(\d{1,18})\r?\n?", re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """What is asked of a bot.

    lines: the input to write. n_lines: how many lines to wait for.
    limit_ms: the wall time for them. started: when the clock started (time.perf_counter), None for
    the moment the input is written.
    """

    process: BotProcess
    lines: list[str]
    n_lines: int
    limit_ms: float
    started: float | None = None


@dataclass(frozen=True)
class Answer:
    """What came back: at most the lines asked for, and why it is no answer (`fault`) if it is none.

    wall_ms: from the input's writing to the last line's arrival, or to the fault. cpu_ms: used
    meanwhile.
    nodes: the number in the last `nodes=N` line on stderr, which `stderr` leaves out.
    """

    lines: list[str]
    stderr: str
    nodes: int | None
    wall_ms: float
    cpu_ms: float
    fault: str | None


@dataclass(eq=False)
class Pending:
    """A question on its way to an answer; `arrived`, in perf_counter's time, is the last read."""

    question: Question
    to_write: bytes
    cpu_before: float
    started: float
    arrived: float
    closed_output: bool = False
    exited: bool = False
    answer: Answer | None = None

    @property
    def deadline(self) -> float:
        return self.started + self.question.limit_ms / 1000.0


def ask(questions: list[Question]) -> list[Answer]:
    """The answers to the questions, in their order, once each is answered or has failed."""
    # A PollSelector keeps its list in this process: building one per turn costs no system call.
    with selectors.PollSelector() as selector:
        asked = [_begin(question, selector) for question in questions]
        while True:
            now = time.perf_counter()
            for pending in asked:
                if pending.answer is None:
                    _settle(pending, now, selector)
            deadlines = [pending.deadline for pending in asked if pending.answer is None]
            if not deadlines:
                return [pending.answer for pending in asked]
            for key, _ in selector.select(max(0.0, min(deadlines) - now)):
                _transfer(*key.data, selector)


def shorten(text: str) -> str:
    """A text cut after EXCERPT characters."""
    return text if len(text) <= EXCERPT else text[:EXCERPT] + "..."


def excerpt(text: str) -> str:
    """A text as it stands in an error: quoted, on one line, cut after EXCERPT characters."""
    return repr(text) if len(text) <= EXCERPT else repr(text[:EXCERPT]) + "..."


def _begin(question: Question, selector: selectors.BaseSelector) -> Pending:
    process = question.process
    text = "".join(f"{line}\n" for line in question.lines).encode()
    cpu_before = process.cpu_ms()
    started = time.perf_counter() if question.started is None else question.started
    pending = Pending(question, text, cpu_before, started, arrived=started)
    _write_input(pending)
    if pending.to_write:
        selector.register(process.stdin, selectors.EVENT_WRITE, (pending, "stdin"))
    selector.register(process.stdout, selectors.EVENT_READ, (pending, "stdout"))
    selector.register(process.stderr, selectors.EVENT_READ, (pending, "stderr"))
    selector.register(process.exit_fd, selectors.EVENT_READ, (pending, "exit"))
    return pending


def _transfer(pending: Pending, channel: str, selector: selectors.BaseSelector) -> None:
    process = pending.question.process
    if channel == "stdin":
        _write_input(pending)
        if not pending.to_write:
            selector.unregister(process.stdin)
    elif channel == "stdout":
        if not _read_output(pending):
            pending.closed_output = True
            selector.unregister(process.stdout)
    elif channel == "exit":
        # What it wrote before it ended is in the pipe, whoever else may hold the pipe open.
        pending.exited = True
        _read_output(pending)
    elif not process.drain_stderr():
        selector.unregister(process.stderr)


def _write_input(pending: Pending) -> None:
    """Write as much of the input as the pipe takes."""
    try:
        written = os.write(pending.question.process.stdin, pending.to_write)
    except BlockingIOError:
        return
    except BrokenPipeError:
        # The bot reads no more; whether it answers all the same shows on its other pipes.
        written = len(pending.to_write)
    pending.to_write = pending.to_write[written:]


def _read_output(pending: Pending) -> bool:
    """Read what is there until the answer is complete; False at the end of the bot's output."""
    process = pending.question.process
    while not _is_complete(pending) and len(process.unread) <= MAX_OUTPUT_BYTES:
        chunk = read_pipe(process.stdout)
        pending.arrived = time.perf_counter()
        if not chunk:
            return chunk is None
        process.unread += chunk
    return True


def _is_complete(pending: Pending) -> bool:
    return pending.question.process.unread.count(b"\n") >= pending.question.n_lines


def _settle(pending: Pending, now: float, selector: selectors.BaseSelector) -> None:
    """Set the answer if it is complete or has failed by the time `now`."""
    question, process = pending.question, pending.question.process
    complete = _is_complete(pending)
    fault = _fault(pending, now)
    if fault is None and (pending.to_write or not complete):
        return
    cpu_ms = process.cpu_ms() - pending.cpu_before
    wall_ms = ((pending.arrived if complete else now) - pending.started) * 1000.0
    lines = _take_lines(process, question.n_lines)
    stderr, nodes = _take_stderr(process)
    if fault and pending.exited and stderr.strip():
        fault += f"; last on its stderr: {excerpt(stderr.strip().splitlines()[-1])}"
    pending.answer = Answer(lines, stderr, nodes, wall_ms, cpu_ms, fault)
    for descriptor in (process.stdin, process.stdout, process.stderr, process.exit_fd):
        if descriptor in selector.get_map():
            selector.unregister(descriptor)


def _fault(pending: Pending, now: float) -> str | None:
    """Why there is no answer in time, or None if there is or may still be one."""
    process, limit = pending.question.process, f"{pending.question.limit_ms:g} ms"
    if _is_complete(pending):
        if pending.arrived > pending.deadline:
            wall_ms = (pending.arrived - pending.started) * 1000.0
            return f"answered after {wall_ms:.1f} ms, the limit is {limit}: {_written(pending)}"
        if pending.to_write and now >= pending.deadline:
            return f"did not read its input within the limit of {limit}: {_written(pending)}"
        return None
    if pending.exited:
        return f"{process.how_it_ended()} before its answer was complete: {_written(pending)}"
    if len(process.unread) > MAX_OUTPUT_BYTES:
        return f"wrote over {MAX_OUTPUT_BYTES} bytes and no whole answer: {_written(pending)}"
    if now >= pending.deadline:
        closed = " (it has closed its output)" if pending.closed_output else ""
        return f"no complete answer within the limit of {limit}{closed}: {_written(pending)}"
    return None


def _written(pending: Pending) -> str:
    """How much of an answer there is, and its text."""
    question = pending.question
    written = bytes(question.process.unread)
    lines = min(written.count(b"\n"), question.n_lines)
    return (
        f"{lines} of {question.n_lines} lines, {excerpt(written.decode(errors='backslashreplace'))}"
    )


def _take_lines(process: BotProcess, n_lines: int) -> list[str]:
    """Take up to n_lines complete lines of what was read; the rest stays for the next turn."""
    *lines, rest = process.unread.split(b"\n", n_lines)
    process.unread = bytearray(rest)
    return [line.removesuffix(b"\r").decode(errors="backslashreplace") for line in lines]


def _take_stderr(process: BotProcess) -> tuple[str, int | None]:
    """Take what was written to stderr: the text without `nodes=N` lines, cut, and the last N."""
    # One chunk is all that a pipe holds: what was written before the answer is read here.
    process.drain_stderr()
    text = process.stderr_unread.decode(errors="backslashreplace")
    process.stderr_unread = bytearray()
    numbers = NODES_LINE.findall(text)
    text = NODES_LINE.sub("", text)
    if len(text) > MAX_STDERR_BYTES:
        text = f"{text[:MAX_STDERR_BYTES]}\n[{len(text) - MAX_STDERR_BYTES} characters more]"
    return text, int(numbers[-1]) if numbers else None
