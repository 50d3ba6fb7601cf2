"""Detects a late answer that may be waiting in the bot's own output buffer.

The output of a C program to a pipe stays in its buffer until it has 4,096 bytes or the program
ends, unless the program calls `fflush(stdout)`; other languages behave alike. Such a bot has
answered and waits for its next input. Closing its input makes the bot end, or continue without
input; in both cases its buffer is usually flushed.
"""

import platform
import select
import time

from referee.errors import excerpt
from referee.process.bot_process import FAREWELL_MS, BotProcess, read_pipe
from referee.process.procfs import descendants, newest_task, read_file, threads

# The number of the system call read, by machine; descriptor 0 is its first argument.
READS_INPUT = {"x86_64": b"0 0x0 ", "aarch64": b"63 0x0 "}
# A wrapper, its program and some helpers. With more processes, a read of stdin proves nothing.
FEW_PROCESSES = 8
BUFFERS = "may be buffering its output"


def unflushed_hint(process: BotProcess, n_missing: int) -> str:
    """Returns a hint why `n_missing` lines have not arrived, "" if nothing is known. Ends the bot's
    input unless the bot has many processes, still runs, or has closed its output.
    """
    n_processes = len(descendants(process.supervisor.pid))
    if n_processes > FEW_PROCESSES:
        return f"; it has {n_processes} processes"
    waits = waits_for_input(process)
    if waits is False or not process.stdout_open:
        return ""
    process.close_input()
    came = bytearray()
    poller = select.poll()
    poller.register(process.stdout, select.POLLIN)
    end = time.perf_counter() + FAREWELL_MS / 1000.0
    while came.count(b"\n") < n_missing and (left_s := end - time.perf_counter()) > 0.0:
        if poller.poll(left_s * 1000.0):
            chunk = read_pipe(process.stdout)
            if not chunk:
                break
            came += chunk
    if came:
        text = excerpt(came.decode(errors="backslashreplace"))
        return f"; {text} came when its input ended: it {BUFFERS}, flush it after each answer"
    return f"; it waits for input: it reads more than it is sent, or {BUFFERS}" if waits else ""


def waits_for_input(process: BotProcess) -> bool | None:
    """Returns True if a thread of the bot sleeps in a read of its stdin; None if unknown."""
    return InputWatch(process).look()


class InputWatch:
    """Checks repeatedly if a thread of the bot sleeps in a read of its stdin.

    The bot's threads are listed only when a process or thread has started since the last check,
    anywhere on the machine, as listing them takes most of a check's time.
    """

    def __init__(self, process: BotProcess):
        self.process = process
        self.newest = b""
        self.files: list[str] = []
        self.reads = READS_INPUT.get(platform.machine())

    def look(self) -> bool | None:
        """Returns True if a thread sleeps in a read of stdin; None if unknown."""
        # Read before the threads are listed: a thread that starts meanwhile changes this number.
        newest = newest_task()
        calls = self._calls() if newest == self.newest else []
        if not any(calls):
            self.newest = newest
            self.files = [
                f"/proc/{pid}/task/{thread}/syscall"
                for pid in descendants(self.process.supervisor.pid)
                for thread in threads(pid)
            ]
            calls = self._calls()
        if self.reads is None or not any(calls):
            return None
        return any(call.startswith(self.reads) for call in calls)

    def _calls(self) -> list[bytes]:
        return [read_file(file) for file in self.files]
