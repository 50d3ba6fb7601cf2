"""Native bundles on the oldest Python that they run on, the site's and the newest: start-up, and
their search within the site's limits.
"""

import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from referee.log.file import LogWriter
from referee.log.limits import Clock, Profile, TurnLimits
from referee.log.records import Conditions
from referee.play.match import play_match
from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.conftest import BOTS, PROJECT
from tests.lab.measure import spread
from tests.support.pythons import measured_pythons

STARTS, N_TURNS = 10, 30
SEARCHING = """
    code_of_kutulu/smitsimax coders_strike_back/smitsimax infexion/minimax
    ultimate_tic_tac_toe/network xmas_rush/smitsimax
    """.split()


def source_of(name):
    return str(PROJECT / "bots" / f"{name}.py")


def bundles(name):
    """{versions: command} of a bot's native bundle on the measured Pythons."""
    bundle = find_bot(source_of(name)).command[-1]
    return {versions: f"{python} {bundle}" for versions, python in measured_pythons().items()}


def played(name, *commands, n_turns=None):
    """The log of a game, or its first turns, by the site's limits and CPU time; the commands take
    the seats again and again.
    """
    contest = find_contest(Path(name).parent.name)
    limits = TurnLimits.of(Profile.SITE, contest.limits)
    bots = [find_bot(commands[i % len(commands)]) for i in range(contest.players[0])]
    given = Conditions.for_all(len(bots), seed=1, limits=limits, clock=Clock.CPU)
    with tempfile.TemporaryDirectory() as folder, LogWriter(Path(folder) / "log") as writer:
        return play_match(contest, bots, given, writer, n_turns=n_turns)


def searched(log, player=0):
    """A player's turns with a search, without the first and longer one, in which it starts."""
    return [part for _, part in log.of_player(player) if part.nodes][1:]


def search_speed():
    """Nodes that a native bundle searches in the site's limit of a turn, by CPU time."""
    rows = []
    for name in SEARCHING:
        for versions, command in bundles(name).items():
            turns = searched(played(name, command, n_turns=N_TURNS))
            figures = [
                spread([part.nodes for part in turns]),
                spread([part.cpu_ms for part in turns], " ms", digits=1),
                spread([part.nodes / part.cpu_ms for part in turns]),
            ]
            rows.append([name, versions, *figures])
    title = f"Native bundles at the site's limits, by their CPU time, {N_TURNS} turns"
    return title, ["bot", "Python, numpy", "nodes of a turn", "CPU time", "nodes a CPU ms"], rows


def timed(command, text):
    """(wall ms, CPU ms) of a process that reads `text` and ends."""

    def cpu_of_children():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    cpu, wall = cpu_of_children(), time.perf_counter()
    environment = {"PATH": os.environ["PATH"], "CG_NODES": "1"}
    given = {"input": text, "text": True, "capture_output": True, "env": environment}
    subprocess.run(command, check=True, **given)
    return 1000 * (time.perf_counter() - wall), 1000 * (cpu_of_children() - cpu)


def first_turn(contest):
    """The text of a game's first turn, for the player who moves first."""
    match = find_contest(contest).new_match(1)
    player = match.players_to_move()[0]
    return "\n".join(match.initial_input(player) + match.turn_input(player)) + "\n"


def time_to_first_command():
    """Every bot's native bundle on the first turn of a game, with one node to search;
    `import numpy` alone beside it.
    """
    pythons, runs = measured_pythons(), {}
    for versions, python in pythons.items():
        runs["import numpy", versions] = [python, "-c", "import numpy"], ""
    for bot in BOTS:
        contest = bot.parent.name
        bundle, text = find_bot(str(bot)).command[-1], first_turn(contest)
        for versions, python in pythons.items():
            runs[f"{contest}/{bot.stem}", versions] = [python, bundle], text
    times = {name: [] for name in runs}
    for _ in range(STARTS):
        for name, (command, text) in runs.items():
            times[name].append(timed(command, text))
    rows = []
    for (name, versions), pairs in times.items():
        wall, cpu = zip(*pairs)
        baseline = [alone for _, alone in times["import numpy", versions]]
        ratios = [each / alone for each, alone in zip(cpu, baseline)]
        shown = [spread(wall, " ms"), spread(cpu, " ms"), spread(ratios, digits=2)]
        rows.append([name, versions, *shown])
    title = f"Process start to the end of the first turn, {STARTS} runs of each in turns"
    return title, ["bot", "Python, numpy", "wall", "CPU", "CPU, times `import numpy`"], rows
