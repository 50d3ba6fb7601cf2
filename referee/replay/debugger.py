"""Runs a bot's source in Python's debugger on the input of a logged match, up to a given turn.

The earlier turns run compiled, with the logged nodes, so that the bot reaches the state it had in
the match. Then its compiled functions are changed back into plain Python, so that one can step into
all of them, and the debugger stops where the bot chooses its answer: in the function `choose` of
its file, else at the first line of its file after the bot has read the turn. The input ends there.

`debug` starts this file as a program: there the bot reads the logged lines from `sys.stdin`, and
the debugger has the terminal.
"""

import ast
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
import time
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any, Callable

CHOOSE = "choose"
# The pause between two lines that tell the number of the turn.
TELL_EVERY_S = 1.0


def debug(
    source: Path,
    project: Path,
    turns: list[tuple[int, list[str]]],
    nodes: str,
    parameters: str,
) -> None:
    """Run a bot's source in the debugger, which stops at the choice of the answer to the last turn.

    project: the project's folder. turns: the number and the input of each turn. nodes, parameters:
    the bot's CG_NODES and CG_PARAMETERS, "" for none.
    """
    environment = {**os.environ, "CG_JIT": "1", "CG_PARAMETERS": parameters}
    if nodes:
        environment["CG_NODES"] = nodes
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(turns, file)
        file.flush()
        command = [sys.executable, __file__, str(source), str(project), file.name]
        subprocess.run(command, env=environment, check=False)


class LoggedInput(io.TextIOBase):
    """A bot's stdin: the lines of the turns. at_stop: is called once the last line has been
    read.
    """

    def __init__(self, turns: list[tuple[int, list[str]]], at_stop: Callable[[], None]) -> None:
        self.lines = [(turn, line) for turn, lines in turns for line in lines]
        self.stop = turns[-1][0]
        self.at_stop = at_stop
        self.told = time.monotonic()

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as its own base
        if not self.lines:
            return ""
        turn, line = self.lines.pop(0)
        if turn < self.stop and time.monotonic() - self.told > TELL_EVERY_S:
            self.told = time.monotonic()
            print(f"turn {turn}, on the way to {self.stop}", file=sys.stderr, flush=True)
        if not self.lines:
            self.at_stop()
        return line + "\n"


class Stop:
    """Waits for the bot to choose its answer, and starts the debugger there."""

    def __init__(self, source: str) -> None:
        self.source = source
        tree = ast.parse(Path(source).read_text(encoding="utf-8"))
        self.has_choose = any(
            isinstance(node, ast.FunctionDef) and node.name == CHOOSE for node in ast.walk(tree)
        )
        self.debugger = pdb.Pdb(stdin=sys.stdin, stdout=sys.stdout)

    def arm(self) -> None:
        """Stop at the next line of the bot that qualifies; called when the last turn has been
        read.
        """
        make_plain()
        frame = sys._getframe().f_back
        while frame:
            if frame.f_code.co_filename == self.source:
                frame.f_trace = self.look
            frame = frame.f_back
        sys.settrace(self.look)

    def look(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Start the debugger if the bot's next line is where to stop: a trace function
        (sys.settrace).
        """
        if frame.f_code.co_filename != self.source:
            return None
        is_place = event == "line"
        if self.has_choose:
            # Skip the first event of a frame, the call: not all arguments have their names yet.
            is_place = is_place and frame.f_code.co_name == CHOOSE
        if not is_place:
            return self.look
        sys.settrace(None)
        self.debugger.set_trace(frame)
        return self.debugger.trace_dispatch(frame, event, argument)


def make_plain() -> None:
    """Replace the compiled functions in the project's modules and closures by their Python
    sources.
    """
    seen: set[int] = set()
    roots = [str(finder.workspace) for finder in sys.meta_path if hasattr(finder, "workspace")]
    folders = tuple(folder + os.sep for folder in (sys.path[0], *roots))
    for module in [sys.modules["__main__"], *list(sys.modules.values())]:
        is_ours = str(getattr(module, "__file__", "")).startswith(folders)
        if (module.__name__ == "__main__" or is_ours) and id(module) not in seen:
            seen.add(id(module))
            names = vars(module)
            for name, value in list(names.items()):
                names[name] = plain = plain_of(value)
                if isinstance(plain, FunctionType):
                    make_closure_plain(plain, seen)


def make_closure_plain(function: FunctionType, seen: set[int]) -> None:
    """Replace the compiled functions in a function's closure, and in the closures of functions
    there.

    seen: the ids of the modules and cells that are done.
    """
    for cell in function.__closure__ or ():
        if id(cell) in seen:
            continue
        seen.add(id(cell))
        with contextlib.suppress(ValueError):  # an empty cell
            cell.cell_contents = plain = plain_of(cell.cell_contents)
            if isinstance(plain, FunctionType):
                make_closure_plain(plain, seen)


def plain_of(value: Any) -> Any:
    """Returns the Python function of a compiled function; other values unchanged."""
    if str(type(value).__module__).startswith("numba."):
        return getattr(value, "py_func", value)
    if isinstance(value, FunctionType) and "_numba_type_" in vars(value):
        return vars(value)["__wrapped__"]
    return value


def main() -> None:
    """Run the bot. The program's arguments are the bot's file, the project's folder and the file
    with the input.
    """
    source, project, file = sys.argv[1:]
    sys.path[0] = project
    from bundler.modules.workspace import find_workspace, join  # the import works only from here on

    if workspace := find_workspace(Path(source)):
        join(workspace)
    sys.argv[:] = [source]
    stop = Stop(source)
    print("the bot starts, which compiles its functions", file=sys.stderr, flush=True)
    sys.stdin = LoggedInput(json.loads(Path(file).read_text()), stop.arm)
    # The user has left the debugger, or the bot has answered and reads on.
    with contextlib.suppress(bdb.BdbQuit, EOFError):
        runpy.run_path(source, run_name="__main__")


if __name__ == "__main__":
    main()
