"""A bot as a process: in an empty folder of its own, limited, measured, and ended
with all it started.

Between the referee and the bot stands a keeper, a small shell:

    referee (subreaper)
     +-- keeper    leads a session and a process group; ends as the bot ends
          +-- watcher   once the referee is gone, however that died, removes the folder and kills the group
          +-- bot       in the keeper's group, with its three pipes and nothing else

A bot that kills its parent, or its parent's group, hurts only itself. What leaves the group (a
child that makes a session of its own) falls to the referee when its parent dies, and is known by
its mark: the limit on message queues, which nobody uses and every child inherits, is another
number for each bot.

A bot is not locked up, though: it can signal every process of its user (`kill -9 -1`) and read what
its user can read. Namespaces would prevent that, but not every system lets a user make them; run a
stranger's bot in a container, or as a user of its own.

Everything here is Linux: process files in /proc, pidfd, prlimit, CPU clocks of other processes.
"""

import contextlib
import ctypes
import fcntl
import itertools
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
from functools import cache
from typing import Iterator

from referee.errors import UsageError
from referee.inbox import ErrorInbox, OutputInbox
from referee.procfs import Meter, activity, children, n_tasks, stat

# $1 is the bot's folder, the rest its command. Descriptor 3 is a line from the referee: it says
# when the limits are set, and it ends when the referee does. On 4 the bot's process number goes
# back. A bot in the background leaves the shell free to close the pipes: else nobody could see that
# the bot has closed one.
KEEPER = """\
folder=$1
cd "$folder" && shift && read -r _ <&3 || { rm -rf "$folder"; exit 126; }
exec 5<&0
(read -r _ <&3; rm -rf "$folder"; kill -9 0) </dev/null >/dev/null 2>&1 4>&- 5<&- &
(exec <&5 3<&- 4>&- 5<&-; exec "$@") &
echo $! >&4
exec </dev/null >/dev/null 2>&1 3<&- 4>&- 5<&-
wait $!
"""

# As on the site. The data limit counts what a process writes to, not the address space that a Java
# machine reserves.
MEMORY_BYTES = 768 * 1024 * 1024
FILE_BYTES = 16 * 1024 * 1024
# How many processes and threads more than there were at first; the kernel does not hold root to it.
MORE_TASKS = 128

# As much as a pipe holds, unless somebody has enlarged it.
CHUNK = 65_536
# How long bots may take, once their input has ended, to end by themselves.
FAREWELL_MS = 50

PR_SET_CHILD_SUBREAPER = 36
# In the place of a descriptor: it has been closed.
CLOSED = -1
marks = itertools.count(1)
# The keepers that are alive. On a cluster several threads of a worker may play.
keepers: set[int] = set()
keepers_lock = threading.Lock()


