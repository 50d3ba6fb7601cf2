"""The versions of a league's bots: a copy of each, its lineage, its state and its priority.

A changed file is a new version of its bot, which may play its predecessor: the files of each
version are copied to a folder of its own, named by their content. The files of a command line that
lie elsewhere are not copied; when they change, the former version cannot play any more.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from referee.arena.entrants import entrant_key
from referee.arena.store import Store
from referee.errors import UsageError
from referee.league.folder import COMMANDS, Found
from referee.league.version_table import VersionRow, VersionTable
from referee.log.records import Bot
from referee.sources.bots import bundling_text, find_bot
from referee.sources.fingerprint import files_beside, fingerprint_command, named_paths

MOST_PRIORITY = 9
# More is no bot but a folder of data: it plays from its own place.
MOST_COPIED = 64_000_000


class State(StrEnum):
    """The state of a version.

    plays: it is in the folder. former: it plays only its successor, to be compared. replaced: it
    does not play its successor any more. gone: it is not in the folder, or its files have changed.
    failing: it cannot be started, or its games end without a result. paused, removed: set by the
    user.
    """

    PLAYS = "plays"
    FORMER = "former"
    REPLACED = "replaced"
    GONE = "gone"
    FAILING = "failing"
    PAUSED = "paused"
    REMOVED = "removed"


@dataclass
class Version:
    """A version of a bot: its name, its number from 1, the key of its files, and the bot that runs.

    since: the time when it joined, in ISO 8601. entry: its key in the store, which also depends on
    its limits; "" before its first round.
    """

    name: str
    number: int
    key: str
    bot: Bot
    since: str
    state: State = State.PLAYS
    priority: int = 1
    problem: str = ""
    entry: str = ""

    @property
    def id(self) -> str:
        """The key of the version's games: `entry`, or `key` before the first round."""
        return self.entry or self.key

    def is_intact(self, globs: Sequence[str] = ()) -> bool:
        """Returns True if the version's files can be read and still have the hash of `key`. globs:
        patterns of further files of the bot.
        """
        try:
            contents = fingerprint_command(self.bot.command, globs=globs)
            return entrant_key(self.bot, contents.digest) == self.key
        except (UsageError, OSError):
            return False

    @property
    def label(self) -> str:
        """The name of the version for people."""
        return self.name if self.number == 1 else f"{self.name} v{self.number}"

    def row(self) -> VersionRow:
        """Returns the version as a row of the league's table."""
        record = json.dumps(asdict(self.bot))
        state, priority = str(self.state), self.priority
        return VersionRow(self.name, self.number, self.key, record, self.since, state, priority)


@dataclass(frozen=True)
class Prepared:
    """A bot of the folder that is ready to play: its name, key and bot."""

    name: str
    key: str
    bot: Bot


def prepare(
    listed: Found,
    copies: Path,
    tell: Callable[[str], None],
    others: Sequence[Found] = (),
    python: str = sys.executable,
    globs: Sequence[str] = (),
) -> Prepared:
    """Bundle a bot if it is a source, copy its files, and return it. Raises UsageError.

    copies: the folder of all versions. tell: called with a text before a source is bundled. others:
    the bots of the folder, whose files belong to this bot only if its file names them. python: the
    program that runs Python bots. globs: patterns of further files of the bot, which are not
    copied.
    """
    bot = find_bot(listed.text, lambda source: tell(bundling_text(source)), python)
    bot_file = Path(listed.text)
    if bot_file.is_absolute() and bot_file.is_file():
        bot = replace(
            bot, command=copied(bot.command, listed.name, copies, not_named(bot_file, others))
        )
    digest = fingerprint_command(bot.command, globs=globs).digest
    bot = replace(bot, name=listed.name)
    return Prepared(listed.name, entrant_key(bot, digest), bot)


def not_named(file: Path, others: Sequence[Found]) -> tuple[Path, ...]:
    """Returns the files of other bots, and bots.txt, except those whose names occur in a bot's own
    file; () if the bot's file cannot be read.
    """
    try:
        text = file.read_bytes()
    except OSError:
        return ()
    paths = [Path(other.text) for other in others if Path(other.text).is_absolute()]
    names = [*paths, file.parent / COMMANDS]
    return tuple(name for name in names if name != file and name.name.encode() not in text)


