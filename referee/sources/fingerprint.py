"""Fingerprints of bots, contests and referees: hashes of all files that decide how they play.

A command's files are its program, every file and folder that its words name (also in a list as
`-cp a.jar:classes`, or behind a sign as `--net=weights.bin`), and the local modules that a Python
program imports (`imports`). Files that a program finds by itself are not seen: name them in the
command.

A file is read again only when its time, size or place on the disk has changed.
"""

import hashlib
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Callable, Iterator

from referee.errors import UsageError
from referee.project import PROJECT
from referee.sources.contests import contest_file
from referee.sources.imports import imported_files
from referee.sources.workspace import roots

# What nobody runs, and what running makes.
LEFT_OUT = {"__pycache__"}
MAX_FILES = 20_000
# A file that has just been written may be written again without another time.
SETTLED_NS = 100_000_000

Stamp = tuple[int, ...]
_hashes: dict[Path, tuple[Stamp, str]] = {}


@dataclass(frozen=True)
class Fingerprint:
    """Files by their content.

    digest: of all, in hexadecimal. parts: each file's SHA-256, by its path for people. recompute:
    makes a new fingerprint of the same files.
    """

    digest: str
    parts: dict[str, str]
    recompute: Callable[[], "Fingerprint"] = field(repr=False, compare=False)
    stamps: dict[Path, Stamp] = field(repr=False, compare=False)

    def changed(self) -> list[str]:
        """The paths that are not as they were, [] if nothing that counts has changed."""
        if all(_stamp(path) == stamp for path, stamp in self.stamps.items()):
            return []
        now = self.recompute()
        if now.digest == self.digest:
            self.stamps.clear()
            self.stamps.update(now.stamps)
            return []
        return changed_paths(self.parts, now.parts)


