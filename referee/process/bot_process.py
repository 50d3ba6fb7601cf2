"""A bot as a process: in an empty folder of its own, limited, measured, and ended with all its
processes.

`referee/process/supervisor.py` starts and ends the bot, in a process of its own between the referee
and the bot.

A bot is not isolated: it can signal every process of its user (`kill -9 -1`) and read what its user
can read. Namespaces would prevent that, but not every system lets a user make them; run a
stranger's bot in a container, or as a user of its own.

All code here needs Linux: process files in /proc, pidfd, CPU clocks of other processes.
"""

import contextlib
import os
import select
import shlex
import shutil
import signal
import tempfile
import time

from referee.deferred_signals import defer_signals
from referee.errors import UsageError
from referee.process import bot_folders
from referee.process.output_buffer import ErrorBuffer, OutputBuffer
from referee.process.procfs import activity, descendants, threads
from referee.process.resource_usage import ResourceUsage
from referee.process.supervisor import MEMORY_BYTES, Order
from referee.process.supervisor_pool import supervisors

# A pipe's default capacity; and the length of most answers, for which Python allocates memory in
# one piece.
CHUNK, SHORT = 65_536, 479
# The time for bots to end by themselves after the end of their input.
FAREWELL_MS = 50
# The number of searches for processes that a bot started while it was being stopped.
MAX_LOOKS = 5
# The longest wait for the end of a bot that the kernel kills.
KERNEL_S = 10.0
# Replaces a closed descriptor.
CLOSED = -1
# Real-time signals, and two of the C library, have larger numbers.
MAX_STANDARD_SIGNAL = 31


class BotProcess:
    """A running bot, as a context manager: leaving it ends the bot and everything the bot started.

    command: the program and its arguments. environment: variables beside the few that every bot
    gets. cores: the cores the bot may run on, None for the referee's. allowed_bytes: the limit on
    the memory of all its processes together. is_apart: the bot gets an equal share of its cores,
    however many threads other bots have there. The three pipes are file descriptors that do not
    block. `status` becomes readable when the bot has ended. Raises UsageError when the command
    cannot be started.
    """

    def __init__(
        self,
        command: list[str],
        environment: dict[str, str],
        cores: list[int] | None = None,
        allowed_bytes: float = MEMORY_BYTES,
        is_apart: bool = False,
    ):
        program = command[0]
        if os.sep not in program:
            program = shutil.which(program) or program
        if not os.access(program, os.X_OK):
            suffix = os.path.splitext(program)[1] if os.path.isfile(program) else ""
            compiled = f"; the table [compilers] of onefile.toml names one for {suffix}"
            raise UsageError(
                f"cannot start {command[0]}: it is no program, or may not be executed (chmod +x"
                f" lets a script{compiled if suffix else ''})"
            )
        self.allowed_bytes = allowed_bytes
        self.folder = ""
        try:
            may_use = cores or sorted(os.sched_getaffinity(0))
            self._start(program, command, environment, may_use, is_apart)
        except BaseException:
            # The supervisor cannot end it normally; if a bot runs, it ends with the referee.
            bot_folders.remove(self.folder)
            raise

    def _start(
        self,
        program: str,
        command: list[str],
        environment: dict[str, str],
        cores: list[int],
        is_apart: bool,
    ) -> None:
        lock = None
        with defer_signals():
            while lock is None:
                self.folder = tempfile.mkdtemp(prefix=bot_folders.PREFIX)
                lock = bot_folders.lock(self.folder)
        bot_stdin, self.stdin = os.pipe()
        self.stdout, bot_stdout = os.pipe()
        self.stderr, bot_stderr = os.pipe()
        given = [bot_stdin, bot_stdout, bot_stderr, lock]
        order = Order(
            self.folder,
            program,
            command,
            base_environment(self.folder) | environment,
            cores,
            is_apart,
        )
        # Output that has been read and belongs to no answer yet.
        self.output, self.errors = OutputBuffer(), ErrorBuffer()
        self.stdout_open = self.stderr_open = True
        # The bot's processes, while they are stopped because it is not asked.
        self.stopped: list[int] = []
        self.end_told: str | None = None
        # The ids of the bot's process and of its group; 0 if it could not be started. The
        # descriptor stands for the process even if another one gets its id.
        self.pid, self.pidfd = 0, CLOSED
        # The supervisor's lines: of the bot's start, and later of its end.
        self.supervisor, self.said = supervisors.start(order, given)
        self.status = self.supervisor.channel.fileno()
        for descriptor in given[:3]:
            os.close(descriptor)
        self.lock = lock
        word, _, rest = self.said.partition("\n")[0].partition(" ")
        if word != "bot":
            with defer_signals():
                self._end()
            raise UsageError(f"cannot start {command[0]}: {bad_first_line(program) or rest}")
        self.started = time.perf_counter()
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe, False)
        self.pid = int(rest)
        with contextlib.suppress(ProcessLookupError):  # its supervisor has been killed
            self.pidfd = os.pidfd_open(self.pid)
        self.usage = ResourceUsage(self.supervisor.pid, self.pid, self.allowed_bytes, self.started)

    def __enter__(self) -> "BotProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def tell(self, lines: list[str]) -> None:
        """Write lines that need no answer, as many as the pipe takes."""
        if self.stdin != CLOSED:
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                os.write(self.stdin, "".join(f"{line}\n" for line in lines).encode())

    def close_input(self) -> None:
        """End the bot's input. Has no effect the second time."""
        if self.stdin != CLOSED:
            os.close(self.stdin)
            self.stdin = CLOSED

    def end(self) -> None:
        """Kill the bot and all its processes, and close its pipes. Has no effect the second
        time.
        """
        if self.status != CLOSED:
            with defer_signals():
                self._end()

    def _end(self) -> None:
        if not supervisors.release(self.supervisor):
            if self.pidfd != CLOSED:
                self._end_alone()
            bot_folders.remove(self.folder)
        self.close_input()
        for descriptor in (self.stdout, self.stderr, self.lock):
            os.close(descriptor)
        if self.pidfd != CLOSED:
            os.close(self.pidfd)
        self.status = CLOSED

    def _end_alone(self) -> None:
        """End the bot and its process group, whose supervisor has been killed."""
        with contextlib.suppress(ProcessLookupError):
            # While the bot is there, the group's number is its own.
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
            os.killpg(self.pid, signal.SIGKILL)
        # The kernel does it, but not at once.
        select.select([self.pidfd], [], [], KERNEL_S)

    def has_ended(self) -> bool:
        """Returns True if `end` was called."""
        return self.status == CLOSED

    def drain_stderr(self) -> None:
        """Read the content of the stderr pipe into `errors`."""
        chunk = read_pipe(self.stderr)
        if chunk:
            self.errors.add(chunk)
        self.stderr_open = chunk != b""

    def how_it_ended(self) -> str:
        """Returns a description of the bot's end, such as "exited with status 1", once `status` is
        readable.
        """
        # Asked again, the report of a supervisor that was killed may have arrived.
        if self.end_told is None:
            self.end_told = self._describe_end()
        return self.end_told

    def _describe_end(self) -> str:
        self.said += self.supervisor.read()
        lines = self.said.split()
        if len(lines) < 4:
            return "was killed by SIGKILL, having killed its parent"
        number = int(lines[3])
        if lines[2] == "exited":
            # A shell exits with 128 + n after signal n has killed its child. Nothing sends a
            # real-time signal by accident: such a status is a bot's own.
            if number - 128 not in range(1, MAX_STANDARD_SIGNAL + 1):
                return f"exited with status {number}"
            number -= 128
        return f"was killed by {signal_name(number)}"

    def measure(self) -> tuple[float, float | None]:
        """Returns the CPU milliseconds and the run-queue milliseconds since the last call; the
        latter are None if unknown.
        """
        return self.usage.read(time.perf_counter())

    def has_used(self, seconds: float) -> bool:
        """Returns True if the bot has used `seconds` of CPU time since the last measurement."""
        return self.usage.used_ns() > seconds * 1e9

    def withheld_ms(self, wall_ms: float, cores: int) -> float:
        """Returns the milliseconds for which other processes kept a CPU from the bot since it was
        asked.

        wall_ms: the time since then. cores: the number of the bot's cores.
        """
        self.usage.look(time.perf_counter())
        return self.usage.withheld_ms(wall_ms, cores)

    def n_ready(self) -> int:
        """Returns the number of the bot's threads that run or wait for a CPU."""
        return self.usage.n_ready()

    def is_ready(self) -> bool:
        """Returns True if one of the bot's threads runs, or waits for a CPU or a disk."""
        return self.usage.n_ready(b"RD") > 0

    def has_too_much_memory(self) -> bool:
        """Returns True if the bot's processes exceeded their memory limit at the last check."""
        return self.usage.memory_bytes > self.allowed_bytes

    def activity(self) -> tuple[bool, int]:
        """Returns (True if a process of the bot can run, the CPU ticks of all its processes)."""
        return activity(self.supervisor.pid)

    def stop(self) -> None:
        """Stop all processes of the bot, which is not asked. Has no effect the second time."""
        if self.stopped:
            return
        # Usually the bot is one process, and one look for children after stopping it is enough. It
        # may have started some before.
        running = [self.pid]
        for _ in range(MAX_LOOKS):
            self._signal(running, signal.SIGSTOP)
            self.stopped += running
            running = [pid for pid in descendants(self.supervisor.pid) if pid not in self.stopped]
            if not running:
                return

    def keep_to(self, cores: list[int]) -> None:
        """Restrict all threads of the bot, and the threads that these will start, to `cores`."""
        done: set[int] = set()
        for _ in range(MAX_LOOKS):
            pids = [self.supervisor.pid, *descendants(self.supervisor.pid)]
            new_threads = {thread for pid in pids for thread in threads(pid)} - done
            if not new_threads:
                return
            for thread in new_threads:
                with contextlib.suppress(OSError):  # the process has ended
                    os.sched_setaffinity(thread, cores)
            done |= new_threads

    def resume(self) -> None:
        """Continue the processes stopped by `stop`."""
        self._signal(self.stopped, signal.SIGCONT)
        self.stopped = []

    def _signal(self, pids: list[int], number: signal.Signals) -> None:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


def end_gracefully(processes: list[BotProcess]) -> None:
    """End the bots' input and give them, in total, FAREWELL_MS to end by themselves."""
    poller = select.poll()
    waiting = [process for process in processes if not process.has_ended()]
    for process in waiting:
        process.close_input()
        process.resume()
        poller.register(process.status, select.POLLIN)
    end = time.perf_counter() + FAREWELL_MS / 1000.0
    n_left = len(waiting)
    while n_left and (left_s := end - time.perf_counter()) > 0.0:
        for descriptor, _ in poller.poll(left_s * 1000.0):
            poller.unregister(descriptor)
            n_left -= 1


def bad_first_line(program: str) -> str:
    """Returns the reason why the system cannot start a script with its first line, "" if there is
    none.
    """
    with open(program, "rb") as file:
        line = file.readline(SHORT)
    if not line.startswith(b"#!"):
        return ""
    if line.endswith(b"\r\n"):
        return f"its lines end as those of Windows: sed -i 's/\\r$//' {shlex.quote(program)}"
    words = line[2:].decode(errors="replace").split()
    if words and os.access(words[0], os.X_OK):
        return ""
    return f"its first line names {words[0] if words else 'no program'}, which cannot be run"


def base_environment(folder: str) -> dict[str, str]:
    """Returns the variables that every bot gets; other variables of the referee are hidden."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": folder,
        "TMPDIR": folder,
        "LANG": "C.UTF-8",
        # Sets and dicts of strings iterate in the same order in a match and in its replay.
        "PYTHONHASHSEED": "0",
    }


def signal_name(number: int) -> str:
    """Returns the name of a signal, such as "SIGKILL" or "SIGRTMIN+3". Python itself names only two
    real-time signals, and no signal that the C library reserves.
    """
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    after = number - signal.SIGRTMIN
    return f"SIGRTMIN+{after}" if after > 0 else f"signal {number}"


def read_pipe(pipe: int) -> bytes | None:
    """Returns a pipe's content up to SHORT + CHUNK bytes; b"" at its end, None if it is empty."""
    try:
        data = os.read(pipe, SHORT)
    except BlockingIOError:
        return None
    if len(data) == SHORT:
        with contextlib.suppress(BlockingIOError):
            data += os.read(pipe, CHUNK)
    return data
