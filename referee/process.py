"""A bot as a process: in an empty folder of its own, measured, and ended with all it started.

Everything here is Linux: process files in /proc, pidfd, CPU clocks of other processes.
"""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from referee.errors import UsageError

# Every process that a bot starts inherits this variable, also one that leaves the bot's session.
MARK = "ONEFILE_BOT"

# As much as a pipe holds, unless somebody has enlarged it.
CHUNK = 65_536
# Beyond this a turn's stderr is read and thrown away, so that a flood costs no memory.
MAX_STDERR_READ = 1_000_000


class BotProcess:
    """A running bot, as a context manager: leaving it ends the bot and everything the bot started.

    command: the program and its arguments. environment: variables beside the few that every bot
    gets. The three pipes are file descriptors that do not block. `exit_fd` becomes readable when
    the bot's process ends. Raises UsageError when the command cannot be started.
    """

    def __init__(self, command: list[str], environment: dict[str, str]):
        if not sys.platform.startswith("linux"):
            raise UsageError(
                "the referee runs on Linux only: on another system use a Linux container"
            )
        token = secrets.token_hex(16)
        self.mark = f"{MARK}={token}"
        self.folder = tempfile.TemporaryDirectory(prefix="onefile-bot-")
        self.started = time.perf_counter()
        try:
            self.popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=self.folder.name,
                env={**base_environment(self.folder.name), MARK: token, **environment},
                start_new_session=True,
            )
        except OSError as error:
            self.folder.cleanup()
            raise UsageError(f"cannot start {command[0]}: {error.strerror}") from error
        self.exit_fd = os.pidfd_open(self.popen.pid)
        self.stdin = self.popen.stdin.fileno()
        self.stdout = self.popen.stdout.fileno()
        self.stderr = self.popen.stderr.fileno()
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe, False)
        # What has been read and belongs to no answer yet.
        self.unread = bytearray()
        self.stderr_unread = bytearray()

    def __enter__(self) -> "BotProcess":
        return self

    def __exit__(self, *_) -> None:
        self.end()

    def end(self) -> None:
        """Kill the bot and all it started, and close its pipes. Does nothing the second time."""
        if self.exit_fd is None:
            return
        # The bot's process has not been waited for, so its number still is its group's.
        os.killpg(self.popen.pid, signal.SIGKILL)
        # A pass may meet a process in the middle of forking, so look until nothing is found.
        while marked := processes_with(self.mark):
            for pid in marked:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
        self.popen.wait()
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            pipe.close()
        os.close(self.exit_fd)
        self.exit_fd = None
        self.folder.cleanup()

    def drain_stderr(self) -> bool:
        """Read what is in the stderr pipe into `stderr_unread`; False at the end of it."""
        chunk = read_pipe(self.stderr)
        if chunk:
            self.stderr_unread += chunk[: max(0, MAX_STDERR_READ - len(self.stderr_unread))]
        return chunk != b""

    def how_it_ended(self) -> str | None:
        """How the bot's process ended, as in "exited with status 1"; None while it lives."""
        # WNOWAIT: `end` still needs the process's number to be taken.
        ending = os.waitid(os.P_PIDFD, self.exit_fd, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ending is None:
            return None
        if ending.si_code == os.CLD_EXITED:
            return f"exited with status {ending.si_status}"
        return f"was killed by {signal.Signals(ending.si_status).name}"

    def cpu_ms(self) -> float:
        """CPU milliseconds used so far by the bot's process: its threads, not its children."""
        # The kernel's encoding of "CPU clock of process pid" (clock_getcpuclockid(3)).
        return time.clock_gettime_ns((~self.popen.pid << 3) | 2) / 1e6

    def activity(self) -> tuple[bool, int]:
        """Whether any process of the bot runs or is about to, and the CPU ticks used by all."""
        busy, ticks = False, 0
        for pid in processes_with(self.mark):
            try:
                stat = Path(f"/proc/{pid}/stat").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            # The fields after the command's name in brackets: state is the 3rd of all, utime and
            # stime 14 and 15.
            fields = stat.rpartition(")")[2].split()
            busy = busy or fields[0] not in "SZ"
            ticks += int(fields[11]) + int(fields[12])
        return busy, ticks


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


def processes_with(mark: str) -> list[int]:
    """The live processes whose environment, as they were started, holds the text `mark`."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                environment = Path(f"/proc/{entry}/environ").read_bytes()
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue  # ended meanwhile, or another user's: not a bot of ours
            if mark.encode() in environment.split(b"\0"):
                found.append(int(entry))
    return found