def copied(command: list[str], name: str, copies: Path, excluded: tuple[Path, ...]) -> list[str]:
    """Returns a command whose last word, a file, is replaced by a copy, made with the files that
    belong to it. Raises UsageError.

    Files in other folders are not copied. The command is unchanged if its last word is no single
    file, or if the files have more than MOST_COPIED bytes. excluded: files that do not belong to
    the bot.
    """
    file = Path(command[-1])
    paths = named_paths(command[-1])
    if paths != [file] or not file.is_file():
        return command
    others = [
        near for near in files_beside(file, excluded).files if near.is_relative_to(file.parent)
    ]
    files = sorted({file, *others})
    if sum(near.stat().st_size for near in files) > MOST_COPIED:
        return command
    digest = fingerprint_command([*command[:-1], str(file)], excluded).digest[:16]
    letters = "".join(letter if letter.isalnum() else "_" for letter in name)[:40]
    place = copies / f"{letters}-{digest}"
    if not place.is_dir():
        unfinished = place.with_name(f"{place.name}.{os.getpid()}")
        shutil.rmtree(unfinished, ignore_errors=True)
        try:
            for near in files:
                copy = unfinished / near.relative_to(file.parent)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(near, copy)
            if fingerprint_command([*command[:-1], str(file)], excluded).digest[:16] != digest:
                raise UsageError(f"{file} changed while it was copied")
            unfinished.rename(place)
        except OSError as error:
            raise UsageError(f"{place}: cannot be written: {error.strerror}") from error
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return [*command[:-1], str(place / file.name)]


class Lineage:
    """All versions of a contest's bots in a store."""

    def __init__(self, store: Store, contest: str) -> None:
        self.table = VersionTable(store, contest)
        self.versions: list[Version] = []
        for row in self.table.rows():
            state = State(row.state) if row.state in list(State) else State.GONE
            bot = self.table.bot(row)
            version = Version(row.name, row.number, row.bot, bot, row.since, state, row.priority)
            self.versions.append(version)

    def of_name(self, name: str) -> list[Version]:
        """Returns the versions of a bot, the oldest first."""
        return [version for version in self.versions if version.name == name]

    def find(self, label: str) -> Version | None:
        """Returns the version with a label or a key, None if there is none."""
        return next(
            (version for version in self.versions if label in (version.label, version.id)), None
        )

    def former(self, version: Version) -> Version | None:
        """Returns the version before this one, None for the first."""
        before = [
            earlier for earlier in self.of_name(version.name) if earlier.number < version.number
        ]
        return before[-1] if before else None

    def successor(self, version: Version) -> Version | None:
        """Returns the version after this one, None for the last."""
        after = [later for later in self.of_name(version.name) if later.number > version.number]
        return after[0] if after else None

    def save(self, version: Version) -> None:
        """Store a version's state."""
        self.table.put(version.row())

    def set_state(self, version: Version, state: State, problem: str = "") -> None:
        """Give a version another state, and store it."""
        version.state, version.problem = state, problem
        self.save(version)

    def join(self, prepared: Prepared) -> Version | None:
        """Let a bot of the folder play. Returns its version if this is a new one, otherwise None.

        When the content of an earlier version comes back, that version plays again, with its games.
        """
        known = self.of_name(prepared.name)
        same = next((version for version in known if version.key == prepared.key), None)
        if same and same.state not in (State.GONE, State.REPLACED, State.FORMER):
            return None  # known, or left out until its file changes or the user lets it play
        for other in known:
            if other is not same and other.state in (State.PLAYS, State.FAILING, State.FORMER):
                newest = same is None and other is known[-1] and other.state is State.PLAYS
                self.set_state(other, State.FORMER if newest else State.REPLACED)
        if same:
            same.bot = prepared.bot
            self.set_state(same, State.PLAYS)
            return None
        priority = known[-1].priority if known else 1
        since = datetime.now(UTC).isoformat(timespec="seconds")
        number = known[-1].number + 1 if known else 1
        version = Version(prepared.name, number, prepared.key, prepared.bot, since)
        version.priority = priority
        self.versions.append(version)
        self.versions.sort(key=lambda version: (version.name, version.number))
        self.save(version)
        return version

    def leave(self, names: set[str]) -> None:
        """Set the playing, former and failing versions to GONE whose bots are not in `names`, the
        names of the bots of the folder.
        """
        for version in self.versions:
            if version.name not in names and version.state in (
                State.PLAYS,
                State.FORMER,
                State.FAILING,
            ):
                self.set_state(version, State.GONE)
