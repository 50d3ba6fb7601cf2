"""The input and output of a turn: asks the bots, and reads until all have answered or failed.

All bots of a turn are asked at once, each with a clock of its own; the site asks one after the
other, which is equivalent with one core per bot. The clock runs from the writing of a bot's input
to the arrival of its last expected line.

An answer is complete when all expected lines have arrived. An answer fails when the bot ends,
writes too much, holds too much memory, uses too much CPU time, or is too late.
"""

import math
import os
import select
from time import perf_counter
from typing import Callable

from msgspec import Struct

from referee.errors import excerpt
from referee.log.limits import Clock
from referee.log.records import Idle, Late, PlayerTurn
from referee.play.cores import CoreAllocation
from referee.play.lateness import (
    GAP_S,
    MEMORY_LOOK_S,
    UNLIMITED,
    AnswerLimits,
    OwnDelay,
    Stopwatch,
)
from referee.process.bot_process import BotProcess, read_pipe
from referee.process.output_buffer import (
    EMPTY_STDERR,
    MAX_OPEN_BYTES,
    MAX_OUTPUT_BYTES,
    MAX_STDERR_CHARACTERS,
    MAX_STDERR_READ,
    MOST_SITE_LINES,
    NEAR,
    Expected,
    cut_stderr,
)
from referee.process.unflushed_output import unflushed_hint

# An output so short that it is far below every limit.
FEW_BYTES = int(NEAR * MAX_OUTPUT_BYTES)
# A name of the module is read faster than an attribute of the enum, which is read in every turn.
WALL = Clock.WALL
# Shared by most answers: it must not be changed.
NO_WARNINGS: list[str] = []
# After this thinking time of one bot, idle bots are stopped, or bots are kept to their own cores:
# their work right after an answer is mostly done by then. In turns of microseconds, signals would
# take longer than the bots, and so would waking bots on cores other than the referee's.
SEPARATE_S = 0.002


# A struct: created in each turn, in half of a dataclass's time, and never part of a reference
# cycle.
class Request(Struct, kw_only=True, gc=False):
    """A question to a player.

    initial_input: the lines sent before its first input, None in later turns. lines_expected: the
    number of lines to answer, or the text of the last line. limit_ms: the time for the answer that
    an engine states, else None. limits: the limits of the answer of a bot over pipes.
    """

    player: int
    input: list[str]
    lines_expected: Expected
    initial_input: list[str] | None = None
    limit_ms: int | None = None
    limits: AnswerLimits = UNLIMITED

    @property
    def sent(self) -> list[str]:
        """All lines sent to the player."""
        return (self.initial_input or []) + self.input