class BotProcess:
    """A running bot, as a context manager: leaving it ends the bot and everything the bot started.

    command: the program and its arguments. environment: variables beside the few that every bot
    gets. The three pipes are file descriptors that do not block. `exit_fd` becomes readable when
    the bot has ended. Raises UsageError when the command cannot be started.
    """

    def __init__(self, command: list[str], environment: dict[str, str]):
        prepare_referee()
        if not os.access(shutil.which(command[0]) or command[0], os.X_OK):
            raise UsageError(f"cannot start {command[0]}: it is no program, or may not be executed")
        self.folder = tempfile.mkdtemp(prefix="onefile-bot-")
        self.mark = next(marks)
        self.started = time.perf_counter()
        bot_stdin, self.stdin = os.pipe()
        self.stdout, bot_stdout = os.pipe()
        self.stderr, bot_stderr = os.pipe()
        read_line, self.line = os.pipe()
        self.number, write_number = os.pipe()
        ends = (bot_stdin, bot_stdout, bot_stderr, read_line, write_number)
        # None of the five may lie where another one goes.
        given = [_move_up(descriptor) for descriptor in ends]
        try:
            self.keeper = os.posix_spawn(
                "/bin/sh",
                ["sh", "-c", KEEPER, "sh", self.folder, *command],
                {**base_environment(self.folder), **environment},
                file_actions=[(os.POSIX_SPAWN_DUP2, given[target], target) for target in range(5)],
                setsid=True,
                # Python ignores these two itself.
                setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
            )
        except OSError as error:
            for descriptor in (
                *given,
                self.stdin,
                self.stdout,
                self.stderr,
                self.line,
                self.number,
            ):
                os.close(descriptor)
            os.rmdir(self.folder)
            raise UsageError(f"cannot start {command[0]}: {error.strerror}") from error
        self.exit_fd = os.pidfd_open(self.keeper)
        with keepers_lock:
            keepers.add(self.keeper)
            adopt_orphans(True)
        self._limit()
        os.write(self.line, b"\n")
        for descriptor in given:
            os.close(descriptor)
        for pipe in (self.stdin, self.stdout, self.stderr, self.number):
            os.set_blocking(pipe, False)
        self.meter: Meter | None = None
        # What has been read and belongs to no answer yet.
        self.output, self.errors = OutputInbox(), ErrorInbox()
        self.stdout_open = self.stderr_open = True

    def __enter__(self) -> "BotProcess":
        return self

    def __exit__(self, *_) -> None:
        self.end()

    def _limit(self) -> None:
        """Set the limits that the keeper hands on to the bot."""
        for limit, value in (
            (resource.RLIMIT_DATA, MEMORY_BYTES),
            (resource.RLIMIT_FSIZE, FILE_BYTES),
            (resource.RLIMIT_NPROC, n_tasks() + MORE_TASKS),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_MSGQUEUE, self.mark),
        ):
            hard = resource.prlimit(self.keeper, limit)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.prlimit(self.keeper, limit, (value, value))

    def tell(self, lines: list[str]) -> None:
        """Write lines that need no answer, as far as the pipe takes them."""
        if self.stdin != CLOSED:
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                os.write(self.stdin, "".join(f"{line}\n" for line in lines).encode())

    def close_input(self) -> None:
        """Let the bot read the end of its input. Does nothing the second time."""
        if self.stdin != CLOSED:
            os.close(self.stdin)
            self.stdin = CLOSED

    def end(self) -> None:
        """Kill the bot and all it started, and close its pipes. Does nothing the second time."""
        if self.exit_fd != CLOSED:
            with undisturbed():
                self._end()

    def _end(self) -> None:
        # First while the watcher lives: a referee that is killed in the midst of this
        # leaves the rest to it.
        shutil.rmtree(self.folder, ignore_errors=True)
        # The keeper has not been waited for, so its number still is its group's.
        os.killpg(self.keeper, signal.SIGKILL)
        os.waitpid(self.keeper, 0)
        # A dead process's children come to the referee before it can be waited for.
        while marked := [pid for pid in children(os.getpid()) if self._is_marked(pid)]:
            for pid in marked:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        with keepers_lock:
            keepers.discard(self.keeper)
            adopt_orphans(bool(keepers))
        self.close_input()
        for descriptor in (self.stdout, self.stderr, self.line, self.number, self.exit_fd):
            os.close(descriptor)
        if self.meter is not None:
            self.meter.close()
        self.exit_fd = CLOSED
        # What the bot has still written; a file that it cannot read itself stays.
        shutil.rmtree(self.folder, ignore_errors=True)

    def _is_marked(self, pid: int) -> bool:
        try:
            return resource.prlimit(pid, resource.RLIMIT_MSGQUEUE)[0] == self.mark
        except (ProcessLookupError, PermissionError):
            return False  # another thread's child that has ended, or another user's

    def drain_stderr(self) -> None:
        """Read what is in the stderr pipe into `errors`."""
        chunk = read_pipe(self.stderr)
        if chunk:
            self.errors.add(chunk)
        self.stderr_open = chunk != b""

    def how_it_ended(self) -> str | None:
        """How the bot's process ended, as in "exited with status 1"; None while it lives."""
        # WNOWAIT: `end` still needs the keeper's number to be taken.
        ending = os.waitid(os.P_PIDFD, self.exit_fd, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ending is None:
            return None
        status = ending.si_status
        if ending.si_code == os.CLD_EXITED:
            # A shell says that its child was killed by signal n with the status 128 + n.
            if status - 128 not in signal.valid_signals():
                return f"exited with status {status}"
            status -= 128
        return f"was killed by {signal.Signals(status).name}"

    def measure(self) -> tuple[float, float | None]:
        """CPU and run-queue milliseconds since the last call: of the bot's process, not its
        children. The second is None where the kernel does not say.
        """
        meter = self.meter or self._begun()
        return meter.read() if meter else (0.0, None)

    def is_ready(self) -> bool:
        """Whether the bot's first thread, or the keeper that is still to start it, runs
        or waits for a CPU.
        """
        meter = self._begun()
        fields = stat(meter.pid if meter else self.keeper)
        return fields is not None and fields[0] == "R"

    def activity(self) -> tuple[bool, int]:
        """Whether any process of the bot runs or is about to, and the CPU ticks used by all."""
        return activity(self.keeper)

    def _begun(self) -> Meter | None:
        """The meter of the bot, None until the keeper has come to start it and told its number."""
        if self.meter is None and (line := read_pipe(self.number)):
            self.meter = Meter(int(line))
        return self.meter

    def pause(self, number: signal.Signals) -> None:
        """Stop the bot and its group (SIGSTOP), once it has begun, or let them go on (SIGCONT)."""
        meter = self._begun()
        if meter is None:
            return
        os.killpg(self.keeper, number)
        # The watcher goes on at once: a referee that is killed meanwhile could let nobody go on.
        for pid in children(self.keeper):
            if pid != meter.pid:
                with contextlib.suppress(ProcessLookupError):  # the bot had killed it
                    os.kill(pid, signal.SIGCONT)


def farewell(processes: list[BotProcess]) -> None:
    """End the bots' input and give them, all in all, FAREWELL_MS to end by themselves."""
    poller = select.poll()
    for process in processes:
        if process.exit_fd != CLOSED:
            process.close_input()
            poller.register(process.exit_fd, select.POLLIN)
    end = time.perf_counter() + FAREWELL_MS / 1000.0
    n_left = sum(process.exit_fd != CLOSED for process in processes)
    while n_left and (left_s := end - time.perf_counter()) > 0.0:
        for descriptor, _ in poller.poll(left_s * 1000.0):
            poller.unregister(descriptor)
            n_left -= 1


def base_environment(folder: str) -> dict[str, str]:
    """The variables every bot gets and nothing else of the referee's own environment."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": folder,
        "TMPDIR": folder,
        "LANG": "C.UTF-8",
        # Sets and dicts of strings iterate in the same order in a match and in its replay.
        "PYTHONHASHSEED": "0",
    }


def read_pipe(pipe: int) -> bytes | None:
    """What a pipe holds, at most CHUNK bytes; b"" at its end, None when it is empty."""
    try:
        return os.read(pipe, CHUNK)
    except BlockingIOError:
        return None


@cache
def prepare_referee() -> None:
    """Keep this process's files to itself. Raises UsageError where the system is not Linux."""
    if not sys.platform.startswith("linux"):
        raise UsageError("the referee runs on Linux only: on another system use a Linux container")
    # What the referee has opened itself no bot inherits, but it may have got more
    # from its own parent.
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the list's own descriptor is closed by now
            if int(name) > 2:
                os.set_inheritable(int(name), False)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let the signals that stop a referee wait: once the watcher is dead nobody else would
    finish what is begun.
    """
    before = signal.pthread_sigmask(
        signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    )
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def adopt_orphans(wanted: bool) -> None:
    """Whether this process becomes the parent of its descendants whose own parents die (prctl(2)).

    Wanted while bots run and no longer: nobody waits for the orphans of what else it has started.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, wanted, 0, 0, 0)


def _move_up(descriptor: int) -> int:
    """The same open file at a descriptor above those that a bot gets."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved
