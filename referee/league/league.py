"""The league: an arena whose plan chooses each group of games when a worker is free, by what is
known then, and whose bots change.

When the bots change the plan ends, the games under way are played to their end, and the next round
begins: the same arena with other workers. A bot keeps its number from round to round.

One thread, the command's own, plays, writes the store and changes the bots; another one looks at
the folder and bundles. The server's threads read `published` texts and stored games, and put
requests into a queue.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, SimpleQueue

from referee.arena.entrants import Entrant
from referee.arena.plan import Game, OpenPlan
from referee.arena.play import Setting, live_name
from referee.arena.run import Arena, change_text
from referee.arena.series import Series
from referee.arena.store import Store
from referee.arena.workers import NoWorkers, Played, Workers
from referee.errors import UsageError
from referee.league.folder import COMMANDS
from referee.league.plan import Finished, LeaguePlan, plays
from referee.league.scanner import Scanner
from referee.league.versions import Lineage, State, Version
from referee.log.records import Bot, Conditions
from referee.process.bot_process import BotProcess
from referee.sources.bots import path_for_people
from referee.sources.fingerprint import Fingerprint
from referee.sources.site import OWN_PYTHON, SitePython
from shared.core.contest import Case, Contest

# So many games of a bot that ended without a result, one after the other, and it is left out.
MOST_STRIKES = 3
# So many errors between two games end the league.
MOST_ERRORS = 5
# After so many new logs the old ones are deleted.
LOGS_AT_ONCE = 50
# The pause before looking again at games that ended without an order.
IDLE_S = 0.2
# Stands for a bot that is not there in a round.
ABSENT = Bot("", "", [], "")


@dataclass
class Settings:
    """The settings of a league, which do not change while it runs."""

    rules: Contest
    # The folder of the bots, and that of the copied files of their versions.
    folder: Path
    copies: Path
    logs: Path
    # The folder of the logs of running games.
    live: Path
    n_seats: int
    # Returns the conditions of a game of so many bots.
    conditions: Callable[[int], Conditions]
    make_workers: Callable[[Setting], Workers]
    # Returns the fingerprint of the rules.
    made_of: Callable[[], Fingerprint]
    # Return the test case, and the map, of a seed.
    case_of: Callable[[int], Case]
    map_of: Callable[[int], Case | None]
    # Files that the league writes itself.
    written: tuple[Path, ...] = ()
    # The best known scores, by test case.
    known: Mapping[str, float] = field(default_factory=dict)
    first_seed: int = 1
    # The test cases of a contest for one player, None if endless.
    n_cases: int | None = None
    # The number of games without errors whose logs are kept.
    n_logs: int = 1000
    # New versions play first.
    watches: bool = False
    # The Python that runs bots.
    python: SitePython = OWN_PYTHON
    # Patterns of further files that count with the bots.
    files: tuple[str, ...] = ()

    @property
    def lineage(self) -> str:
        """The name under which the store has the versions: the contest and, if it is a site's, the
        Python.
        """
        return " ".join([self.rules.name, *([self.python.text] if self.python.text else [])])


class League:
    """A running league.

    store: the store of results, open for writing. tell: called with texts for the terminal.
    """

    def __init__(self, settings: Settings, store: Store, tell: Callable[[str], None]) -> None:
        self.settings, self.store, self.tell = settings, store, tell
        self.lineage = Lineage(store, settings.lineage)
        self.scanner = Scanner(
            settings.folder, settings.copies, tell, settings.python.program, settings.files
        )
        self.requests: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.problems: dict[str, str] = {}
        # The number of bots that a game needs, and the number of bots in the last message.
        self.n_needed, self.n_told = 1 if settings.n_seats == 1 else 2, -1
        self.stopped = False
        self.changed = False
        self.paused = False
        self.series: Series | None = None
        self.plan = LeaguePlan(
            self.lineage, settings.n_seats, settings.first_seed, settings.n_cases
        )
        # True when there is no game to play until something changes.
        self.idle = False
        # The games under way, as plain data.
        self.running: dict[Game, dict[str, object]] = {}
        self.strikes: Counter[str] = Counter()
        # The number of errors since the last game.
        self.n_errors = 0
        self.n_logs_new = 0
        self.news = 0
        self.on_change: Callable[[], None] = lambda: None

    # Start, run and end

    def run(self) -> None:
        """Play until `stop` is called, or a signal ends it."""
        self.scanner.start()
        try:
            has_looked = False
            while not self.stopped:
                self.attend()
                has_looked |= self.scanner.found is not None
                self.adopt()
                playing = self.intact() if has_looked else []
                if self.paused or (self.idle and not self.changed) or not self.can_fill(playing):
                    self.on_change()
                    time.sleep(IDLE_S)
                    continue
                self.idle = False
                self.play_round(playing)
        finally:
            self.scanner.stop.set()

    def attend(self) -> None:
        """Execute the requests of the page; a request that fails is reported, and the next one
        follows.
        """
        with suppress(Empty):
            while True:
                request = self.requests.get_nowait()
                try:
                    request()
                except Exception as error:
                    self.tell(f"a request of the page failed: {error}")
                self.news += 1
                self.idle = False

    def adopt(self) -> None:
        """Apply the scanner's last scan: report new problems, and let bots join and leave."""
        scan, self.scanner.found = self.scanner.found, None
        if scan is None:
            return
        self.news += 1
        for name, problem in scan.problems.items():
            if self.problems.get(name) != problem:
                self.tell(f"{name} is left out: {problem}")
        self.problems = scan.problems
        names = {version.name for version in scan.prepared} | scan.problems.keys()
        before = self.roster()
        self.lineage.leave(names)
        for prepared in scan.prepared:
            new = self.lineage.join(prepared)
            if new:
                self.tell(f"{new.label} joins")
                if self.settings.watches and new.number > 1:
                    self.plan.candidate = new.key
        if before != self.roster():
            self.changed = True
        self.tell_of_lack()

    def tell_of_lack(self) -> None:
        """Report that a game needs more bots, once for each number of bots that play."""
        n_playing = sum(map(plays, self.present()))
        if n_playing < self.n_needed and n_playing != self.n_told:
            needed = "a bot" if self.n_needed == 1 else f"{self.n_needed} bots"
            self.tell(
                f"waiting: a game needs {needed}, {path_for_people(self.settings.folder)} has"
                f" {n_playing or 'none'} to play: put sources there, programs, or a {COMMANDS}"
            )
        self.n_told = n_playing

    def roster(self) -> set[tuple[str, State]]:
        """Returns the (key, state) of each present version."""
        return {(version.key, version.state) for version in self.present()}

    def intact(self) -> list[Version]:
        """Returns the present versions; a version whose files have changed becomes GONE."""
        for version in self.present():
            if not version.is_intact(self.settings.files):
                self.lineage.set_state(version, State.GONE)
        return self.present()

    def present(self) -> list[Version]:
        """Returns the versions that play or are paused."""
        states = (State.PLAYS, State.FORMER, State.PAUSED)
        return [version for version in self.lineage.versions if version.state in states]

    def can_fill(self, versions: list[Version]) -> bool:
        """Returns True if enough of these versions play for a game."""
        return sum(map(plays, versions)) >= self.n_needed

    # A round

    def play_round(self, versions: list[Version]) -> None:
        """Play games until the bots change, there is none to play, or the league is paused or
        stopped. An error leads to `blame` or `forgive`.
        """
        self.changed = False
        arena, setting = self.begin_round(versions)
        try:
            with self.settings.make_workers(setting) as pool:
                arena.run(pool, self.look)
            self.idle = not arena.n_played and not self.changed
        except UsageError as error:
            game: Game | None = getattr(error, "game", None)
            if game is not None:
                self.blame(game, str(error))
            elif all(version.is_intact(self.settings.files) for version in versions):
                self.forgive(error)
        finally:
            self.leave_open(arena)
            self.running.clear()

    def begin_round(self, versions: list[Version]) -> tuple[Arena, Setting]:
        """Returns (arena, setting) of a round between some versions, both with the bots by their
        numbers in the plan.
        """
        settings = self.settings
        bots = tuple(version.bot for version in versions)
        setting = Setting(
            settings.rules.name,
            bots,
            settings.conditions(len(bots)),
            samples_logs=settings.n_logs > 0,
            live=settings.live if settings.live.is_dir() else None,
            files=settings.files,
        )
        n_seats = settings.n_seats
        arena = Arena.create(
            self.store,
            setting,
            OpenPlan(((0,) * n_seats,), settings.first_seed, 0, n_seats == 1, choose=self.choose),
            settings.logs,
            settings.made_of(),
            None,
            settings.written,
            lowest_wins=settings.rules.lowest_wins,
            case_of=settings.case_of,
            map_of=settings.map_of,
            known=settings.known,
            on_stored=self.on_stored,
            on_counted=self.on_counted,
        )
        arena.store_parts()
        if self.series is None or self.series.number != arena.series.number:
            if former := self.store.former_rules(arena.series):
                self.tell(change_text(arena.series.title(), former))
            self.begin_series(arena.series)
        for version, entrant in zip(versions, arena.entrants):
            version.entry = entrant.key
        plan = self.plan
        plan.enter(versions)
        arena.entrants = [Entrant(key, "", "") for key in plan.numbers]
        arena.standings = plan.standings
        known = tuple(
            plan.seated[number].bot if number in plan.seated else ABSENT
            for number in range(len(plan.numbers))
        )
        return arena, replace(setting, bots=known, conditions=settings.conditions(len(known)))

    def forgive(self, error: UsageError) -> None:
        """Report an error that no game and no changed file explains. Raises it if there are no
        workers, or if it is more than the MOST_ERRORS-th since the last stored game.
        """
        self.n_errors += 1
        if self.n_errors > MOST_ERRORS or isinstance(error, NoWorkers):
            raise error
        self.tell(str(error))

    def begin_series(self, series: Series) -> None:
        """Replace the plan by a new one with the stored games of a series."""
        settings, candidate = self.settings, self.plan.candidate
        self.series = series
        self.plan = LeaguePlan(
            self.lineage, settings.n_seats, settings.first_seed, settings.n_cases
        )
        self.plan.candidate = candidate
        self.plan.load(self.store, series, settings.case_of, settings.known)
        self.news += 1

    def leave_open(self, arena: Arena) -> None:
        """Give the groups that a round has not finished to the plan, for the next round."""
        for group in arena.open_groups.values():
            games: Finished = [
                (game.seating, group.results[game].seats)
                for game in group.games
                if game in group.results
            ]
            first = group.games[0]
            self.plan.leave_open(first.seating, first.seed, games)

    def choose(self, number: int) -> list[Game] | None:
        """Returns the games of the next group, None when the round is over."""
        if self.stopped or self.paused or self.changed:
            return None
        return self.plan.choose(number)

    def look(self, arena: Arena) -> None:
        """Record the running games, execute requests and adopt changes of the folder, while games
        are played.
        """
        self.running = {
            game: self.running.get(game) or self.running_data(game) for game in arena.running
        }
        self.attend()
        self.adopt()
        self.on_change()

    def running_data(self, game: Game) -> dict[str, object]:
        """Returns the description of a game that has just begun, as plain data."""
        return {
            "name": live_name(game),
            "seed": game.seed,
            "bots": [self.plan.seated[bot].label for bot in game.seating],
            "began": time.time(),
            "why": self.plan.reasons.get((game.seed, tuple(sorted(game.seating))), ""),
        }

    def running_games(self) -> list[dict[str, object]]:
        """Returns the descriptions of the games under way, as plain data."""
        return list(self.running.values())

    # Results

    def on_counted(self, games: list[Game]) -> None:
        """Record in the plan which bots have met in a group that the arena has counted."""
        self.news += 1
        for game in games:
            self.plan.meet(game.seating)

    def on_stored(self, played: list[Played]) -> None:
        """Clear the strikes of the bots of stored games, and delete old logs after LOGS_AT_ONCE new
        ones.
        """
        self.news += 1
        self.n_errors = 0
        for game, _, log in played:
            self.n_logs_new += log is not None
            for bot in game.seating:
                self.strikes.pop(self.plan.seated[bot].id, None)
        if self.series and self.n_logs_new >= LOGS_AT_ONCE:
            self.n_logs_new = 0
            for path in self.store.drop_logs(self.series, self.settings.n_logs):
                path.unlink(missing_ok=True)

    def blame(self, game: Game, problem: str) -> None:
        """Leave out the first bot of a failed game that cannot be started. If all can be started,
        each gets a strike, and those with MOST_STRIKES are left out.
        """
        self.news += 1
        suspects = [self.plan.seated[bot] for bot in dict.fromkeys(game.seating)]
        for version in suspects:
            try:
                with BotProcess(version.bot.command, {}):
                    pass
            except UsageError as error:
                self.tell(f"{version.label} is left out: {error}")
                self.lineage.set_state(version, State.FAILING, str(error))
                return
        for version in suspects:
            self.strikes[version.id] += 1
            if self.strikes[version.id] >= MOST_STRIKES:
                self.tell(f"{version.label} is left out: {problem}")
                self.lineage.set_state(version, State.FAILING, problem)

    # Requests of the page

    def ask(self, request: Callable[[], None]) -> None:
        """Queue a request for the thread that plays."""
        self.requests.put(request)

    def set_state(self, label: str, state: State) -> None:
        """Pause, remove or resume a version."""
        version = self.lineage.find(label)
        if version:
            self.lineage.set_state(version, state)
            if version not in self.plan.seated.values() or state is State.REMOVED:
                self.changed = True

    def set_priority(self, label: str, priority: int) -> None:
        """Set the priority of a version, by which it gets more or fewer games."""
        version = self.lineage.find(label)
        if version:
            version.priority = priority
            self.lineage.save(version)

    def set_candidate(self, label: str) -> None:
        """Let a version play first, and test it against all others; label "" ends the test."""
        version = self.lineage.find(label)
        self.plan.candidate = version.key if version else ""

    def set_note(self, label: str, note: str) -> None:
        """Store a note about a version."""
        version = self.lineage.find(label)
        if version and self.series:
            self.store.add_run(self.series, [version.id], note)
