"""The rows of a file of results, validated when they are read; damage is reported.

SQLite stores any value in any column, and any program may have written the file.
"""

import shlex
import sqlite3
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from referee.arena.entrants import Entrant
from referee.arena.result import MOST_TURNS, Result, SeatResult
from referee.errors import UsageError
from referee.log.limits import Clock, TurnLimits
from referee.log.schema import Amount, FieldError, Number, Plain, Positive, Whole, parse, read
from shared.core.drawing.shapes import MAX_PLAYERS

Row = TypeVar("Row")
# Replaces a condition of a series that differs between its bots.
BY_BOT = "by bot"
# The columns of a player's result in the table of seats.
SEAT_COLUMNS = ("rank", "score", "fault", "cpu_ms", "worst_ms", "times")
Turns = Annotated[int, Meta(ge=0, le=MOST_TURNS)]


@dataclass
class ConditionsRow:
    """The checked conditions of a series; a condition that differs between bots is read as None."""

    limits: TurnLimits | None
    nodes: Positive | None = None
    think_ms: Positive | None = None
    clock: Clock = Clock.WALL
    options: list[tuple[str, str]] = field(default_factory=list)
    serial: bool = False
    host_speed: Amount | None = None
    site: str = ""


@dataclass
class SeriesRow:
    """A series of comparable games; conditions is JSON."""

    id: Whole
    contest: str
    conditions: str


@dataclass
class ValueRow:
    """The mean of a value reported by a bot, None if it was not a number."""

    name: str
    bot: str
    mean: Number | None


@dataclass
class GameRow:
    """A game; seating is JSON."""

    id: Whole
    seed: Whole
    seating: str
    turns: Turns
    reason: str
    attempts: Turns
    log: str | None
    opening: str | None


@dataclass
class CaseRow:
    """The test case of a seed; kind: the group of the case."""

    seed: Whole
    name: str
    kind: str


@dataclass
class RunRow:
    """A note about an arena; bots: the keys of its bots, as JSON."""

    id: Whole
    note: str
    bots: str


class ScoreRow(Struct, array_like=True, gc=False):
    """A game for one player with its score, and the log's path."""

    seed: Whole
    bot: str
    score: Number
    fault: str | None
    opening: str
    log: str | None


class DamagedRow(UsageError):
    """The error for a row that the referee would not write; the text names row and column."""


def check_whole(path: Path, connection: sqlite3.Connection) -> None:
    """Raise DamagedRow for damaged pages or indices, with which a query would miss some games."""
    report = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if report != "ok":
        problem = " ".join(report.split())[:200]
        raise DamagedRow(
            f"{path}: damaged: {problem}: on a copy, try `sqlite3 {shlex.quote(path.name)}"
            " REINDEX`, which mends it where only an index is damaged"
        )


class Reader:
    """Reads the rows of a file. All methods raise DamagedRow."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def row(self, kind: type[Row], values: tuple[Any, ...], what: str) -> Row:
        """Returns values as a row of a kind; what: the name of the row in errors."""
        names = [column.name for column in fields(kind)]  # type: ignore[arg-type]  # a dataclass
        return self._read(kind, dict(zip(names, values)), what)

    def entrant(self, values: tuple[Any, ...]) -> Entrant:
        """Returns a row of the table of bots as an Entrant."""
        return self.row(Entrant, values, "a bot")

    def run_bots(self, row: RunRow) -> list[str]:
        """Returns the keys of the bots of a run."""
        return self.json_value(list[str], row.bots, f"run {row.id}, bots")

    def conditions(self, row: SeriesRow) -> dict[str, Any]:
        """Returns the conditions of a series as plain data.

        A condition that differs between bots is BY_BOT.
        """
        what = f"series {row.id}"
        data = self.json_value(Plain, row.conditions, f"{what}, conditions")
        if "limits" not in data:
            raise self._error(what, '"limits" is missing')
        given = {name: None if value == BY_BOT else value for name, value in data.items()}
        self._read(ConditionsRow, given, f"{what}, conditions")
        if data["limits"] is None:
            raise self._error(what, '"limits" is null')
        return data

    def seating(self, row: GameRow) -> tuple[str, ...]:
        """Returns the bots of a game by seats, as keys."""
        what = f"game {row.id}, seating"
        keys = tuple(self.json_value(list[str], row.seating, what))
        if not 1 <= len(keys) <= MAX_PLAYERS:
            raise self._error(what, f"{len(keys)} bots")
        return keys

    def result(
        self, game: GameRow, seating: tuple[str, ...], seats: list[tuple[Any, ...]]
    ) -> Result:
        """Returns the result of a game.

        seats: for each seat, the bot's key, 1 if the table of bots has this key, and the values of
        SEAT_COLUMNS.
        """
        results = []
        for seat, (bot, is_known, *values) in enumerate(seats):
            what = f"game {game.id}, seat {seat}"
            if seat < len(seating) and (bot != seating[seat] or not is_known):
                raise self._error(what, f"the bot {str(bot)[:40]!r} is not the one of the seating")
            columns = dict(zip(SEAT_COLUMNS, values), opening=game.opening or "")
            columns["times"] = self._parsed(columns["times"], f"{what}, times")
            results.append(self._read(SeatResult, columns, what))
        if len(results) != len(seating):
            raise self._error(f"game {game.id}", f"{len(seating)} bots, {len(results)} seats")
        return Result(tuple(results), game.turns, game.reason, game.attempts)

    def json_value(self, kind: type[Row], text: str, what: str) -> Row:
        """Returns a text in JSON as a value of a kind; what: the name of the value in errors."""
        return self._read(kind, self._parsed(text, what), what)

    def _parsed(self, text: str, what: str) -> Any:
        try:
            return parse(text)
        except (TypeError, ValueError) as error:
            raise self._error(what, f"no JSON: {str(text)[:40]!r}") from error

    def _read(self, kind: type[Row], value: Any, what: str) -> Row:
        try:
            row: Row = read(kind, value)
            return row
        except FieldError as error:
            raise self._error(what, str(error)) from error

    def _error(self, what: str, problem: str) -> DamagedRow:
        return DamagedRow(f"{self.path}: damaged: {what}: {problem}")
