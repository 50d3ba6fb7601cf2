"""Native bundles on the oldest Python that they run on, the site's and the newest: their search
within the site's limits, and their machine code against numba's compiler, with the same turns of a
game.
"""

import tempfile
from pathlib import Path

from referee.log.file import LogWriter
from referee.log.limits import Clock, Profile, TurnLimits
from referee.log.records import Conditions
from referee.play.match import play_match
from referee.replay.replay import replay
from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.conftest import PROJECT
from tests.lab.measure import spread
from tests.support.pythons import measured_pythons

ROUNDS = 5
N_TURNS = 30
# A bot of each contest, and the nodes of a turn: about 30 ms.
BOTS = {
    "code_of_kutulu/smitsimax": 10_000,
    "coders_strike_back/smitsimax": 20_000,
    "infexion/minimax": 500_000,
    "ultimate_tic_tac_toe/network": 30_000,
    "xmas_rush/smitsimax": 50_000,
}


def played(bot, name, **conditions):
    """The log of a game of N_TURNS turns of a bot against itself; name: with its contest."""
    contest = find_contest(Path(name).parent.name)
    limits = TurnLimits.of(conditions.pop("profile"), contest.limits)
    bots = [find_bot(bot)] * contest.players[0]
    given = Conditions.for_all(len(bots), seed=1, limits=limits, **conditions)
    with tempfile.TemporaryDirectory() as folder, LogWriter(Path(folder) / "log") as writer:
        return play_match(contest, bots, given, writer, n_turns=N_TURNS)


def source_of(name):
    return str(PROJECT / "bots" / f"{name}.py")


def bundles(name):
    """{versions: command} of a bot's native bundle on the measured Pythons."""
    bundle = find_bot(source_of(name)).command[-1]
    return {versions: f"{python} {bundle}" for versions, python in measured_pythons().items()}


def search_speed():
    """Nodes that a native bundle searches in the site's limit of a turn, by CPU time; the longer
    first turn is separate, and turns without a search are left out.
    """
    rows = []
    for name in BOTS:
        for versions, command in bundles(name).items():
            log = played(command, name, profile=Profile.SITE, clock=Clock.CPU)
            turns = [part for _, part in log.of_player(0) if part.nodes][1:]
            rows.append(
                [
                    name,
                    versions,
                    spread([part.nodes for part in turns]),
                    spread([part.cpu_ms for part in turns], " ms", digits=1),
                    spread([part.nodes / part.cpu_ms for part in turns]),
                ]
            )
    title = f"Native bundles at the site's limits, by their CPU time, {N_TURNS} turns"
    return title, ["bot", "Python, numpy", "nodes of a turn", "CPU time", "nodes a CPU ms"], rows


def turn_ms(log, bot):
    """CPU milliseconds of player 0's turns; the first is separate, as it may include
    compilation.
    """
    turns = replay(log, 0, find_bot(bot), warmup_s=60.0)
    assert not any(turn.differs for turn in turns), f"{bot} does not answer as in its log"
    return sum(turn.answer.cpu_ms for turn in turns[1:]) / len(turns[1:])


def kernel_speed():
    """CPU time of a turn in the native bundle and in the source, which numba
    compiles on this Python; equal answers.
    """
    rows = []
    for name, nodes in BOTS.items():
        source, commands = source_of(name), bundles(name)
        log = played(source, name, profile=Profile.OFF, nodes=nodes)
        rounds = [
            [turn_ms(log, bot) for bot in (f"source:{source}", *commands.values())]
            for _ in range(ROUNDS)
        ]
        compiled, *columns = zip(*rounds)
        for versions, embedded in zip(commands, columns):
            ratios = [jit / native for native, jit in zip(embedded, compiled)]
            rows.append(
                [
                    name,
                    versions,
                    spread(embedded, " ms", digits=1),
                    spread(compiled, " ms", digits=1),
                    spread(ratios, digits=2),
                ]
            )
    title = f"CPU time of a turn of equal nodes, {ROUNDS} games of {N_TURNS} turns of each in turns"
    return title, ["bot", "Python, numpy", "native bundle", "numba's JIT", "JIT / native"], rows
