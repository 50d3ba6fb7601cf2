"""Says of a question whether it is answered, and if not, why it no longer can be."""

from typing import Protocol

from referee.errors import excerpt
from referee.log.limits import Clock
from referee.log.records import Late, PlayerTurn
from referee.play.lateness import Stopwatch
from referee.play.question import Question
from referee.process.output_buffer import (
    MAX_OUTPUT_BYTES,
    MAX_STDERR_BYTES,
    MAX_STDERR_READ,
    NEAR,
    SILENCE,
    cut_stderr,
)

# Within every cap, and not near to any.
FEW_BYTES = int(NEAR * MAX_OUTPUT_BYTES)


class Asked(Protocol):
    """A question on its way to an answer, as far as a verdict needs it.

    is_simple: whether nothing but a limit of wall time holds, and no stopwatch has looked at the bot.
    started: when its clock did. to_write: what of it the bot has not read yet. arrived: when output
    came last. exited: whether the bot has ended. warnings: what a verdict adds to.
    """

    question: Question
    is_simple: bool
    started: float
    to_write: bytes
    arrived: float
    exited: bool
    warnings: list[str]

    @property
    def stopwatch(self) -> Stopwatch: ...


def verdict(asked: Asked, now: float) -> PlayerTurn | None:
    """The answer if it is complete or has failed by the time `now`, else None."""
    question = asked.question
    process = question.process
    output = process.output
    is_complete = output.has(question.n_lines)
    if is_complete and asked.is_simple and not asked.to_write and len(output.held) <= FEW_BYTES:
        wall_ms = (asked.arrived - asked.started) * 1000.0
        if wall_ms <= question.limit_ms:
            # As mostly: nothing but memory can be amiss.
            cpu_ms, queue_ms = process.meter.read(now)
            fault = too_much_memory(asked) if process.has_too_much_memory() else None
            return answered(asked, wall_ms, cpu_ms, queue_ms, None, fault)
    fault = late = None
    if not is_complete or asked.to_write or len(output.held) > question.max_bytes:
        fault = why_it_failed(asked, now, is_complete)
        if fault is None and (asked.to_write or not is_complete):
            return None
    wall_ms = ((asked.arrived if is_complete else now) - asked.started) * 1000.0
    stopwatch = asked.stopwatch
    stopwatch.measure()
    if not asked.exited and (wall_ms > question.limit_ms or question.clock is Clock.CPU):
        late = stopwatch.blame(wall_ms, is_complete)
    if late and fault is None and wall_ms > stopwatch.wall_limit_ms:
        fault = f"answered after {wall_ms:.1f} ms, past {wall_limit(asked)}: {written(asked)}"
    if fault is None and stopwatch.cpu_ms > stopwatch.cpu_limit_ms:
        fault = used_up(asked)
    if fault is None and process.has_too_much_memory():
        fault = too_much_memory(asked)
    queue_ms = None if stopwatch.queue_ms is None else round(stopwatch.queue_ms, 3)
    return answered(asked, wall_ms, round(stopwatch.cpu_ms, 3), queue_ms, late, fault)


def why_it_failed(asked: Asked, now: float, is_complete: bool) -> str | None:
    """Why there is no answer, or None if there is or may still be one."""
    question, stopwatch = asked.question, asked.stopwatch
    process = question.process
    n_bytes, n_answer = len(process.output.held), process.output.size_of(question.n_lines)
    max_bytes = question.max_bytes
    if n_answer > max_bytes:
        return f"wrote over {max_bytes} bytes in a turn: {written(asked)}"
    if n_bytes - n_answer > max_bytes:
        return f"wrote over {max_bytes} bytes more than its answer: {written(asked)}"
    if is_complete:
        if asked.to_write and now >= stopwatch.deadline:
            return f"did not read its input within {wall_limit(asked)}: {written(asked)}"
        return None
    if asked.exited:
        ended = f"{process.how_it_ended()} before its answer was complete: {written(asked)}"
        said = process.errors.last_line()
        return f"{ended}; last on its stderr: {excerpt(said)}" if said else ended
    if stopwatch.is_over(now):
        closed = "" if process.stdout_open else " (it has closed its output)"
        if process.errors.is_full():
            closed += (
                f" (it wrote over {MAX_STDERR_READ} bytes to stderr: no more is read in a turn)"
            )
        return f"no complete answer within {wall_limit(asked)}{closed}: {written(asked)}"
    if stopwatch.has_too_much_memory(now):
        return too_much_memory(asked)
    return used_up(asked) if stopwatch.is_used_up(now) else None


def wall_limit(asked: Asked) -> str:
    """The limit of the time that may pass, as a verdict names it."""
    question = asked.question
    if question.clock is Clock.CPU:
        return f"{asked.stopwatch.wall_limit_ms:g} ms"
    return question.limit


def used_up(asked: Asked) -> str:
    """That the bot has used more than the CPU time it had."""
    question, used_ms = asked.question, asked.stopwatch.cpu_ms
    if asked.stopwatch.cpu_limit_ms == question.bank_ms:
        what = f"its bank held {question.bank_ms:.0f} ms"
    else:
        what = f"past {question.limit}"
    return f"used {used_ms:.0f} ms of CPU, {what}: {written(asked)}"


def too_much_memory(asked: Asked) -> str:
    """That the bot's processes hold more memory than they may."""
    process = asked.question.process
    held, allowed = process.meter.memory_bytes / 2**20, process.allowed_bytes / 2**20
    return (
        f"held {held:.0f} MB of memory with all its processes, past the limit of {allowed:.0f} MB"
    )


def answered(
    asked: Asked,
    wall_ms: float,
    cpu_ms: float,
    queue_ms: float | None,
    late: Late | None,
    fault: str | None,
) -> PlayerTurn:
    """The answer, taken out of what the bot has written."""
    question, warnings, process = asked.question, asked.warnings, asked.question.process
    output = process.output
    n_bytes = len(output.held)
    lines = output.take(question.n_lines)
    if output.held:
        n_bytes -= len(output.held)
        if fault is None:
            text = output.beginning()
            warnings.append(f"wrote more than its answer: {text} stays for the next turn")
    if n_bytes > FEW_BYTES and n_bytes > NEAR * question.max_bytes:
        warnings.append(f"wrote {n_bytes} of the {question.max_bytes} bytes a turn may have")
    said, stderr = SILENCE, ""
    if process.errors.held:
        said = process.errors.take()
        stderr = said.text
        if len(stderr) > NEAR * MAX_STDERR_BYTES:
            warnings.append(
                f"wrote {len(stderr)} of the {MAX_STDERR_BYTES} characters of stderr a turn may have"
            )
            stderr = cut_stderr(stderr)
    return PlayerTurn(
        question.input,
        question.n_lines,
        lines,
        stderr,
        said.nodes,
        # `round` writes and reads a text for that.
        int(1000.0 * wall_ms + 0.5) / 1000.0,
        cpu_ms,
        fault,
        question.initial_input,
        said.values,
        queue_ms,
        late,
        warnings,
        question.told_ms,
    )


def written(asked: Asked) -> str:
    """What the bot has written of its answer."""
    return asked.question.process.output.written(asked.question.n_lines)
