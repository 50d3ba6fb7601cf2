"""Contests without a dialogue: a bot reads an input file and ends, and a scorer judges its output.

The form is that of AtCoder's heuristic contests: the scorer is called with the files of input and
output and writes a line `Score = N` to stdout or stderr. `{input}` and `{output}` in its command
line stand for the files; without these marks the files are its last two arguments. Source: the
testers of AtCoder's heuristic contests, and the README of pahcer (github.com/terry-u16/pahcer).

The case of seed n is the n-th input file of a folder in natural order, counted from 0. A match is a
log with one turn. If a scorer fails, hangs, or writes no score or several, only this case fails.
"""

import os
import re
import select
import shlex
import tempfile
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from referee.errors import UsageError, excerpt
from referee.log.file import LogWriter, versions
from referee.log.limits import Clock
from referee.log.records import Bot, Conditions, Header, Log, LoggedOutcome, LoggedTurn, PlayerTurn
from referee.log.schema import MAX_NUMBER
from referee.process.bot_process import CLOSED, BotProcess, read_pipe
from referee.sources.contests import foreign_contest
from shared.core.clock import Limits
from shared.core.contest import Case, Contest

# The option that names the folder of input files.
INPUTS = "inputs"
# The time for a scorer; the most bytes of a bot's output and of either program's stderr.
SCORER_MS = 60_000
MAX_OUTPUT_BYTES, MAX_STDERR_BYTES = 64_000_000, 4_096
# The usual limit of AtCoder's heuristic contests.
LIMITS = Limits(first_ms=2000, turn_ms=2000)
POLL_MS = 20
PIECE_BYTES = 65_536

PLACE = re.compile(r"\{(?:input|output)\}")
SCORE = re.compile(rb"\bscore\s*[=:]\s*(\S+)", re.IGNORECASE)
NUMBER = re.compile(rb"[+-]?\d{1,18}(?:\.\d{1,18})?(?:e[+-]?\d{1,2})?", re.IGNORECASE)


class ScorerError(Exception):
    """Error: a scorer gave no score. The message quotes the scorer's output."""


def scored_contest(name: str, folder: str, lowest_wins: bool) -> Contest:
    """Returns the contest of a scorer, whose cases are the files of a folder. Raises UsageError."""
    names = tuple(map(case_name, input_files(folder)))

    def case_of(seed: int, **_: object) -> Case:
        return Case(case_name(input_file(folder, seed)))

    return replace(
        foreign_contest(name),
        players=(1, 1),
        limits=LIMITS,
        lowest_wins=lowest_wins,
        case_of=case_of,
        cases=names,
        options={INPUTS: str},
    )


@cache
def input_files(folder: str) -> tuple[Path, ...]:
    """Returns the input files of a folder in natural order. Raises UsageError without any."""
    try:
        files = [path for path in Path(folder).iterdir() if path.is_file()]
    except OSError as error:
        raise UsageError(
            f"--inputs {folder}: no folder of input files: {error.strerror}"
        ) from error
    files = [path for path in files if not path.name.startswith(".")]
    if not files:
        raise UsageError(f"--inputs {folder}: there is no input file")
    return tuple(sorted(files, key=lambda path: _natural(path.name)))


def input_file(folder: str, seed: int) -> Path:
    """Returns the input file of a seed. Raises UsageError for a seed without a file."""
    files = input_files(folder)
    if not 0 <= seed < len(files):
        raise UsageError(
            f"seed {seed}: {folder} has {len(files)} inputs, seeds 0 to {len(files) - 1}"
        )
    return files[seed]


def case_name(file: Path) -> str:
    """Returns the name of an input file's case: without an ending, unless that is its number, as
    in test.1 and test.2.
    """
    return file.name if file.suffix[1:].isdecimal() else file.stem


def _natural(name: str) -> list[tuple[int, str]]:
    """Returns a key by which 2.txt comes before 10.txt."""
    return [
        (int(piece), "") if piece.isdecimal() else (-1, piece) for piece in re.split(r"(\d+)", name)
    ]


def play_scored(
    contest: Contest,
    bot: Bot,
    conditions: Conditions,
    writer: LogWriter,
    scorer: str,
) -> Log:
    """Run a bot on the input file of the seed, and score its output by the command line `scorer`.
    Returns the log.

    Raises UsageError if the bot or the scorer cannot be started.
    """
    assert conditions.seed is not None  # of a match yet to be played
    given = input_file(conditions.options[INPUTS], conditions.seed)
    writer.header(
        Header(
            contest=contest.name,
            title=contest.title,
            n_players=1,
            conditions=conditions,
            site_ms=[contest.limits.first_ms, contest.limits.turn_ms],
            bots=[bot],
            versions=versions(),
            setup={"case": case_name(given)},
            state={},
        )
    )
    data = given.read_bytes()
    limit_ms = conditions.limits[0].turn_ms
    ran = run_program(bot.command, conditions.environment(bot, 0), data, limit_ms, conditions.clock)
    fault, score = ran.fault, 0.0
    if fault is None:
        try:
            score = score_of(scorer, given, ran.output)
        except ScorerError as error:
            fault = str(error)
    output = lines_of(ran.output)
    player_turn = PlayerTurn(
        input=lines_of(data),
        lines_expected=len(output),
        output=output,
        stderr=ran.stderr.decode("utf-8", "backslashreplace"),
        nodes=None,
        wall_ms=round(ran.wall_ms, 3),
        cpu_ms=round(ran.cpu_ms, 3),
        fault=fault,
    )
    writer.turn(LoggedTurn(turn=0, players={0: player_turn}, state={"score": score}))
    reason = fault or f"case {case_name(given)}: the scorer gives {score:,g}"
    writer.outcome(LoggedOutcome(ranks=[0], scores=[score], reason=reason))
    return writer.log