class BotSession:
    """A bot, the last request, and the progress of the answer.

    is_simple: True if only a limit of wall time holds, and no stopwatch has measured the bot yet.
    to_write: the input that the bot has not read yet. started: the start of the bot's clock.
    arrived: the time of the last output, 0 before the first. exited, is_stderr_left: True if the
    bot has ended, or if some of its stderr is unread, until the next request. has_news: True if a
    pipe has moved data since the last `settle`, or the bot has ended. event: the time of the next
    `settle` without news.
    """

    # Set by each request; one shared object costs less than one for each request.
    request: Request
    limits: AnswerLimits
    max_bytes: int
    is_simple: bool
    warnings: list[str]
    to_write: bytes
    asked: float
    started: float
    arrived: float
    event: float
    has_news: bool
    answer: PlayerTurn
    _stopwatch: Stopwatch | None

    def __init__(self, process: BotProcess, own_delay: OwnDelay):
        self.process = process
        self.own_delay = own_delay
        self.exited = self.is_stderr_left = False
        self.to_write, self._stopwatch = b"", None

    # 1. The question

    def expect(self, request: Request) -> bool:
        """Take the next request. Returns True if the descriptors to wait for have changed."""
        self.request, self.limits = request, request.limits
        expected, limits = request.lines_expected, request.limits
        self.process.output.expected = expected
        is_open = isinstance(expected, str) or expected > MOST_SITE_LINES
        self.max_bytes = MAX_OPEN_BYTES if is_open else MAX_OUTPUT_BYTES
        self.is_simple = limits.clock is WALL and limits.bank_ms is None
        self.warnings = NO_WARNINGS
        self.arrived, self.has_news = 0.0, False
        if self.to_write:
            self.to_write = b""
        self._stopwatch = None
        is_changed = self.exited or self.is_stderr_left
        self.exited = self.is_stderr_left = False
        return is_changed

    def begin(self) -> bool:
        """Write the input and start the clock. Returns False if the pipe did not take all of it."""
        request, process, limits = self.request, self.process, self.limits
        if self.arrived:
            text = process.output.beginning()
            self._warn(f"wrote {text} before it was asked: it counts as this answer")
        lines = request.input
        if request.initial_input is not None:
            lines = request.initial_input + lines
        if lines:
            self.to_write = ("\n".join(lines) + "\n").encode()
        self.asked = now = perf_counter()
        # The time withheld from a bot while it loaded counts, too.
        if now > process.usage.start_due and not limits.loaded_s:
            process.usage.start(now)
        self.started = self.arrived = started = limits.start(now)
        if self.is_simple:
            limit, look = started + limits.limit_ms / 1000.0, now + MEMORY_LOOK_S
            self.event = limit if limit < look else look
        else:
            self._set_event()
        # An earlier answer may already be buffered.
        if process.output.held or not request.lines_expected:
            self.has_news = True
        return not self._write()

    @property
    def stopwatch(self) -> Stopwatch:
        """The stopwatch of this question, made at the first use: a prompt answer needs none."""
        if self._stopwatch is None:
            self._stopwatch = Stopwatch(self.process, self.limits, self.own_delay, self.asked)
            self.is_simple = False
        return self._stopwatch

    def _set_event(self) -> None:
        self.event = self.stopwatch.next_check()

    # 2. The pipes

    def descriptors(self) -> list[tuple[int, int]]:
        """Returns the descriptors to wait for, with their events.

        Output comes before stderr, and they are read in this order: with an answer, all stderr
        written before it has been read.
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
        """Returns (descriptor, action) of each pipe. An action returns False if the descriptors to
        wait for have changed.
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
        """Write as much of the input as the pipe takes. Returns True if some input is left."""
        data = self.to_write
        try:
            n_written = os.write(self.process.stdin, data)
        except BlockingIOError:
            return True
        except BrokenPipeError:
            # The bot no longer reads; it may still answer on its other pipes.
            n_written = len(data)
        self.to_write = data[n_written:]
        return n_written < len(data)

    def _read_output(self) -> bool:
        self.has_news = True
        process = self.process
        if chunk := read_pipe(process.stdout):
            self.arrived = perf_counter()
            process.output.add(chunk)
            return True
        if chunk is not None:
            process.stdout_open = False
        return process.stdout_open

    def _read_stderr(self) -> bool:
        self.has_news = True
        process = self.process
        process.drain_stderr()
        self.is_stderr_left = process.errors.is_full()
        return process.stderr_open and not self.is_stderr_left

    def _read_the_rest(self) -> bool:
        """Read the pipes of a bot that has ended, even if another process holds them open."""
        self.has_news = self.exited = True
        held, n_before = self.process.output.held, -1
        while n_before < len(held) <= self.max_bytes:
            n_before = len(held)
            self._read_output()
        self.process.drain_stderr()
        return False

    def _warn(self, text: str) -> None:
        self.warnings = [*self.warnings, text]

    # 3. The verdict

    def settle(self, now: float) -> bool:
        """Set the answer if it is complete or has failed by `now`. Returns True if it is set."""
        self.has_news = False
        output = self.process.output
        if self.is_simple and output.n_lines == output.expected and not self.to_write:
            wall_ms = (self.arrived - self.started) * 1000.0
            if wall_ms <= self.limits.limit_ms and len(output.held) <= FEW_BYTES:
                # The usual case: only memory can be a fault.
                usage = self.process.usage
                cpu_ms, queue_ms = usage.read(now)
                is_fat = usage.memory_bytes > self.process.allowed_bytes
                fault = self._memory_fault() if is_fat else None
                self.answer = self._answered(wall_ms, cpu_ms, queue_ms, None, fault)
                return True
        answer = self._verdict(now)
        if answer is None:
            self._set_event()
            return False
        self.answer = answer
        return True

    def explain(self) -> None:
        """Add a hint to a late answer's fault if the bot may be buffering its output."""
        answer = self.answer
        if not answer.fault or not answer.late or self.exited:
            return
        if n_missing := self.process.output.n_missing(answer.output):
            answer.fault += unflushed_hint(self.process, n_missing)

    def _verdict(self, now: float) -> PlayerTurn | None:
        """Returns the answer if it is complete or has failed by the time `now`, else None."""
        process, limits = self.process, self.limits
        n_held = len(process.output.held)
        is_complete = process.output.is_complete()
        fault = late = None
        if not is_complete or self.to_write or n_held > self.max_bytes:
            fault = self._failure(now, is_complete)
            if fault is None and (self.to_write or not is_complete):
                return None
        wall_ms = ((self.arrived if is_complete else now) - self.started) * 1000.0
        stopwatch = self.stopwatch
        stopwatch.measure()
        if not self.exited and (wall_ms > limits.limit_ms or limits.clock is Clock.CPU):
            late = stopwatch.judge(wall_ms, is_complete)
        if stopwatch.has_hung:
            late = Late.BOT
        if late and fault is None and wall_ms > stopwatch.wall_limit_ms:
            past = f"after {rounded_up(wall_ms)} ms, past {self._wall_limit()}"
            fault = f"answered {past}: {self._written()}"
        if fault is None and stopwatch.cpu_ms > stopwatch.cpu_limit_ms:
            fault = self._used_up()
        if fault is None:
            fault = self._memory_fault()
        queue_ms = None if stopwatch.queue_ms is None else round(stopwatch.queue_ms, 3)
        return self._answered(wall_ms, round(stopwatch.cpu_ms, 3), queue_ms, late, fault)

    def _failure(self, now: float, is_complete: bool) -> str | None:
        """Returns the fault of a failed answer; None if the answer is complete or may still be
        completed.
        """
        stopwatch, process, max_bytes = self.stopwatch, self.process, self.max_bytes
        n_bytes, n_answer = len(process.output.held), process.output.answer_size()
        if n_answer > max_bytes:
            return f"wrote over {max_bytes} bytes in a turn: {self._written()}"
        if n_bytes - n_answer > max_bytes:
            return f"wrote over {max_bytes} bytes more than its answer: {self._written()}"
        if is_complete:
            if self.to_write and now >= stopwatch.deadline:
                return f"did not read its input within {self._wall_limit()}: {self._written()}"
            return None
        if self.exited:
            how = process.how_it_ended()
            ended = f"{how} before its answer was complete: {self._written()}"
            said = process.errors.last_line()
            return f"{ended}; last on its stderr: {excerpt(said)}" if said else ended
        if stopwatch.is_over(now):
            closed = "" if process.stdout_open else " (it has closed its output)"
            if process.errors.is_full():
                closed += (
                    f" (it wrote over {MAX_STDERR_READ} bytes to stderr: no more is read in a turn)"
                )
            return f"no complete answer within {self._wall_limit()}{closed}: {self._written()}"
        if stopwatch.has_too_much_memory(now):
            return self._memory_fault()
        if stopwatch.is_asleep(now):
            return f"slept for {stopwatch.idle_ms:g} ms before its answer: {self._written()}"
        return self._used_up() if stopwatch.is_used_up(now) else None

    def _wall_limit(self) -> str:
        if self.limits.clock is Clock.CPU:
            return f"{self.stopwatch.wall_limit_ms:g} ms"
        return self.limits.text

    def _used_up(self) -> str:
        used_ms, bank_ms = self.stopwatch.cpu_ms, self.limits.bank_ms
        if self.stopwatch.cpu_limit_ms == bank_ms:
            limit = f"its bank held {bank_ms:.0f} ms"
        else:
            limit = f"past {self.limits.text}"
        return f"used {rounded_up(used_ms)} ms of CPU, {limit}: {self._written()}"

    def _memory_fault(self) -> str | None:
        """Returns the fault of a bot whose processes held too much memory at the last look, else
        None.
        """
        held, allowed = self.process.usage.memory_bytes, self.process.allowed_bytes
        if held <= allowed:
            return None
        return (
            f"held {held / 2**20:.0f} MB of memory with all its processes, past the limit of"
            f" {allowed / 2**20:.0f} MB"
        )

    def _written(self) -> str:
        return self.process.output.written()

    def _answered(
        self,
        wall_ms: float,
        cpu_ms: float,
        queue_ms: float | None,
        late: Late | None,
        fault: str | None,
    ) -> PlayerTurn:
        """Take the answer from the bot's output. Returns its record."""
        request, process = self.request, self.process
        output = process.output
        n_bytes = len(output.held)
        lines = output.take()
        if output.held:
            n_bytes -= len(output.held)
            if fault is None:
                text = output.beginning()
                self._warn(f"wrote more than its answer: {text} stays for the next turn")
        if n_bytes > FEW_BYTES and n_bytes > NEAR * self.max_bytes:
            self._warn(f"wrote {n_bytes} of the {self.max_bytes} bytes a turn may have")
        said, stderr = EMPTY_STDERR, ""
        if process.errors.held:
            said = process.errors.take()
            stderr = said.text
            if len(stderr) > NEAR * MAX_STDERR_CHARACTERS:
                self._warn(
                    f"wrote {len(stderr)} of the {MAX_STDERR_CHARACTERS} characters of stderr"
                    " a turn may have"
                )
                stderr = cut_stderr(stderr)
        return PlayerTurn(
            input=request.input,
            lines_expected=request.lines_expected,
            output=lines,
            stderr=stderr,
            nodes=said.nodes,
            # `round` is slower: it formats and parses a text.
            wall_ms=int(1000.0 * wall_ms + 0.5) / 1000.0,
            cpu_ms=cpu_ms,
            fault=fault,
            initial_input=request.initial_input,
            values=said.values,
            queue_ms=queue_ms,
            late=late,
            warnings=self.warnings,
            limit_ms=request.limit_ms,
        )


