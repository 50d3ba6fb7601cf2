"""Native bundles as machine code and as plain Python.

The line on stderr of a bundle that falls back (shared/core/backends) gives the range of the ratios.
"""

import shlex
from pathlib import Path

from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.lab.bench.bundles import SEARCHING, played, searched, source_of
from tests.lab.measure import show

BOTS = (*SEARCHING, "infexion/mcts", "ultimate_tic_tac_toe/rollouts", "code_of_kutulu/paranoid")
BOTS += ("cellularena/beam", "samegame/beam")


def nodes_a_ms():
    """Nodes a CPU ms as machine code and as plain Python, in one game against each other, to its
    end or until a bot is late.
    """
    rows = []
    for name in BOTS:
        compiled = shlex.join(find_bot(source_of(name)).command)
        commands = compiled, f"env CG_JIT=0 {compiled}"
        if find_contest(Path(name).parent.name).players[1] == 1:
            turns = [searched(played(name, command)) for command in commands]
        else:
            log = played(name, *commands)
            turns = [searched(log, player) for player in (0, 1)]
        rates = [
            sum(turn.nodes for turn in side) / sum(turn.cpu_ms for turn in side) for side in turns
        ]
        rows.append([name, *(f"{rate:,.2f}" for rate in rates), f"{rates[0] / rates[1]:.0f}"])
    columns = ["bot", "machine code", "plain Python", "times"]
    return "Nodes of native bundles a CPU ms, a game of each", columns, rows


if __name__ == "__main__":
    show(*nodes_a_ms())
