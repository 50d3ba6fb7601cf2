"""The file of a log: written during the match, validated once, when it is read."""

import importlib.metadata
import os
import platform
import stat
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Raw, Struct
from msgspec.json import Decoder, Encoder

from referee.deferred_signals import defer_signals
from referee.errors import UsageError
from referee.log.records import (
    BY_PLAYER,
    FORMAT,
    VERSION,
    Conditions,
    Header,
    Log,
    LogError,
    LoggedOutcome,
    LoggedTurn,
    Player,
    PlayerTurn,
)
from referee.log.schema import Count, FieldError, Plain, encode, parse, read
from referee.project import version

# The part of a match that may be lost when the referee is killed.
FLUSH_S = 0.02
# A hundred times the longest logs; reading stops there.
MAX_BYTES = 1_000_000_000
# No data is packed to less than such a part of it; packed data is unpacked in pieces of so much.
MOST_PACKED, PIECE_BYTES = 1_100, 2**20
GZIP = 16 + zlib.MAX_WBITS  # zlib's word for that format

# Classes whose fields are stored among those of the header.
CONDITIONS = tuple(field.name for field in fields(Conditions))

# Errors of a record that could not be read back.
UNWRITABLE = (FieldError, TypeError, ValueError, RecursionError)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class TurnLine(Struct):
    """The line of a turn in a log; its players' records and its state are converted separately."""

    turn: Count
    players: dict[Player, Any]
    state: Any


class LogWriter:
    """Collects a match's log in `log` and writes each part, as it comes, to the file, if any.

    The file is created with the header: a match that fails to start leaves an older log unchanged.
    A file named .gz is compressed; if truncated, it lacks the last turns. A turn is written with
    the next `flush`, which a match calls while the bots think, or with a later one if turns are
    shorter than FLUSH_S.
    """

    def __init__(self, path: Path | None):
        self.path = path
        self.file: BinaryIO | None = None
        self.packer: Any = None  # of a file named .gz
        self.log: Log  # from `header` on
        self.unwritten: list[Header | LoggedTurn | LoggedOutcome] = []
        self.flushed = 0.0

    def __enter__(self) -> "LogWriter":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._write()
        finally:
            if self.file:
                with defer_signals(), named_errors(self.path), self.file:
                    if self.packer:
                        self.file.write(self.packer.flush())

    def header(self, header: Header) -> None:
        """Begin the log: write the header, which creates the file, if any."""
        self.log = Log(header, [], None)
        self._add(header)
        self._write()

    def turn(self, turn: LoggedTurn) -> None:
        """Add a turn, which a later `flush` writes."""
        self.log.turns.append(turn)
        self._add(turn)

    def outcome(self, outcome: LoggedOutcome) -> None:
        """Write the pending records and the outcome, the last record of the log."""
        self.log.outcome = outcome
        self._add(outcome)
        self._write()

    def flush(self) -> None:
        """Write the pending records, unless the last write was less than FLUSH_S ago."""
        if self.unwritten and time.monotonic() - self.flushed > FLUSH_S:
            self._write()

    def _add(self, record: Header | LoggedTurn | LoggedOutcome) -> None:
        if self.path:
            self.unwritten.append(record)

    def _write(self) -> None:
        if self.unwritten:
            try:
                data = _lines(self.unwritten)
            except UNWRITABLE:
                self._write_until_unwritable()
            else:
                self._put(data, len(self.unwritten))

    def _write_until_unwritable(self) -> None:
        """Write the records up to the first unwritable one, for which UsageError is raised."""
        while self.unwritten:
            record = self.unwritten[0]
            try:
                data = _lines([record])
            except UNWRITABLE as error:
                self.unwritten.clear()
                raise UsageError(
                    f"{self.path}: {_named(record)} cannot be written: {error}"
                ) from error
            self._put(data, 1)

    def _put(self, data: bytes, n_records: int) -> None:
        """Write `data`, the lines of the first `n_records` unwritten records, and drop these
        records from the unwritten ones.
        """
        with defer_signals(), named_errors(self.path):
            if self.file is None:
                self._open()
            del self.unwritten[:n_records]
            assert self.file
            self.file.write(self.packer.compress(data) if self.packer else data)
            # All of it, or an error: a file without a buffer may write only a part of it.
            self.file.flush()
        self.flushed = time.monotonic()

    def _open(self) -> None:
        assert self.path
        self.file = self.path.open("wb")
        if self.path.suffix == ".gz":
            self.packer = zlib.compressobj(wbits=GZIP)