def rounded_up(ms: float) -> str:
    """Returns the text of a time, rounded up to 0.1 ms: a time past its limit is past it as text,
    too.
    """
    return f"{math.ceil(10.0 * ms) / 10.0:.1f}"


class TurnIO:
    """The sessions with the bots of a match, as a context manager; a bot's place in the list is its
    player's number.

    allocation: the cores of the bots, by which an idle bot is stopped while another one thinks, or
    each bot is confined to its own cores. None for a single bot, or to leave the bots as they are.
    """

    def __init__(self, processes: list[BotProcess], allocation: CoreAllocation | None = None):
        self.processes = processes
        self.allocation = allocation
        self.stops = allocation is not None and allocation.idle is Idle.STOPPED
        # True while bots are stopped; true while bots have not been moved to cores of their own.
        self.are_stopped = False
        self.are_mixed = allocation is not None and len(processes) > 1
        self.own_delay = OwnDelay()
        self.sessions = [BotSession(process, self.own_delay) for process in processes]
        # A ready descriptor's action.
        self.transfers = {
            descriptor: transfer
            for session in self.sessions
            for descriptor, transfer in session.transfers()
        }
        # Keyed by the waiting sessions: a poll object costs more to fill than to use.
        self.pollers: dict[tuple[BotSession, ...], select.poll] = {}

    def __enter__(self) -> "TurnIO":
        return self

    def __exit__(self, *_: object) -> None:
        self.own_delay.close()

    def ask(
        self, requests: list[Request], meanwhile: Callable[[], None] = lambda: None
    ) -> list[PlayerTurn]:
        """Returns the answers to the requests, in their order, once each is complete or has failed.

        meanwhile: called once, while the bots think.
        """
        asked = []
        for request in requests:
            session = self.sessions[request.player]
            if session.expect(request):
                self.pollers.clear()
            asked.append(session)
        if self.are_stopped:
            self._resume(asked)
        # Output that is already there precedes the question.
        self._wait(asked, 0.0)
        now = perf_counter()
        separate_at = now + SEPARATE_S if self.are_mixed else math.inf
        own_delay = self.own_delay
        if now > own_delay.start_due:
            own_delay.start(now)
        for session in asked:
            if not session.begin():
                self.pollers.clear()
        meanwhile()
        # All that was written before the time `looked` has been read.
        planned = looked = now
        now = perf_counter()
        waiting = asked
        while True:
            own_delay.looked, own_delay.gap_s = looked, 0.0
            if now - planned > GAP_S:
                # Something may have come since the last look, before the limits that are over now.
                self._wait(waiting, 0.0)
                now = perf_counter()
                own_delay.note_gap(now - planned)
                for session in waiting if own_delay.gap_s else ():
                    session.stopwatch.add_gap(own_delay.gap_s, now)
            event = math.inf
            still_waiting = []
            for session in waiting:
                # Mostly one bot has written, and the others still think.
                if (session.has_news or now >= session.event) and session.settle(now):
                    continue
                still_waiting.append(session)
                if session.event < event:
                    event = session.event
            if not still_waiting:
                break
            if self.stops and len(still_waiting) < len(waiting):
                # Bots that have answered are stopped, too.
                separate_at = min(separate_at, now + SEPARATE_S)
            waiting = still_waiting
            if now > own_delay.start_due:
                own_delay.start(now)
            if now >= separate_at:
                separate_at = self._separate(waiting, now)
            if separate_at < event:
                event = separate_at
            looked, planned = now, event if event > now else now
            self._wait(waiting, planned - now)
            now = perf_counter()
        answers = []
        for session in asked:
            if session.answer.late:
                session.explain()
            answers.append(session.answer)
        return answers

    def _separate(self, waiting: list[BotSession], now: float) -> float:
        """Stop the idle bots, or confine each bot to its own cores. Returns the time of the next
        try.
        """
        assert self.allocation
        if self.stops:
            self.are_stopped = True
            waited_for = [session.process for session in waiting]
            for process in self.processes:
                if not process.stopped and process not in waited_for and not process.has_ended():
                    process.stop()
            return math.inf
        if not any(session.process.has_used(SEPARATE_S) for session in waiting):
            return now + SEPARATE_S  # bots that wait for a core, or for something else
        self.are_mixed = False
        for process, cores in zip(self.processes, self.allocation.cores):
            if not process.has_ended():
                process.keep_to(cores)
        return math.inf

    def _resume(self, asked: list[BotSession]) -> None:
        for session in asked:
            if session.process.stopped:
                session.process.resume()
        self.are_stopped = any(process.stopped for process in self.processes)

    def _wait(self, waiting: list[BotSession], seconds: float) -> None:
        """Read the bots' output as soon as there is some, waiting at most `seconds`."""
        poller = self.pollers.get(tuple(waiting)) or self._new_poller(waiting)
        for descriptor, _ in poller.poll(seconds * 1000.0):
            if not self.transfers[descriptor]():
                self.pollers.clear()

    def _new_poller(self, waiting: list[BotSession]) -> select.poll:
        """Returns a poll object for these bots, valid until one of them closes or fills a pipe."""
        poller = self.pollers[tuple(waiting)] = select.poll()
        for session in waiting:
            for descriptor, events in session.descriptors():
                poller.register(descriptor, events)
        return poller
