"""Converts a game played elsewhere into a log, to be replayed or viewed.

To be replayed, the bot has to be bundled with `--trace`: `bundler/stages/trace.py` defines the
lines that it then writes to stderr. Of other bots, the log has only the output in the site's replay
(`referee/replay/site_game.py`).
"""

import ast
import base64
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from referee.errors import excerpt
from referee.log.file import LogWriter
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Bot, Conditions, Header, LoggedOutcome, LoggedTurn, PlayerTurn
from referee.play.leader import OfficialEngine
from referee.process.output_buffer import parse_stderr
from referee.replay.site_game import SiteAnswer, SiteGame, TraceError, read_game
from referee.sources.contests import has_rules
from shared.core.contest import Contest

TRACE_LINE = re.compile(r"\s*@(\d{1,6}):(.*)", re.ASCII)
# The line of a native bundle that found no way to run its machine code
FALLBACK = re.compile(r"^[ \t]*kernels run as plain Python(?:, ([^:\n]*))?:(.*)", re.M)
MAX_REASON = 200
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?")
# The number of a contest's games that show possible forms of its first turn.
SAMPLE_GAMES = 8
# A bytes literal of Python, and no other syntax.
BYTES = re.compile(r"b'(?:[^'\\]|\\.)*'|b\"(?:[^\"\\]|\\.)*\"")
# Far more than a bot reads in a turn and in a game: a few bytes may unpack to a thousand times as
# many.
MAX_RECORD_BYTES, MAX_GAME_BYTES = 1_000_000, 50_000_000


class TooLarge(Exception):
    """A trace contains more than a game could."""


@dataclass
class TracedTurn:
    """A turn of a trace: a bot's input and output."""

    read: bytearray = field(default_factory=bytearray)
    written: bytearray = field(default_factory=bytearray)


@dataclass
class Trace:
    """A player's game: its input and output turn by turn, and its other output on stderr by turn.

    n_bytes: the size of all input and output. n_begun: the number of turns the bot began, more than
    `turns` if stderr had no room for the last ones.
    """

    turns: list[TracedTurn] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    n_bytes: int = 0

    @property
    def n_begun(self) -> int:
        return len(self.others)


def import_game(
    path: Path,
    contest: Contest,
    writer: LogWriter,
    warn: Callable[[str], None] = lambda text: None,
) -> dict[int, Trace]:
    """Write the log of the game in a file. Returns each traced player's Trace, {} if no bot was
    traced: then the log has the players' output but not their input.

    A saved stderr does not name its player: it is assigned to player 0. warn: is called with a text
    for each player whose bundle ran as plain Python. Raises TraceError, and OSError.
    """
    game = read_game(path, contest.players[1])
    for text in fallbacks(game):
        warn(text)
    traces = {player: read_trace(text, path) for player, text in game.stderr().items()}
    traces = {player: trace for player, trace in traces.items() if trace.turns}
    written = {answer.player for answer in game.answers if answer.stdout}
    if not traces and not written:
        raise TraceError(
            f"{path}: no line of a trace: give the stderr of a bot that was bundled with --trace, "
            "the console's text with its headings, or the site's replay as JSON"
        )
    n_players = max(contest.players[0], len(game.ranks), *(p + 1 for p in traces or written))
    if n_players > contest.players[1]:
        raise TraceError(f"{path}: ranks of {n_players} players, {contest.title} has fewer")
    for player, trace in traces.items() if has_rules(contest) else ():
        check_contest(path, contest, player, trace, n_players)
    writer.header(header_of(game, contest, n_players))
    parts = {player: player_turns(trace) for player, trace in traces.items()}
    if traces:
        turns = [
            {player: answers[turn] for player, answers in parts.items() if turn < len(answers)}
            for turn in range(max(map(len, parts.values())))
        ]
    else:
        turns = [
            {player: untraced_turn(answer) for player, answer in answers.items()}
            for answers in game.rounds()
        ]
    for number, asked in enumerate(turns):
        writer.turn(LoggedTurn(turn=number, players=asked, state={}))
    if len(game.ranks) == n_players:
        scores = game.scores if len(game.scores) == n_players else [0.0] * n_players
        ranks = [int(rank) for rank in game.ranks]
        writer.outcome(
            LoggedOutcome(
                ranks=[sum(other < rank for other in ranks) for rank in ranks],
                scores=scores,
                reason="the site says so",
            )
        )
    return traces


def fallbacks(game: SiteGame) -> Iterator[str]:
    """Yields a text for each player whose bundle ran as plain Python on the site."""
    for player, text in sorted(game.stderr().items()):
        if match := FALLBACK.search(text):
            name = f", {game.names[player]}," if player in game.names else ""
            slower, reason = match[1] or "many times slower", match[2].strip()[:MAX_REASON]
            yield (
                f"the bundle of player {player}{name} ran as plain Python on the site, {slower}:"
                f" {reason}"
            )


def header_of(game: SiteGame, contest: Contest, n_players: int) -> Header:
    """Returns the header for the log of a game that was played elsewhere."""
    names = [game.names.get(player, "unknown") for player in range(n_players)]
    return Header(
        contest=contest.name,
        title=contest.title,
        n_players=n_players,
        conditions=Conditions.for_all(
            n_players,
            seed=None,
            limits=TurnLimits.of(Profile.SITE, contest.limits),
            referee=None if has_rules(contest) else OfficialEngine("").text,
            options={} if game.seed is None else {"seed": str(game.seed)},
        ),
        bots=[Bot(name, "", [], "") for name in names],
        versions={},
        setup={},
        state={},
    )


