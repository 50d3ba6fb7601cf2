"""Changes modules a little, and runs their tests: `make mutants MUTANTS=120 SEED=1`.

Each mutant is a module with one small change (operators.py), tried in a copy of the project with
the module's tests (rooms.py). A failing test kills it, and so does a test that does not end; the
same test has to pass without the change. A mutant that survives shows a line that no test holds: it
wants a test, or goes.

Exits with 0 if GOAL of the mutants are killed, else with 1.
"""

import argparse
import importlib
import multiprocessing
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
from contextlib import suppress
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.parent_death import prctl, signal_when_parent_ends
from referee.process.procfs import descendants
from referee.process.supervisor import PR_SET_CHILD_SUBREAPER
from tests.conftest import PROJECT
from tests.mutants.operators import Mutant, mutants
from tests.mutants.rooms import FOLDERS, PLAIN, WHOLE, Row, rows
from tests.scaffold.conftest import COPIED, copy_of_project

GOAL = 0.9
N_JOBS = 2
# No mutant starts after these; the killing tests without changes take the rest of 20.
MINUTES = 16.0
# Of one run of pytest, and of one of its processes.
WALL_S, CPU_S = 400, 200
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/.*?)(?: - .*)?$", re.MULTILINE)


class Trial(NamedTuple):
    """A mutant of a module, whose text is the original."""

    row: Row
    original: str
    mutant: Mutant


def become_worker(folder: str) -> None:
    """Work in a new copy of the project, in which one mutant at a time is tried.

    All processes below this one that lose their parents come to it; it ends them after each run, on
    SIGTERM, and when its parent dies.
    """
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    # Tests that play an arena start processes, which a pool's own may not.
    multiprocessing.current_process().daemon = False
    # A signal to the group of main reaches main alone: a pool without a worker may wait for ever.
    os.setsid()
    signal.signal(signal.SIGTERM, lambda *_: (end_all(), os._exit(1)))
    signal_when_parent_ends(signal.SIGTERM)
    home = Path(tempfile.mkdtemp(dir=folder))
    (home / "project").mkdir()
    copy_of_project(home / "project")
    if (PROJECT.parent / "shared").is_dir():  # recorded games
        (home / "shared").symlink_to(PROJECT.parent / "shared")
    os.environ |= {"COLUMNS": "1000", "ONEFILE_CACHE": str(home / "cache")}
    os.chdir(home / "project")
    sys.path[0] = str(home / "project")
    # Modules from outside the project are imported once, before the forks.
    for name in ("hypothesis", "msgspec", "numba", "numpy"):
        importlib.import_module(name)


def killer_of(trial: Trial, end: float) -> str | None:
    """Returns the test that notices the change, "timeout", "crash", or None; raises TimeoutError
    after the end.
    """
    if time.monotonic() > end:
        raise TimeoutError
    path = Path(trial.row.path)
    try:
        write(path, trial.mutant.text(trial.original))
        return failure_of(trial.row)
    finally:
        write(path, trial.original)


def write(path: Path, text: str) -> None:
    """Change a module; Python's copy of it could have the same size and time."""
    path.write_text(text)
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
        compiled.unlink()


def failure_of(row: Row) -> str | None:
    """Returns the first test of a module that fails, "timeout", "crash", or None."""
    # One after the other: within a run the project's tests have an order of their own.
    for test in row.tests:
        quick = [] if row.room in WHOLE else ["-m", "not slow"]
        status, failed = failures([test, "-x", *quick], row.room)
        if status == pytest.ExitCode.NO_TESTS_COLLECTED and quick:
            status, failed = failures([test, "-x"], row.room)
        if status == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise LookupError(f"pytest finds nothing in {test}")
        if status != pytest.ExitCode.OK:
            is_late = status in (-signal.SIGXCPU, -signal.SIGKILL)
            return failed[0] if failed else "timeout" if is_late else "crash"
    return None


