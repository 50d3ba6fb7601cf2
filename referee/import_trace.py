"""A log made of what a bot wrote to stderr elsewhere: a game of the site, to be replayed at home.

The bot has to be bundled with `--trace`: `bundler/trace.py` says how its lines on stderr look. They
are read from a saved text, or from the site's replay, JSON in whose `frames` each has an `agentId`
and may have a `stderr`; the answer of the site's replay service holds it under "success".
"""

import ast
import base64
import json
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from referee.bots import Bot
from referee.errors import UsageError
from referee.inbox import said_in
from referee.limits import Profile, TurnLimits
from referee.log import Header, LogWriter, PlayerTurn, Turn
from shared.core.contest import Contest

TRACE_LINE = re.compile(r"\s*@(\d{1,6}):(.*)", re.ASCII)
UNKNOWN_BOT = Bot("unknown", "", [], "")


class TraceError(UsageError):
    """A file holds no trace, or a damaged one; the text names the file and what to give instead."""


@dataclass
class TracedTurn:
    """What a bot read and wrote in a turn."""

    read: bytes = b""
    written: bytes = b""


@dataclass
class Trace:
    """A player's game: what it read and wrote turn by turn, and what else was on
    its stderr by then.

    n_begun: how many turns the bot began. They are more than `turns` where there was no room on
    stderr for the last ones.
    """

    turns: list[TracedTurn] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def n_begun(self) -> int:
        return len(self.others)


def import_trace(path: Path, contest: Contest, writer: LogWriter) -> dict[int, Trace]:
    """Write the log of the game that a file holds; each traced player's Trace. Raises
    TraceError, and OSError.

    A saved text does not say which player's it is: it is taken for player 0.
    """
    traces = {player: read_trace(text, path) for player, text in read_stderr(path).items()}
    traces = {player: trace for player, trace in traces.items() if trace.turns}
    if not traces:
        raise TraceError(
            f"{path}: no line of a trace: give the stderr of a bot that was bundled with --trace, "
            "or the site's replay as JSON"
        )
    n_players = max(contest.players[0], *(player + 1 for player in traces))
    writer.header(
        Header(
            contest=contest.name,
            title=contest.title,
            seed=None,
            n_players=n_players,
            limits=[TurnLimits.of(Profile.OFFICIAL, contest.limits)] * n_players,
            nodes=[None] * n_players,
            bots=[UNKNOWN_BOT] * n_players,
            versions={},
            setup={},
            state={},
        )
    )
    parts = {player: player_turns(trace) for player, trace in traces.items()}
    for turn in range(max(map(len, parts.values()))):
        asked = {player: own[turn] for player, own in parts.items() if turn < len(own)}
        writer.turn(Turn(turn=turn, players=asked, state={}))
    return traces


def read_stderr(path: Path) -> dict[int, str]:
    """The stderr of each player in a file. Raises TraceError, and OSError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise TraceError(f"{path}: not a text in UTF-8") from error
    try:
        game = json.loads(text)
    except (ValueError, RecursionError):
        return {0: text}
    if isinstance(game, dict) and isinstance(game.get("success"), dict):
        game = game["success"]
    frames = game.get("frames") if isinstance(game, dict) else None
    if not isinstance(frames, list) or not all(isinstance(frame, dict) for frame in frames):
        raise TraceError(f'{path}: JSON without a list of "frames", so not a replay of the site')
    players: dict[int, list[str]] = {}
    for number, frame in enumerate(frames):
        player, said = frame.get("agentId"), frame.get("stderr")
        if said is None:
            continue
        if type(player) is not int or not isinstance(said, str):
            raise TraceError(f'{path}: frame {number} needs a number "agentId" and a text "stderr"')
        if player >= 0:  # the site's own frames have -1
            players.setdefault(player, []).append(said)
    return {player: "\n".join(texts) for player, texts in players.items()}


def read_trace(text: str, path: Path) -> Trace:
    """The trace in a player's stderr, as far as it goes. Raises TraceError where it is damaged."""
    trace, part = Trace(), ""
    for line in text.split("\n"):
        match = TRACE_LINE.match(line.rstrip())
        if not match:
            if trace.others:
                trace.others[-1] += line + "\n"
            continue
        turn = int(match[1])
        if turn == trace.n_begun:
            trace.others.append("")
        elif turn != trace.n_begun - 1:
            raise TraceError(
                f"{path}: turn {turn} of the trace stands where turn {trace.n_begun} is expected: "
                "give the whole stderr of one game of one player"
            )
        part += match[2]
        if part.endswith("\\"):
            part = part[:-1]
            continue
        try:
            add_record(trace, part)
        except (ValueError, SyntaxError, TypeError, IndexError, zlib.error) as error:
            raise TraceError(
                f"{path}: a damaged line of turn {turn}, {line.strip()[:60]!r}: "
                "copy the stderr again, with long lines whole"
            ) from error
        part = ""
    if part.startswith("<") and trace.turns and not trace.turns[-1].written:
        trace.turns.pop()  # the rest of what it read is missing
    return trace


def add_record(trace: Trace, record: str) -> None:
    """Add a record to a trace. Raises one of several errors where it is damaged."""
    kind, text = record[0], record[1:]
    is_packed = text.startswith("z")
    data = zlib.decompress(base64.b85decode(text[1:])) if is_packed else ast.literal_eval(text)
    if kind == "<":
        if not trace.turns or trace.turns[-1].written:
            trace.turns.append(TracedTurn())
        trace.turns[-1].read += data
    elif kind == ">":
        trace.turns[-1].written += data
    else:
        raise ValueError(f"no record begins with {kind!r}")


def player_turns(trace: Trace) -> list[PlayerTurn]:
    """A player's part of each turn of a log. Where it did not answer, as many lines are
    expected as before.
    """
    parts, n_lines = [], 1
    for turn, others in zip(trace.turns, trace.others):
        output = lines_of(turn.written)
        n_lines = len(output) or n_lines
        said = said_in(others)
        parts.append(
            PlayerTurn(
                input=lines_of(turn.read),
                lines_expected=n_lines,
                output=output,
                stderr=said.text,
                nodes=said.nodes,
                values=said.values,
                wall_ms=0.0,
                cpu_ms=0.0,
                fault=None if output else "no answer in the trace",
            )
        )
    return parts


def lines_of(data: bytes) -> list[str]:
    """The lines of a text; bytes that are no UTF-8 as in a log."""
    text = data.decode(errors="backslashreplace")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
