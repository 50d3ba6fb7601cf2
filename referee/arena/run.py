"""Plays the games of a plan: finds the stored games, plays the others, and stores their results.

`play_games` is the loop of all commands that play many games: arenas, leagues and tunings.

Groups are counted in the order of the plan, not in the order in which they end: otherwise a test
that stops at the first verdict would see short games first, and a resumed run would differ from an
uninterrupted one. A league has no test, and its plan is open: a bot that hangs delays its own group
only.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.arena.entrants import Entrant, make_entrants
from referee.arena.measures import CaseStandings, Standings, Wins, state_of_test
from referee.arena.plan import Game, Plan
from referee.arena.play import Setting
from referee.arena.result import Result
from referee.arena.series import RULES, Series
from referee.arena.statistics.sprt import ScoreSprt, Sprt, Verdict
from referee.arena.store import Former, Store
from referee.arena.workers import Played, Workers
from referee.errors import UsageError
from referee.log.file import write_log
from referee.log.records import Log
from referee.sources.fingerprint import Fingerprint, fingerprint_command
from shared.core.contest import Case

# The interval in seconds at which the display is drawn while no game ends.
TICK_S = 0.5


def play_games(
    games: Iterator[Game],
    workers: Workers,
    running: set[Game],
    keep: Callable[[list[Played]], None],
    is_over: Callable[[], bool] = lambda: False,
) -> None:
    """Play games as workers become free, until all have ended, or `is_over` returns True.

    running: the games under way; empty at first. keep: called with games that have just ended.
    is_over: called each time that games have ended, and at least every TICK_S.
    """
    while True:
        while len(running) < workers.capacity() and (game := next(games, None)):
            workers.start(game)
            running.add(game)
        if is_over() or not running:
            return
        if played := workers.wait(TICK_S):
            keep(played)
            running.difference_update(game for game, _, _ in played)


def logs_folder(db: Path) -> Path:
    """Returns the default folder for the logs of a file of results."""
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
    """A series that is being played: its plan, its stored games, and its test."""

    series: Series
    entrants: list[Entrant]
    plan: Plan
    store: Store
    logs: Path
    sprt: Sprt | ScoreSprt | None = None
    # Fingerprints of bots and rules, checked again when a game is stored.
    contents: Sequence[Fingerprint] = ()
    # Returns the test case of a seed, in a contest for one player.
    case_of: Callable[[int], Case] = lambda seed: Case(str(seed))
    # Returns the map of a seed, which is stored with its games, or None.
    map_of: Callable[[int], Case | None] = lambda seed: None
    # The best known scores by case.
    known: Mapping[str, float] = field(default_factory=dict)
    # Stored games without a log are played again to get one. Their first results stay: replacing
    # only some results would bias the series.
    needs_logs: bool = False
    # Called with stored games.
    on_stored: Callable[[list[Played]], None] = lambda played: None
    # Called with the games of a group that has been counted.
    on_counted: Callable[[list[Game]], None] = lambda games: None
    verdict: Verdict | None = None
    # Games that were stored before, and those of them in the standings: a test may end earlier.
    n_found: int = 0
    n_counted: int = 0
    # Games played now, and those of them played again because the machine had spoiled them.
    n_played: int = 0
    n_repeated: int = 0
    # By bot: the number of eliminations by the machine in games that were then repeated.
    spoiled: Counter[int] = field(default_factory=Counter)
    # By bot: the first counted game in which it failed, and its fault there; the numbers of such
    # games, and of all.
    failures: dict[int, tuple[Game, str]] = field(default_factory=dict)
    n_failures: Counter[int] = field(default_factory=Counter)
    seated: Counter[int] = field(default_factory=Counter)
    running: set[Game] = field(default_factory=set)
    # By the group's number, in the plan's order: groups not counted yet.
    open_groups: dict[int, "OpenGroup"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n_bots, lowest_wins = len(self.entrants), self.series.lowest_wins
        self.standings: Standings = Wins(n_bots)
        if self.plan.is_solo:
            self.standings = CaseStandings(n_bots, lowest_wins, self.case_of, self.known)

    @classmethod
    def create(
        cls,
        store: Store,
        setting: Setting,
        plan: Plan,
        logs: Path,
        rules: Fingerprint,
        test: Sprt | ScoreSprt | None = None,
        excluded: tuple[Path, ...] = (),
        lowest_wins: bool = False,
        **others: Any,
    ) -> "Arena":
        """Store the bots and the series of a setting, and return their arena.

        excluded: files and folders that belong to no bot. lowest_wins: the lower score is better,
        in a contest for one player. others: further fields of Arena. Raises UsageError.
        """
        contents = [
            fingerprint_command(bot.command, excluded, setting.files) for bot in setting.bots
        ]
        terms = [setting.conditions.terms(bot) for bot in range(len(setting.bots))]
        digests = [content.digest for content in contents]
        entrants = make_entrants(list(setting.bots), terms, digests)
        store.add_entrants(entrants)
        series = store.series(setting.contest, setting.conditions, rules, lowest_wins)
        made_of = [*contents, rules]
        return cls(series, entrants, plan, store, logs, test, made_of, **others)

    def notes(self) -> list[str]:
        """Returns the distinct warnings about folders that are too large to belong to a bot."""
        return list(dict.fromkeys(note for content in self.contents for note in content.notes))

    def store_parts(self) -> None:
        """Store the paths and hashes of the files of bots and rules, to find later changes."""
        keys = [*(entrant.key for entrant in self.entrants), self.series.conditions[RULES]]
        for key, contents in zip(keys, self.contents, strict=True):
            self.store.add_parts(key, contents)

    def run(self, workers: Workers, show: Callable[["Arena"], None]) -> None:
        """Play until the plan is done or the test has a verdict; `show` is called now and then."""

        def is_over() -> bool:
            show(self)
            return self.verdict is not None

        play_games(self._wanted(), workers, self.running, self._keep, is_over)

    def _wanted(self) -> Iterator[Game]:
        """Yields the games of the plan that are not stored; counts the stored games on the way."""
        for games in self.plan.groups():
            self.open_groups[games[0].group] = group = OpenGroup(games, set(games))
            for game in games:
                stored = self.store.find(self.series, game.seed, self._keys(game))
                if stored:
                    group.results[game] = stored.result
                if stored and not (self.needs_logs and not stored.log):
                    group.pending.remove(game)
                    group.n_found += 1
                    self.n_found += 1
                else:
                    yield game
            self._count()
            if self.verdict:
                return

    def _keep(self, played: list[Played]) -> None:
        """Store games that have ended, and count the groups that are complete.

        Raises UsageError, and stores nothing, if files of a bot or of the rules have changed. If a
        log cannot be written, the games are stored first, then UsageError or OSError is raised.
        """
        self._check_contents()
        rows, failure = [], None
        case_of = self.case_of if self.plan.is_solo else self.map_of
        cases = {game.seed: case_of(game.seed) for game, _, _ in played}
        if known := {seed: case for seed, case in cases.items() if case}:
            self.store.add_cases(self.series, known)
        for game, result, log in played:
            keys, path = self._keys(game), None
            if log:
                try:
                    path = keep_log(log, self.log_of(game))
                except (UsageError, OSError) as error:
                    failure = failure or error
            if path and game in self.open_groups[game.group].results:
                self.store.set_log(self.series, game.seed, keys, path)
            rows.append((game.seed, keys, result, path))
        self.store.add_all(self.series, rows)
        for game, result, _ in played:
            group = self.open_groups[game.group]
            group.results.setdefault(game, result)
            group.pending.remove(game)
            self.n_played += 1
            self.n_repeated += result.attempts > 1
            for bot, n_spoiled in zip(game.seating, result.spoiled):
                self.spoiled[bot] += n_spoiled
        self.on_stored(played)
        if failure:
            raise failure
        self._count()

    def always_failing(self) -> list[int]:
        """Returns the bots that failed in all of their games."""
        return [bot for bot, n_failed in self.n_failures.items() if n_failed == self.seated[bot]]

    def _note_failures(self, game: Game, result: Result) -> None:
        self.seated.update({*game.seating})
        faults = {
            bot: seat.fault
            for bot, seat in zip(game.seating, result.seats)
            if seat.fault is not None
        }
        self.n_failures.update(faults.keys())
        for bot, fault in faults.items():
            self.failures.setdefault(bot, (game, fault))

    def log_of(self, game: Game) -> Path:
        """Returns the path of a game's log; the file exists only if the log was kept."""
        keys = self._keys(game)
        named = [self.series.contest, self.series.conditions, game.seed, keys]
        digest = hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:12]
        return self.logs / f"{game.seed}-{digest}.jsonl"

    def _check_contents(self) -> None:
        changed = sorted({path for content in self.contents for path in content.changed()})
        if changed:
            raise UsageError(
                f"{format_paths(changed)} changed while the arena ran: what was played before stays"
                " with the former version, and the same command starts anew with this one (if it is"
                " no part of a bot, as a log, keep it outside of the bot's folder and command)"
            )

    def _count(self) -> None:
        """Count the complete groups until there is a verdict.

        Unless the plan is open, the first incomplete group ends the counting.
        """
        for number, group in list(self.open_groups.items()):
            if self.verdict or (group.pending and not self.plan.is_open):
                return
            if group.pending:
                continue
            del self.open_groups[number]
            self.n_counted += group.n_found
            for game in group.games:
                self._note_failures(game, group.results[game])
            games = [(game.seating, group.results[game].seats) for game in group.games]
            self.standings.add_group(group.games[0].seed, games)
            self.on_counted(group.games)
            if self.sprt:
                _, _, self.verdict = state_of_test(self.standings, self.sprt)

    def _keys(self, game: Game) -> list[str]:
        return [self.entrants[bot].key for bot in game.seating]


def format_paths(paths: list[str]) -> str:
    """Returns a text for paths: the first few, and the number of the others."""
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more


def change_text(name: str, former: Former) -> str:
    """Returns a line about the games of a former version of a bot or of rules."""
    n_games, causes = former
    if causes:
        changed = format_paths(causes)
        return f"{name} has changed ({changed}): {n_games} games stay with the former version"
    return (
        f"{n_games} games of {name} are older than this file's record of what was played: they"
        " stay apart"
    )


@dataclass
class OpenGroup:
    """A group that is not counted yet: its games, the games to be played, and the results so far.

    n_found: the number of its games that were stored before.
    """

    games: list[Game]
    pending: set[Game]
    results: dict[Game, Result] = field(default_factory=dict)
    n_found: int = 0