def score_of(command: str, given: Path, output: bytes) -> float:
    """Returns the score of an output for an input file. command: the scorer's command line, with
    full paths.

    Raises ScorerError, and UsageError if the scorer cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="onefile-score-") as folder:
        written = Path(folder) / f"{given.stem}.out"
        written.write_bytes(output)
        files = {"{input}": str(given), "{output}": str(written)}
        words = shlex.split(command)
        if not any(map(PLACE.search, words)):
            words = [*words, *files]
        # At once: a folder may have the name of a place.
        words = [PLACE.sub(lambda place: files[place[0]], word) for word in words]
        ran = run_program(words, {}, b"", SCORER_MS, Clock.WALL)
    said = ran.output + b"\n" + ran.stderr
    beginning = excerpt(said.decode("utf-8", "backslashreplace").strip())
    if ran.fault:
        raise ScorerError(f"the scorer {ran.fault}; it wrote {beginning}")
    scores = SCORE.findall(said)
    if len(scores) != 1:
        n_scores = f"{len(scores)} scores" if scores else "no line 'Score = N'"
        raise ScorerError(f"the scorer wrote {n_scores}, one is expected: {beginning}")
    if not NUMBER.fullmatch(scores[0]) or abs(score := float(scores[0])) > MAX_NUMBER:
        raise ScorerError(f"the scorer wrote a score that is no number: {beginning}")
    return score


class Ran(NamedTuple):
    """A program's run: its output and stderr, its times, and the fault that ended it, or None."""

    output: bytes
    stderr: bytes
    wall_ms: float
    cpu_ms: float
    fault: str | None


def run_program(
    command: list[str], environment: dict[str, str], data: bytes, limit_ms: float, clock: Clock
) -> Ran:
    """Run a program on an input until it ends, its time by the clock is over, or it uses too much
    memory or output.

    Raises UsageError if it cannot be started.
    """
    output, stderr, cpu_ms, fault = bytearray(), bytearray(), 0.0, None
    started = time.perf_counter()
    # A program that sleeps uses no CPU time: the wall ends it later.
    longest_ms = limit_ms if clock is Clock.WALL else 10 * limit_ms
    with BotProcess(command, environment) as process:
        rest, has_ended = memoryview(data), False
        streams = {process.stdout: output, process.stderr: stderr}
        while True:
            poller = select.poll()
            if process.stdin != CLOSED:
                poller.register(process.stdin, select.POLLOUT)
            for descriptor in streams:
                poller.register(descriptor, select.POLLIN)
            if not has_ended:
                poller.register(process.status, select.POLLIN)
            ready = dict(poller.poll(POLL_MS)) if streams or not has_ended else {}
            if process.stdin in ready:
                rest = _write(process, rest)
            has_ended |= process.status in ready
            for descriptor in [stream for stream in streams if stream in ready]:
                chunk = read_pipe(descriptor)
                if chunk == b"":
                    del streams[descriptor]
                elif chunk:
                    streams[descriptor] += chunk
            del stderr[MAX_STDERR_BYTES:]
            cpu_ms += process.measure()[0]
            wall_ms = 1000.0 * (time.perf_counter() - started)
            # A child that outlives the program may hold its output open.
            if has_ended and not any(stream in ready for stream in streams):
                break
            used_ms = wall_ms if clock is Clock.WALL else cpu_ms
            if used_ms > limit_ms or wall_ms > longest_ms:
                fault = f"is late: {limit_ms:g} ms are allowed"
            elif process.has_too_much_memory():
                fault = "uses too much memory"
            elif len(output) > MAX_OUTPUT_BYTES:
                fault = f"wrote more than {MAX_OUTPUT_BYTES:,} bytes"
            if fault:
                break
        if fault is None and (end := process.how_it_ended()) != "exited with status 0":
            fault = end
    return Ran(bytes(output), bytes(stderr), wall_ms, cpu_ms, fault)


def _write(process: BotProcess, rest: memoryview) -> memoryview:
    """Write as much input as the pipe takes, and close it after the last byte; returns the rest."""
    try:
        rest = rest[os.write(process.stdin, rest[:PIECE_BYTES]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        rest = rest[:0]
    if not rest:
        process.close_input()
    return rest


def lines_of(data: bytes) -> list[str]:
    """Returns the lines of a text; bytes that are no UTF-8 as \\xNN."""
    return data.decode("utf-8", "backslashreplace").splitlines()
