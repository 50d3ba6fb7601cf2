"""Fingerprints of bots, contests and referees: hashes of the files that determine their behaviour.

A contest's Python files count by their syntax trees, so that changes of comments and docstrings do
not count; the library that they import counts by the package's version.

A command's files are the files that its words name: programs, data, and folders with all files
below. A word may name them in a list as `-cp a.jar:classes`, after a sign as `--net=weights.bin`,
or within a command for a shell. A script counts with the files of its folder, a Python file also
with the modules that it imports. Other files do not count unless `--files GLOB` names them.

A file is read again only when its time, size or place on the disk has changed.
"""

import ast
import glob
import hashlib
import os
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bundler.modules.workspace import CACHE, roots_of
from referee.errors import UsageError
from referee.project import PROJECT, version
from referee.sources.contests import contest_file, contest_folder
from referee.sources.imports import imported_files
from referee.sources.site import is_site_python
from referee.sources.workspace import is_source, roots

# A folder that a command names may hold so many files.
MAX_FILES = 20_000
# A folder that no word names counts with its script only up to so many files, and so many bytes.
MAX_BESIDE, MAX_BYTES_BESIDE = 2_000, 512 * 2**20
# Nobody runs these, and running makes them.
LEFT_OUT = {"__pycache__"}
SCRIPTS = {".bash", ".cjs", ".js", ".jl", ".lua", ".mjs", ".php", ".pl", ".py", ".rb", ".sh", ".ts"}
SYSTEM = [
    Path(folder)
    for folder in (
        *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/proc", "/run"),
        *("/sbin", "/snap", "/sys", "/usr"),
    )
]
# Programs that somebody has put there by hand may be a bot's.
LOCAL = Path("/usr/local")
# A variable for `env` in a word of a command.
VARIABLE = re.compile(r"[A-Za-z_]\w*=")
# A file written less than this ago may change again without a new timestamp.
SETTLED_NS = 100_000_000

# The part of rules that stands for the library.
LIBRARY = "onefile"
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

Stamp = tuple[int, ...]
_hashes: dict[tuple[Path, bool], tuple[Stamp, str]] = {}


@dataclass(frozen=True)
class Fingerprint:
    """Files identified by content.

    digest: the hash of all files, in hexadecimal. parts: each file's SHA-256 by its path, and the
    library's version. recompute: makes a new fingerprint of the same files. stamps: the time, size
    and place on the disk of each file and folder. notes: texts about folders that do not count.
    """

    digest: str
    parts: dict[str, str]
    recompute: Callable[[], "Fingerprint"] = field(repr=False, compare=False)
    stamps: dict[Path, Stamp] = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def changed(self) -> list[str]:
        """Returns the changed paths, [] if no file of the fingerprint has changed."""
        if all(_stamp(path) == stamp for path, stamp in self.stamps.items()):
            return []
        now = self.recompute()
        if now.digest == self.digest:
            self.stamps.clear()
            self.stamps.update(now.stamps)
            return []
        return changed_paths(self.parts, now.parts)


def is_referees_python(program: str) -> bool:
    """Returns True for the Python that runs the referee, or a site's Python: neither belongs to a
    bot.
    """
    return is_site_python(program) or Path(program).resolve() == Path(sys.executable).resolve()