def changed_paths(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """The paths whose files are there on one side only, or with another content."""
    return sorted(path for path in before.keys() | now if before.get(path) != now.get(path))


def fingerprint_command(command: list[str], excluded: tuple[Path, ...] = ()) -> Fingerprint:
    """Returns the fingerprint of a command line, in which files and folders have full paths.

    excluded: files and folders that do not count, wherever they are. Raises UsageError where a
    folder holds too many files.
    """
    collector = _Collector()
    for number, word in enumerate(command):
        if number == 0 and Path(word).resolve() == Path(sys.executable).resolve():
            continue  # which Python runs us is no matter of the bot
        for path in named_paths(word):
            if path.is_dir():
                collector.add_folder(number, path, excluded)
            else:
                collector.add_program(number, path, excluded)
    return collector.done(lambda: fingerprint_command(command, excluded))


def fingerprint_contest(name: str) -> Fingerprint:
    """Returns the fingerprint of a contest's rules: of a file, or of a name in `shared/games`.

    It is empty for an unknown contest. The drawing of games does not count.
    """
    collector = _Collector()
    file = contest_file(name)
    if file and file.is_file():
        folder = file.parent
        files = {file, *imported_files(file, [folder, *roots()])}
        if not name.endswith(".py"):
            files |= {path for path in folder.rglob("*") if path.is_file()}
        collector.stamps[folder] = _stamp(folder)
        for path in sorted(files):
            if not ({*path.parts} & LEFT_OUT or path.suffix == ".md" or path.name == "render.py"):
                collector.add(path, os.path.relpath(path, folder))
    return collector.done(lambda: fingerprint_contest(name))


def join_fingerprints(parts: list[Fingerprint]) -> Fingerprint:
    """Returns several fingerprints as one."""
    digest = hashlib.sha256("".join(one.digest for one in parts).encode()).hexdigest()
    return Fingerprint(
        digest,
        {path: sha256 for one in parts for path, sha256 in one.parts.items()},
        lambda: join_fingerprints([one.recompute() for one in parts]),
        {path: stamp for one in parts for path, stamp in one.stamps.items()},
    )


def named_paths(word: str) -> list[Path]:
    """Returns the full paths that a word of a command names, but for the folder of all users."""
    open_to_all = Path(tempfile.gettempdir())
    value = word.partition("=")[2] if word.startswith("-") else ""
    for text in (word, value):
        paths = [Path(part.removesuffix("/*")) for part in text.split(os.pathsep) if part]
        if paths and all(path.is_absolute() and _exists(path) for path in paths):
            return [path for path in paths if not open_to_all.is_relative_to(path)]
    return []


def files_of_program(path: Path) -> list[Path]:
    """A program's file, and those that it imports if it is one of Python."""
    if not _is_python(path):
        return [path]
    elsewhere = [Path(text) for text in os.environ.get("PYTHONPATH", "").split(":") if text]
    return [path, *imported_files(path, [path.parent, *elsewhere, *roots()])]


def files_of_folder(
    folder: Path, excluded: tuple[Path, ...] = (), stamps: dict[Path, Stamp] | None = None
) -> list[Path]:
    """Returns a folder's files that count, and adds all folders' stamps. Raises UsageError."""
    found = _files_below(folder, excluded, {} if stamps is None else stamps)
    files = list(islice(found, MAX_FILES + 1))
    if len(files) > MAX_FILES:
        raise UsageError(
            f"{folder} holds more than {MAX_FILES} files, too many to know when one changes:"
            " let the bot's command name a smaller folder"
        )
    return files


def file_hash(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    stamp = _stamp(path)
    known = _hashes.get(path)
    if known and known[0] == stamp:
        return known[1]
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    if stamp and time.time_ns() - max(stamp[:2]) > SETTLED_NS:
        _hashes[path] = stamp, sha256
    return sha256


def portable_path(path: Path) -> str:
    """Returns the path by which a log names a file: one of the project is found in any checkout."""
    return str(path.relative_to(PROJECT) if path.is_relative_to(PROJECT) else path)


class _Collector:
    """Collects files for a fingerprint."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.parts: dict[str, str] = {}
        self.stamps: dict[Path, Stamp] = {}

    def add(self, path: Path, name: str = "") -> None:
        """Add a file, known by a name where it matters what it is called."""
        self.stamps[path] = _stamp(path)
        sha256 = file_hash(path)
        self.parts[portable_path(path)] = sha256
        self.digest.update(name.encode(errors="surrogateescape") + bytes.fromhex(sha256))

    def add_program(self, number: int, path: Path, excluded: tuple[Path, ...]) -> None:
        """Add the file that a word names, with what it imports if it is a Python program."""
        self.add(path)
        # A module that comes to be beside it may hide another one.
        self.stamps[path.parent] = _stamp(path.parent)
        for file in files_of_program(path)[1:]:
            if not _is_in(file, excluded):
                self.add(file, f"{number}/{os.path.relpath(file, path.parent)}")

    def add_folder(self, number: int, folder: Path, excluded: tuple[Path, ...]) -> None:
        """Add the files of a folder."""
        for file in files_of_folder(folder, excluded, self.stamps):
            self.add(file, f"{number}/{file.relative_to(folder)}")

    def done(self, recompute: Callable[[], Fingerprint]) -> Fingerprint:
        return Fingerprint(self.digest.hexdigest(), self.parts, recompute, self.stamps)


def _files_below(
    folder: Path, excluded: tuple[Path, ...], stamps: dict[Path, Stamp]
) -> Iterator[Path]:
    """The files of a folder and those below it, in order; hidden folders do not count."""
    for path, names, files in os.walk(folder):
        here = Path(path)
        names[:] = sorted(
            name
            for name in names
            if name not in LEFT_OUT and name[0] != "." and not _is_in(here / name, excluded)
        )
        stamps[here] = _stamp(here)
        for name in sorted(files):
            if (here / name).is_file() and not _is_in(here / name, excluded):
                yield here / name


def _is_in(path: Path, others: tuple[Path, ...]) -> bool:
    return any(path == other or path.is_relative_to(other) for other in others)


def _is_python(path: Path) -> bool:
    if path.suffix == ".py":
        return True
    with path.open("rb") as file:
        first = file.readline(100)
    return first.startswith(b"#!") and b"python" in first


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False  # longer than any path, for one


def _stamp(path: Path) -> Stamp:
    """Returns values that change with a file, () where there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev
