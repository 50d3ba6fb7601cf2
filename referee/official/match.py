"""A match by an official referee, as the match loop plays it.

A turn is a turn of the official game: its players are asked one after the other, and the engine's
key frames begin the turns. In a game for one player each bot has a game of its own, on the same
test case, and a better result ranks higher; a lost game is the worst result. In an optimisation
game the score is the value that the referee measures.

`--official` names the build; `--league` and `--param` become options of the match. The options are

    league=N          the league's level; the commands take the highest one by default
    mode=solo         a game for one player, or mode=multi; by default as the contest is configured
    case=FILE         of a game for one player: the test case; by default the seed chooses one
    best=low          in an optimisation game, the lowest value is the best; by default as the
                      contest is configured, or best=high
    view=off          no frames for the viewer in the log
    param.KEY=VALUE   a parameter of the contest's own
"""

import base64
import re
import zlib
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Iterator

from referee.errors import UsageError, shorten
from referee.official import java, prestart
from referee.official.build import Build, TestCase, find_build, read_case
from referee.official.engine import GRACE_MS, Engine, EngineQuestion, GameEnd
from referee.official.failures import FAILED, Deactivations, loss_text
from referee.official.messages import OfficialRefereeError
from shared.core.contest import Outcome

PARAMETER = "param."
# The form of a parameter in a file of Java's properties.
KEY = re.compile(r"[\w.\-]{1,80}", re.ASCII)


@cache
def build_of(classpath: str) -> Build:
    """Returns the build of a class path, found at the first call. Raises UsageError."""
    return find_build(classpath)


@contextmanager
def official_match(
    build: Build, n_players: int, seed: int, options: dict[str, str]
) -> Iterator["OfficialMatch"]:
    """Lead a match by the official referee. Raises UsageError and OfficialRefereeError."""
    settings = OfficialSettings(build, n_players, seed, options)
    with ExitStack() as stack:
        engines = [
            Engine(
                stack.enter_context(prestart.take_process(settings.command)),
                n_in_game,
                settings.lines,
            )
            for n_in_game in settings.games
        ]
        yield OfficialMatch(engines, n_players, settings)


class OfficialSettings:
    """The settings of a match with a build. Raises UsageError for unknown options.

    command: starts the engine. games: the number of players of each game. case: the test case of a
    game for one player, or None. lines: the engine's input after the number of players.
    """

    def __init__(self, build: Build, n_players: int, seed: int, options: dict[str, str]) -> None:
        self.build, self.options = build, options
        for name, text in options.items():
            _check_option(name, text)
        mode = options.get("mode") or ("solo" if build.is_solo else "multi")
        self.is_solo = mode == "solo"
        self.best_is_low = self._order() == "low"
        self.keeps_view = options.get("view") != "off"
        self.league = int(options["league"]) if "league" in options else None
        self.case = self._case(seed) if self.is_solo else None
        self.command = _command(build, self.league, self.is_solo)
        self.games = [1] * n_players if self.is_solo else [n_players]
        parameters = [
            f"{name.removeprefix(PARAMETER)}={text}"
            for name, text in options.items()
            if name.startswith(PARAMETER)
        ]
        self.lines = self.case.lines if self.case else [f"seed={seed}", *parameters]

    @property
    def criterion(self) -> str:
        """The configured name of the value that the referee measures, or ""."""
        return self.build.config.get("criteria", "")

    def _order(self) -> str:
        said = self.build.config.get("sorting_order", "").lower()
        return self.options.get("best") or ("low" if said.startswith("asc") else "high")

    def case_names(self) -> tuple[str, ...]:
        """Returns the names of the test cases for one player; equal names get a number."""
        if "case" in self.options:
            return (read_case(Path(self.options["case"])).name,)
        names = [case.name for case in self.build.test_cases()]
        return tuple(
            name if names.count(name) == 1 else f"{name} ({number})"
            for number, name in enumerate(names, 1)
        )

    def _case(self, seed: int) -> TestCase:
        if "case" in self.options:
            return read_case(Path(self.options["case"]))
        cases = self.build.test_cases()
        if not cases:
            raise UsageError(
                f"{self.build.given}: it has no test cases in config/test*.json: name a file with"
                " the input of one by --option case=FILE, an empty file if the referee reads none"
            )
        return cases[seed % len(cases)]


_command = cache(java.command)


