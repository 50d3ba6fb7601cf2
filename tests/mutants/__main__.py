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
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
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
N_JOBS = 2
# No mutant starts after these; the killing tests without changes take the rest of 20.
MINUTES = 16.0
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
            return self.failure(trial.row)
        finally:
            self._write(trial.row.path, trial.original)

    def failure(self, row: Row) -> str | None:
        """Returns the first test of a module that fails, "timeout", "crash", or None."""
        # One after the other: within a run the project's tests have an order of their own.
        for test in row.tests:
            words = [test, "-x"]
            quick = [] if row.room in WHOLE else ["-m", "not slow"]
            status, failed = self.failures([*words, *quick], row.room)
            if status == pytest.ExitCode.NO_TESTS_COLLECTED and quick:
                status, failed = self.failures(words, row.room)
            if status == pytest.ExitCode.NO_TESTS_COLLECTED:
                raise LookupError(f"pytest finds nothing in {test}")
            if status != pytest.ExitCode.OK:
                return failed[0] if failed else "timeout" if status == TIMED_OUT else "crash"
        return None

    def failures(self, words: Iterable[str], room: str) -> tuple[int, list[str]]:
        """Runs tests. Returns pytest's status, or TIMED_OUT, and the names of those that fail."""
        assert self.runner.stdin and self.runner.stdout
        words = [*words, "-p", "no:cacheprovider", "--tb=no", "-rfE"]
        order = json.dumps({"words": words, "plain": room in PLAIN})
        print(order, file=self.runner.stdin, flush=True)
        answer = json.loads(self.runner.stdout.readline())
        return answer["status"], FAILED.findall(answer["said"])

    def stop(self) -> None:
        """End all processes."""
        self.runner.terminate()
        self.runner.wait()

    def _write(self, path: str, text: str) -> None:
        self.written += 2
        (self.project / path).write_text(text)
        os.utime(self.project / path, (self.written, self.written))


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


def try_all(
    trials: list[Trial], copies: list[Copy], executor: ThreadPoolExecutor
) -> dict[Trial, str | None]:
    """Returns the killers of the mutants, which it tells as they come, until the time is over."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)
    end = time.monotonic() + 60.0 * MINUTES

    def attempt(trial: Trial) -> str | None:
        if time.monotonic() > end:
            raise TimeoutError
        copy = free.get()
        try:
            return copy.killer(trial)
        finally:
            free.put(copy)

    killers: dict[Trial, str | None] = {}
    with suppress(TimeoutError):
        for trial, killer in zip(trials, executor.map(attempt, trials)):
            killers[trial] = killer
            print(told(trial, killer), flush=True)
    return killers


def told(trial: Trial, killer: str | None) -> str:
    """Returns the change as lines of a diff, and its end."""
    before, after = trial.original.splitlines(), trial.mutant.text(trial.original).splitlines()
    diff = list(unified_diff(before, after, n=0, lineterm=""))[3:]
    ending = f"killed by {killer}" if killer else "SURVIVED"
    return "\n".join([f"{trial.row.path}:{trial.mutant.line}: {ending}", *diff])


def unproven(killers: dict[Trial, str | None], copy: Copy) -> list[str]:
    """Returns the killers that fail without any change."""
    wrong = []
    for room in FOLDERS:
        ends = {(killer, trial.row) for trial, killer in killers.items() if trial.row.room == room}
        names = {killer for killer, _ in ends if killer and killer.startswith("tests/")}
        if names:
            status, failed = copy.failures(sorted(names), room)
            if status != pytest.ExitCode.OK:
                wrong += failed or [f"{room}: pytest ends with status {status}"]
        hung = {row for killer, row in ends if killer and killer not in names}
        wrong += [f"{row.path}: {failed}" for row in hung if (failed := copy.failure(row))]
    return wrong


def main() -> int:
    """Run as the program. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="tests.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*", help="only modules whose paths contain one of these")
    parser.add_argument("--mutants", type=int, default=120, help="the size of the sample")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    given = parser.parse_args()
    trials = sample(given.words, given.mutants, given.seed)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="mutants-") as folder,
            ThreadPoolExecutor(N_JOBS) as executor,
            ExitStack() as stack,
        ):
            copies = []
            for number in range(N_JOBS):
                copies.append(Copy(Path(folder, str(number))))
                stack.callback(copies[-1].stop)
            killers = try_all(trials, copies, executor)
            wrong = unproven(killers, copies[0])
    except KeyboardInterrupt:
        return 130
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