def failures(words: list[str], room: str) -> tuple[int, list[str]]:
    """Runs tests in a fork. Returns pytest's status and the names of those that fail."""
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for name in [name for name in sys.modules if name.partition(".")[0] in COPIED]:
                del sys.modules[name]
            os.environ["CG_JIT"] = "0" if room in PLAIN else "1"
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
            ended: int = pytest.main([*words, "-p", "no:cacheprovider", "--tb=no", "-rfE"])
            sys.stdout.flush()
            os._exit(ended)
        end, pid, status = time.monotonic() + WALL_S, 0, int(signal.SIGKILL)
        while pid != child and time.monotonic() < end:
            # As init does, for tests that wait for the end of processes without a parent
            pid, status = os.waitpid(-1, os.WNOHANG)
            time.sleep(0.0 if pid else 0.02)
        end_all()
        said.seek(0)
        code = os.waitstatus_to_exitcode(status) if pid == child else -signal.SIGKILL
        return code, FAILED.findall(said.read())


def end_all() -> None:
    """Kill all processes below this one, and those they start meanwhile."""
    while pids := descendants(os.getpid()):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def unproven(killers: dict[Trial, str | None], room: str) -> list[str]:
    """Returns the killers of a room that fail without any change."""
    ends = {(killer, trial.row) for trial, killer in killers.items() if trial.row.room == room}
    names = sorted({killer for killer, _ in ends if killer and killer.startswith("tests/")})
    wrong = []
    if names:
        status, failed = failures(names, room)
        if status != pytest.ExitCode.OK:
            wrong = failed or [f"{room}: pytest ends with status {status}"]
    hung = {row for killer, row in ends if killer and killer not in names}
    return wrong + [f"{row.path}: {failed}" for row in hung if (failed := failure_of(row))]


def sample(words: list[str], n: int, seed: int) -> list[Trial]:
    """Draws as many mutants from each room, as far as it has them, of modules whose paths contain
    one of these words; of all without words.
    """
    drawn: list[tuple[int, Trial]] = []
    for room in FOLDERS:
        trials = []
        for row in rows(room):
            if not words or any(word in row.path for word in words):
                text = (PROJECT / row.path).read_text()
                trials += [Trial(row, text, mutant) for mutant in mutants(text)]
        random.Random(f"{seed} {room}").shuffle(trials)
        drawn += enumerate(trials)
    return [trial for _, trial in sorted(drawn, key=lambda placed: placed[0])[:n]]


def told(trial: Trial, killer: str | None) -> str:
    """Returns the change as lines of a diff, and its end."""
    before, after = trial.original.splitlines(), trial.mutant.text(trial.original).splitlines()
    diff = list(unified_diff(before, after, n=0, lineterm=""))[3:]
    ending = f"killed by {killer}" if killer else "SURVIVED"
    return "\n".join([f"{trial.row.path}:{trial.mutant.line}: {ending}", *diff])


def main() -> int:
    """Run as the program. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="tests.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*", help="only modules whose paths contain one of these")
    parser.add_argument("--mutants", type=int, default=120, help="the size of the sample")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    given = parser.parse_args()
    trials = sample(given.words, given.mutants, given.seed)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    end, forks = time.monotonic() + 60.0 * MINUTES, multiprocessing.get_context("fork")
    killers: dict[Trial, str | None] = {}
    try:
        with (
            tempfile.TemporaryDirectory(prefix="mutants-") as folder,
            forks.Pool(N_JOBS, become_worker, (folder,)) as pool,
        ):
            with suppress(TimeoutError):
                for trial, killer in zip(trials, pool.imap(partial(killer_of, end=end), trials)):
                    killers[trial] = killer
                    print(told(trial, killer), flush=True)
            proofs = pool.starmap(unproven, [(killers, room) for room in FOLDERS])
    except KeyboardInterrupt:
        return 130
    wrong = [name for proof in proofs for name in proof]
    print(*(f"fails without any change: {name}" for name in wrong), sep="\n")
    for room in (*FOLDERS, "all"):
        ends = [killers[trial] for trial in killers if room in (trial.row.room, "all")]
        share = sum(map(bool, ends)) / max(1, len(ends))
        print(f"{room:12}{sum(map(bool, ends)):4} of {len(ends):3} killed {share:4.0%}")
    if len(killers) < len(trials):
        print(f"{len(trials) - len(killers)} were not tried: {MINUTES:g} minutes are over")
    return int(bool(wrong) or share < GOAL)


if __name__ == "__main__":
    sys.exit(main())
