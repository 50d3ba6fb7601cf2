"""Runs a bot's source in Python's debugger on the input of a logged match, up to
the turn to look at.

The source runs as plain Python (CG_JIT=0), so that one can step into every function. `debug`
starts this file as a program: there the bot reads the logged lines from `sys.stdin`, and the
debugger has the terminal.
"""

import bdb
import contextlib
import io
import json
import os
import pdb
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path


def debug(source: Path, project: Path, turns: list[list[str]], stop: int, nodes: str) -> None:
    """Run a bot's source on the lines of some turns; the debugger stops as it reads
    those of turns[stop].
    """
    environment = {**os.environ, "CG_JIT": "0"}
    if nodes:
        environment["CG_NODES"] = nodes
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"turns": turns, "stop": stop}, file)
        file.flush()
        command = [sys.executable, __file__, str(source), str(project), file.name]
        subprocess.run(command, env=environment, check=False)


class LoggedInput(io.TextIOBase):
    """A bot's stdin: the lines of the turns, and the debugger at the first line of one of them."""

    def __init__(self, turns: list[list[str]], stop: int):
        self.lines = [(turn, line) for turn, lines in enumerate(turns) for line in lines]
        self.stop = stop
        self.debugger = pdb.Pdb(stdin=sys.stdin, stdout=sys.stdout)

    def readline(self, size: int = -1) -> str:
        if not self.lines:
            return ""
        turn, line = self.lines.pop(0)
        if turn == self.stop:
            self.stop = -1
            self.debugger.set_trace(sys._getframe().f_back)
        return line + "\n"


def main() -> None:
    """Run the bot; the arguments are its file, the project's folder and a file with its input."""
    source, project, file = sys.argv[1:]
    sys.path[0] = project
    sys.argv[:] = [source]
    sys.stdin = LoggedInput(**json.loads(Path(file).read_text()))
    with contextlib.suppress(bdb.BdbQuit):  # the user has left the debugger
        runpy.run_path(source, run_name="__main__")


if __name__ == "__main__":
    main()
