"""Finds the bots of a folder: sources, bundles, programs, and the command lines of a small file.

A Python file of `bots/` is a bot if it defines `new_player`, or if it reads input and no other file
there imports it. A Python file of another folder is a bot if no other file there imports it. The
source of a compiled language is a bot if it has a `main` and no program of its name lies beside it.
Any other file is a bot if it may be executed. `bots.txt` has a bot a line, as `NAME: COMMAND`;
lines that begin with # are comments.
"""

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from bundler.modules.workspace import roots_of
from referee.errors import UsageError
from referee.sources.imports import imported_files
from referee.sources.programs import compilers, has_main
from referee.sources.workspace import is_source

COMMANDS = "bots.txt"
LINE = re.compile(r"\s*([^:#]{1,60}?)\s*:\s*(\S.*?)\s*")
NEW_PLAYER = re.compile(
    r"^(?:def new_player\b|new_player\s*=|from .* import .*\bnew_player\b)", re.M
)
READS_INPUT = re.compile(r"\binput\(|\bstdin\b")
# A folder with more files is no folder of bots.
MOST_FILES = 1000

# {file name: (time of change in ns, size)} of the files in a folder of bots.
Stamps = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Found:
    """A bot of a folder: its name there, and the text that names it on a command line."""

    name: str
    text: str


def stamps_of(folder: Path) -> Stamps:
    """Returns the stamps of a folder's files; equal stamps mean that nothing has changed."""
    stamps = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.is_file() and not entry.name.startswith("."):
                    known = entry.stat()
                    stamps[entry.name] = known.st_mtime_ns, known.st_size
            except OSError:
                continue  # the file was removed meanwhile
    return stamps


def find_bots(folder: Path) -> list[Found]:
    """Returns the bots of a folder, by name. Raises UsageError for a folder of too many files, for
    an unreadable bots.txt, and for a name in it that is already used.
    """
    names = sorted(stamps_of(folder))
    if len(names) > MOST_FILES:
        raise UsageError(f"{folder}: more than {MOST_FILES} files: give a folder of bots alone")
    files = [(folder / name).resolve() for name in names]
    python = [file for file in files if file.suffix == ".py"]
    imported: set[Path] = set()
    for file in python:
        folders = [folder.resolve(), *roots_of(file)]
        imported |= {
            imported_file
            for imported_file in imported_files(file, folders)
            if imported_file != file
        }
    chosen, compiled = [], compilers()
    programs = {file.stem for file in files if not file.suffix and os.access(file, os.X_OK)}
    for file in files:
        if file.suffix == ".py":
            is_bot = is_player(file, imported) if is_source(file) else file not in imported
        elif file.suffix[1:] in compiled:
            is_bot = file.stem not in programs and has_main(file)
        else:
            is_bot = file.name != COMMANDS and os.access(file, os.X_OK)
        if is_bot and file.name != "__init__.py":
            chosen.append(file)
    stems = [file.stem for file in chosen]
    bots = [
        Found(file.stem if stems.count(file.stem) == 1 else file.name, str(file)) for file in chosen
    ]
    taken = {bot.name for bot in bots}
    for bot in read_commands(folder / COMMANDS):
        if bot.name in taken:
            raise UsageError(f"{folder / COMMANDS}: {bot.name!r} is there twice: rename one")
        taken.add(bot.name)
        bots.append(bot)
    return sorted(bots, key=lambda bot: bot.name)


def is_player(file: Path, imported: Collection[Path] = ()) -> bool:
    """Returns True for a source that defines a bot, not a module of bots. imported: the files known
    to be imported by others.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    is_script = file not in imported and READS_INPUT.search(text) is not None
    return is_script or NEW_PLAYER.search(text) is not None


def read_commands(file: Path) -> list[Found]:
    """Returns the bots of a file of command lines, [] if there is no file. Raises UsageError."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {error}") from error
    commands = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            parts = LINE.fullmatch(line)
            if parts is None:
                raise UsageError(f"{file}, line {number}: NAME: COMMAND is expected: {line[:60]!r}")
            commands.append(Found(parts[1], parts[2]))
    return commands