def changed_paths(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Returns the paths whose files are on one side only, or have different content.

    A bundle is named "its bundle"; for the library, the text names both versions.
    """
    paths = sorted(path for path in before.keys() | now if before.get(path) != now.get(path))
    names = {LIBRARY: f"{LIBRARY} {before.get(LIBRARY)}, now {now.get(LIBRARY)}"}
    names |= {path: "its bundle" for path in paths if is_bundle(PROJECT / path)}
    return list(dict.fromkeys(names.get(path, path) for path in paths))


def fingerprint_command(
    command: list[str],
    excluded: tuple[Path, ...] = (),
    globs: Sequence[str] = (),
    with_folders: bool = True,
) -> Fingerprint:
    """Returns the fingerprint of a command line, in which files and folders have full paths.

    excluded: files and folders to ignore wherever they are found. globs: patterns of further files,
    ignored for a bundle. with_folders: count the folders of scripts. Raises UsageError if a folder
    has too many files, and for a pattern without a file.
    """
    collector = _Collector()
    is_bundled = False
    for number, word in enumerate(command):
        if number == 0 and is_referees_python(word):
            continue
        for path in named_paths(word) or named_in_text(word):
            is_bundled |= is_bundle(path)
            if path.is_dir():
                collector.add_folder(number, path, excluded)
            elif path.is_file():
                collector.add_program(number, path, excluded, with_folders)
    if not is_bundled:
        for path in matching_files(globs, excluded):
            collector.add(path, f"files/{path.name}")
            collector.stamps[path.parent] = _stamp(path.parent)
    return collector.done(lambda: fingerprint_command(command, excluded, globs, with_folders))


def fingerprint_contest(name: str) -> Fingerprint:
    """Returns the fingerprint of a contest's rules, given as a file or by the contest's name.

    It is empty for an unknown contest. Modules that draw are excluded.
    """
    collector = _Collector()
    file = contest_file(name)
    if file and file.is_file():
        whole = contest_folder(name)
        folder = whole or file.parent
        files = {file, *imported_files(file, [file.parent, *roots()])}
        files |= {path for path in whole.rglob("*") if path.is_file()} if whole else set()
        collector.stamps[folder] = _stamp(folder)
        for path in sorted(files):
            is_left_out = {*path.parts} & LEFT_OUT or path.suffix == ".md"
            if not (is_left_out or path.name == "render.py" or _is_library(path)):
                collector.add(path, os.path.relpath(path, folder), by_meaning=True)
        collector.add_library()
    return collector.done(lambda: fingerprint_contest(name))


def _is_library(path: Path) -> bool:
    """Returns True for a module of the library, outside of the contests' folders."""
    library = PROJECT / "shared"
    return path.is_relative_to(library) and path.relative_to(library).parts[0] != "games"


def has_contents(parts: dict[str, str], contents: Fingerprint) -> bool:
    """Returns True if stored parts are the present files of a fingerprint, apart from the
    library's.

    parts: stored by an earlier version, which hashed all files by their contents. contents: the
    fingerprint.
    """
    if not parts or LIBRARY in parts:
        return False
    files = {path: sha256 for path, sha256 in parts.items() if not _is_library(PROJECT / path)}
    now = contents.parts.keys() - {LIBRARY}
    return files.keys() == now and all(
        sha256 in (file_hash(PROJECT / path), _hash(_with_full_names(PROJECT / path)))
        for path, sha256 in files.items()
    )


def join_fingerprints(parts: list[Fingerprint]) -> Fingerprint:
    """Returns one fingerprint of the files of several fingerprints."""
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


def named_paths(word: str) -> list[Path]:
    """Returns the full paths that a word of a command names, except the folder of temporary files.

    Of a variable for `env`, as in PYTHONPATH=/my/modules, paths of the system are left out, too.
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


def named_in_text(word: str) -> list[Path]:
    """Returns the files that a shell's command, given as one word, names by full paths or below a
    folder that it enters, as in `sh -c 'cd /path && ./bot'`.
    """
    try:
        words = [Path(text) for text in shlex.split(word)]
    except ValueError:
        return []
    folders = [path for path in words if path.is_absolute() and _exists(path) and path.is_dir()]
    paths = [folder / path for folder in (Path("."), *folders) for path in words]
    files = [path for path in paths if path.is_absolute() and _exists(path) and path.is_file()]
    return [path for path in dict.fromkeys(files) if not is_system(path)]


def files_of_folder(
    folder: Path, excluded: tuple[Path, ...] = (), folders: set[Path] | None = None
) -> list[Path]:
    """Returns the files in and below a folder, without hidden folders and `__pycache__`. Raises
    UsageError if there are too many.

    excluded: files and folders to leave out. folders: a set to which all folders visited are added.
    """
    files = list(islice(files_below(folder, excluded, folders), MAX_FILES + 1))
    if len(files) > MAX_FILES:
        raise UsageError(
            f"{folder} holds more than {MAX_FILES} files, too many to know when one changes:"
            " let the bot's command name a smaller folder"
        )
    return files


def files_below(
    folder: Path, excluded: tuple[Path, ...], folders: set[Path] | None = None
) -> Iterator[Path]:
    """Yields the files in and below a folder, sorted within each folder, without hidden folders and
    `__pycache__`.

    excluded: files and folders to leave out. folders: a set to which all folders visited are added.
    """
    if _is_in(folder, excluded):
        return
    hidden = frozenset(excluded)
    for path, names, files in os.walk(folder):
        here = Path(path)
        if folders is not None:
            folders.add(here)
        names[:] = sorted(
            name
            for name in names
            if name not in LEFT_OUT and name[0] != "." and here / name not in hidden
        )
        for name in sorted(files):
            if here / name not in hidden and (here / name).is_file():
                yield here / name


@dataclass
class Beside:
    """The files that count together with a named file.

    folders: the folders of which all files count. note: a text about a folder that does not count.
    """

    files: list[Path] = field(default_factory=list)
    folders: set[Path] = field(default_factory=set)
    note: str = ""


def files_beside(file: Path, excluded: tuple[Path, ...] = (), with_folder: bool = True) -> Beside:
    """Returns the files that count together with a named file.

    A source of `bots/` counts with the files that it imports, another Python file with these and
    all files of its folder, and any other script with all files of its folder. A bundle or a
    program counts alone.
    """
    if is_bundle(file) or is_system(file) or not is_script(file):
        return Beside()
    beside = Beside()
    modules: list[Path] = []
    is_python = file.suffix == ".py"
    if is_python:
        modules = imported_files(file, [file.parent, *roots_of(file)])
        beside.folders.add(file.parent)  # a new module may hide another one
    if with_folder and not (is_python and is_source(file)):
        add_folder_of(file, beside, excluded)
    others = {*beside.files, *(path for path in modules if not _is_in(path, excluded))}
    beside.files = sorted(others - {file})
    return beside


def add_folder_of(file: Path, beside: Beside, excluded: tuple[Path, ...]) -> None:
    """Add the files of a script's folder to `beside`; or else a note, if they are too many or too
    large, or if the folder contains the user's home or the folder of temporary files.
    """
    folder, folders = file.parent, set[Path]()
    places = (Path(tempfile.gettempdir()), Path.home())
    if any(place.is_relative_to(folder) for place in places):
        beside.note = f"{folder} is no folder of a bot's own"
    else:
        files = list(islice(files_below(folder, excluded, folders), MAX_BESIDE + 1))
        # A bot may write and remove files there.
        n_bytes = sum(stamp[2] for stamp in map(_stamp, files) if stamp)
        if len(files) <= MAX_BESIDE and n_bytes <= MAX_BYTES_BESIDE:
            beside.files += files
            beside.folders |= folders
            return
        beside.note = (
            f"{folder} holds more than {MAX_BESIDE} files or {MAX_BYTES_BESIDE >> 20} MB, too many"
            " to know when one changes"
        )
    beside.note += f": an edit there makes no other bot of {file.name}; name its files by --files"


def is_script(file: Path) -> bool:
    """Returns True for a program in text form, by its suffix or its first line."""
    if file.suffix in SCRIPTS:
        return True
    try:
        with file.open("rb") as opened:
            return opened.read(2) == b"#!"
    except OSError:
        return False


def is_bundle(file: Path) -> bool:
    """Returns True for a file in the cache, a bundle that contains everything it needs."""
    return file.is_relative_to(CACHE)


def is_system(path: Path) -> bool:
    """Returns True if a path belongs to the system or to this Python."""
    pythons = {Path(sys.prefix), Path(sys.base_prefix)} - {Path("/"), Path("/usr"), LOCAL}
    if any(path.is_relative_to(folder) for folder in pythons):
        return True
    return any(map(path.is_relative_to, SYSTEM)) and not path.is_relative_to(LOCAL)


def matching_files(globs: Sequence[str], excluded: tuple[Path, ...] = ()) -> list[Path]:
    """Returns the files that match patterns, sorted. Raises UsageError for a pattern that matches
    no file or too many.
    """
    files: set[Path] = set()
    for pattern in globs:
        matches = map(Path, islice(glob.iglob(pattern, recursive=True), MAX_FILES + 1))
        new = [path for path in matches if path.is_file()]
        if not new:
            raise UsageError(f"--files {pattern!r} matches no file")
        files.update(path for path in new if not _is_in(path, excluded))
        if len(files) > MAX_FILES:
            raise UsageError(f"--files {pattern!r} matches more than {MAX_FILES} files")
    return sorted(files)


def file_hash(path: Path, by_meaning: bool = False) -> str:
    """Returns the SHA-256 of a file's content, in hexadecimal; by_meaning: hash the `meaning` of a
    Python file instead.
    """
    stamp = _stamp(path)
    known = _hashes.get((path, by_meaning))
    if known and known[0] == stamp:
        return known[1]
    is_parsed = by_meaning and path.suffix == ".py"
    content = meaning(_with_full_names(path)) if is_parsed else path.read_bytes()
    sha256 = _hash(content)
    if stamp and time.time_ns() - max(stamp[:2]) > SETTLED_NS:
        _hashes[path, by_meaning] = stamp, sha256
    return sha256


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _with_full_names(path: Path) -> bytes:
    """Returns the content of a file. In a module of the project's rules, imports get full names, as
    version 0.2.0 wrote them, so that results of that version stay valid.
    """
    content = path.read_bytes()
    if path.suffix != ".py" or not path.is_relative_to(PROJECT / "shared"):
        return content
    # Slow to import, and for arenas alone
    from bundler.modules.library import with_full_names
    from bundler.modules.source import Source

    package = ".".join(path.relative_to(PROJECT).parent.parts)
    return with_full_names(Source(content.decode(), str(path)), package).encode()


def meaning(source: bytes) -> bytes:
    """Returns a Python source in a common layout, without comments and docstrings.

    A source that uses `__doc__` keeps its docstrings. An invalid source is returned unchanged.
    """
    try:
        tree = ast.parse(source)
        if b"__doc__" not in source:
            for node in ast.walk(tree):
                if (
                    isinstance(node, DOCUMENTED)
                    and ast.get_docstring(node, clean=False) is not None
                ):
                    node.body[0] = ast.Pass()
        return ast.unparse(tree).encode()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source


def portable_path(path: Path) -> str:
    """Returns the path by which a log names a file: for a file of the project, the path from its
    folder.
    """
    return str(path.relative_to(PROJECT) if path.is_relative_to(PROJECT) else path)


class _Collector:
    """Collects files for a fingerprint."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.parts: dict[str, str] = {}
        self.stamps: dict[Path, Stamp] = {}
        self.notes: list[str] = []

    def add(self, path: Path, name: str = "", by_meaning: bool = False) -> None:
        """Add a file; name: the file's name if it is to count as well."""
        self.stamps[path] = _stamp(path)
        sha256 = file_hash(path, by_meaning)
        # A name may be no UTF-8.
        self.parts[os.fsencode(portable_path(path)).decode(errors="backslashreplace")] = sha256
        self.digest.update(name.encode(errors="surrogateescape") + bytes.fromhex(sha256))

    def add_library(self) -> None:
        """Add the library, by its version."""
        self.parts[LIBRARY] = version()
        self.digest.update(f"{LIBRARY} {version()}".encode())

    def add_program(
        self, number: int, path: Path, excluded: tuple[Path, ...], with_folder: bool
    ) -> None:
        """Add the file that word `number` of a command names, and the files that count together
        with it.
        """
        self.add(path)
        beside = files_beside(path, excluded, with_folder)
        for file in beside.files:
            self.add(file, f"{number}/{os.path.relpath(file, path.parent)}")
        for folder in beside.folders:
            self.stamps[folder] = _stamp(folder)
        self.notes += [beside.note] if beside.note else []

    def add_folder(self, number: int, folder: Path, excluded: tuple[Path, ...]) -> None:
        """Add the files of the folder that word `number` of a command names."""
        folders: set[Path] = set()
        files = files_of_folder(folder, excluded, folders)
        for path in folders:
            self.stamps[path] = _stamp(path)
        for file in files:
            self.add(file, f"{number}/{file.relative_to(folder)}")

    def done(self, recompute: Callable[[], Fingerprint]) -> Fingerprint:
        digest, notes = self.digest.hexdigest(), tuple(self.notes)
        return Fingerprint(digest, self.parts, recompute, self.stamps, notes)


def _is_in(path: Path, others: tuple[Path, ...]) -> bool:
    return any(path == other or path.is_relative_to(other) for other in others)


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
