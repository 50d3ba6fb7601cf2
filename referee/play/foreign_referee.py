"""Matches by a referee from elsewhere: one made for cg-brutaltester, psyleague and the like.

There are two kinds, distinguished by the program's first output; both receive arguments and input
of both kinds. The newer one, made with CodinGame's engine, is called as

    REFEREE -p1 COMMAND -p2 COMMAND ... [-d seed=N] -l FILE

It starts the bots itself and writes one score a line, a negative one for a bot that failed; other
lines may come before. The log of such a match has only the outcome.

The older one reads `###Seed N`, if it is sent, and `###Start PLAYERS`, and then communicates line
by line:

    ###Input P         the lines up to the next command go to player P (from 0).
    ###Output P N      N lines of player P are expected.
    ###Error P TEXT    the fault of player P; most referees write this to stderr.
    ###End 0 21        the game is over: player 0 is first, 2 and 1 share the second place.

With this kind, the bots are processes of this project, under its limits, and each ###Output is a
turn of the log. The protocol has no message for a late or dead bot: such a match ends, and the
others share the first place.

cg-brutaltester sends a seed only when it is asked to (-s, -i), and many referees support none: they
take the line for ###Start, and ###Start for the first player's answer. So a seed is sent only if
one is given, and not to a referee that is named as "unseeded:COMMAND".

Source: the wiki and code of github.com/dreignier/cg-brutaltester, the README of
github.com/FakePsyho/psyleague, and the referees named there.
"""

import math
import os
import re
import select
import shlex
import time
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, Iterator

from referee.errors import UsageError, excerpt, shorten
from referee.log.records import Bot
from referee.play.lateness import AnswerLimits
from referee.play.turn_io import Request, TurnIO
from referee.process.bot_process import BotProcess, read_pipe
from referee.process.warmup import POLL_MS, Watch
from referee.terminal import say
from shared.core.contest import Outcome

# The time for a whole game of the newer kind and for a line of the older kind, and the silence
# after which a warning is printed.
GAME_MS, LINE_MS, WORD_MS = 600_000, 60_000, 10_000
# The number of its ###Error lines that are reported.
MAX_ERRORS = 8
# The time for its start, after which ###Start is sent in any case.
SEED_S = 10.0
NO_SEED = 'give no --seed, in an arena --referee "unseeded:COMMAND"'
TOOK_SEED = f"the foreign referee takes ###Seed for ###Start: {NO_SEED}"

INPUT = re.compile(r"###Input ([0-7])\s*")
OUTPUT = re.compile(r"###Output ([0-7]) (\d{1,4})\s*")
ERROR = re.compile(r"###Error ([0-7])\b\s*(.*)")
END = re.compile(r"###End((?: [0-7]+)+)\s*")


class ForeignRefereeError(UsageError):
    """A foreign referee failed, or violated its protocol; the text quotes its output."""


@contextmanager
def foreign_match(
    command: list[str], bots: list[Bot], seed: int | None
) -> Iterator["ForeignMatch"]:
    """Start a match led by the referee of a command; it ends with the context. seed: None to send
    no seed. Raises UsageError if the referee cannot be started, and ForeignRefereeError, which the
    match itself raises as well.
    """
    arguments = [
        word
        for n, bot in enumerate(bots, 1)
        for word in (f"-p{n}", shlex.join(with_environment(bot)))
    ]
    arguments += [*([] if seed is None else ["-d", f"seed={seed}"]), "-l", "game.json"]
    # The newer kind starts all bots itself.
    started = BotProcess([*command, *arguments], {}, allowed_bytes=math.inf)
    with started as process, TurnIO([process]) as turn_io:
        yield ForeignMatch(process, turn_io, seed, len(bots))


