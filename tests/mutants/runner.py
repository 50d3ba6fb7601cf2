"""Runs pytest again and again, each time in a fork, and ends all that a run leaves.

Started in the project's folder; reads {"words": [...], "plain": bool} from its input, a line a run,
and answers {"status": the exit status of pytest or TIMED_OUT, "said": its output}. Modules from
outside the project are imported once, before the forks. All processes below this one that lose
their parents come to it; it ends them after each run, on SIGTERM, and when its parent dies.
"""

import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
from contextlib import suppress

import pytest

from referee.process.parent_death import prctl, signal_when_parent_ends
from referee.process.procfs import descendants
from referee.process.supervisor import PR_SET_CHILD_SUBREAPER

# Of one run, and of one of its processes.
WALL_S, CPU_S = 400, 200
TIMED_OUT = 124


def main() -> None:
    """Run as the program."""
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal_when_parent_ends(signal.SIGTERM)
    for name in ("hypothesis", "msgspec", "numba", "numpy"):
        importlib.import_module(name)
    # The runs import the project's modules anew.
    for name in [name for name in sys.modules if name.partition(".")[0] in ("referee", "tests")]:
        del sys.modules[name]
    try:
        for line in sys.stdin:
            print(json.dumps(run(**json.loads(line))), flush=True)
    finally:
        end_all()


def run(words: list[str], plain: bool) -> dict[str, object]:
    """Runs pytest. Returns its answer."""
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.environ["CG_JIT"] = "0" if plain else "1"
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
            status: int = pytest.main(words)
            sys.stdout.flush()
            os._exit(status)
        end, ended, status = time.monotonic() + WALL_S, 0, 0
        while ended != child and time.monotonic() < end:
            # As init does, for tests that wait for the end of processes without a parent
            ended, status = os.waitpid(-1, os.WNOHANG)
            time.sleep(0.0 if ended else 0.02)
        end_all()
        said.seek(0)
        code = os.waitstatus_to_exitcode(status) if ended == child else TIMED_OUT
        code = TIMED_OUT if code in (-signal.SIGXCPU, -signal.SIGKILL) else code
        return {"status": code, "said": said.read()}


def end_all() -> None:
    """Kill all processes below this one, and those they start meanwhile."""
    while pids := descendants(os.getpid()):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


if __name__ == "__main__":
    main()
