"""The time from the start of a bot's process to its first command."""

import os
import resource
import subprocess
import sys
import time

from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.conftest import BOTS
from tests.lab.measure import spread

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


def first_turn(contest):
    """The text of a game's first turn, for the player who moves first."""
    match = find_contest(contest).new_match(1)
    player = match.players_to_move()[0]
    return "\n".join(match.initial_input(player) + match.turn_input(player)) + "\n"


def time_to_first_command():
    """Every bot's native bundle on the first turn of a game, with one node to search;
    `import numpy` alone beside it.
    """
    runs = {"import numpy": ([sys.executable, "-c", "import numpy"], "")}
    for bot in BOTS:
        contest = bot.parent.name
        runs[f"{contest}/{bot.stem}"] = find_bot(str(bot)).command, first_turn(contest)
    times = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, (command, text) in runs.items():
            times[name].append(run(command, text))
    baseline = [cpu for _, cpu in times["import numpy"]]
    rows = []
    for name, pairs in times.items():
        wall, cpu = zip(*pairs)
        ratios = [each / alone for each, alone in zip(cpu, baseline)]
        rows.append([name, spread(wall, " ms"), spread(cpu, " ms"), spread(ratios, digits=2)])
    title = f"Process start to the end of the first turn, {ROUNDS} runs of each in turns"
    return title, ["bot", "wall", "CPU", "CPU, times `import numpy`"], rows
