"""`python -m tests.lab.referee.torture [SEED]`: bots that misbehave in full size, and referees
killed at any moment. Prints a line each: how often it was tried, and what went wrong; the exit
status is the number of things that did. The small version of each stands in the suite.

It takes some minutes, 3 GB of memory and a disk that bears 3,000 nested folders.
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

from referee.log.file import LogWriter
from referee.log.limits import TurnLimits
from referee.log.records import Conditions, Late, Log
from referee.play.match import play_match
from referee.process.procfs import children, descendants
from referee.project import PROJECT
from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.referee.conftest import GOOD, PRELUDE, TOY
from tests.referee.test_hostile_bots import DAEMON, ENDLESS
from tests.referee.test_idle import PONDERS
from tests.referee.test_resource_usage import THREADS
from tests.referee.test_supervisor import NESTED, SPINS
from tests.referee.toy import NIM

ATTEMPTS = 16
KILLS = 60
Problems = Iterator[str | None]

SIX_CHILDREN = """\
input()
for _ in range(6):
    if not os.fork():
        held = b"x" * (500 * 2**20); time.sleep(60)
time.sleep(60)
"""
THREE_GIGABYTES = """\
import mmap
input()
held = mmap.mmap(-1, 3 * 2**30)
for _ in range(3 * 1024): held.write(bytes(2**20))
time.sleep(60)
"""
# Each one in a session of its own, and an orphan as soon as it begins.
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
# Works through its 40 ms of CPU, as fast as it is let.
THINKS = """\
for line in turns():
    end = time.process_time() + 0.04
    while time.process_time() < end: pass
    say("1")
"""


class Torture:
    """Bots in a folder of their own, and what they come to."""

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
        """Eight busy threads are late by themselves, or had less than the half of one core."""
        code = "for turn, line in enumerate(turns()):\n"
        code += "    together(8 * (turn == 1), 60); say('1', 'x')"
        bot = self.bot(THREADS + code, "threads")
        for _ in range(ATTEMPTS):
            part = self.play(bot, self.good).turns[-1].players[0]
            had_its_share = part.cpu_ms > 450
            yield "the machine is blamed" if part.late is not Late.BOT and had_its_share else None

    def memory(self) -> Problems:
        """Too much memory in all is the bot's fault, however it is held."""
        for name, code in (("six children", SIX_CHILDREN), ("3 GB shared", THREE_GIGABYTES)):
            reason = self.play(self.bot(code, "eats"), self.good, limits="off").outcome.reason
            yield None if "MB of memory with all its processes" in reason else f"{name}: {reason}"

    def endless_output(self) -> Problems:
        """The writer loses, the other one is never late for it."""
        for pipe in (1, 2):
            for seat in (0, 1):
                bots = [self.good, self.good]
                bots[seat] = self.bot(ENDLESS.format(pipe=pipe), "endless")
                for contest in (self.toy, NIM):
                    log = self.play(*bots, contest=contest)
                    late = any(part.late for _, part in log.of_player(1 - seat))
                    yield f"the other is late in seat {1 - seat}" if late else None

    def pondering(self) -> Problems:
        """On one core an honest bot gets its CPU while the other one would like to ponder."""
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

    def nested_folders(self) -> Problems:
        """3,000 of them are removed."""
        bot = self.bot(NESTED.format(depth=3000), "nested")
        log = self.play(bot, self.good, limits="60000")
        yield None if log.outcome.reason == "5 turns are over" else log.outcome.reason
        yield from self.nothing_left("nested")

    def offspring(self) -> Problems:
        """Chains of orphans, daemons and 200 children end with their bot."""
        for name, code in (("chain", CHAIN), ("daemon", DAEMON * 20), ("many", HAS_MANY)):
            for _ in range(ATTEMPTS // 4):
                self.play(self.bot(code + "input(); sys.exit(3)", name), self.good)
                yield from self.nothing_left(name)

    def killed_supervisors(self) -> Problems:
        """A bot that kills its supervisor or the guardian hurts the next match in no way."""
        parent = "open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]"
        for whom in ("os.getppid()", f"int({parent})"):
            for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
                code = f"{DAEMON}input()\nos.kill({whom}, {int(number)})\nsys.exit(3)"
                for _ in range(ATTEMPTS // 4):
                    self.play(self.bot(code, "kills"), self.good)
                    yield from self.nothing_left("kills")
                    scores = self.play(self.good, self.good).outcome.scores
                    yield None if scores == [15.0, 15.0] else f"the next match: {scores}"

    def killed_referees(self) -> Problems:
        """Killed at any moment, a match leaves nothing, or no more than the next start removes."""
        bots = [self.bot(DAEMON + SPINS, "daemon"), self.bot(GOOD + SPINS, "good")]
        command = [sys.executable, "-m", "referee", "match", str(TOY), *bots, "--limits", "off"]
        for _ in range(KILLS):
            with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL) as match:
                while match.poll() is None and not children(match.pid):
                    time.sleep(0.01)
                time.sleep(self.random.expovariate(10.0))
                how = self.random.choice(["match", "guardian", "supervisor", "both", "all"])
                below = descendants(match.pid)
                guardian = below[:1]
                supervisors = children(guardian[0])[:1] if guardian else []
                killed = {"match": [], "guardian": guardian, "supervisor": supervisors}
                killed |= {"both": [match.pid, *guardian], "all": [match.pid, *below]}
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
        """No process that names a bot, within ten seconds."""
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
        """After one more start no folder is left but its own, and after its end none."""
        self.play(self.good, self.good)
        command = [sys.executable, "-m", "referee", "match", str(TOY), self.good, self.good]
        subprocess.run(command, cwd=PROJECT, stdout=subprocess.DEVNULL, check=True)
        left = list(Path(tempfile.gettempdir()).glob("onefile-*"))
        yield f"{len(left)} folders are left" if left else None


def processes_naming(text: str) -> list[int]:
    """The processes, but this one, whose command line holds a text."""
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
        # Of what other referees of this machine do nothing is to be seen here.
        os.environ["TMPDIR"] = tempfile.tempdir = str(Path(folder) / "temporary")
        os.mkdir(tempfile.tempdir)
        torture = Torture(Path(folder), seed)
        tortures: list[Callable[[], Problems]] = [
            *(torture.busy_threads, torture.memory, torture.endless_output, torture.pondering),
            *(torture.nested_folders, torture.offspring, torture.killed_supervisors),
            *(torture.killed_referees, torture.folders),
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
