"""A whole game of two of our bots in each contest under a node budget: what a change that should
change nothing must not change.

`python -m tests.golden.record [CONTEST ...]` writes them anew, after a change that is meant to
change how the bots play.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.conftest import DATA, PROJECT


class Golden(NamedTuple):
    """What is played: the names of the bots, the nodes they may search each turn, the seed."""

    contest: str
    bots: tuple
    nodes: int
    seed: int

    @property
    def path(self):
        """Where the game is kept."""
        return DATA / f"{self.contest}_game.json"

    def source(self, player):
        """The file of a player's bot, from the project's folder on."""
        return f"bots/{self.contest}/{self.bots[player]}.py"


GAMES = [
    Golden("coders_strike_back", ("smitsimax", "mutation"), nodes=100, seed=3),
    Golden("infexion", ("report_minimax", "minimax"), nodes=2000, seed=1),
    Golden("xmas_rush", ("smitsimax", "uct"), nodes=150, seed=5),
]


def play(golden, log):
    """Play the game with the bots' bundles and write its log."""
    command = [sys.executable, "-m", "referee", "match", golden.contest]
    command += [golden.source(player) for player in range(len(golden.bots))]
    command += ["--seed", str(golden.seed), "--nodes", str(golden.nodes)]
    command += ["--limits", "off", "--log", str(log)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)


def game_of(golden, log):
    """What is kept of a log: every command and the outcome."""
    records = [json.loads(line) for line in Path(log).read_text().splitlines()]
    turns = [record["players"] for record in records if "turn" in record]
    return {
        "bots": list(golden.bots),
        "seed": golden.seed,
        "nodes": golden.nodes,
        "commands": [
            [players[player]["output"] for player in sorted(players)] for players in turns
        ],
        "outcome": records[-1]["outcome"],
    }


def main():
    for golden in GAMES:
        if golden.contest not in (sys.argv[1:] or [golden.contest]):
            continue
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "game.jsonl"
            play(golden, log)
            text = json.dumps(game_of(golden, log), separators=(",", ":")).replace('[["', '\n[["')
        golden.path.write_text(text + "\n")
        print(f"{golden.path}: {len(text)} characters")


if __name__ == "__main__":
    main()
