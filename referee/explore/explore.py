"""Starts the process that inspects a bot's search of a logged turn, and reads its results."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.errors import UsageError
from referee.log.records import Log
from referee.project import PROJECT
from referee.sources.bots import SOURCE, find_file, last_error, split_parameters

# Nodes of a tree on a page, and positions drawn: a page has at most some 5 MB.
MOST_NODES = 20_000
MOST_SCENES = 1_500
# 0 in this variable lets bots run in plain Python, which starts at once.
JIT = "CG_EXPLORE_JIT"

Data = dict[str, Any]


def source_of(bot: str) -> tuple[Path, str]:
    """Returns the path of a bot's Python source, and the values of its tunable numbers as JSON, ""
    without any. Raises UsageError.
    """
    file, values = split_parameters(bot)
    source = find_file(file.removeprefix(SOURCE))
    if source is None or source.suffix != ".py":
        raise UsageError(
            f"{bot!r}: only a bot of your own, in Python, can be looked into: give its source"
            " bots/CONTEST/NAME.py with --bot"
        )
    return source, json.dumps(values) if values else ""


def check_contest(log: Log, bot: str) -> None:
    """Raise UsageError for a bot that lies in the folder of another contest."""
    folder = source_of(bot)[0].resolve().parent
    if folder.parent.name == "bots" and folder.name != log.header.contest:
        raise UsageError(
            f"{bot!r} is a bot of {folder.name}, and {log.source} a game of {log.header.contest}"
        )


def logged_turns(log: Log, player: int) -> list[tuple[int, list[str], list[str] | None, int]]:
    """Returns a list of (turn's number, input, complete answer or None, nodes or 0) for a player's
    turns.
    """
    return [
        (
            turn,
            player_turn.sent,
            player_turn.output if player_turn.is_complete else None,
            player_turn.nodes or 0,
        )
        for turn, player_turn in log.of_player(player)
    ]


@contextmanager
def inspecting(request: Data, bot: str, results: Path) -> Iterator[subprocess.Popen[str]]:
    """Start the inspector on a request, and end it with the block. Raises UsageError.

    results: the file to which the inspector appends its results, one JSON line each.
    """
    source, parameters = source_of(bot)
    environment = {**os.environ, "CG_JIT": os.environ.get(JIT, "1")}
    environment["PYTHONPATH"] = str(PROJECT)
    environment |= {"CG_PARAMETERS": parameters} if parameters else {}
    environment.pop("CG_NODES", None)
    full = {**request, "source": str(source), "project": str(PROJECT), "results": str(results)}
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(full, file)
        file.flush()
        command = [sys.executable, "-m", "referee.explore.inspector", file.name]
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def check_end(process: subprocess.Popen[str], bot: str) -> None:
    """Wait for the end of the inspector. Raises UsageError with its reason if it failed."""
    said = process.communicate()[1]
    if process.returncode:
        reason = last_error(said.strip() or f"the process ended with {process.returncode}")
        raise UsageError(f"{bot}: {reason}")


def explore(
    log: Log,
    player: int,
    turn: int,
    bot: str,
    factor: float = 1.0,
    plays: tuple[str, ...] = (),
    most_nodes: int = MOST_NODES,
    most_scenes: int = MOST_SCENES,
) -> list[Data]:
    """Repeat a player's turns up to `turn`. Returns the results of `explore` in `inspector.py`:
    first the searches of that turn, then a search for each action of `plays`.

    factor: multiplies the logged nodes of that turn. most_nodes, most_scenes: bounds on the nodes
    and the positions of a search's trees. Raises UsageError.
    """
    check_contest(log, bot)
    turns = [logged for logged in logged_turns(log, player) if logged[0] <= turn]
    request = {
        "work": "explore",
        "player": player,
        "n_players": log.header.n_players,
        "turns": turns,
        "factor": factor,
        "plays": list(plays),
        "limits": {"nodes": most_nodes, "scenes": most_scenes},
    }
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results"
        with inspecting(request, bot, results) as process:
            check_end(process, bot)
        return [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
