"""Fingerprints of bots, contests and referees: hashes of all files that determine their behaviour.

A command's files are its program, every file and folder that its words name, and the files that its
programs name (`programs`). A word may name them in a list as `-cp a.jar:classes`, behind a sign as
`--net=weights.bin`, or as a word of a shell's. An arena adds the files that a bot is seen to run
and to map (`referee/arena/watched.py`).

A file is read again only when its time, size or place on the disk has changed.
"""

import hashlib
import os
import re
import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Callable, Iterable

from referee.errors import UsageError
from referee.project import PROJECT
from referee.sources.contests import contest_file
from referee.sources.imports import imported_files
from referee.sources.programs import (
    LEFT_OUT,
    ProgramFiles,
    files_below,
    files_named_in,
    files_of_program,
    is_system,
)
from referee.sources.site import is_site_python
from referee.sources.workspace import roots

MAX_FILES = 20_000
# A variable for `env` in a word of a command.
VARIABLE = re.compile(r"[A-Za-z_]\w*=")
# A file written less than this ago may change again without a new timestamp.
SETTLED_NS = 100_000_000

Stamp = tuple[int, ...]
_hashes: dict[Path, tuple[Stamp, str]] = {}


@dataclass(frozen=True)
class Fingerprint:
    """Files identified by content.

    digest: of all, in hexadecimal. parts: each file's SHA-256, by its path for people. recompute:
    makes a new fingerprint of the same files. notes: texts about files that may be missing.
    """

    digest: str
    parts: dict[str, str]
    recompute: Callable[[], "Fingerprint"] = field(repr=False, compare=False)
    stamps: dict[Path, Stamp] = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def changed(self) -> list[str]:
        """Returns the changed paths, [] if no relevant file has changed."""
        if all(_stamp(path) == stamp for path, stamp in self.stamps.items()):
            return []
        now = self.recompute()
        if now.digest == self.digest:
            self.stamps.clear()
            self.stamps.update(now.stamps)
            return []
        return changed_paths(self.parts, now.parts)


def is_referees_python(program: str) -> bool:
    """Returns True for the Python that runs us, and for a site's: neither belongs to the bot."""
    return is_site_python(program) or Path(program).resolve() == Path(sys.executable).resolve()


