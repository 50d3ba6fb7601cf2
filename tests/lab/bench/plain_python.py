"""Nodes of native bundles a millisecond of CPU time, as machine code and as plain Python.

    python -m tests.lab.bench.plain_python [BOT...]

A bot plays one game against itself, with machine code on one side only; the bot of a game for one
player plays two. Lines that bots write to stderr count the nodes. The line on stderr of a bundle
that falls back (shared/core/backends) gives the range of these figures.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from referee.log.file import read_log
from referee.sources.bots import find_bot
from referee.sources.contests import find_contest
from tests.conftest import PROJECT

BOTS = """
    coders_strike_back/smitsimax infexion/minimax infexion/mcts xmas_rush/smitsimax
    ultimate_tic_tac_toe/rollouts ultimate_tic_tac_toe/network code_of_kutulu/smitsimax
    code_of_kutulu/paranoid cellularena/beam samegame/beam
    """.split()
SEED = 3


def play(contest, commands, log):
    """Play a game, to its end or until a bot is late."""
    words = ["match", contest, *commands, "--seed", str(SEED), "--clock", "cpu", "--log", str(log)]
    words = [sys.executable, "-m", "referee", *words]
    subprocess.run(words, cwd=PROJECT, capture_output=True, check=False)


def nodes_a_ms(log, player):
    """A player's nodes a millisecond of CPU time, without its first turn, in which it starts."""
    turns = [turn for _, turn in read_log(log).of_player(player) if turn.nodes][1:]
    return sum(turn.nodes for turn in turns) / sum(turn.cpu_ms for turn in turns)


def measure(bot, folder):
    """(nodes a ms of machine code, nodes a ms of plain Python)."""
    contest, log = bot.split("/")[0], Path(folder) / "log.jsonl"
    compiled = shlex.join(find_bot(f"bots/{bot}.py").command)
    plain = f"env CG_JIT=0 {compiled}"
    if find_contest(contest).players[1] == 1:
        rates = []
        for command in (compiled, plain):
            play(contest, [command], log)
            rates.append(nodes_a_ms(log, 0))
        return rates
    n_others = find_contest(contest).players[0] - 2
    play(contest, [compiled, plain, *[compiled, plain][:n_others]], log)
    return [nodes_a_ms(log, player) for player in (0, 1)]


def main():
    os.environ["CG_EXPECT"] = "0"
    with tempfile.TemporaryDirectory() as folder:
        for bot in sys.argv[1:] or BOTS:
            compiled, plain = measure(bot, folder)
            ratio = f"{compiled / plain:5.0f} times"
            print(f"{bot:<30} {compiled:9,.2f} {plain:7.2f} nodes/ms {ratio}", flush=True)


if __name__ == "__main__":
    main()