@contextmanager
def named_errors(path: Path | None) -> Iterator[None]:
    """Add the file's name to an OSError without one, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def _named(record: Header | LoggedTurn | LoggedOutcome) -> str:
    if isinstance(record, LoggedTurn):
        return f"turn {record.turn}"
    return "header" if isinstance(record, Header) else "outcome"


def _lines(records: list[Header | LoggedTurn | LoggedOutcome]) -> bytes:
    """Returns the lines of a log's records as bytes. Raises one of UNWRITABLE."""
    # A contest's own data may contain anything: use Python's JSON, as in a repeated simulation.
    # Starting it takes longer than a small state.
    states = iter(
        split(
            encode([record.state for record in records if isinstance(record, LoggedTurn)]).encode()
        )
    )
    return encode_lines(
        [
            (
                TurnLine(record.turn, record.players, next(states))
                if isinstance(record, LoggedTurn)
                else _checked(record)
            )
            for record in records
        ]
    )


def _checked(record: Header | LoggedOutcome) -> Raw:
    """Returns the line of a header or an outcome. Raises one of UNWRITABLE for a record that
    `read_log` would refuse.
    """
    text = encode(record)
    checked = read(type(record), parse(text))
    if isinstance(record, LoggedOutcome):
        return Raw(f'{{"outcome":{text}}}'.encode())
    _check_boards(checked)
    values: dict[str, Any] = {field.name: getattr(record, field.name) for field in fields(record)}
    conditions = values.pop("conditions")
    values |= {name: getattr(conditions, name) for name in CONDITIONS}
    return Raw(encode(values).encode())


def _as_text(value: Any) -> str:
    """Convert a contest's own subclass of str, which msgspec does not handle. Raises TypeError."""
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


# Creating one takes longer than using it.
encode_lines = Encoder(enc_hook=_as_text).encode_lines
split = Decoder(list[Raw]).decode


def write_log(log: Log, path: Path) -> None:
    """Write a whole log to a file."""
    with LogWriter(path) as writer:
        writer.header(log.header)
        for turn in log.turns:
            writer.turn(turn)
        if log.outcome:
            writer.outcome(log.outcome)


def log_lines(log: Log) -> bytes:
    """Returns the bytes of a log's file. Raises one of UNWRITABLE for values that JSON lacks and
    for an invalid header or outcome.
    """
    return _lines([log.header, *log.turns, *([log.outcome] if log.outcome else [])])


def read_log(path: Path) -> Log:
    """Returns the log in a file; a file cut off by a kill gives its complete turns.

    Raises OSError, and LogError for a damaged file or one that is not a log of a version up to this
    one.
    """
    return parse_log(_unpacked(path), path)


def parse_log(data: bytes, path: Path | str) -> Log:
    """Returns the log in the bytes of a file, without an incomplete last line. `path` names the
    file in errors. Raises LogError.
    """
    first, *lines = data.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    log = Log(_header(path, _object(first)), [], None, str(path))
    for number, line in enumerate(lines, 2):
        where, record = f"{path}, line {number}", _object(line)
        if record is None:
            if number == len(lines) + 1:
                break  # empty, or the incomplete last line of a killed referee
            raise LogError(f"{where}: a JSON object is expected, found {line[:80]!r}")
        if log.outcome is not None:
            raise LogError(f"{where}: nothing may follow the outcome")
        try:
            if "outcome" in record:
                log.outcome = read_outcome(record["outcome"], log.header.n_players)
            else:
                log.turns.append(_turn(record, log.header.n_players, expected=len(log.turns)))
        except FieldError as error:
            raise LogError(f"{where}: {error}") from error
    return log


def _unpacked(path: Path) -> bytes:
    """Returns the content of a file; gzip data are decompressed, truncated ones as far as they go.
    Raises OSError, and LogError for damaged gzip data and for more than MAX_BYTES.
    """
    with path.open("rb") as file:
        known = os.fstat(file.fileno())
        # `read` takes memory for all that it is asked for.
        wanted = known.st_size if stat.S_ISREG(known.st_mode) else MAX_BYTES
        data = file.read(min(wanted, MAX_BYTES) + 1)
    too_large = LogError(f"{path}: no log of a match: it is larger than {MAX_BYTES / 1e9:g} GB")
    if data.startswith(b"\x1f\x8b"):
        try:
            if _is_unpacked_too_large(data):
                raise too_large
            data = zlib.decompressobj(wbits=GZIP).decompress(data, MAX_BYTES + 1)
        except zlib.error as error:
            raise LogError(f"{path}: it cannot be unpacked: {error}") from error
    if len(data) > MAX_BYTES:
        raise too_large
    return data


