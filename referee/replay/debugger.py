"""Runs a bot's source in Python's debugger on the input of a logged match, up to a given turn.

The turns before run compiled, with the logged nodes, so that the bot stands where it stood in the
match. Then its compiled functions are changed back into plain Python, so that one can step into
every one of them, and the debugger stops where the bot chooses its answer: in the function `choose`
of its file, else at the first line of its file after it has read the turn. With `continue` the
compiled functions come back, unless a breakpoint is set, which only plain Python stops at.

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
from functools import partial
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
    stop: int,
    nodes: str,
    parameters: str,
) -> None:
    """Run a bot's source on the lines of some turns, each with its number; the debugger stops at
    the choice of the answer to turns[stop].
    """
    environment = {**os.environ, "CG_JIT": "1", "CG_PARAMETERS": parameters}
    if nodes:
        environment["CG_NODES"] = nodes
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"turns": turns, "stop": stop}, file)
        file.flush()
        command = [sys.executable, __file__, str(source), str(project), file.name]
        subprocess.run(command, env=environment, check=False)


class LoggedInput(io.TextIOBase):
    """A bot's stdin: the lines of the turns, and `at_stop` once all of turns[stop] are read."""

    def __init__(
        self, turns: list[tuple[int, list[str]]], stop: int, at_stop: Callable[[], None]
    ) -> None:
        self.lines = [(turn, line) for turn, lines in turns for line in lines]
        self.stop = turns[stop][0]
        self.at_stop = at_stop
        self.told = time.monotonic()

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as its own base
        if not self.lines:
            return ""
        turn, line = self.lines.pop(0)
        if turn < self.stop and time.monotonic() - self.told > TELL_EVERY_S:
            self.told = time.monotonic()
            print(f"turn {turn}, on the way to {self.stop}", file=sys.stderr, flush=True)
        if turn == self.stop and (not self.lines or self.lines[0][0] > turn):
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
        self.replaced = Replaced()
        self.debugger = Debugger(self.replaced)

    def arm(self) -> None:
        """Stop at the next line of the bot; called when the turn has been read."""
        self.replaced.make_plain()
        frame = sys._getframe().f_back
        while frame:
            if frame.f_code.co_filename == self.source:
                frame.f_trace = self.look
            frame = frame.f_back
        sys.settrace(self.look)

    def look(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Start the debugger if this is the place: a trace function."""
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


class Replaced:
    """Compiled functions of the project's modules and closures that Python's stand in for."""

    def __init__(self) -> None:
        self.restore: list[Callable[[], None]] = []

    def make_plain(self) -> None:
        """Replace the compiled functions by Python's."""
        seen: set[int] = set()
        own = [str(finder.workspace) for finder in sys.meta_path if hasattr(finder, "workspace")]
        folders = tuple(folder + os.sep for folder in (sys.path[0], *own))
        for module in [sys.modules["__main__"], *list(sys.modules.values())]:
            is_own = str(getattr(module, "__file__", "")).startswith(folders)
            if (module.__name__ == "__main__" or is_own) and id(module) not in seen:
                seen.add(id(module))
                self._replace_names(vars(module), seen)

    def make_compiled(self) -> None:
        """Put the compiled functions back."""
        while self.restore:
            self.restore.pop()()

    def _replace_names(self, names: dict[str, Any], seen: set[int]) -> None:
        for name, value in list(names.items()):
            plain = plain_of(value)
            if plain is not value:
                names[name] = plain
                self.restore.append(partial(names.__setitem__, name, value))
            if isinstance(plain, FunctionType):
                self._replace_cells(plain, seen)

    def _replace_cells(self, function: FunctionType, seen: set[int]) -> None:
        """The same for the closure of a function, and for the closures in it."""
        for cell in function.__closure__ or ():
            if id(cell) in seen:
                continue
            seen.add(id(cell))
            with contextlib.suppress(ValueError):  # an empty cell
                value = cell.cell_contents
                plain = plain_of(value)
                if plain is not value:
                    cell.cell_contents = plain
                    self.restore.append(partial(setattr, cell, "cell_contents", value))
                if isinstance(plain, FunctionType):
                    self._replace_cells(plain, seen)


class Debugger(pdb.Pdb):
    """Python's debugger; `continue` goes on compiled where nothing is left to stop at."""

    def __init__(self, replaced: Replaced) -> None:
        super().__init__(stdin=sys.stdin, stdout=sys.stdout)
        self.replaced = replaced

    def do_continue(self, arg: str) -> bool | None:
        """c(ont(inue))

        Continue compiled; with a breakpoint in plain Python, which takes minutes for a long search.
        """
        if self.get_all_breaks():
            self.message("breakpoints are set: it goes on in plain Python, which takes its time")
        else:
            self.replaced.make_compiled()
            self.message("it goes on compiled")
        return super().do_continue(arg)

    do_c = do_cont = do_continue


def plain_of(value: Any) -> Any:
    """Returns the source function of a compiled one; other values unchanged."""
    if str(type(value).__module__).startswith("numba."):
        return getattr(value, "py_func", value)
    if isinstance(value, FunctionType) and "_numba_type_" in vars(value):
        return vars(value)["__wrapped__"]
    return value


def main() -> None:
    """Run the bot; the arguments are its file, the project's folder and a file with its input."""
    source, project, file = sys.argv[1:]
    sys.path[0] = project
    from bundler.sources.workspace import find_workspace, join  # the import works only from here on

    if workspace := find_workspace(Path(source)):
        join(workspace)
    sys.argv[:] = [source]
    stop = Stop(source)
    print("the bot starts, which compiles its functions", file=sys.stderr, flush=True)
    sys.stdin = LoggedInput(**json.loads(Path(file).read_text()), at_stop=stop.arm)
    with contextlib.suppress(bdb.BdbQuit):  # the user has left the debugger
        runpy.run_path(source, run_name="__main__")


if __name__ == "__main__":
    main()
