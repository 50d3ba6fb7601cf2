"""A running game of an official referee: its questions one after the other, and its reports.

    INIT                players, seed and parameters, or a test case
    GET_GAME_INFO  ->   VIEW, MONITORING once, INFOS, SUMMARY, TOOLTIP, and then
                        NEXT_PLAYER_INPUT and NEXT_PLAYER_INFO: a question, or
                        UINPUT, METADATA and SCORES: the end
    SET_PLAYER_OUTPUT or SET_PLAYER_TIMEOUT, and GET_GAME_INFO again

A report that comes with a question is about the turn before.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from referee.errors import excerpt
from referee.official.messages import Connection, OfficialRefereeError, explain_trace
from referee.process.bot_process import BotProcess

# The grace that an engine with monitoring adds to its stated limits, unless there is a bank of
# time; it judges a later answer by itself.
GRACE_MS = 50


@dataclass(frozen=True)
class EngineQuestion:
    """A question to a player: its input, the number of lines to answer, and its limit.

    limit_ms: the limit without the engine's grace. announced_ms: the limit in the engine's message.
    """

    player: int
    lines: list[str]
    n_lines: int
    limit_ms: int
    announced_ms: int


@dataclass
class TurnReport:
    """The engine's report on a turn.

    summary: lines of text. tooltips: (text, player). view: a frame for the viewer, or None. is_new:
    True if the question after the report begins a turn.
    """

    summary: list[str] = field(default_factory=list)
    tooltips: list[tuple[str, int]] = field(default_factory=list)
    view: str | None = None
    is_new: bool = True


@dataclass(frozen=True)
class GameEnd:
    """The end of a game: each player's score, the parameters with the seed, and the measured
    values.
    """

    scores: list[float]
    parameters: dict[str, str]
    metadata: dict[str, Any]


class Engine:
    """A running game. All methods raise OfficialRefereeError.

    question: the pending question, None after the end. ended: the end of the game, None before.
    report: the report that came with the question or the end.
    """

    def __init__(self, process: BotProcess, n_players: int, lines: list[str]) -> None:
        self.connection = Connection(process)
        self.n_players = n_players
        self.is_monitoring = False
        self.has_bank = False
        # By player: the next limit that it would get with a bank of time.
        self.left_ms: dict[int, int] = {}
        self.question: EngineQuestion | None = None
        self.ended: GameEnd | None = None
        self.report = TurnReport()
        self.connection.send("INIT", [str(n_players), *lines])
        self._go_on()

    def answer(self, lines: list[str], ms: int) -> None:
        """Send the player's lines, and the milliseconds taken by the answer."""
        assert self.question
        if ms:
            self.left_ms[self.question.player] = self.question.announced_ms - ms
        self.connection.send(
            "SET_PLAYER_OUTPUT", [str(ms), *lines] if self.is_monitoring else lines
        )
        self._go_on()

    def time_out(self) -> None:
        """Report that the player did not answer."""
        self.connection.send("SET_PLAYER_TIMEOUT", [])
        self._go_on()

    def _go_on(self) -> None:
        self.connection.send("GET_GAME_INFO", [])
        messages: dict[str, list[str]] = {}
        while not _is_complete(messages):
            message = self.connection.receive()
            if message.command == "FAIL":
                trace = "\n".join(message.lines)
                raise OfficialRefereeError(f"the official referee failed{explain_trace(trace)}")
            # In a one-player game, the second INFOS is the summary.
            messages.setdefault(message.command, []).extend(message.lines)
        self.is_monitoring = self.is_monitoring or "MONITORING" in messages
        self.report = _turn_report(messages)
        if "SCORES" in messages:
            self.question, self.ended = None, _game_end(messages, self.n_players)
        else:
            self.question = self._question(messages)

    def _question(self, messages: dict[str, list[str]]) -> EngineQuestion:
        player, n_lines, announced_ms = _numbers(
            "NEXT_PLAYER_INFO", messages["NEXT_PLAYER_INFO"], 3
        )
        if not 0 <= player < self.n_players or n_lines < 0:
            raise _unexpected("NEXT_PLAYER_INFO", messages["NEXT_PLAYER_INFO"])
        # A limit that shrinks by the player's used time is a bank.
        self.has_bank = self.has_bank or self.left_ms.get(player) == announced_ms
        grace_ms = GRACE_MS if self.is_monitoring and not self.has_bank else 0
        limit_ms = max(1, announced_ms - grace_ms)
        return EngineQuestion(
            player, messages["NEXT_PLAYER_INPUT"], n_lines, limit_ms, announced_ms
        )


def _is_complete(messages: dict[str, list[str]]) -> bool:
    if not {"VIEW", "INFOS"} <= messages.keys():
        return False
    return "SCORES" in messages or {"NEXT_PLAYER_INPUT", "NEXT_PLAYER_INFO"} <= messages.keys()


def _turn_report(messages: dict[str, list[str]]) -> TurnReport:
    first, *view = messages["VIEW"] or [""]
    return TurnReport(
        messages.get("SUMMARY", []) + messages["INFOS"],
        _tooltips(messages.get("TOOLTIP", [])),
        "\n".join(view) or None,
        not first.startswith("INTERMEDIATE_FRAME"),
    )


def _tooltips(lines: list[str]) -> list[tuple[str, int]]:
    """Parse tooltips: lines of text, each followed by a line with the player."""
    tooltips: list[tuple[str, int]] = []
    text: list[str] = []
    for line in lines:
        if text and re.fullmatch(r"-?\d", line):
            tooltips.append(("\n".join(text), int(line)))
            text = []
        else:
            text.append(line)
    return tooltips


def _game_end(messages: dict[str, list[str]], n_players: int) -> GameEnd:
    lines = messages["SCORES"]
    scores: dict[int, int] = {}
    for line in lines:
        player, score = _numbers("SCORES", line.split(), 2)
        scores[player] = score
    if sorted(scores) != list(range(n_players)):
        raise _unexpected("SCORES", lines)
    try:
        metadata = json.loads("".join(messages.get("METADATA", [])) or "{}")
    except ValueError:
        raise _unexpected("METADATA", messages["METADATA"]) from None
    parameters = dict(line.partition("=")[::2] for line in messages.get("UINPUT", []))
    return GameEnd([float(scores[player]) for player in range(n_players)], parameters, metadata)


def _numbers(command: str, texts: list[str], n: int) -> list[int]:
    try:
        numbers = [int(text) for text in texts]
    except ValueError:
        numbers = []
    if len(numbers) != n:
        raise _unexpected(command, texts)
    return numbers


def _unexpected(command: str, lines: list[str]) -> OfficialRefereeError:
    return OfficialRefereeError(
        f"the official referee sent {command} with {excerpt(' '.join(lines))}: is it made with"
        " CodinGame's engine?"
    )
