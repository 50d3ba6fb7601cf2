"""A complete game of two or more bots in each contest under a node budget, stored in
bots/CONTEST/golden.json. A refactoring must reproduce it exactly.

    python -m tests.golden.record [CONTEST ...]                     rewrite all stored games
    python -m tests.golden.record CONTEST BOT BOT --nodes N --seed S   another game

after a change that is meant to change how the bots play.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.conftest import HOME, module_command

BOTS = HOME / "bots"


class Golden(NamedTuple):
    """A game to play: the names of the bots, their nodes a turn, the seed."""

    contest: str
    bots: tuple
    nodes: int
    seed: int

    @property
    def path(self):
        """The file of the stored game."""
        return BOTS / self.contest / "golden.json"

    def source(self, player):
        """The file of a player's bot, relative to the folder that contains `bots/`."""
        return f"bots/{self.contest}/{self.bots[player]}.py"


def recorded_games():
    """Returns the Golden of each contest that has one."""
    found = {path.parent.name: json.loads(path.read_text()) for path in BOTS.glob("*/golden.json")}
    return [
        Golden(
            contest, tuple(found[contest]["bots"]), found[contest]["nodes"], found[contest]["seed"]
        )
        for contest in sorted(found)
    ]


def play(golden, log, bots=None):
    """Play the game and write its log; bots: other files than the sources of the bots."""
    command = module_command("referee", "match", golden.contest)
    command += bots or [golden.source(player) for player in range(len(golden.bots))]
    command += ["--seed", str(golden.seed), "--nodes", str(golden.nodes)]
    command += ["--limits", "off", "--log", str(log)]
    subprocess.run(command, cwd=HOME, check=True, capture_output=True)


def records_of(log):
    return [json.loads(line) for line in Path(log).read_text().splitlines()]


def commands_of(log):
    """The players' answers in each turn of a log."""
    turns = [record["players"] for record in records_of(log) if "turn" in record]
    return [[players[player]["output"] for player in sorted(players)] for players in turns]


def game_of(golden, log):
    """The stored part of a log: every command and the outcome."""
    return {
        "bots": list(golden.bots),
        "seed": golden.seed,
        "nodes": golden.nodes,
        "commands": commands_of(log),
        "outcome": records_of(log)[-1]["outcome"],
    }


def faults(log):
    """Why players were eliminated in a logged game."""
    parts = [part for record in records_of(log) for part in record.get("players", {}).values()]
    return [part["fault"] for part in parts if part["fault"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("contest", nargs="?", help="without one, all that there are")
    parser.add_argument("bots", nargs="*", metavar="BOT", help="names, as in smitsimax")
    parser.add_argument("--nodes", type=int, default=100, help="that each bot searches a turn")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    games = [game for game in recorded_games() if asked.contest in (None, game.contest)]
    if asked.bots:
        games = [Golden(asked.contest, tuple(asked.bots), asked.nodes, asked.seed)]
    if not games:
        sys.exit(
            f"no golden game of {asked.contest}: name its bots, as in {asked.contest} NAME NAME"
        )
    for golden in games:
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "game.jsonl"
            play(golden, log)
            text = json.dumps(game_of(golden, log), separators=(",", ":")).replace('[["', '\n[["')
        golden.path.write_text(text + "\n")
        print(f"{golden.path}: {len(text)} characters")


if __name__ == "__main__":
    main()
