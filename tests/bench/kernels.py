"""The machine code of native bundles against numba's compiler: a game's turns repeated by both."""

import tempfile
from pathlib import Path

from referee.bots import find_bot
from referee.contests import find_contest
from referee.limits import Profile, TurnLimits
from referee.log import LogWriter
from referee.match import Conditions, play_match
from referee.replay import replay
from tests.bench.measure import spread
from tests.conftest import PROJECT

ROUNDS = 5
N_TURNS = 30
# A bot of each contest, and the nodes of a turn: about 30 ms.
BOTS = {
    "code_of_kutulu/smitsimax": 10_000,
    "coders_strike_back/smitsimax": 20_000,
    "infexion/minimax": 500_000,
    "xmas_rush/smitsimax": 50_000,
}


def turn_ms(log, bot):
    """CPU milliseconds of player 0's turns, the first apart: it may count the compiling."""
    turns = replay(log, 0, find_bot(bot), warmup_s=60.0)
    assert not any(turn.differs for turn in turns), f"{bot} does not answer as in its log"
    return sum(turn.answer.cpu_ms for turn in turns[1:]) / len(turns[1:])


def kernel_speed():
    """CPU time of a turn in the native bundle and in the source, which numba
    compiles; equal answers.
    """
    rows = []
    for name, nodes in BOTS.items():
        contest = find_contest(Path(name).parent.name)
        source = str(PROJECT / "bots" / f"{name}.py")
        conditions = Conditions(1, TurnLimits.of(Profile.OFF, contest.limits), nodes)
        with tempfile.TemporaryDirectory() as folder, LogWriter(Path(folder) / "log") as writer:
            bots = [find_bot(source)] * contest.players[0]
            log = play_match(contest, bots, conditions, writer, n_turns=N_TURNS)
        pairs = [(turn_ms(log, source), turn_ms(log, f"source:{source}")) for _ in range(ROUNDS)]
        embedded, compiled = zip(*pairs)
        ratios = [jit / native for native, jit in pairs]
        rows.append(
            [
                name,
                spread(embedded, " ms", digits=1),
                spread(compiled, " ms", digits=1),
                spread(ratios, digits=2),
            ]
        )
    title = f"CPU time of a turn of equal nodes, {ROUNDS} games of {N_TURNS} turns of each in turns"
    return title, ["bot", "native bundle", "numba's JIT", "JIT / native"], rows
