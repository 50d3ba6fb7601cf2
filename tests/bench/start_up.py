"""From the start of a bot's process to its first command."""

import os
import resource
import subprocess
import sys
import time

from referee.bots import find_bot
from shared.games.coders_strike_back.contest import CONTEST
from tests.bench.measure import spread
from tests.conftest import PROJECT

ROUNDS = 10


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, text):
    """(wall ms, CPU ms) of a process that reads `text` and ends."""
    cpu, wall = children_cpu(), time.perf_counter()
    subprocess.run(
        command,
        input=text,
        text=True,
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"], "CG_NODES": "1"},
    )
    return 1000 * (time.perf_counter() - wall), 1000 * (children_cpu() - cpu)


def time_to_first_command():
    """Every bot's native bundle on the first turn of a game, with one node to search; `import numpy` alone beside it."""
    match = CONTEST.new_match(1)
    text = "\n".join(match.initial_input(0) + match.turn_input(0)) + "\n"
    rows = []
    commands = {"import numpy": [sys.executable, "-c", "import numpy"]}
    for bot in sorted((PROJECT / "bots" / CONTEST.name).glob("[!_]*.py")):
        commands[bot.stem] = find_bot(str(bot)).command
    times = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(run(command, text))
    for name, pairs in times.items():
        wall, cpu = zip(*pairs)
        rows.append([name, spread(wall, " ms"), spread(cpu, " ms")])
    title = f"Process start to the end of the first turn, {ROUNDS} runs of each in turns"
    return title, ["bot", "wall", "CPU"], rows