def _check_option(name: str, text: str) -> None:
    known = {
        "league": (re.fullmatch(r"[1-9]\d?", text, re.ASCII), "a league's number, as in 3"),
        "mode": (text in ("solo", "multi"), "solo or multi"),
        "best": (text in ("high", "low"), "high or low"),
        "view": (text in ("on", "off"), "on or off"),
        "case": (Path(text).is_file(), "a file"),
    }
    if name.startswith(PARAMETER):
        key = name.removeprefix(PARAMETER)
        if key == "seed":
            raise UsageError("the seed of an official game is given by --seed")
        if not KEY.fullmatch(key) or not text.isprintable():
            raise UsageError(f"--param {key}={text}: a name and a value on one line are expected")
    elif name not in known:
        names = ", ".join(known)
        raise UsageError(
            f"an official match has no option {name!r}: there are {names}; what is the contest's"
            " own is given by --param"
        )
    elif not known[name][0]:
        raise UsageError(f"--option {name}={text}: {known[name][1]} is expected")


class EngineGame:
    """One game of an engine and its players.

    report: the engine's reports on the current turn, as plain data. asked: the players asked for an
    answer in this turn. out: the reasons for eliminations, by player. failures: the referee's text
    by failed player, known at the end.
    """

    def __init__(
        self, engine: Engine, players: list[int], settings: OfficialSettings, out: dict[int, str]
    ) -> None:
        self.engine, self.players, self.settings, self.out = engine, players, settings, out
        self.report: dict[str, list[Any]] = {}
        self.asked: set[int] = set()
        self.deactivations = Deactivations()
        self.failures: dict[int, str] = {}
        self._gather()
        if engine.ended:
            self.end_turn()

    def begin_turn(self) -> None:
        """Discard the report of the last turn."""
        self.report, self.asked = {}, set()

    def end_turn(self) -> None:
        """Record the players deactivated by this turn's report; at the game's end, the failed
        players, too.
        """
        self.deactivations.add_turn(self.asked, self.report)
        if self.engine.ended:
            self.failures = self._failures(self.engine.ended)
            self.report[FAILED] = [[text, player] for player, text in self.failures.items()]

    @property
    def question(self) -> EngineQuestion | None:
        """The engine's pending question."""
        return self.engine.question

    @property
    def player(self) -> int:
        """The player who is asked."""
        assert self.question
        return self.players[self.question.player]

    def go_on(self, lines: list[str] | None, ms: int) -> bool:
        """Send the player's answer, and receive up to the next question to a player who is not
        eliminated.

        lines: the answer, None if there is none. ms: the time taken. Returns True if a turn began
        before that question.
        """
        begins = False
        if self.question and self.question.n_lines:
            self.asked.add(self.player)
        while True:
            if lines is None:
                self.engine.time_out()
            else:
                self.engine.answer(lines, ms)
            self._gather()
            begins = begins or self.engine.report.is_new
            if not self.question or self.player not in self.out:
                return begins
            lines, ms = (None if self.question.n_lines else []), 0

    def _gather(self) -> None:
        told, ended = self.engine.report, self.engine.ended
        view = [_packed(told.view)] if told.view and self.settings.keeps_view else []
        tooltips: list[Any] = [[text, self._number(whose)] for text, whose in told.tooltips]
        reported: dict[str, list[Any]] = {
            "summary": told.summary,
            "tooltips": tooltips,
            "view": view,
        }
        if ended:
            reported |= {"parameters": [ended.parameters], "metadata": [ended.metadata]}
        for name, values in reported.items():
            if values:
                self.report.setdefault(name, []).extend(values)

    def _failures(self, end: GameEnd) -> dict[int, str]:
        """Returns the referee's text by failed player, once the game has ended."""
        if not self.settings.is_solo:
            return self.deactivations.failures(dict(zip(self.players, end.scores)))
        if end.scores[0] <= 0:
            return {self.players[0]: loss_text(self.report)}
        if (name := self.settings.criterion) and measured(end, name) is None:
            return {self.players[0]: f"it has measured no {name}"}
        return {}

    def _number(self, whose: int) -> int:
        """Returns the number in the match of the engine's player `whose`, or -1."""
        return self.players[whose] if 0 <= whose < len(self.players) else -1


class OfficialMatch:
    """A `shared.core.contest.Match` by an official engine, which sets limits and receives times.

    goes_on: True if the current turn continues with questions to other players.
    """

    def __init__(self, engines: list[Engine], n_players: int, settings: OfficialSettings) -> None:
        self.n_players, self.settings = n_players, settings
        self.out: dict[int, str] = {}
        self.used_ms: dict[int, int] = {}
        self.goes_on = False
        seats = (
            [[player] for player in range(n_players)] if settings.is_solo else [[*range(n_players)]]
        )
        self.games = [
            EngineGame(engine, players, settings, self.out)
            for engine, players in zip(engines, seats)
        ]

    def setup(self) -> dict[str, Any]:
        grace_ms = GRACE_MS if self.games[0].engine.is_monitoring else 0
        case = self.settings.case
        named = {"case": case.name} if case and case.name else {}
        return {"rules": java.digest(self.settings.build), "grace_ms": grace_ms, **named}

    def snapshot(self) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for game in self.games:
            for name, values in game.report.items():
                told[name] = told.get(name, []) + values
        return told

    def players_to_move(self) -> list[int]:
        return [game.player for game in self._open()]

    def initial_input(self, player: int) -> list[str]:
        return []

    def turn_input(self, player: int) -> list[str]:
        return self._question(player).lines

    def lines_expected(self, player: int) -> int:
        return self._question(player).n_lines

    def limit_ms(self, player: int) -> int:
        """Returns the engine's limit of the player's answer."""
        return self._question(player).limit_ms

    def took(self, player: int, ms: float) -> None:
        """Record the time of the player's answer, which is played next."""
        self.used_ms[player] = int(ms)

    def parse(self, player: int, lines: list[str]) -> list[str]:
        return lines

    def random_lines(self, player: int, rng: Random) -> list[str]:
        raise OfficialRefereeError("only the official referee knows the legal actions")

    def play(self, actions: dict[int, list[str]]) -> None:
        games, began = self._open(), False
        if not self.goes_on:
            for game in self.games:
                game.begin_turn()
        for game in games:
            player = game.player
            began |= game.go_on(actions.get(player), self.used_ms.get(player, 0))
        self.goes_on = not (began or self.settings.is_solo)
        if not self.goes_on or not self._open():
            for game in games:
                game.end_turn()

    def eliminate(self, player: int, reason: str) -> None:
        self.out[player] = reason

    def outcome(self) -> Outcome | None:
        if self._open():
            return None
        games = [(game, game.engine.ended) for game in self.games if game.engine.ended]
        scores = [score for _, end in games for score in end.scores]
        keys: list[Any] = scores
        if self.settings.is_solo:
            sign = -1 if self.settings.best_is_low else 1
            scores = [self._solo_score(game, end) for game, end in games]
            keys = [(not game.failures, sign * score) for (game, _), score in zip(games, scores)]
        ranks = tuple(sum(other > key for other in keys) for key in keys)
        return Outcome(ranks, tuple(scores), self._reason(scores))

    def _open(self) -> list[EngineGame]:
        """Returns the games that wait for an answer."""
        return [game for game in self.games if game.question]

    def _question(self, player: int) -> EngineQuestion:
        [question] = [game.question for game in self._open() if game.player == player]
        assert question
        return question

    def _solo_score(self, game: EngineGame, end: GameEnd) -> float:
        """Returns the measured value of a game for one player, or the engine's score if the game
        was lost or has no such value.
        """
        value = None if game.failures else measured(end, self.settings.criterion)
        return end.scores[0] if value is None else value

    def _reason(self, scores: list[float]) -> str:
        """Returns the reason for the end as shown to people: each elimination and each failure, or
        else the scores.
        """
        how = "says player {} has lost" if self.settings.is_solo else "has put player {} out"
        failed = [
            f"the official referee {how.format(player)}: {shorten(text)}"
            for game in self.games
            for player, text in sorted(game.failures.items())
            if player not in self.out
        ]
        said = "; ".join([*self.out.values(), *failed])
        return (
            said
            or f"the official referee's scores are {', '.join(f'{score:g}' for score in scores)}"
        )


def measured(end: GameEnd, name: str) -> float | None:
    """Returns the number that the referee has measured as `name` in a game for one player; for name
    "", the only measured one. None if there is no such number.
    """
    values: list[Any] = [end.metadata.get(name)] if name else [*end.metadata.values()]
    with suppress(TypeError, ValueError):
        [value] = values
        return float(value)
    return None


def _packed(view: str) -> str:
    """Returns a frame for the viewer as stored in a log: JSON, compressed by zlib, in base85."""
    return base64.b85encode(zlib.compress(view.encode(errors="backslashreplace"))).decode()