def check_contest(path: Path, contest: Contest, player: int, trace: Trace, n_players: int) -> None:
    """Raise TraceError if a traced player cannot have played the contest.

    The kinds of words in the first and last line that the player read in its first turn, and the
    number of lines it wrote, have to match a sampled game of the contest.
    """
    first = trace.turns[0]
    read, n_written = lines_of(first.read), len(lines_of(first.written))
    looks = set()
    for seed in range(SAMPLE_GAMES):
        match = contest.new_match(seed=seed, n_players=n_players)
        sent = match.initial_input(player) + match.turn_input(player)
        looks.add((shape(sent[0]), shape(sent[-1]), match.lines_expected(player)))
    known = [
        (top, bottom)
        for top, bottom, n_lines in looks
        if not first.written or n_lines == n_written or isinstance(n_lines, str)
    ]
    if not read or (shape(read[0]), shape(read[-1])) not in known:
        raise TraceError(
            f"{path}: no game of {contest.title}: player {player} read"
            f" {excerpt(read[0] if read else '')} and wrote {n_written} lines in its first turn"
        )


def shape(line: str) -> str:
    """Returns the kinds of a line's words, a letter each: n for a number, w for any other word."""
    return "".join("n" if NUMBER.fullmatch(word) else "w" for word in line.split())


def read_trace(text: str, path: Path) -> Trace:
    """Returns the trace in a player's stderr, without an incomplete last turn. Raises TraceError if
    an earlier record is damaged or out of order, or if the trace is too large.
    """
    trace, part, damage = Trace(), "", None
    # Lines since the last one of the trace: to join them one by one takes their number squared.
    others: list[str] = []
    for line in text.split("\n"):
        match = TRACE_LINE.match(line.rstrip())
        if not match:
            others.append(line)
            continue
        if trace.others:
            trace.others[-1] += "".join(f"{other}\n" for other in others)
        others = []
        if damage:
            raise damage  # the damaged record is not the last
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
        except TooLarge as error:
            size = f"{MAX_GAME_BYTES / 1e6:g} MB"
            raise TraceError(
                f"{path}: the trace unpacks to more than {size}, no game does"
            ) from error
        except (ValueError, SyntaxError, IndexError, zlib.error) as error:
            damage = TraceError(
                f"{path}: a damaged line of turn {turn}, {line.strip()[:60]!r}: "
                "copy the stderr again, with long lines whole"
            )
            damage.__cause__ = error
        part = ""
    if trace.others:
        trace.others[-1] += "".join(f"{other}\n" for other in others)
    if part or damage:
        # The last turn is incomplete: those before it are complete.
        trace.turns = trace.turns[: trace.n_begun - 1]
    if damage and not trace.turns:
        raise damage
    return trace


def add_record(trace: Trace, record: str) -> None:
    """Add a record to a trace. Raises TooLarge, or ValueError, SyntaxError, IndexError or
    zlib.error if it is damaged.
    """
    kind, text = record[0], record[1:]
    if text.startswith("z"):
        data = unpacked(base64.b85decode(text[1:]))
    elif BYTES.fullmatch(text):
        data = ast.literal_eval(text)
    else:
        raise ValueError("neither bytes as Python writes them nor packed ones")
    trace.n_bytes += len(data)
    if trace.n_bytes > MAX_GAME_BYTES:
        raise TooLarge
    if kind == "<":
        if not trace.turns or trace.turns[-1].written:
            trace.turns.append(TracedTurn())
        trace.turns[-1].read += data
    elif kind == ">":
        trace.turns[-1].written += data
    else:
        raise ValueError(f"no record begins with {kind!r}")


def unpacked(data: bytes) -> bytes:
    """Returns data decompressed by zlib. Raises ValueError if they are incomplete, or longer than
    what a bot reads in a turn.
    """
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(data, MAX_RECORD_BYTES)
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError("no whole record of a turn")
    return text


def untraced_turn(answer: SiteAnswer) -> PlayerTurn:
    """Returns a player's logged turn of which only the answer is known."""
    said, output = parse_stderr(answer.stderr), lines_of(answer.stdout.encode())
    return PlayerTurn(
        input=[],
        lines_expected=len(output),
        output=output,
        stderr=said.text,
        nodes=said.nodes,
        values=said.values,
        wall_ms=0.0,
        cpu_ms=0.0,
        fault=None,
    )


def player_turns(trace: Trace) -> list[PlayerTurn]:
    """Returns a traced player's logged turns; a missing answer is assumed to have as many lines as
    the answer before.
    """
    parts, n_lines = [], 1
    for turn, others in zip(trace.turns, trace.others):
        output = lines_of(turn.written)
        n_lines = len(output) or n_lines
        said = parse_stderr(others)
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


def lines_of(data: bytes | bytearray) -> list[str]:
    """Returns the lines of a text; bytes that are no UTF-8 become \\xNN."""
    text = data.decode(errors="backslashreplace")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
