"""Changes modules a little, and runs their tests: `make mutants MUTANTS=120 SEED=1`.

Each mutant is a module with one small change (operators.py), tried in a copy of the project with
the module's tests (rooms.py). A failing test kills it, and so does a test that does not end; the
same test has to pass without the change. A mutant that survives shows a line that no test holds: it
wants a test, or goes.

Exits with 0 if GOAL of the mutants are killed, else with 1.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from difflib import unified_diff
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import pytest

from tests.conftest import PROJECT
from tests.mutants.operators import Mutant, mutants
from tests.mutants.rooms import FOLDERS, PLAIN, WHOLE, Row, rows
from tests.mutants.runner import TIMED_OUT

GOAL = 0.9
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/.*?)(?: - .*)?$", re.MULTILINE)


class Trial(NamedTuple):
    """A mutant of a module, whose text is the original."""

    row: Row
    original: str
    mutant: Mutant


class Copy:
    """A copy of the project in a folder, in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        # Python compiles a file anew if it has another time in seconds.
        self.written = int(time.time())
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.check_output(listed, cwd=PROJECT, text=True).split("\0"):
            if name and (PROJECT / name).is_file():
                (self.project / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(PROJECT / name, self.project / name)
        # Recorded games
        if (PROJECT.parent / "shared").is_dir():
            (folder / "shared").symlink_to(PROJECT.parent / "shared")
        self.runner = subprocess.Popen(
            [sys.executable, "-m", "tests.mutants.runner"],
            cwd=self.project,
            env={**os.environ, "COLUMNS": "1000", "ONEFILE_CACHE": str(folder / "cache")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def killer(self, trial: Trial) -> str | None:
        """Returns the test that notices the change, "timeout", "crash", or None."""
        self._write(trial.row.path, trial.mutant.text(trial.original))
        try:
            # One after the other: within a run the project's tests have an order of their own.
            failures = (self.failure([test], trial.row.room) for test in trial.row.tests)
            return next(filter(None, failures), None)
        finally:
            self._write(trial.row.path, trial.original)

    def failure(self, tests: Sequence[str], room: str) -> str | None:
        """Runs tests. Returns the first that fails, "timeout", "crash", or None if all pass."""
        assert self.runner.stdin and self.runner.stdout
        words = ["-x", "-p", "no:cacheprovider", "--tb=no", "-rfE", *tests]
        words += [] if room in WHOLE else ["-m", "not slow"]
        order = json.dumps({"words": words, "plain": room in PLAIN})
        print(order, file=self.runner.stdin, flush=True)
        answer = json.loads(self.runner.stdout.readline())
        if answer["status"] == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise LookupError(f"pytest finds no test in {' '.join(tests)}")
        failed = FAILED.search(answer["said"])
        if answer["status"] == pytest.ExitCode.OK or failed:
            return failed and failed[1]
        return "timeout" if answer["status"] == TIMED_OUT else "crash"

    def stop(self) -> None:
        """End all processes."""
        self.runner.terminate()
        self.runner.wait()

    def _write(self, path: str, text: str) -> None:
        self.written += 2
        (self.project / path).write_text(text)
        os.utime(self.project / path, (self.written, self.written))


def sample(rooms: list[str], words: str, n: int, seed: int) -> list[Trial]:
    """Draws as many mutants from each room, as far as it has them. words: in the modules' paths."""
    drawn = []
    for room in rooms:
        trials = []
        for row in rows(room):
            if words in row.path:
                text = (PROJECT / row.path).read_text()
                trials += [Trial(row, text, mutant) for mutant in mutants(text)]
        random.Random(f"{seed} {room}").shuffle(trials)
        drawn += list(enumerate(trials))
    drawn.sort(key=lambda placed: placed[0])
    return [trial for _, trial in drawn[:n]]


def try_all(trials: list[Trial], copies: list[Copy], minutes: float) -> dict[Trial, str | None]:
    """Returns the killers of the mutants, which it tells as they come."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)
    end = time.monotonic() + 60.0 * minutes

    def attempt(trial: Trial) -> str | None:
        if time.monotonic() > end:
            raise TimeoutError
        copy = free.get()
        try:
            return copy.killer(trial)
        finally:
            free.put(copy)

    killers: dict[Trial, str | None] = {}
    executor = ThreadPoolExecutor(len(copies))
    try:
        tried = {executor.submit(attempt, trial): trial for trial in trials}
        for future in as_completed(tried):
            if not isinstance(future.exception(), TimeoutError):
                trial = tried[future]
                killers[trial] = future.result()
                print(told(trial, killers[trial]), flush=True)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
    return killers


def told(trial: Trial, killer: str | None) -> str:
    """Returns the change as lines of a diff, and its end."""
    before, after = trial.original.splitlines(), trial.mutant.text(trial.original).splitlines()
    diff = list(unified_diff(before, after, n=0, lineterm=""))[3:]
    ending = f"killed by {killer}" if killer else "SURVIVED"
    return "\n".join([f"{trial.row.path}:{trial.mutant.line}: {ending}", *diff])


def unproven(killers: dict[Trial, str | None], copy: Copy) -> list[str]:
    """Returns the killers that fail without any change."""
    failing = []
    for room in FOLDERS:
        tests = set()
        for trial, killer in killers.items():
            if killer and trial.row.room == room:
                tests |= {killer} if killer.startswith("tests/") else set(trial.row.tests)
        while tests and (failed := copy.failure(sorted(tests), room)):
            failing.append(failed)
            tests -= {failed}
    return failing


def main() -> int:
    """Run as the program. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="tests.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("--mutants", type=int, default=120, help="the size of the sample")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--minutes", type=float, default=17.0, help="no mutant starts after them")
    parser.add_argument("--rooms", nargs="*", default=list(FOLDERS), choices=FOLDERS)
    parser.add_argument("--modules", default="", help="only those whose paths contain this")
    parser.add_argument("--jobs", type=int, default=2, help="the number of mutants at a time")
    given = parser.parse_args()
    trials = sample(given.rooms, given.modules, given.mutants, given.seed)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ExitStack() as ends:
        copies = []
        for number in range(given.jobs):
            copies.append(Copy(Path(folder, str(number))))
            ends.callback(copies[-1].stop)
        try:
            killers = try_all(trials, copies, given.minutes)
            wrong = unproven(killers, copies[0])
        except KeyboardInterrupt:
            return 130
    print()
    for name in wrong:
        print(f"fails without any change: {name}")
    for room in given.rooms:
        ends = [killer for trial, killer in killers.items() if trial.row.room == room]
        if ends:
            n_killed = sum(map(bool, ends))
            print(f"{room:12}{n_killed:4} of {len(ends):3} killed {n_killed / len(ends):4.0%}")
    n_killed = sum(map(bool, killers.values()))
    print(
        f"{'all':12}{n_killed:4} of {len(killers):3} killed {n_killed / max(1, len(killers)):4.0%}"
    )
    if len(killers) < len(trials):
        print(f"{len(trials) - len(killers)} were not tried: {given.minutes:g} minutes are over")
    return int(bool(wrong) or n_killed < GOAL * len(killers))


if __name__ == "__main__":
    sys.exit(main())
