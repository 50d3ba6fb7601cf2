"""Finds a bot that is named on the command line.

A source of this project, `bots/<contest>/<bot>.py`, is bundled and its bundle runs: games at home
are played by the file to paste. Bundles are kept in `.cache/bundles/`, named by a hash of all they
are made of.
"""

import hashlib
import importlib.metadata
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Callable

from referee.errors import UsageError
from referee.log.records import Bot
from referee.project import PROJECT
from referee.sources.fingerprint import file_hash, fingerprint_command, named_paths, portable_path
from referee.sources.imports import imported_files
from referee.sources.workspace import roots, workspace

# Before a Python file: run the file itself, with the project's modules, where else its
# bundle would run.
SOURCE = "source:"
RUN_SOURCE = (
    "import runpy, sys; sys.path[0] = {project!r}; runpy.run_path(sys.argv[1], run_name='__main__')"
)

# The same in a workspace.
RUN_JOINED = (
    "import sys; sys.path[0] = {project!r}; from bundler.sources.workspace import run; "
    "run({workspace!r}, sys.argv[1])"
)

CACHE = PROJECT / ".cache" / "bundles"
# A value of a tunable number behind a Python file
PARAMETER_AT_END = re.compile(
    r"(.*\S)\s+([A-Za-z_]\w*)=(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)", re.ASCII | re.DOTALL
)
WHOLE = re.compile(r"-?\d+", re.ASCII)


def find_bot(text: str, on_bundling: Callable[[str], None] = lambda bot: None) -> Bot:
    """The bot that `text` names: a source in bots/, another Python file, "source:FILE",
    or a command line. Behind a Python file there may be values of tunable numbers, as in
    "bots/contest/bot.py depth=3 width=0.5": it runs as a bundle that is open for tuning.

    Relative paths are looked up in the current folder, then in the project's. on_bundling is called
    with a source's path before it is bundled, which may take a minute; its bundle is kept.
    Raises UsageError where there is no such bot or it cannot be bundled.
    """
    without, parameters = split_parameters(text)
    if parameters:
        return with_parameters(without, parameters, on_bundling)
    if text.startswith(SOURCE):
        return find_source(text.removeprefix(SOURCE))
    file = find_file(text)
    if file and file.suffix == ".py":
        is_source = any(file.is_relative_to(root / "bots") for root in roots())
        runs = bundle(file, on_bundling) if is_source else file
        return _bot(file.stem, portable_path(file), [sys.executable, str(runs)])
    if file:
        return _bot(file.stem, portable_path(file), [str(file)])
    return find_command(text)


def split_parameters(text: str) -> tuple[str, dict[str, float]]:
    """A bot's text without the values of tunable numbers behind it, and these."""
    left, found = text.strip(), dict[str, float]()
    while match := PARAMETER_AT_END.fullmatch(left):
        left, name, number = match.groups()
        found.setdefault(name, int(number) if WHOLE.fullmatch(number) else float(number))
    is_python = left.endswith(".py") and (" " not in left or find_file(left.removeprefix(SOURCE)))
    return (left, dict(reversed(found.items()))) if found and is_python else (text, {})


def with_parameters(
    text: str, values: dict[str, float], on_bundling: Callable[[str], None] = lambda bot: None
) -> Bot:
    """Returns a Python file's bot with tunable values. Raises UsageError for other names."""
    own = text.removeprefix(SOURCE)
    file = find_file(own)
    if file is None:
        raise UsageError(f"no bot {text!r}: no such file")
    known = tunables(file)
    for name, value in values.items():
        one = known.get(name)
        if one is None:
            there = ", ".join(known) or "none"
            raise UsageError(
                f"{portable_path(file)} has no tunable number {name!r}: there are {there}"
            )
        if not one["low"] <= value <= one["high"]:
            raise UsageError(f"{name}={value}: it may be from {one['low']} to {one['high']}")
    if text.startswith(SOURCE):
        bot = find_source(own)
    else:
        command = [sys.executable, str(bundle(file, on_bundling, is_open=True))]
        bot = _bot(file.stem, portable_path(file), command)
    given = " ".join([bot.bot, *(f"{name}={value}" for name, value in values.items())])
    return replace(bot, bot=given, parameters=json.dumps(values))


@lru_cache
def tunables(file: Path) -> dict[str, dict[str, Any]]:
    """Returns the tunable numbers of a Python file by name, as `bundler tunables` prints them."""
    command = [sys.executable, "-m", "bundler", "tunables", str(file)]
    asked = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    if asked.returncode != 0:
        said = asked.stderr.strip() or f"the bundler exited with status {asked.returncode}"
        raise UsageError(f"{portable_path(file)}: {said.splitlines()[-1]}")
    return {one["name"]: one for one in map(json.loads, asked.stdout.splitlines())}


def distinct_names(bots: list[Bot]) -> list[str]:
    """Returns a name for each bot of a match: its own, or its path, or with a number."""
    counts = Counter(bot.name for bot in bots)
    names = [bot.name if counts[bot.name] == 1 else bot.bot or bot.name for bot in bots]
    return [
        name if names.count(name) == 1 else f"{bots[player].name} #{names[:player].count(name) + 1}"
        for player, name in enumerate(names)
    ]


def find_source(text: str) -> Bot:
    """The bot whose source file runs as it is."""
    file = find_file(text)
    if file is None:
        raise UsageError(f"no bot {SOURCE + text!r}: no such file")
    runs = RUN_SOURCE.format(project=str(PROJECT))
    if own := workspace():
        runs = RUN_JOINED.format(project=str(PROJECT), workspace=str(own))
    command = [sys.executable, "-c", runs, str(file)]
    return _bot(file.stem, SOURCE + portable_path(file), command)


def find_command(text: str) -> Bot:
    """Returns the bot of a command line with full paths, as bots run in another folder."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"bot {text!r} is no command line: {error}") from error
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise UsageError(f"no bot {text!r}: neither a file nor a command that can be run")
    arguments = [
        with_full_paths(word, is_value=before.startswith("-")) for before, word in pairwise(words)
    ]
    command = [str(Path(program).absolute()), *arguments]
    files = [path for word in command for path in named_paths(word) if path.is_file()]
    return _bot(files[-1].stem, text, command)


def with_full_paths(word: str, is_value: bool) -> str:
    """A word of a command; where it names a file, a folder, or a list of both, with full paths.

    A single word may be anything: as a folder it is taken where it has a slash or is the value of
    an option. Links stay: a virtual environment is known by the link to its Python.
    """
    for folder in (Path.cwd(), *roots()):
        if (folder / word).is_file():
            return os.path.abspath(folder / word)
    parts = word.split(os.pathsep)
    if len(parts) == 1 and os.sep not in word and not is_value:
        return word
    full = [_full_path(part) for part in parts]
    return os.pathsep.join(map(str, full)) if all(full) else word


def _full_path(text: str) -> str | None:
    """The full path of a file or a folder, which may end in /* as in a list of Java's."""
    path, ending = Path(text.removesuffix("/*")), "/*" if text.endswith("/*") else ""
    for folder in (Path.cwd(), *roots()):
        if text and (folder / path).exists():
            return os.path.abspath(folder / path) + ending
    return None


def _bot(name: str, given: str, command: list[str]) -> Bot:
    return Bot(name, given, command, fingerprint_command(command).digest)


def find_file(text: str) -> Path | None:
    """The file at a path, which when relative starts in the current folder or in the project's."""
    for folder in (Path.cwd(), *roots()):
        if (folder / text).is_file():
            return (folder / text).resolve()
    return None


def bundle(
    source: Path, on_bundling: Callable[[str], None] = lambda bot: None, is_open: bool = False
) -> Path:
    """The bundle of a bot's source, made unless it has been made from these very files before;
    is_open: one whose tunable numbers can be given.
    """
    made_of = {
        *(file for root in roots() for file in root.glob("shared/**/*.py")),
        *PROJECT.glob("bundler/**/*.py"),
        *source.parent.glob("*.py"),
        *imported_files(source, [source.parent, *roots()]),
        *source.parent.glob("*.npz"),
    }
    parts = [source.stem, platform.python_version(), importlib.metadata.version("numba")]
    parts += ["open"] if is_open else []
    for file in sorted(made_of):
        parts += [portable_path(file), content_hash([file])]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    bundled = CACHE / f"{source.parent.name}-{source.stem}-{key}.py"
    if not bundled.exists():
        on_bundling(portable_path(source))
        CACHE.mkdir(parents=True, exist_ok=True)
        # Two matches may make the same bundle at once: each writes its own file, and the last one
        # stays.
        unfinished = bundled.with_suffix(f".{os.getpid()}.py")
        try:
            run_bundler(source, unfinished, is_open)
            unfinished.replace(bundled)
        finally:
            unfinished.unlink(missing_ok=True)
    return bundled


def run_bundler(source: Path, output: Path, is_open: bool = False) -> None:
    """Bundle a bot's source. Raises UsageError with the bundler's last line where that fails."""
    # The referee's own choice between plain and compiled Python is not the bundler's.
    environment = {name: value for name, value in os.environ.items() if name != "CG_JIT"}
    # The bundler's check would first play other matches; who pastes a bundle makes it with
    # `bundler`.
    command = [sys.executable, "-m", "bundler", str(source), "-o", str(output), "--no-check"]
    command += ["--open"] if is_open else []
    made = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)
    if made.returncode != 0:
        said = made.stderr.strip() or f"the bundler exited with status {made.returncode}"
        raise UsageError(f"cannot bundle {portable_path(source)}: {said.splitlines()[-1]}")


def content_hash(files: list[Path]) -> str:
    """The SHA-256 of the files' contents, in hexadecimal."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(bytes.fromhex(file_hash(file)))
    return digest.hexdigest()
