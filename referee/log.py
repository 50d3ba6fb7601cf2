"""The log of a match: JSON lines, written as it goes: a log cut short is a log up to there.

Line 1, the header:
    format           "onefile-log"
    version          2
    contest, title   the contest's folder name, and its name for people
    seed, n_players  seed is null in a log that `import` made: it has no setup, states and times,
                     players that are not known, and no outcome
    limits           {"profile": "official" | "soft3" | "bank" | "off",
                     "first_ms", "turn_ms": wall milliseconds for the first and for later answers,
                     "grace_ms": how much later an answer was read,
                     "late_turns": with how many late answers a player was out,
                     "bank_ms": CPU milliseconds for the whole game, or null}
    warmup_s         how long a bot could take to start before the first answer's clock ran
    hiccup_ms        for how long each bot was stopped in each of its turns
    referee          the command line of the foreign referee that led the match, or null
    nodes            the node budget a turn that the bots were given (CG_NODES), or null
    bots             one a player: {"name", "bot": as on the command line, "command": [...],
                     "sha256": of what ran}
    versions         {"onefile", "python", "numpy", "numba"} of the referee and Python bots
    setup            what the contest says stays the same all game
    state            the contest's snapshot before the first turn
Then a line a turn:
    turn             counted from 0
    players          by the player's number as a string, those asked in this turn:
        initial_input    only in the player's first turn: lines sent before `input`
        input            the lines sent
        lines_expected   how many lines the player had to write
        output           the lines it wrote, no more than expected; bytes that are no UTF-8 as \\xNN
        stderr           what it wrote to stderr since the last turn, without its `nodes=N` lines,
                         cut after 4,096 characters
        nodes            the N of its last such line: how many nodes its search took; or null.
                         A bot writes the line before its answer, else it is the next turn's
        wall_ms          from the writing of the input to the last line's arrival, or to the fault
        cpu_ms           CPU time of the bot's process since its last answer
        queue_ms         how long the bot was ready to run and waited for a CPU, or null where that is not known
        late             "bot" | "machine": who made it pass the limit, or null when it was in time
        warnings         texts: what the site bears, but a bot should not rely on
        fault            why the player was eliminated in this turn, or null
    state            the contest's snapshot after the turn
At last, unless the match was cut short:
    outcome          {"ranks": [0 the best, ...], "scores": [...], "reason": "...",
                     "spoiled": whether the machine's lateness put a player out}

Version 1 had no hiccup_ms, referee, grace_ms, late_turns, bank_ms, queue_ms, late, warnings and
spoiled: reading sets them as they were in effect.
"""

import importlib.metadata
import json
import platform
import time
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from referee.contests import PROJECT
from referee.errors import UsageError

FORMAT = "onefile-log"
VERSION = 2
# How much of a match may be lost when the referee is killed.
FLUSH_S = 0.005

Record = dict[str, Any]

# What version 1 did not have yet.
HEADER_OF_1 = {"hiccup_ms": 0.0, "referee": None}
LIMITS_OF_1 = {"grace_ms": 0, "late_turns": 1, "bank_ms": None}
PLAYER_OF_1 = {"queue_ms": None, "late": None, "warnings": []}
OUTCOME_OF_1 = {"spoiled": False}

HEADER_TYPES = {
    "contest": str,
    "title": str,
    "seed": int | None,
    "n_players": int,
    "limits": dict,
    "nodes": int | None,
    "hiccup_ms": int | float,
    "referee": str | None,
    "bots": list,
    "setup": dict,
    "state": dict,
}
LIMITS_TYPES = {
    "profile": str,
    "first_ms": int,
    "turn_ms": int,
    "grace_ms": int,
    "late_turns": int,
    "bank_ms": int | None,
}
BOT_TYPES = {"name": str, "bot": str, "command": list, "sha256": str}
TURN_TYPES = {"turn": int, "players": dict, "state": dict}
PLAYER_TYPES = {
    "input": list,
    "lines_expected": int,
    "output": list,
    "stderr": str,
    "nodes": int | None,
    "wall_ms": int | float,
    "cpu_ms": int | float,
    "queue_ms": int | float | None,
    "late": str | None,
    "warnings": list,
    "fault": str | None,
}
OUTCOME_TYPES = {"ranks": list, "scores": list, "reason": str, "spoiled": bool}

# Making an encoder takes longer than encoding a turn.
encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


class LogError(UsageError):
    """A file is no log, or a damaged one; the text names the file and the line."""


@dataclass
class Log:
    """A match as logged: header, a record a turn, and the outcome, None where it was cut short."""

    header: Record
    turns: list[Record]
    outcome: Record | None

    @property
    def has_states(self) -> bool:
        """Whether it holds setup and states: not of a game that was imported or led by
        a foreign referee.
        """
        return self.header["seed"] is not None and self.header["referee"] is None

    def of_player(self, player: int) -> list[tuple[int, Record]]:
        """The turns in which a player was asked: (number, the player's part of the record)."""
        return [
            (turn["turn"], turn["players"][str(player)])
            for turn in self.turns
            if str(player) in turn["players"]
        ]


