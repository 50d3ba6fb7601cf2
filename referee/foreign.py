"""Matches by a referee from elsewhere: one made for cg-brutaltester, psyleague and the like.

There are two kinds, and what such a program writes first tells which it is; both are given both
their arguments and their input. The newer one, made with CodinGame's engine, is called as

    REFEREE -p1 COMMAND -p2 COMMAND ... -d seed=N -l FILE

starts the bots itself and writes one score a line, a negative one for a bot that failed; lines that
are no number may come before. Of such a match the log has the outcome only.

The older one reads `###Seed N` and `###Start PLAYERS` and then leads a talk line by line:

    ###Input P         the lines up to the next command go to player P (from 0)
    ###Output P N      it wants N lines of player P
    ###End 0 21        the game is over: player 0 is first, 2 and 1 share the second place

There the bots are the referee's own, under its limits, and each ###Output is a turn of the log. The
talk knows no word for a bot that fails: such a match ends, and the others share the first place.

Source: the wiki and code of github.com/dreignier/cg-brutaltester, the README of
github.com/FakePsyho/psyleague.
"""

import math
import re
import shlex
from contextlib import contextmanager
from random import Random
from typing import Any, Iterator

from referee.bots import Bot, find_command
from referee.errors import UsageError
from referee.exchange import Exchange
from referee.inbox import excerpt
from referee.process import BotProcess
from referee.question import Question
from shared.core.contest import Outcome

# How long such a referee may take for a line, which for the newer kind is the whole game.
LINE_MS = 600_000
MAX_PLAYERS = 8

INPUT = re.compile(r"###Input ([0-7])")
OUTPUT = re.compile(r"###Output ([0-7]) (\d{1,4})")
END = re.compile(r"###End((?: [0-7]+)+)")


class ForeignRefereeError(UsageError):
    """A foreign referee failed, or does not keep to its protocol; the text says what it wrote."""


@contextmanager
def foreign_match(command: str, bots: list[Bot], seed: int) -> Iterator["ForeignMatch"]:
    """A match by the referee that a command line starts. Raises UsageError where it cannot be
    started, and ForeignRefereeError, as does the match itself."""
    arguments = [
        word for n, bot in enumerate(bots, 1) for word in (f"-p{n}", shlex.join(bot.command))
    ]
    arguments += ["-d", f"seed={seed}", "-l", "game.json"]
    found = find_command(command)
    # The newer kind starts all bots itself.
    started = BotProcess([*found.command, *arguments], {}, allowed_bytes=math.inf)
    with started as process, Exchange([process]) as exchange:
        yield ForeignMatch(process, exchange, seed, len(bots))


class ForeignMatch:
    """A match as the referee's `match` plays it, see `shared.core.contest.Match`, led by
    a foreign referee.
    """

    def __init__(self, process: BotProcess, exchange: Exchange, seed: int, n_players: int):
        self.n_players = n_players
        self.process, self.exchange = process, exchange
        # What it is to read, and what each player is to read.
        self.to_send = [f"###Seed {seed}", f"###Start {n_players}"]
        self.inputs: list[list[str]] = [[] for _ in range(n_players)]
        self.player, self.n_lines = 0, 0
        self.result: Outcome | None = None
        first = self._line()
        if first.startswith("###"):
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
        raise ForeignRefereeError("what is legal only the foreign referee knows")

    def play(self, actions: dict[int, list[str]]) -> None:
        self.to_send += actions[self.player]
        self._listen(self._line())

    def eliminate(self, player: int, reason: str) -> None:
        ranks = [0] * self.n_players
        ranks[player] = self.n_players - 1
        self.result = Outcome(tuple(ranks), tuple(-float(rank > 0) for rank in ranks), reason)

    def outcome(self) -> Outcome | None:
        return self.result

    def _line(self) -> str:
        """The foreign referee's next line."""
        question = Question(self.process, self.to_send, 1, LINE_MS)
        [answer] = self.exchange.ask([question])
        self.to_send = []
        if answer.fault:
            raise ForeignRefereeError(f"the foreign referee {answer.fault}")
        return answer.lines[0]

    def _listen(self, line: str) -> None:
        """Follow the talk from a line on to the next question or the end."""
        while True:
            if found := OUTPUT.fullmatch(line):
                self.player, self.n_lines = self._player(found[1], line), int(found[2])
                return
            if found := INPUT.fullmatch(line):
                heard = self.inputs[self._player(found[1], line)]
                while not (line := self._line()).startswith("###"):
                    heard.append(line)
            elif found := END.fullmatch(line):
                self.result = self._places(found[1].split(), line)
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
        return Outcome(tuple(ranks), scores, f"the foreign referee says {line}")

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