def changed_paths(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Returns the paths whose files are on one side only, or have different content."""
    return sorted(path for path in before.keys() | now if before.get(path) != now.get(path))


def fingerprint_command(command: list[str], excluded: tuple[Path, ...] = ()) -> Fingerprint:
    """Returns the fingerprint of a command line, in which files and folders have full paths.

    excluded: files and folders to ignore in any place. Raises UsageError if a folder has too many
    files.
    """
    collector = _Collector()
    for number, word in enumerate(command):
        if number == 0 and is_referees_python(word):
            continue
        paths = named_paths(word)
        for path in paths:
            if path.is_dir():
                collector.add_folder(number, path, excluded)
            else:
                collector.add_program(number, path, excluded)
        if not paths and os.sep in word:
            collector.add_files(number, files_named_in(word, excluded), None)
    return collector.done(lambda: fingerprint_command(command, excluded))


def fingerprint_contest(name: str) -> Fingerprint:
    """Returns the fingerprint of a contest's rules: of a file, or of a name in `shared/games`.

    It is empty for an unknown contest. Rendering modules are excluded.
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
            if not ({*path.parts} & LEFT_OUT or path.suffix == ".md" or _is_drawing(path)):
                collector.add(path, os.path.relpath(path, folder))
    return collector.done(lambda: fingerprint_contest(name))


def _is_drawing(path: Path) -> bool:
    """Returns True for a contest's renderer and for the shapes that it draws with."""
    return path.name == "render.py" or path.parts[-4:-1] == ("shared", "core", "drawing")


def join_fingerprints(parts: list[Fingerprint]) -> Fingerprint:
    """Returns several fingerprints as one."""
    digest = hashlib.sha256(
        "".join(fingerprint.digest for fingerprint in parts).encode()
    ).hexdigest()
    return Fingerprint(
        digest,
        {path: sha256 for fingerprint in parts for path, sha256 in fingerprint.parts.items()},
        lambda: join_fingerprints([fingerprint.recompute() for fingerprint in parts]),
        {path: stamp for fingerprint in parts for path, stamp in fingerprint.stamps.items()},
        tuple(note for fingerprint in parts for note in fingerprint.notes),
    )


def fingerprint_files(paths: Iterable[Path]) -> Fingerprint:
    """Returns the fingerprint of files by their paths; one that is gone has no content."""
    collector = _Collector()
    known = sorted(paths)
    for path in known:
        collector.stamps[path] = _stamp(path)
        if collector.stamps[path]:
            collector.add(path, str(path))
    return collector.done(lambda: fingerprint_files(known))


def named_paths(word: str) -> list[Path]:
    """Returns the full paths that a word of a command names, but for the folder of all users; of a
    variable for `env`, as in PYTHONPATH=/my/modules, those that are not the system's.
    """
    open_to_all = Path(tempfile.gettempdir())
    is_variable = VARIABLE.match(word) is not None
    value = word.partition("=")[2] if word.startswith("-") or is_variable else ""
    for text in (word, value):
        paths = [Path(path.removesuffix("/*")) for path in text.split(os.pathsep) if path]
        if paths and all(path.is_absolute() and _exists(path) for path in paths):
            return [
                path
                for path in paths
                if not (open_to_all.is_relative_to(path) or (is_variable and is_system(path)))
            ]
    return []


def files_of_folder(
    folder: Path, excluded: tuple[Path, ...] = (), folders: set[Path] | None = None
) -> list[Path]:
    """Returns a folder's files that count. folders: gets all folders in it. Raises UsageError."""
    files = list(islice(files_below(folder, excluded, folders), MAX_FILES + 1))
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
        self.notes: list[str] = []

    def add(self, path: Path, name: str = "") -> None:
        """Add a file; a name is given if the file's name is significant."""
        self.stamps[path] = _stamp(path)
        sha256 = file_hash(path)
        self.parts[portable_path(path)] = sha256
        self.digest.update(name.encode(errors="surrogateescape") + bytes.fromhex(sha256))

    def add_program(self, number: int, path: Path, excluded: tuple[Path, ...]) -> None:
        """Add the file that a word names, with the files that it names itself."""
        self.add(path)
        # A new module beside it may hide another one.
        self.stamps[path.parent] = _stamp(path.parent)
        self.add_files(number, files_of_program(path, excluded), path)

    def add_files(self, number: int, program_files: ProgramFiles, program: Path | None) -> None:
        """Add the files that a word's program names. program: one that has been added."""
        base = program.parent if program else None
        for file in sorted(program_files.files):
            if file != program:
                name = os.path.relpath(file, base) if base else file.name
                self.add(file, f"{number}/{name}")
        for folder in {*program_files.folders, *(file.parent for file in program_files.files)}:
            self.stamps[folder] = _stamp(folder)
        self.notes += [note for note in program_files.notes if note not in self.notes]

    def add_folder(self, number: int, folder: Path, excluded: tuple[Path, ...]) -> None:
        """Add the files of a folder."""
        folders: set[Path] = set()
        files = files_of_folder(folder, excluded, folders)
        for path in folders:
            self.stamps[path] = _stamp(path)
        for file in files:
            self.add(file, f"{number}/{file.relative_to(folder)}")

    def done(self, recompute: Callable[[], Fingerprint]) -> Fingerprint:
        digest, notes = self.digest.hexdigest(), tuple(self.notes)
        return Fingerprint(digest, self.parts, recompute, self.stamps, notes)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False  # longer than any path, for one


def _stamp(path: Path) -> Stamp:
    """Returns (modification and change time, size, inode, device) of a file; () if absent."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev
