"""The files that a bot was seen to use: programs that its scripts start, libraries that it loads,
files that it maps or holds open. Its command and its sources do not name them.

A version of a bot starts at a stored time, without known files. A file seen later that was last
touched before that time is the same in all games of the version, and is added to it. If a known
file changes, the bot becomes a new version with its own key. If a newly seen file was touched
since, earlier games may have used other content: they stay with the former version.

The system's files and files that the bot has made itself belong to no bot (`referee/process`).
"""

import hashlib
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from referee.arena.store import Store, WatchedVersion
from referee.sources.fingerprint import Fingerprint, fingerprint_files, portable_path


@dataclass
class WatchedFiles:
    """The files seen open while a version of a bot ran.

    base: the key of the files that its command names.
    """

    store: Store
    base: str
    version: WatchedVersion
    contents: Fingerprint = field(init=False)

    def __post_init__(self) -> None:
        self.contents = fingerprint_files(map(Path, self.version.files))

    @classmethod
    def find(cls, store: Store, base: str) -> "WatchedFiles":
        """The version of a bot whose files are as they are now; a new one where none is."""
        versions = store.watched_versions(base)
        # A version that lacks a file of another one may have had it with any content.
        files = hashes_of({path for version in versions for path in version.files})
        for version in reversed(versions):
            if version.files == files:
                return cls(store, base, version)
        since_ns = time.time_ns()
        if not versions:
            # Of games from before files were watched.
            since_ns = min(since_ns, store.first_game_ns(base))
        return cls(store, base, store.add_watched(base, since_ns, files))

    @property
    def suffix(self) -> str:
        """A text that tells the version from others of the bot; "" for the first one."""
        if self.version.number == 0:
            return ""
        # The files of its beginning: those that join later change no key.
        text = f"{self.base} {self.version.number}"
        return hashlib.sha256(text.encode()).hexdigest()

    def add(self, paths: Iterable[str]) -> list[str]:
        """Let files join the version. Returns those that cannot: a new version has been stored
        then, for the next arena.
        """
        new = {path: sha256 for path, sha256 in hashes_of(paths).items() if sha256}
        if not new:
            return []
        touched = sorted(path for path in new if touched_ns(path) >= self.version.since_ns)
        files = self.version.files | new
        if touched:
            self.store.add_watched(self.base, time.time_ns(), files)
            return touched
        self.version = self.store.extend_watched(self.base, self.version, files)
        self.contents = fingerprint_files(map(Path, files))
        return []


def hashes_of(paths: Iterable[str]) -> dict[str, str]:
    """Returns the files' hashes by path; "" for one that is gone."""
    wanted = list(paths)
    parts = fingerprint_files(map(Path, wanted)).parts
    return {path: parts.get(portable_path(Path(path)), "") for path in wanted}


def touched_ns(path: str) -> int:
    """Returns the time of the last change of a file's content, name or place."""
    status = os.stat(path)
    return max(status.st_mtime_ns, status.st_ctime_ns)
