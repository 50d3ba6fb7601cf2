"""CPU time of a turn of bots that only echo: the referee against a bare loop over pipes."""

import os
import select
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from referee.log.file import LogWriter
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Bot, Conditions
from referee.play.match import play_match
from referee.process.resource_usage import Process
from shared.core.clock import Limits
from shared.core.contest import Contest, Outcome
from tests.lab.measure import spread
from tests.referee.toy import Sums

ROUNDS = 9
# Number of measured turns, and of unmeasured ones before them.
TURNS = 500
FIRST_TURNS = 10
LINE = "12 34 56"
ECHO = "import sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)\n"


class Echo(Sums):
    """A game of a given length in which every answer is right, and nobody wins."""

    def __init__(self, n_turns):
        super().__init__(seed=1)
        self.n_turns = n_turns

    def initial_input(self, player):
        return []

    def turn_input(self, player):
        return [LINE]

    def lines_expected(self, player):
        return 1

    def parse(self, player, lines):
        return 0

    def outcome(self):
        return Outcome((0, 0), (0.0, 0.0), "over") if self.turn == self.n_turns else None


def echo_game(n_turns):
    return Contest(
        name="echo",
        title="Echo",
        players=(2, 2),
        limits=Limits(first_ms=2000, turn_ms=2000),
        new_match=lambda seed, n_players: Echo(n_turns),
        render=None,
    )


class TurnCpu(NamedTuple):
    """Microseconds of CPU time a turn: of the asking process alone, and with the bots."""

    own_us: float
    with_bots_us: float


def referee_turn(command, n_turns, log):
    """The CPU time of a turn of a match with a log file, or without one as in an arena; the first
    turns are excluded.
    """
    contest, marks = echo_game(n_turns + FIRST_TURNS + 1), {}
    bot = Bot("echo", "echo", command, "")
    limits = TurnLimits.of(Profile.SITE, contest.limits)
    conditions = Conditions.for_all(2, seed=1, limits=limits, warmup_s=5.0)

    def mark(turn):
        if turn in (FIRST_TURNS, FIRST_TURNS + n_turns):
            marks[turn] = time.process_time()

    with LogWriter(log) as writer:
        played = play_match(contest, [bot, bot], conditions, writer, mark)
    own_s = marks[FIRST_TURNS + n_turns] - marks[FIRST_TURNS]
    turns = played.turns[FIRST_TURNS : FIRST_TURNS + n_turns]
    bots_ms = sum(part.cpu_ms for turn in turns for part in turn.players.values())
    return TurnCpu(1e6 * own_s / n_turns, (1e6 * own_s + 1e3 * bots_ms) / n_turns)


def bare_turn(command, n_turns):
    """The same for a minimal loop: it writes to both bots, waits for either answer, and reads until
    both have answered.
    """
    bots = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for _ in range(2)
    ]
    inputs = [bot.stdin.fileno() for bot in bots]
    poller = select.poll()
    for bot in bots:
        poller.register(bot.stdout, select.POLLIN)
    line, marks = f"{LINE}\n".encode(), []
    for turn in range(FIRST_TURNS + n_turns):
        if turn == FIRST_TURNS:
            marks.append((time.process_time(), cpu_of(bots)))
        for stdin in inputs:
            os.write(stdin, line)
        n_waiting = len(bots)
        while n_waiting:
            for stdout, _ in poller.poll():
                n_waiting -= os.read(stdout, 4096).count(b"\n")
    marks.append((time.process_time(), cpu_of(bots)))
    for bot in bots:
        bot.stdin.close()
        bot.wait()
        bot.stdout.close()
    own_s, bots_s = (after - before for before, after in zip(*marks))
    return TurnCpu(1e6 * own_s / n_turns, 1e6 * (own_s + bots_s) / n_turns)


@contextmanager
def one_core():
    """Restrict this process and its children to one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def cpu_of(processes):
    """The CPU seconds that processes have used so far."""
    return sum(Process(process.pid).read_clock() for process in processes) / 1e9


def overhead():
    """CPU time of a turn of two echoing bots, under the referee and under a bare loop.

    All processes share a core: waking another core costs more than either loop. A row counts the
    asking process alone, or the bots as well, which is the cost of a game.
    """
    rows = []
    with one_core(), tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "echo.py"
        script.write_text(ECHO)
        command = [sys.executable, "-I", "-S", str(script)]
        for logged, log in (("in a file", Path(folder) / "log"), ("in memory", None)):
            both = [
                (referee_turn(command, TURNS, log), bare_turn(command, TURNS))
                for _ in range(ROUNDS)
            ]
            for part, counted in enumerate(("who asks", "all with bots")):
                row = [logged, counted]
                row += [spread([pair[who][part] for pair in both], digits=1) for who in (0, 1)]
                row.append(spread([ours[part] / bare[part] for ours, bare in both], digits=2))
                rows.append(row)
    columns = ["log", "counted", "referee, us", "bare loop, us", "ratio"]
    title = f"CPU time of a turn of two bots, {TURNS} turns, {ROUNDS} matches of each in turns"
    return title, columns, rows
