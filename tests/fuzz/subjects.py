"""Files to damage, and the commands that read them: logs, files of arenas, games of the site.

A subject yields mutants; each is a file, and the command lines to run on it.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from referee.arena.entrants import Entrant
from referee.arena.play import result_of
from referee.arena.store import open_store, sole_writer
from referee.log.file import write_log
from referee.log.limits import Profile, TurnLimits
from referee.log.records import (
    Bot,
    Conditions,
    Header,
    Late,
    Log,
    LoggedOutcome,
    LoggedTurn,
    PlayerTurn,
)
from referee.play.match_loop import Answer, MatchLoop
from referee.play.turn_io import Request
from referee.sources.contests import contest_names, find_contest
from shared.core.contest import Contest
from tests.fuzz.mutants import (
    VALUES,
    damage_bytes,
    damage_json,
    damage_json_file,
    damage_json_lines,
    damage_text,
)

# Echoes its input, starts in a millisecond, and ends soon if it has no answer.
ECHO = "timeout 1 cat"
N_TURNS = 4
SAID = "words\n#line 1 2 3 4 red\n#circle 5 5 1\n#text 1 1 - x\n[1] eval = 0.5\n#value depth 3\n"

# The share of cases with a contest whose games are slow to start or to verify, relative to other
# contests: some seconds of plain Python for each new seed.
RARELY = {"wayfinder": 0.01, "code_of_kutulu": 0.05, "ants": 0.2}

Mutant = tuple[str, list[list[str]]]


def sample_log(contest: Contest, n_turns: int, seed: int = 1) -> Log:
    """A log of some random turns."""
    n_players = contest.players[0]
    match, rng = contest.new_match(seed=seed, n_players=n_players), Random(seed)
    header = Header(
        contest=contest.name,
        title=contest.title,
        n_players=n_players,
        conditions=Conditions.for_all(
            n_players, seed=seed, limits=TurnLimits.of(Profile.SITE, contest.limits)
        ),
        bots=[Bot(f"bot {player}", ECHO, [ECHO], "0") for player in range(n_players)],
        versions={"python": "3"},
        setup=match.setup(),
        state=match.snapshot(),
    )
    loop, turns = MatchLoop(match), []
    parts: dict[int, PlayerTurn] = {}

    def ask(requests):
        parts.clear()
        for request in requests:
            parts[request.player] = sample_part(
                request, match.random_lines(request.player, rng), len(turns)
            )
        return [Answer(parts[request.player].output) for request in requests]

    while len(turns) < n_turns and match.outcome() is None:
        loop.play_turn(ask)
        turns.append(LoggedTurn(turn=len(turns), players=dict(parts), state=match.snapshot()))
    outcome = LoggedOutcome(
        ranks=list(range(n_players)), scores=[1.0] * n_players, reason="somebody was better"
    )
    return Log(header, turns, outcome)


def sample_part(request: Request, lines: list[str], turn: int) -> PlayerTurn:
    """A player's input and answer in a turn, with all optional parts of a log."""
    return PlayerTurn(
        initial_input=request.initial_input,
        input=request.input,
        lines_expected=request.lines_expected,
        output=lines,
        stderr=SAID,
        nodes=100,
        values={"eval": 0.5, "depth": 3.0},
        wall_ms=20.0 + turn,
        cpu_ms=10.0,
        queue_ms=0.5,
        late=Late.BOT if turn == 1 else None,
        warnings=["close"] if turn == 2 else [],
        fault=None,
    )


def logs(folder: Path, rng: Random) -> Iterator[Mutant]:
    """Logs of all contests, through view, replay and diff."""
    originals, weights = [], []
    for name in contest_names():
        weights += [RARELY.get(name, 1.0)] * 2
        log = sample_log(find_contest(name), N_TURNS)
        write_log(log, folder / "whole.jsonl")
        originals.append((folder / "whole.jsonl").read_bytes())
        # As for a game played elsewhere: the board is reconstructed from the input.
        log.header.conditions = replace(log.header.conditions, seed=None)
        log.header.setup, log.header.state = {}, {}
        write_log(
            replace(log, turns=[LoggedTurn(turn.turn, turn.players, {}) for turn in log.turns]),
            folder / "whole.jsonl",
        )
        originals.append((folder / "whole.jsonl").read_bytes())
    path, page = folder / "log.jsonl", folder / "page.html"
    commands = [
        ["view", str(path), "-o", str(page)],
        ["replay", str(path)],
        ["replay", str(path), "--bot", ECHO, "--warmup", "0"],
        ["diff", str(path), ECHO, ECHO, "--warmup", "0"],
    ]
    while True:
        [original] = rng.choices(originals, weights)
        path.write_bytes(damage_text(original, rng, damage_json_lines))
        yield str(path), commands


