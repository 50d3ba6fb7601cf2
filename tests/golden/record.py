"""A whole game of two of our bots under a node budget: what a change that should change nothing must not change.

`python -m tests.golden.record` writes it anew, after a change that is meant to change how the bots play.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import DATA, PROJECT

GAME = DATA / "coders_strike_back_game.json"
BOTS = ("smitsimax", "mutation")
NODES, SEED = 100, 3


def play(log):
    """Play the game with the bots' bundles and write its log."""
    bots = [f"bots/coders_strike_back/{name}.py" for name in BOTS]
    command = [sys.executable, "-m", "referee", "match", "coders_strike_back", *bots]
    command += ["--seed", str(SEED), "--nodes", str(NODES), "--limits", "off", "--log", str(log)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)


def game_of(log):
    """What is kept of a log: every command and the outcome."""
    records = [json.loads(line) for line in Path(log).read_text().splitlines()]
    turns = [record["players"] for record in records if "turn" in record]
    return {
        "bots": BOTS,
        "seed": SEED,
        "nodes": NODES,
        "commands": [[players[player]["output"] for player in ("0", "1")] for players in turns],
        "outcome": records[-1]["outcome"],
    }


def main():
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "game.jsonl"
        play(log)
        text = json.dumps(game_of(log), separators=(",", ":")).replace('[["', '\n[["')
    GAME.write_text(text + "\n")
    print(f"{GAME}: {len(text)} characters")


if __name__ == "__main__":
    main()
