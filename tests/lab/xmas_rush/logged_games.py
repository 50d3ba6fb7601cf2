"""Events in logged games of X-mas Rush: quests, clashes, and how the games end.

    onefile arena xmas_rush BOT BOT --games 100 --all-logs --log-dir DIR
    python -m tests.lab.xmas_rush.logged_games DIR

Counts the games in which a player completes all its quests, those that end in a deadlock, and the
push turns that clash (both push the same line). It also measures the longest time without a quest.
"""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from referee.log.file import read_log
from referee.log.records import Log
from shared.games.xmas_rush.protocol import PUSH, parse_action
from shared.games.xmas_rush.sim import is_clash


class Game(NamedTuple):
    """The counts of a log. quests: of both players together. longest: turns without a quest."""

    completed: bool
    deadlock: bool
    turns: int
    quests: int
    pushes: int
    clashes: int
    longest: int


def watch(log: Log) -> Game:
    """Count the events of a finished game without an elimination."""
    n_pushes = n_clashes = longest = without = 0
    done = [0, 0]
    for turn in log.turns:
        lines = [turn.players[player].output[0] for player in (0, 1)]
        if lines[0].startswith("PUSH"):
            n_pushes += 1
            n_clashes += is_clash(*(parse_action(line, PUSH) for line in lines))
        without += 1
        if turn.state["scores"] != done:
            done, without = turn.state["scores"], 0
        longest = max(longest, without)
    return Game(
        completed=max(done) >= log.header.setup["quests"],
        deadlock="same line" in log.outcome.reason,
        turns=len(log.turns),
        quests=sum(done),
        pushes=n_pushes,
        clashes=n_clashes,
        longest=longest,
    )


def main(paths: Annotated[list[Path], typer.Argument(help="Logs, or folders of logs.")]):
    """Print statistics of the games in some logs."""
    files = [
        file for path in paths for file in (path.glob("*.jsonl*") if path.is_dir() else [path])
    ]
    logs = [read_log(file) for file in files]
    games = [
        watch(log)
        for log in logs
        if log.outcome and all(part.fault is None for t in log.turns for part in t.players.values())
    ]
    if not games:
        raise typer.BadParameter("no game among these logs has ended without a fault")
    n = len(games)
    completed, deadlocks, turns, quests, pushes, n_clashes, longest = map(sum, zip(*games))
    print(
        f"{n} games of {len(files)}: {completed} with all quests completed, {deadlocks} deadlocks;"
        f" {turns / n:.0f} turns and {quests / n:.1f} quests a game; {n_clashes / pushes:.1%} of"
        " the"
        f" pushes clash; without a quest for {longest / n:.0f} turns at most, on average"
    )


if __name__ == "__main__":
    typer.run(main)