def arenas(folder: Path, rng: Random) -> Iterator[Mutant]:
    """Files of arenas with kept logs, through table and report."""
    whole = folder / "whole.db"
    make_arena(whole)
    path, page = folder / "arena.db", folder / "arena.html"
    commands = [["table", str(path)], ["report", str(path), "-o", str(page)]]
    while True:
        for left in (*folder.glob("arena.db*"), *folder.glob("arena-games/*")):
            left.unlink()
        data = whole.read_bytes()
        path.write_bytes(damage_bytes(data, rng) if rng.random() < 0.4 else data)
        if path.stat().st_size == len(data):
            damage_rows(path, rng)
        yield str(path), commands


def make_arena(path: Path) -> None:
    """A file of results of two bots and of three, a few games each, one game with a log."""
    contest = find_contest("coders_strike_back")
    log = sample_log(contest, N_TURNS)
    assert log.outcome
    kept = path.with_name("kept.jsonl")
    write_log(log, kept)
    result = result_of(log, 1)
    entrants = [Entrant(key, f"bot {key}", f"bots/{key}.py") for key in "abc"]
    limits = TurnLimits.of(Profile.SITE, contest.limits)
    with sole_writer(path), open_store(path) as store:
        store.add_entrants(entrants)
        for nodes, seatings in ((None, ("ab", "ba")), (5, ("ab", "ba", "ac", "ca", "bc", "cb"))):
            series = store.series(
                contest.name, Conditions.for_all(2, seed=1, limits=limits, nodes=nodes)
            )
            for seed in (1, 2):
                for seating in seatings:
                    store.add(series, seed, list(seating), result, kept if seed == 1 else None)
        store.connection.execute("PRAGMA journal_mode = DELETE")


def damage_rows(path: Path, rng: Random) -> None:
    """Change a few values of a file of results, or remove rows, within the limits of its schema."""
    with suppress(sqlite3.Error, ValueError), closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = OFF")
        for _ in range(rng.choice((1, 1, 2, 3))):
            # Damaged text may no longer be JSON.
            with suppress(sqlite3.Error, OverflowError, RecursionError, ValueError), connection:
                table = rng.choice(("series", "bots", "games", "games", "seats", "seats", "said"))
                columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
                if not columns:
                    continue
                column = rng.choice(columns)
                rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
                if not rows:
                    continue
                row = rng.choice(rows)
                where = " AND ".join(f"{name} IS ?" for name in columns)
                if rng.random() < 0.15:
                    connection.execute(f"DELETE FROM {table} WHERE {where}", row)
                    continue
                value = row[columns.index(column)]
                if isinstance(value, str) and value[:1] in "[{" and rng.random() < 0.7:
                    value = json.dumps(damage_json(json.loads(value), rng))
                elif isinstance(value, str) and rng.random() < 0.3:
                    value = damage_bytes(value.encode(), rng)
                else:
                    value = rng.choice(VALUES)
                    if isinstance(value, (list, dict)):
                        value = json.dumps(value)
                every = rng.random() < 0.1
                connection.execute(
                    f"UPDATE {table} SET {column} = ?" + ("" if every else f" WHERE {where}"),
                    (value,) if every else (value, *row),
                )


def imports(folder: Path, rng: Random) -> Iterator[Mutant]:
    """Games of the site, as text and as JSON, through import."""
    originals, weights = [], []
    for name in contest_names():
        weights += [RARELY.get(name, 1.0)] * 3
        log = sample_log(find_contest(name), N_TURNS)
        traces = {player: trace_of(log, player) for player in range(log.header.n_players)}
        originals.append((name, "".join(traces[0]).encode(), damage_bytes))
        frames = [{"agentId": -1, "view": "..."}]
        for turn in log.turns:
            for player, part in turn.players.items():
                said = traces[player].pop(0) if traces[player] else ""
                output = "".join(line + "\n" for line in part.output)
                frames.append({"agentId": player, "stdout": output, "stderr": said})
        agents = [{"index": n, "codingamer": {"pseudo": f"player {n}"}} for n in (0, 1)]
        game = {"frames": frames, "agents": agents, "ranks": [0, 1], "scores": [2, 1.5]}
        originals.append((name, json.dumps(game).encode(), damage_json_file))
        for frame in frames:
            frame.pop("stderr", None)
        originals.append((name, json.dumps({"success": game}).encode(), damage_json_file))
    path, log_path = folder / "game", folder / "game.jsonl"
    while True:
        [(name, data, of_json)] = rng.choices(originals, weights)
        path.write_bytes(damage_text(data, rng, of_json))
        command = ["import", str(path), "--contest", name, "-o", str(log_path)]
        log_path.unlink(missing_ok=True)
        yield str(path), [command]


def trace_of(log: Log, player: int) -> list[str]:
    """The stderr of a traced bot, turn by turn, in the format of `bundler/stages/trace.py`."""
    said = []
    for number, (_, part) in enumerate(log.of_player(player)):
        read = "".join(line + "\n" for line in part.sent).encode()
        written = "".join(line + "\n" for line in part.output).encode()
        said.append(f"@{number}:<{read!r}\nnodes=7\n[1] eval = 2\n@{number}:>{written!r}\n")
    return said


SUBJECTS = {
    "logs": logs,
    "arenas": arenas,
    "imports": imports,
}
