"""`python -m tests.lab.referee.torture [SEED]`: bots that misbehave, and referees killed at any
moment, again and again. Prints a line for each kind with the number of trials and the failures; the
exit status is the number of failures. The test suite has a trial of each, and what one trial shows:
memory, folders, shared memory and endless output of bots.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Iterator

from referee.log.file import LogWriter, read_log
from referee.log.limits import TurnLimits
from referee.log.records import Conditions, Late, Log
from referee.play.match import play_match
from referee.process.procfs import children, descendants
from referee.project import PROJECT
from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.referee.conftest import GOOD, PRELUDE, TOY
from tests.referee.test_hostile_bots import DAEMON
from tests.referee.test_idle import PONDERS
from tests.referee.test_resource_usage import THREADS
from tests.referee.test_supervisor import SPINS
from tests.referee.toy import NIM

ATTEMPTS = 16
KILLS = 60
Problems = Iterator[str | None]

# Each one in its own session, and orphaned at once.
CHAIN = """\
if not os.fork():
    while True:
        os.setsid()
        if os.fork(): os._exit(0)
"""
HAS_MANY = """\
for _ in range(200):
    if not os.fork(): time.sleep(60)
"""
# Uses its 40 ms of CPU time as fast as possible.
THINKS = """\
for line in turns():
    end = time.process_time() + 0.04
    while time.process_time() < end: pass
    say("1")
"""


class Torture:
    """Bots in a folder of their own, and their results."""

    def __init__(self, folder: Path, seed: int):
        self.folder = folder
        self.toy = find_contest(str(TOY))
        self.random = random.Random(seed)
        self.good = self.bot(GOOD, "good")

    def bot(self, code: str, name: str) -> str:
        file = self.folder / f"{name}.py"
        file.write_text(PRELUDE + code)
        return f"{sys.executable} -I -S {file}"

    def play(
        self, *bots: str, contest=None, limits: str = "official", warmup_s: float = 1.0
    ) -> Log:
        contest = contest or self.toy
        given = TurnLimits.read(limits, contest.limits)
        conditions = Conditions.for_all(len(bots), seed=7, limits=given, warmup_s=warmup_s)
        with LogWriter(None) as writer:
            return play_match(contest, [find_bot(bot) for bot in bots], conditions, writer)

    def busy_threads(self) -> Problems:
        """Eight busy threads are late by their own fault, unless they had less than half of one
        core.
        """
        code = "for turn, line in enumerate(turns()):\n"
        code += "    together(8 * (turn == 1), 60); say('1', 'x')"
        bot = self.bot(THREADS + code, "threads")
        for _ in range(ATTEMPTS):
            part = self.play(bot, self.good).turns[-1].players[0]
            had_its_share = part.cpu_ms > 450
            yield "the machine is blamed" if part.late is not Late.BOT and had_its_share else None

    def ends(self) -> Problems:
        """Any exit status and any signal is named."""
        ways = [f"os._exit({number})" for number in range(256)]
        ways += [
            f"os.kill(os.getpid(), {n}); time.sleep(5)" for n in (*range(1, 32), *range(34, 65))
        ]
        for way in ways:
            reason = self.play(self.bot(way, "ends"), self.good).outcome.reason
            named = "exited with status" in reason or "was killed by SIG" in reason
            # Some signals do not end a process; a signal that stops it makes its answer late.
            yield None if named or "no complete answer" in reason else f"{way}: {reason}"

    def stopped_referees(self) -> Problems:
        """Stopped and resumed at any moment (Ctrl-Z, fg), a match has no loser."""
        path = self.folder / "stopped.jsonl"
        command = [sys.executable, "-m", "referee", "match", str(TOY), self.good, self.good]
        command += ["--log", str(path), "--limits", "400,5000"]
        for _ in range(ATTEMPTS):
            path.unlink(missing_ok=True)
            with subprocess.Popen(
                command, cwd=PROJECT, stdout=subprocess.DEVNULL, process_group=0
            ) as match:
                while match.poll() is None and not path.exists():
                    time.sleep(0.001)
                time.sleep(self.random.expovariate(100.0))
                self.kill(-match.pid, signal.SIGSTOP)
                time.sleep(1.0)
                self.kill(-match.pid, signal.SIGCONT)
            outcome = read_log(path).outcome
            if outcome is None:
                yield "no outcome"
            else:
                yield None if outcome.spoiled or outcome.scores == [15.0, 15.0] else outcome.reason

    def pondering(self) -> Problems:
        """On one core an honest bot gets its CPU time although the other one computes in its
        opponent's turns.
        """
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        try:
            bots = self.bot(PONDERS, "ponders"), self.bot(THINKS, "thinks")
            for _ in range(ATTEMPTS):
                log = self.play(*bots, contest=NIM, limits="5000", warmup_s=0.0)
                used_ms = max(part.cpu_ms for _, part in log.of_player(0)[1:])
                yield f"it pondered for {used_ms:.0f} ms" if used_ms > 20 else None
        finally:
            os.sched_setaffinity(0, cores)

    def offspring(self) -> Problems:
        """Chains of orphans, daemons and 200 children end with their bot."""
        for name, code in (("chain", CHAIN), ("daemon", DAEMON * 20), ("many", HAS_MANY)):
            for _ in range(ATTEMPTS // 4):
                self.play(self.bot(code + "input(); sys.exit(3)", name), self.good)
                yield from self.nothing_left(name)

    def killed_supervisors(self) -> Problems:
        """A bot whose supervisor is killed does not affect the next match."""
        code = f"{DAEMON}input()\nos.kill(os.getppid(), signal.SIGKILL)\nsys.exit(3)"
        for _ in range(ATTEMPTS):
            self.play(self.bot(code, "kills"), self.good)
            yield from self.nothing_left("kills")
            scores = self.play(self.good, self.good).outcome.scores
            yield None if scores == [15.0, 15.0] else f"the next match: {scores}"

    def killed_referees(self) -> Problems:
        """After a kill at any moment, a match leaves nothing that the next start does not
        remove.
        """
        bots = [self.bot(DAEMON + SPINS, "daemon"), self.bot(GOOD + SPINS, "good")]
        command = [sys.executable, "-m", "referee", "match", str(TOY), *bots, "--limits", "off"]
        for _ in range(KILLS):
            with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL) as match:
                while match.poll() is None and not children(match.pid):
                    time.sleep(0.01)
                time.sleep(self.random.expovariate(10.0))
                how = self.random.choice(["match", "nursery", "supervisor", "both", "all"])
                below = descendants(match.pid)
                nursery = below[:1]
                supervisors = children(nursery[0])[:1] if nursery else []
                killed = {"match": [], "nursery": nursery, "supervisor": supervisors}
                killed |= {"both": [match.pid, *nursery], "all": [match.pid, *below]}
                victims = killed[how] or [match.pid]
                for pid in victims if how == "all" else []:
                    self.kill(pid, signal.SIGSTOP)
                for pid in victims:
                    self.kill(pid, signal.SIGKILL)
                time.sleep(0.2)
                match.kill()
            yield from self.nothing_left("daemon", how)

    def kill(self, pid: int, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)

    def nothing_left(self, name: str, how: str = "") -> Problems:
        """Returns True if no process names a bot, within ten seconds."""
        end = time.monotonic() + 10.0
        while left := processes_naming(str(self.folder / f"{name}.py")):
            if time.monotonic() > end:
                for pid in left:
                    self.kill(pid, signal.SIGKILL)
                yield f"{len(left)} processes are left of {name} {how}"
                return
            time.sleep(0.05)
        yield None

    def folders(self) -> Problems:
        """After one more start only its own folder is left, and after its end none."""
        self.play(self.good, self.good)
        command = [sys.executable, "-m", "referee", "match", str(TOY), self.good, self.good]
        subprocess.run(command, cwd=PROJECT, stdout=subprocess.DEVNULL, check=True)
        left = list(Path(tempfile.gettempdir()).glob("onefile-*"))
        yield f"{len(left)} folders are left" if left else None


def processes_naming(text: str) -> list[int]:
    """The processes, except this one, whose command line contains a text."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                if text.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def main() -> int:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    n_problems = 0
    with tempfile.TemporaryDirectory() as folder:
        # Processes of other referees on this machine are ignored.
        os.environ["TMPDIR"] = tempfile.tempdir = str(Path(folder) / "temporary")
        os.mkdir(tempfile.tempdir)
        torture = Torture(Path(folder), seed)
        tortures: list[Callable[[], Problems]] = [
            *(torture.ends, torture.stopped_referees, torture.busy_threads),
            *(torture.pondering, torture.offspring),
            *(torture.killed_supervisors, torture.killed_referees, torture.folders),
        ]
        for one in tortures:
            began = time.monotonic()
            found = list(one())
            problems = [problem for problem in found if problem]
            n_problems += len(problems)
            words = one.__name__.replace("_", " ")
            took = time.monotonic() - began
            print(f"{words:18} {len(found):4} checks, {len(problems)} problems ({took:.0f} s)")
            for problem in sorted(set(problems)):
                print(f"    {problems.count(problem)} times: {problem}")
            sys.stdout.flush()
    print(f"{n_problems} problems")
    return min(n_problems, 100)


if __name__ == "__main__":
    sys.exit(main())
