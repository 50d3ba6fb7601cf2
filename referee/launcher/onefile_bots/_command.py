"""Runs a command of `onefile` in a process of its own, and raises the command's error.

So the command neither depends on the caller's process nor changes it: modules named like the
project's folders, a notebook's event loop, a choice between compiled and plain Python, handlers of
signals. The command runs in the current folder, where relative paths begin.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import NamedTuple, Sequence

ERROR, WARNING = "error: ", "warning: "  # the starts of lines on stderr
END_S = 20.0  # for a command that is interrupted, to end its bots
INTERRUPTED = 130


class OnefileError(Exception):
    """A command of `onefile` failed; the text is the command's error, with advice."""


class Said(NamedTuple):
    """The output of a command: its status, its lines on stdout and its lines on stderr."""

    status: int
    output: list[str]
    notes: list[str]

    @property
    def warnings(self) -> tuple[str, ...]:
        """The texts of the command's warnings."""
        return tuple(note.removeprefix(WARNING) for note in self.notes if note.startswith(WARNING))

    @property
    def error(self) -> str:
        """The text of the command's last error; all lines on stderr, or the exit status, if there
        is none.
        """
        errors = [note.removeprefix(ERROR) for note in self.notes if note.startswith(ERROR)]
        return errors[-1] if errors else "\n".join(self.notes) or f"exit status {self.status}"


def run_command(words: Sequence[object], statuses: tuple[int, ...] = (0,)) -> Said:
    """Run a command of `onefile` to its end. Returns its output.

    words: the command and its arguments. statuses: the exit statuses of a success. Raises
    OnefileError for another status, and KeyboardInterrupt.
    """
    if not sys.executable:
        raise OnefileError("sys.executable names no Python: play from a Python of its own")
    # Without -P Python would look for modules in the current folder first.
    command = [sys.executable, "-P", "-m", "onefile_bots", *map(str, words)]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            output, notes = process.communicate()
        except BaseException:
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=END_S)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    said = Said(process.returncode, output.splitlines(), notes.splitlines())
    if said.status == INTERRUPTED:
        raise KeyboardInterrupt
    if said.status not in statuses:
        raise OnefileError(said.error)
    return said
