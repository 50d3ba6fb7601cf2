"""Plays the games of a plan: finds those that are stored, has the others played, stores each.

Groups are counted in the plan's order, whichever ends first: a test that stops at the first clear
verdict would otherwise hear the short games first, and a run that was killed and goes on counts as
one that was not.
"""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Iterator, Sequence

from referee.arena.entrants import Entrant, make_entrants
from referee.arena.plan import Game, Plan
from referee.arena.play import Result, Setting
from referee.arena.series import RULES, Series
from referee.arena.standings import Standings
from referee.arena.statistics.sprt import Sprt, Verdict
from referee.arena.store import Store
from referee.arena.workers import Played, Workers
from referee.errors import UsageError
from referee.log.file import write_log
from referee.log.records import Log
from referee.sources.fingerprint import Fingerprint, fingerprint_command

# How often the display is drawn while no game ends, in seconds.
TICK_S = 0.5


def logs_folder(db: Path) -> Path:
    """Returns the folder for the logs of a file of results, unless another one is given."""
    return db.parent / f"{db.stem}-logs"


def keep_log(log: Log, path: Path) -> Path:
    """Write the log of a game, wholly or not at all, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    try:
        write_log(log, unfinished)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    return path


@dataclass
class Arena:
    """A series that is being played: its plan, its stored games, and its test.

    contents: fingerprints of bots and rules, checked again when a game is stored. n_found: games
    that were stored before. n_played: games played now; n_repeated of them more than once, as the
    machine had spoiled them.
    """

    series: Series
    entrants: list[Entrant]
    plan: Plan
    store: Store
    logs: Path
    sprt: Sprt | None = None
    contents: Sequence[Fingerprint] = ()
    verdict: Verdict | None = None
    n_found: int = 0
    n_played: int = 0
    n_repeated: int = 0
    # By bots: how often the machine has put one out in a game that was then repeated.
    spoiled: Counter[int] = field(default_factory=Counter)
    running: set[Game] = field(default_factory=set)
    # By the group's number, in the plan's order: groups that are not counted yet.
    open_groups: dict[int, "OpenGroup"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.standings = Standings(len(self.entrants))

    @classmethod
    def create(
        cls,
        store: Store,
        setting: Setting,
        plan: Plan,
        logs: Path,
        rules: Fingerprint,
        test: Sprt | None = None,
        excluded: tuple[Path, ...] = (),
    ) -> "Arena":
        """Store the bots and the series of a setting, and return their arena.

        excluded: files and folders that are part of no bot. Raises UsageError.
        """
        contents = [fingerprint_command(bot.command, excluded) for bot in setting.bots]
        terms = [setting.conditions.terms(bot) for bot in range(len(setting.bots))]
        entrants = make_entrants(list(setting.bots), terms, contents)
        store.add_entrants(entrants)
        series = store.series(setting.contest, setting.conditions, rules)
        return cls(series, entrants, plan, store, logs, test, [*contents, rules])

    def store_parts(self) -> None:
        """Store the files that rules and bots are made of, to tell later which have changed."""
        keys = [*(entrant.key for entrant in self.entrants), self.series.conditions[RULES]]
        for key, contents in zip(keys, self.contents, strict=True):
            self.store.add_parts(key, contents)

    def run(self, workers: Workers, show: Callable[["Arena"], None]) -> None:
        """Play until the plan is done or the test has a verdict; `show` is called now and then."""
        wanted = self._wanted()
        while True:
            while len(self.running) < workers.capacity() and (game := next(wanted, None)):
                workers.start(game)
                self.running.add(game)
            show(self)
            if self.verdict or not self.running:
                return
            if played := workers.wait(TICK_S):
                self._keep(played)
            self._count()

    def samples(self) -> Counter[int]:
        """Returns the test's samples: half points of the first bot against the second by seed."""
        pairing = self.standings.tally.pairing(0, 1)
        return pairing.scores(self.sprt.n_games if self.sprt else 2) if pairing else Counter()

    def _wanted(self) -> Iterator[Game]:
        """The games of the plan that are not stored; those that are, are counted on the way."""
        for games in self.plan.groups():
            self.open_groups[games[0].group] = group = OpenGroup(games)
            for game in games:
                stored = self.store.find(self.series, game.seed, self._keys(game))
                if stored:
                    group.results[game] = stored.result
                    self.n_found += 1
                else:
                    yield game
            self._count()
            if self.verdict:
                return

    def _keep(self, played: list[Played]) -> None:
        """Store games that have ended.

        Raises UsageError if files of a bot or of the rules have changed, and if a log cannot be
        written, for which no game is lost.
        """
        self._check_contents()
        rows, failure = [], None
        for game, result, log in played:
            keys, path = self._keys(game), None
            if log:
                try:
                    path = keep_log(log, self.logs / f"{self._name(game, keys)}.jsonl")
                except (UsageError, OSError) as error:
                    failure = failure or error
            rows.append((game.seed, keys, result, path))
        self.store.add_all(self.series, rows)
        for game, result, _ in played:
            self.open_groups[game.group].results[game] = result
            self.running.remove(game)
            self.n_played += 1
            self.n_repeated += result.attempts > 1
            for bot, n_spoiled in zip(game.seating, result.spoiled):
                self.spoiled[bot] += n_spoiled
        if failure:
            raise failure

    def _name(self, game: Game, keys: list[str]) -> str:
        named = [self.series.contest, self.series.conditions, game.seed, keys]
        digest = hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:12]
        return f"{game.seed}-{digest}"

    def _check_contents(self) -> None:
        changed = sorted({path for one in self.contents for path in one.changed()})
        if changed:
            raise UsageError(
                f"{format_paths(changed)} changed while the arena ran: what was played before stays"
                " with the former version, and the same command starts anew with this one (a file"
                " that a bot writes does not belong into its command)"
            )

    def _count(self) -> None:
        """Count the groups that are complete, up to the first that is not or to a verdict."""
        for number, group in list(self.open_groups.items()):
            if self.verdict or len(group.results) < len(group.games):
                return
            del self.open_groups[number]
            games = [(game.seating, group.results[game]) for game in group.games]
            self.standings.add_group(group.games[0].seed, games)
            self.verdict = self.sprt.verdict(self.samples()) if self.sprt else None

    def _keys(self, game: Game) -> list[str]:
        return [self.entrants[bot].key for bot in game.seating]


def format_paths(paths: list[str]) -> str:
    """Returns a text for paths: the first few, and the number of the others."""
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more


@dataclass
class OpenGroup:
    """A group of the plan and the results that are there."""

    games: list[Game]
    results: dict[Game, Result] = field(default_factory=dict)
