"""CPU time of a turn of bots that only echo: the referee against a small fair runner."""

import gc
import json
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
from tests.lab.measure import beside
from tests.referee.toy import Sums

ROUNDS = 9
# Number of measured turns, and of unmeasured ones before them.
TURNS = 500
FIRST_TURNS = 10
LINE = "12 34 56"
LIMIT_MS = 2000
ECHO = "import sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)\n"


class Echo(Sums):
    """A game of a given length in which every answer is right, and nobody wins.

    Its own time counts as the referee's: there is hardly any.
    """

    def __init__(self, n_turns):
        super().__init__(seed=1)
        self.n_turns = n_turns

    def snapshot(self):
        return {"turn": self.turn}

    def players_to_move(self):
        return [0, 1]

    def initial_input(self, player):
        return []

    def turn_input(self, player):
        return [LINE]

    def lines_expected(self, player):
        return 1

    def parse(self, player, lines):
        return 0

    def play(self, actions):
        self.turn += 1

    def outcome(self):
        return Outcome((0, 0), (0.0, 0.0), "over") if self.turn == self.n_turns else None


def echo_game(n_turns):
    return Contest(
        name="echo",
        title="Echo",
        players=(2, 2),
        limits=Limits(LIMIT_MS, LIMIT_MS),
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


def fair_turn(command, n_turns, log):
    """The same for a small fair runner: a deadline for each answer, and a JSON line a turn."""
    bots = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for _ in range(2)
    ]
    poller, asked_of = select.poll(), {bot.stdout.fileno(): bot for bot in bots}
    for stdout in asked_of:
        poller.register(stdout, select.POLLIN)
    marks = []
    with open(log or os.devnull, "w") as file:
        for turn in range(FIRST_TURNS + n_turns):
            if turn == FIRST_TURNS:
                marks.append((time.process_time(), cpu_of(bots)))
            data, held, players = f"{LINE}\n".encode(), {}, {}
            for player, bot in enumerate(bots):
                os.write(bot.stdin.fileno(), data)
                held[bot.stdout.fileno()] = player, time.perf_counter(), bytearray()
            while held:
                deadline = min(started for _, started, _ in held.values()) + LIMIT_MS / 1000.0
                ready = poller.poll(max(0.0, 1000.0 * (deadline - time.perf_counter())))
                if not ready:
                    raise TimeoutError(f"turn {turn}: no answer")
                for stdout, _ in ready:
                    player, started, output = held[stdout]
                    output += os.read(stdout, 4096)
                    if output.endswith(b"\n"):
                        ms = round(1000.0 * (time.perf_counter() - started), 3)
                        lines = output.decode().split("\n")[:-1]
                        players[player] = {"input": [LINE], "output": lines, "wall_ms": ms}
                        del held[stdout]
            print(json.dumps({"turn": turn, "players": players}), file=file)
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
    """CPU time of a turn of two echoing bots, under the referee and under a small fair runner.

    All processes share a core: waking another core costs more than either runner. A row counts the
    asking process alone, or the bots as well, which is the cost of a game.
    """
    rows = []
    with one_core(), tempfile.TemporaryDirectory() as folder:
        script, log = Path(folder) / "echo.py", Path(folder) / "log"
        script.write_text(ECHO)
        command = [sys.executable, "-I", "-S", str(script)]
        gc.freeze()  # as the commands do
        both = [
            (referee_turn(command, TURNS, log), fair_turn(command, TURNS, log))
            for _ in range(ROUNDS)
        ]
        for part, counted in enumerate(("who asks", "all with bots")):
            ours, theirs = ([pair[who][part] for pair in both] for who in (0, 1))
            rows.append([counted, *beside(ours, theirs, digits=1)])
    title = f"CPU time of a turn of two bots, {TURNS} turns, {ROUNDS} matches of each in turns"
    return title, ["counted", "referee, us", "fair runner, us", "ratio"], rows
