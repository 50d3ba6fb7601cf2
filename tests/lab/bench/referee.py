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

from referee.log.file import LogWriter
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Bot, Conditions
from referee.play.match import play_match
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


def referee_turn(command, n_turns, log):
    """The referee's own CPU microseconds a turn of a match with a log; the first turns are left
    out.
    """
    contest, marks = echo_game(n_turns + FIRST_TURNS + 1), {}
    bot = Bot("echo", "echo", command, "")
    limits = TurnLimits.of(Profile.SITE, contest.limits)
    conditions = Conditions.for_all(2, seed=1, limits=limits, warmup_s=5.0)

    def mark(turn):
        if turn in (FIRST_TURNS, FIRST_TURNS + n_turns):
            marks[turn] = time.process_time()

    with LogWriter(log) as writer:
        play_match(contest, [bot, bot], conditions, writer, mark)
    return 1e6 * (marks[FIRST_TURNS + n_turns] - marks[FIRST_TURNS]) / n_turns


def fair_turn(command, n_turns, log):
    """The same for a small fair runner: a deadline for each answer, and a JSON line a turn."""
    bots = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for _ in range(2)
    ]
    poller, asked_of = select.poll(), {bot.stdout.fileno(): bot for bot in bots}
    for stdout in asked_of:
        poller.register(stdout, select.POLLIN)
    with open(log, "w") as file:
        for turn in range(FIRST_TURNS + n_turns):
            if turn == FIRST_TURNS:
                began = time.process_time()
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
        own_s = time.process_time() - began
    for bot in bots:
        bot.stdin.close()
        bot.wait()
        bot.stdout.close()
    return 1e6 * own_s / n_turns


@contextmanager
def one_core():
    """Restrict this process and its children to one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def overhead():
    """CPU time of a turn of two echoing bots, of the referee and of a small fair runner.

    All processes share a core: waking another core costs more than either.
    """
    with one_core(), tempfile.TemporaryDirectory() as folder:
        script, log = Path(folder) / "echo.py", Path(folder) / "log"
        script.write_text(ECHO)
        command = [sys.executable, "-I", "-S", str(script)]
        gc.freeze()  # as the commands do
        turns = [
            (referee_turn(command, TURNS, log), fair_turn(command, TURNS, log))
            for _ in range(ROUNDS)
        ]
    title = f"CPU time of a turn of two bots, {TURNS} turns, {ROUNDS} matches of each in turns"
    return title, ["referee, us", "fair runner, us", "ratio"], [beside(*zip(*turns), digits=1)]
