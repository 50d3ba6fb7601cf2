"""What the referee costs: a turn of bots that only echo against a bare loop over pipes,
and games a second.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from referee.bots import Bot
from referee.keepers import keepers
from referee.limits import Profile, TurnLimits
from referee.log import LogWriter
from referee.match import Conditions, play_match
from referee.procfs import descendants, stat
from shared.core.contest import Contest, Outcome
from shared.core.limits import Limits
from tests.bench.measure import spread

ROUNDS = 9
GAMES = 20
LINE = "12 34 56"
ECHO_IN_C = """\
#include <unistd.h>
int main(void) {
    char text[65536];
    for (long n; (n = read(0, text, sizeof text)) > 0;)
        if (write(1, text, n) != n) return 1;
    return 0;
}
"""
ECHO_IN_PYTHON = "import sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)\n"


class Echo:
    """A game of a given length in which every answer is right."""

    def __init__(self, n_turns):
        self.n_players, self.n_turns, self.turn = 2, n_turns, 0

    def setup(self):
        return {}

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
        return lines[0]

    def play(self, actions):
        self.turn += 1

    def eliminate(self, player, reason):
        raise RuntimeError(reason)

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


def referee_turn_us(command, n_turns, log):
    """The median of a turn of a match that is logged in a file, in microseconds, the
    first ten turns apart.
    """
    contest, times = echo_game(n_turns), []
    bot = Bot("echo", "echo", command, "")
    conditions = Conditions(1, TurnLimits.of(Profile.OFFICIAL, contest.limits), warmup_s=5.0)
    with LogWriter(log) as writer:
        play_match(
            contest, [bot, bot], conditions, writer, lambda turn: times.append(time.perf_counter())
        )
    return median_us(times)


def bare_turn_us(command, n_turns, at_once):
    """The same for a loop that writes to each bot and reads from it, one bot after the
    other or both at once.
    """
    bots = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for _ in range(2)
    ]
    pipes = [(bot.stdin.fileno(), bot.stdout.fileno()) for bot in bots]
    line, times = f"{LINE}\n".encode(), []
    for _ in range(n_turns):
        times.append(time.perf_counter())
        for stdin, stdout in pipes:
            os.write(stdin, line)
            if not at_once:
                os.read(stdout, 4096)
        if at_once:
            for _, stdout in pipes:
                os.read(stdout, 4096)
    for bot in bots:
        bot.stdin.close()
        bot.wait()
        bot.stdout.close()
    return median_us(times)


def median_us(times):
    return 1e6 * statistics.median(after - before for before, after in zip(times[10:], times[11:]))


def echo_bots(folder):
    """The commands of the echoing bots, by language."""
    script = Path(folder) / "echo.py"
    script.write_text(ECHO_IN_PYTHON)
    bots = {"Python": [sys.executable, "-I", "-S", str(script)]}
    if compiler := shutil.which("cc"):
        program = str(Path(folder) / "echo")
        command = [compiler, "-O2", "-x", "c", "-", "-o", program]
        subprocess.run(command, input=ECHO_IN_C, text=True, check=True)
        bots["C"] = [program]
    return bots


def overhead():
    """The median of 200 turns of two echoing bots, by the referee and by a bare loop in turns."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for language, command in echo_bots(folder).items():
            times = [
                (
                    referee_turn_us(command, 200, Path(folder) / "log"),
                    bare_turn_us(command, 200, at_once=False),
                    bare_turn_us(command, 200, at_once=True),
                )
                for _ in range(ROUNDS)
            ]
            row = [language, spread([ours for ours, *_ in times])]
            for loop in (1, 2):
                row.append(spread([one[loop] for one in times]))
                row.append(spread([one[0] / one[loop] for one in times], digits=2))
            rows.append(row)
    columns = ["echo bots in", "referee, us", "bare loop, us", "ratio"]
    columns += ["both at once, us", "ratio"]
    return (
        f"A turn of two bots, median of 200 turns, {ROUNDS} matches of each in turns",
        columns,
        rows,
    )


def throughput():
    """Games of 100 turns between two Python bots that are started for each, all on one core; and what
    of that the bots themselves take, started and asked by nothing but a loop.
    """
    rates, cpu_rates, shares = [], [], []
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        with tempfile.TemporaryDirectory() as folder:
            command = echo_bots(folder)["Python"]
            contest, bot = echo_game(100), Bot("echo", "echo", command, "")
            conditions = Conditions(1, TurnLimits.of(Profile.OFFICIAL, contest.limits))

            def play():
                with LogWriter(Path(folder) / "log") as writer:
                    play_match(contest, [bot, bot], conditions, writer)

            play()  # the keepers are there now
            for _ in range(ROUNDS):
                began, used_s = time.perf_counter(), cpu_seconds()
                for _ in range(GAMES):
                    play()
                rates.append(GAMES / (time.perf_counter() - began))
                game_s = (cpu_seconds() - used_s) / GAMES
                used_s = cpu_seconds()
                for _ in range(GAMES):
                    bare_turn_us(command, 100, at_once=True)
                cpu_rates.append(1.0 / game_s)
                shares.append(game_s * GAMES / (cpu_seconds() - used_s))
    finally:
        os.sched_setaffinity(0, cores)
    columns = ["games/s on one core", "games/s of CPU time", "CPU of a game to that of a bare loop"]
    rows = [[spread(rates, digits=1), spread(cpu_rates, digits=1), spread(shares, digits=2)]]
    return f"100 turns of two bots in python3 -I -S, {GAMES} games at a time", columns, rows


def cpu_seconds():
    """What this process, its keepers, and the bots that both have waited for have used."""
    guardian = keepers.guardian.process.pid if keepers.guardian else None
    ticks = 0
    for pid in [guardian, *descendants(guardian)] if guardian else []:
        if fields := stat(pid):
            ticks += sum(map(int, fields[11:15]))
    times = os.times()
    return sum(times[:4]) + ticks / os.sysconf("SC_CLK_TCK")