class LogWriter:
    """Collects a match's records in `log` and writes each, as it comes, to the file, if any.

    The file is made with the header: arguments that lead to no match leave an older log alone. A
    turn is written with the next `flush`, which a match calls while the bots think, or with a later
    one where turns are shorter than FLUSH_S.
    """

    def __init__(self, path: Path | None):
        self.path = path
        self.file: BinaryIO | None = None
        self.log = Log({}, [], None)
        self.unwritten: list[Record] = []
        self.flushed = 0.0

    def __enter__(self) -> "LogWriter":
        return self

    def __exit__(self, *_) -> None:
        if self.file:
            try:
                self._write()
            finally:
                self.file.close()

    def header(self, record: Record) -> None:
        """Begin the log; the format and its version are added here."""
        self.log.header = {"format": FORMAT, "version": VERSION, **record}
        if self.path:
            self.file = self.path.open("wb", buffering=0)
        self._add(self.log.header)
        self._write()

    def turn(self, record: Record) -> None:
        """Add a turn."""
        self.log.turns.append(record)
        self._add(record)

    def outcome(self, record: Record) -> None:
        """End the log."""
        self.log.outcome = record
        self._add({"outcome": record})
        self._write()

    def flush(self) -> None:
        """Write what is not written yet, unless something was written just now."""
        if self.unwritten and time.monotonic() - self.flushed > FLUSH_S:
            self._write()

    def _write(self) -> None:
        if self.unwritten:
            lines = [encode(record) + "\n" for record in self.unwritten]
            self.unwritten.clear()
            self.file.write("".join(lines).encode())
            self.flushed = time.monotonic()

    def _add(self, record: Record) -> None:
        if self.file:
            self.unwritten.append(record)


def read_log(path: Path) -> Log:
    """The log in a file. Raises LogError where the file is no log of a version up to
    this one, and OSError.
    """
    *lines, cut = path.read_bytes().split(b"\n")
    # `cut` is what a killed referee left of its last line, else nothing.
    header = _object(lines[0]) if lines else None
    if header is None or header.get("format") != FORMAT:
        raise LogError(
            f'{path}: no log of a match: line 1 should be a JSON object with "format": "{FORMAT}"'
        )
    where = f"{path}, line 1"
    version = header.get("version")
    if version not in (1, VERSION):
        raise LogError(f"{where}: log version {version!r}, this referee reads 1 to {VERSION}")
    is_old = version == 1
    if is_old:
        _fill(header, HEADER_OF_1)
        _fill(header.get("limits"), LIMITS_OF_1)
    _check(where, header, HEADER_TYPES)
    _check(where, header["limits"], LIMITS_TYPES)
    if len(header["bots"]) != header["n_players"]:
        raise LogError(f"{where}: {len(header['bots'])} bots for {header['n_players']} players")
    for bot in header["bots"]:
        _check(where, bot, BOT_TYPES)
    log = Log(header, [], None)
    for number, line in enumerate(lines[1:], 2):
        where, record = f"{path}, line {number}", _object(line)
        if record is None:
            raise LogError(f"{where}: a JSON object is expected, found {line[:80]!r}")
        if log.outcome is not None:
            raise LogError(f"{where}: nothing may follow the outcome")
        if "outcome" in record:
            if is_old:
                _fill(record["outcome"], OUTCOME_OF_1)
            _check(where, record, {"outcome": dict})
            _check(where, record["outcome"], OUTCOME_TYPES)
            log.outcome = record["outcome"]
        else:
            if is_old and isinstance(record.get("players"), dict):
                for part in record["players"].values():
                    _fill(part, PLAYER_OF_1)
            _check_turn(where, record, header["n_players"], expected=len(log.turns))
            log.turns.append(record)
    return log


def _fill(record: Any, defaults: Record) -> None:
    """Give an old log's object the keys it lacks."""
    if isinstance(record, dict):
        for key, value in defaults.items():
            record.setdefault(key, value)


@cache
def versions() -> dict[str, str]:
    """The versions of everything a game's course may depend on."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    packages = {name: importlib.metadata.version(name) for name in ("numpy", "numba")}
    return {"onefile": project["version"], "python": platform.python_version(), **packages}


def _object(line: bytes) -> Record | None:
    """The JSON object in a line, None where there is none."""
    try:
        record = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which Python reads but JSON does not know."""
    raise ValueError(f"{constant} is no JSON")


def _check_turn(where: str, record: Record, n_players: int, expected: int) -> None:
    _check(where, record, TURN_TYPES)
    if record["turn"] != expected:
        raise LogError(f"{where}: turn {record['turn']} where turn {expected} is expected")
    players = {str(player) for player in range(n_players)}
    for player, part in record["players"].items():
        if player not in players:
            raise LogError(f"{where}: there is no player {player!r}")
        _check(f"{where}, player {player}", part, PLAYER_TYPES)
        for key in ("initial_input", "input", "output", "warnings"):
            texts = part.get(key, [])
            if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
                raise LogError(f'{where}, player {player}: "{key}" should be a list of texts')


def _check(where: str, record: Any, types: dict[str, Any]) -> None:
    """Raise LogError unless the record is an object with these keys, of these types."""
    if not isinstance(record, dict):
        raise LogError(f"{where}: a JSON object is expected where there is {type(record).__name__}")
    for key, kind in types.items():
        if key not in record:
            raise LogError(f'{where}: "{key}" is missing')
        if not isinstance(record[key], kind):
            raise LogError(f'{where}: "{key}" is a {type(record[key]).__name__}')