def _is_unpacked_too_large(data: bytes) -> bool:
    """Returns True if gzip data unpacks to more than MAX_BYTES, without holding it all in memory.
    Raises zlib.error.
    """
    if len(data) * MOST_PACKED <= MAX_BYTES:
        return False
    unpacker, n_bytes = zlib.decompressobj(wbits=GZIP), 0
    # The last pieces come without further input.
    while not unpacker.eof and n_bytes <= MAX_BYTES:
        piece = unpacker.decompress(data, PIECE_BYTES)
        data = unpacker.unconsumed_tail
        n_bytes += len(piece)
        if not piece and not data:
            break
    return n_bytes > MAX_BYTES


@cache
def versions() -> dict[str, str]:
    """Returns {name: version} of the referee, Python and the packages that may influence a game."""
    packages = {name: importlib.metadata.version(name) for name in ("numpy", "numba")}
    return {"onefile": version(), "python": platform.python_version(), **packages}


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        record = parse(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _header(path: Path | str, record: dict[str, Any] | None) -> Header:
    if record is None or record.get("format") != FORMAT:
        raise LogError(
            f'{path}: no log of a match: line 1 should be a JSON object with "format": "{FORMAT}"'
        )
    version = record.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise LogError(
            f"{path}, line 1: log version {version!r}, this referee reads 1 to {VERSION}"
        )
    try:
        bots = record.get("bots")
        n_bots = len(bots) if isinstance(bots, list) else 1
        if version < 3:  # one value for all players
            for name in ("limits", "nodes"):
                if name in record:
                    record[name] = [record[name]] * n_bots
        record["think_ms"] = record.get("think_ms") or [None] * n_bots
        conditions = {name: record.pop(name) for name in CONDITIONS if name in record}
        read(Conditions, conditions)  # a field of them has the same name in the file
        header: Header = read(Header, {**record, "conditions": conditions})
        _check_number("bots", header.bots, header.n_players)
        for name in BY_PLAYER:
            _check_number(name, getattr(header.conditions, name), header.n_players)
        _check_boards(header)
        if header.site_ms and len(header.site_ms) != 2:
            raise FieldError('"site_ms" should be two times')
        return header
    except FieldError as error:
        raise LogError(f"{path}, line 1: {error}") from error


def _check_boards(header: Header) -> None:
    """Raise FieldError if the setup or the state of a header is nested too deeply."""
    for name in ("setup", "state"):
        read(Plain, getattr(header, name), name)


def _turn(record: dict[str, Any], n_players: int, expected: int) -> LoggedTurn:
    line = read(TurnLine, record)
    if [*map(str, line.players)] != [*record["players"]]:
        raise FieldError('"players": key: -0 is no number of a player')
    if line.turn != expected:
        raise FieldError(f"turn {line.turn} where turn {expected} is expected")
    turn = LoggedTurn(line.turn, {}, read(Plain, line.state, "state"))
    for player, value in line.players.items():
        answer = turn.players[player] = read(PlayerTurn, value, f"players.{player}")
        if player >= n_players:
            raise FieldError(f"there is no player {player}")
        if isinstance(answer.lines_expected, int) and len(answer.output) > answer.lines_expected:
            raise FieldError(
                f'"players.{player}.output" has {len(answer.output)} lines,'
                f" {answer.lines_expected} were expected"
            )
        if answer.fault is None and not answer.is_complete:
            raise FieldError(f'"players.{player}.fault" is null, though lines are missing')
    return turn


def read_outcome(record: Any, n_players: int) -> LoggedOutcome:
    """Convert plain data to the outcome of a match of `n_players`. Raises FieldError."""
    outcome: LoggedOutcome = read(LoggedOutcome, record, "outcome")
    _check_number("outcome.ranks", outcome.ranks, n_players)
    _check_number("outcome.scores", outcome.scores, n_players)
    return outcome


def _check_number(field: str, values: Sequence[object], n_players: int) -> None:
    """Raise FieldError unless there is a value for each player."""
    if len(values) != n_players:
        raise FieldError(f'"{field}" has {len(values)} values for {n_players} players')
