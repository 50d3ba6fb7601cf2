"""The time from the start of a bot's process to its first command, on the oldest Python that
bundles run on, the site's and the newest.
"""

import os
import resource
import subprocess
import time

from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.conftest import BOTS
from tests.lab.measure import spread
from tests.support.pythons import measured_pythons

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
    pythons = measured_pythons()
    runs = {}
    for versions, python in pythons.items():
        runs["import numpy", versions] = [python, "-c", "import numpy"], ""
    for bot in BOTS:
        contest = bot.parent.name
        bundle, text = find_bot(str(bot)).command[-1], first_turn(contest)
        for versions, python in pythons.items():
            runs[f"{contest}/{bot.stem}", versions] = [python, bundle], text
    times = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, (command, text) in runs.items():
            times[name].append(run(command, text))
    rows = []
    for (name, versions), pairs in times.items():
        wall, cpu = zip(*pairs)
        baseline = [alone for _, alone in times["import numpy", versions]]
        ratios = [each / alone for each, alone in zip(cpu, baseline)]
        shown = [spread(wall, " ms"), spread(cpu, " ms"), spread(ratios, digits=2)]
        rows.append([name, versions, *shown])
    title = f"Process start to the end of the first turn, {ROUNDS} runs of each in turns"
    return title, ["bot", "Python, numpy", "wall", "CPU", "CPU, times `import numpy`"], rows