class ForeignMatch:
    """A `shared.core.contest.Match` led by a foreign referee."""

    def __init__(self, process: BotProcess, turn_io: TurnIO, seed: int | None, n_players: int):
        self.n_players = n_players
        self.process, self.turn_io = process, turn_io
        self.seeded, self.answered = seed is not None, False
        self.limit_ms = GAME_MS
        self.errors: list[str] = []
        # Lines to send to the referee, and lines for each player.
        self.to_send = [f"###Start {n_players}"]
        self.inputs: list[list[str]] = [[] for _ in range(n_players)]
        self.player, self.n_lines = 0, 0
        self.result: Outcome | None = None
        if seed is not None:
            self._send_seed(seed)
        first = self._line()
        if first.startswith("###"):
            self.limit_ms = LINE_MS
            self._listen(first)
        else:
            self._read_scores(first)

    def setup(self) -> dict[str, Any]:
        return {}

    def snapshot(self) -> dict[str, Any]:
        return {}

    def players_to_move(self) -> list[int]:
        return [self.player]

    def initial_input(self, player: int) -> list[str]:
        return []

    def turn_input(self, player: int) -> list[str]:
        lines, self.inputs[player] = self.inputs[player], []
        return lines

    def lines_expected(self, player: int) -> int:
        return self.n_lines

    def parse(self, player: int, lines: list[str]) -> list[str]:
        return lines

    def random_lines(self, player: int, rng: Random) -> list[str]:
        raise ForeignRefereeError("only the foreign referee knows the legal actions")

    def play(self, actions: dict[int, list[str]]) -> None:
        if self.seeded and not self.answered and self._has_written():
            # It took ###Start for the answer, too late for the check of its reaction to ###Seed.
            raise ForeignRefereeError(TOOK_SEED)
        self.answered = True
        self.to_send += actions[self.player]
        self._listen(self._line())

    def eliminate(self, player: int, reason: str) -> None:
        ranks = [0] * self.n_players
        ranks[player] = self.n_players - 1
        self.result = Outcome(tuple(ranks), tuple(-float(rank > 0) for rank in ranks), reason)

    def outcome(self) -> Outcome | None:
        return self.result

    def _line(self) -> str:
        limits = AnswerLimits(limit_ms=self.limit_ms)
        request = Request(player=0, input=self.to_send, lines_expected=1, limits=limits)
        [answer] = self.turn_io.ask([request], self._tell_silence)
        self.to_send = []
        self.errors += [
            f"player {match[1]}: {match[2]}"
            for line in answer.stderr.splitlines()
            if (match := ERROR.fullmatch(line))
        ]
        if answer.fault:
            raise ForeignRefereeError(f"the foreign referee {answer.fault}{self._hint()}")
        return answer.output[0]

    def _hint(self) -> str:
        """Returns a likely cause of the referee's silence, for an error; "" if none is known."""
        is_doubtful = self.seeded and not self.answered
        return f"; it may know no ###Seed: {NO_SEED}" if is_doubtful else ""

    def _tell_silence(self) -> None:
        """Print a warning if the referee writes nothing for WORD_MS."""
        process = self.process
        if process.output.is_complete():
            return
        poller = select.poll()
        for descriptor in (process.stdout, process.stderr, process.status):
            poller.register(descriptor, select.POLLIN)
        if not poller.poll(WORD_MS):
            say(
                f"warning: the foreign referee has written nothing for {WORD_MS / 1000:g} s, it is"
                f" given {self.limit_ms / 1000:g} s{self._hint()}",
                error=True,
            )

    def _has_written(self) -> bool:
        self.process.output.add(read_pipe(self.process.stdout) or b"")
        return bool(self.process.output.held)

    def _send_seed(self, seed: int) -> None:
        """Send the seed alone, and wait until the referee reads on or writes. Raises
        ForeignRefereeError if the referee starts the game: it has taken ###Seed for ###Start.
        """
        with suppress(BrokenPipeError):  # if it has ended, reading the first line reports how
            os.write(self.process.stdin, f"###Seed {seed}\n".encode())
        watch, end = Watch(self.process), time.monotonic() + SEED_S
        while not self._has_written() and not watch.ready and time.monotonic() < end:
            time.sleep(POLL_MS / 1000.0)
            watch.look()
        if self._has_written() and self.process.output.held.startswith(b"###"):
            raise ForeignRefereeError(TOOK_SEED)

    def _listen(self, line: str) -> None:
        """Obey the commands of the protocol, from `line` to the next ###Output or ###End."""
        while True:
            if match := OUTPUT.fullmatch(line):
                self.player, self.n_lines = self._player(match[1], line), int(match[2])
                return
            if match := INPUT.fullmatch(line):
                heard = self.inputs[self._player(match[1], line)]
                while not (line := self._line()).startswith("###"):
                    heard.append(line)
            elif match := ERROR.fullmatch(line):
                self.errors.append(f"player {self._player(match[1], line)}: {match[2]}")
                line = self._line()
            elif match := END.fullmatch(line):
                self.result = self._places(match[1].split(), line)
                return
            else:
                raise ForeignRefereeError(f"no command of a foreign referee: {excerpt(line)}")

    def _player(self, digit: str, line: str) -> int:
        if int(digit) >= self.n_players:
            raise ForeignRefereeError(
                f"the foreign referee names a player too many: {excerpt(line)}"
            )
        return int(digit)

    def _places(self, groups: list[str], line: str) -> Outcome:
        ranks = [-1] * self.n_players
        place = 0
        for group in groups:
            for digit in group:
                ranks[self._player(digit, line)] = place
            place += len(group)
        if sorted("".join(groups)) != [str(player) for player in range(self.n_players)]:
            raise ForeignRefereeError(
                f"the foreign referee gives no place to each: {excerpt(line)}"
            )
        scores = tuple(float(self.n_players - 1 - rank) for rank in ranks)
        said = [
            f"the foreign referee says {line.rstrip()}",
            *map(shorten, self.errors[:MAX_ERRORS]),
        ]
        return Outcome(tuple(ranks), scores, "; ".join(said))

    def _read_scores(self, line: str) -> None:
        scores: list[int] = []
        while True:
            if re.fullmatch(r"[ \t]*[+-]?\d{1,9}[ \t]*", line):
                scores.append(int(line))
            if len(scores) == self.n_players:
                break
            line = self._line()
        ranks = tuple(sum(other > score for other in scores) for score in scores)
        failed = [f"player {player} failed" for player, score in enumerate(scores) if score < 0]
        reason = (
            "; ".join(failed) or f"the foreign referee's scores are {', '.join(map(str, scores))}"
        )
        self.result = Outcome(ranks, tuple(map(float, scores)), reason)


def with_environment(bot: Bot) -> list[str]:
    """Returns a bot's command, with `env` before it to set the bot's environment variables, if
    any.
    """
    variables = [f"{name}={text}" for name, text in bot.environment.items()]
    return ["env", *variables, *bot.command] if variables else bot.command
