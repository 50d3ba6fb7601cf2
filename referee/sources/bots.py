"""Finds a bot named on the command line.

A source of this project, `bots/<contest>/<bot>.py`, is bundled and its bundle runs, so that local
games are played by the file to paste. Bundles are kept in the cache folder, named by a hash of all
their sources. Sources of other languages are compiled (`programs`).
"""

import ast
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

from bundler.modules.packages import brought_packages
from bundler.modules.workspace import CACHE, roots_of
from referee.errors import UsageError, did_you_mean
from referee.log.records import Bot
from referee.project import PROJECT
from referee.sources.fingerprint import file_hash, fingerprint_command, named_paths, portable_path
from referee.sources.imports import imported_files
from referee.sources.programs import compiled, compilers, is_compiled
from referee.sources.workspace import is_source, roots

# Prefix of a Python file: run the file itself, with the project's modules, instead of its bundle.
SOURCE = "source:"
RUN_SOURCE = (
    "import runpy, sys; sys.path[0] = {project!r}; runpy.run_path(sys.argv[1], run_name='__main__')"
)

# The same in a workspace.
RUN_JOINED = (
    "import sys; sys.path[0] = {project!r}; from bundler.modules.workspace import run; "
    "run({workspace!r}, sys.argv[1])"
)

BUNDLES = CACHE / "bundles"
# A value of a tunable number behind a Python file
PARAMETER_AT_END = re.compile(
    r"(.*\S)\s+([A-Za-z_]\w*)=(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)", re.ASCII | re.DOTALL
)
WHOLE = re.compile(r"-?\d+", re.ASCII)


def find_bot(
    text: str,
    on_bundling: Callable[[str], None] = lambda bot: None,
    python: str = sys.executable,
) -> Bot:
    """Returns the bot named by `text`: a source in bots/, another Python file, "source:FILE", a
    source of another language, with arguments behind it, or a command line.

    A Python file may be followed by values of tunable numbers, as in "bots/contest/bot.py depth=3
    width=0.5": then it runs as a bundle that is open for tuning. Relative paths start in the
    current folder, else in the workspace or the project's folder. on_bundling: is called with a
    source's path before it is bundled or compiled, which may take a minute, once. python: runs
    Python files. Raises UsageError if there is no such bot or no program can be made of it.
    """
    without, parameters = split_parameters(text)
    if parameters:
        return with_parameters(without, parameters, on_bundling, python)
    if text.startswith(SOURCE):
        return find_source(text.removeprefix(SOURCE), python)
    file = find_file(text)
    if file and file.suffix == ".py":
        if not is_source(file):
            check_own_imports(file)
        runs = bundle(file, on_bundling) if is_source(file) else file
        return _bot(file.stem, portable_path(file), [python, str(runs)])
    source, arguments = (file, []) if file else with_arguments(text)
    if source and is_compiled(source):
        command = compiled(source, lambda file: on_bundling(path_for_people(file)))
        given = portable_path(source) if file else text
        return _bot(source.stem, given, command + arguments)
    if file:
        return _bot(file.stem, portable_path(file), [str(file)])
    return find_command(text)


def with_arguments(text: str) -> tuple[Path | None, list[str]]:
    """Returns the file that a command line begins with, or None, and the arguments after the first
    word.
    """
    try:
        words = shlex.split(text)
    except ValueError:
        return None, []
    return (find_file(words[0]), words[1:]) if words else (None, [])


def check_own_imports(file: Path) -> None:
    """Raise UsageError for a Python file outside of `bots/` that imports `bots` or `shared`: it
    runs unbundled, and would not find these. A file that changes `sys.path` is accepted.
    """
    try:
        text = file.read_text(encoding="utf-8")
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return  # Python reports it at the first turn
    names = {
        name.partition(".")[0]
        for node in body
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        )
    }
    for name in sorted(names & {"bots", "shared"}):
        there = (file.parent / name).is_dir() or (file.parent / f"{name}.py").is_file()
        if not there and "sys.path" not in text:
            raise UsageError(
                f"{portable_path(file)} imports {name!r} of onefile and lies in no workspace: move"
                " it to bots/CONTEST/ of one (`onefile init DIR` makes it), import"
                f' `onefile_bots.{name}`, or name it "{SOURCE}{file}"'
            )


def split_parameters(text: str) -> tuple[str, dict[str, float]]:
    """Returns a bot's text without the values of tunable numbers after it, and these values by
    name.
    """
    left, values = text.strip(), dict[str, float]()
    while match := PARAMETER_AT_END.fullmatch(left):
        left, name, number = match.groups()
        values.setdefault(name, int(number) if WHOLE.fullmatch(number) else float(number))
    is_python = left.endswith(".py") and (" " not in left or find_file(left.removeprefix(SOURCE)))
    return (left, dict(reversed(values.items()))) if values and is_python else (text, {})


def with_parameters(
    text: str,
    values: dict[str, float],
    on_bundling: Callable[[str], None] = lambda bot: None,
    python: str = sys.executable,
) -> Bot:
    """Returns a Python file's bot with tunable values. Raises UsageError for other names and for
    values out of range.
    """
    source = text.removeprefix(SOURCE)
    file = find_file(source)
    if file is None:
        raise UsageError(f"no bot {text!r}: no such file")
    known = tunables(file)
    for name, value in values.items():
        tunable = known.get(name)
        if tunable is None:
            there = ", ".join(known) or "none"
            raise UsageError(
                f"{portable_path(file)} has no tunable number {name!r}: there are {there}"
            )
        if not tunable["low"] <= value <= tunable["high"]:
            raise UsageError(f"{name}={value}: its range is {tunable['low']} to {tunable['high']}")
    if text.startswith(SOURCE):
        bot = find_source(source, python)
    else:
        command = [python, str(bundle(file, on_bundling, is_open=True))]
        bot = _bot(file.stem, portable_path(file), command)
    given = " ".join([bot.bot, *(f"{name}={value}" for name, value in values.items())])
    return replace(bot, bot=given, parameters=json.dumps(values))


@lru_cache
def tunables(file: Path) -> dict[str, dict[str, Any]]:
    """Returns the tunable numbers of a Python file by name, as `bundler tunables` prints them.

    Raises UsageError if they cannot be read, and for a file in another language.
    """
    if file.suffix != ".py":
        raise UsageError(f"{portable_path(file)}: only Python bots have tunable numbers")
    command = [sys.executable, "-m", "bundler", "tunables", str(file)]
    asked = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    if asked.returncode != 0:
        said = asked.stderr.strip() or f"the bundler exited with status {asked.returncode}"
        raise UsageError(f"{portable_path(file)}: {last_error(said)}")
    return {tunable["name"]: tunable for tunable in map(json.loads, asked.stdout.splitlines())}


def distinct_names(bots: list[Bot]) -> list[str]:
    """Returns a different name for each bot of a match: the bot's name if no other bot has it, else
    the text given without folders, else the text given, else the name with a number.
    """
    given = [bot.bot or bot.name for bot in bots]
    names = [bot.name for bot in bots]
    files = [" ".join(Path(word).name for word in text.split()) for text in given]
    numbered = [
        f"{name} #{given[:player].count(given[player]) + 1}" for player, name in enumerate(names)
    ]
    rows = zip(zip(names, files, given), numbered)
    counts = [Counter(column) for column in (names, files, given)]
    return [
        next((text for text, count in zip(row, counts) if count[text] == 1), number)
        for row, number in rows
    ]


def bundling_text(bot: str) -> str:
    """Returns the message that a bot is being bundled or compiled."""
    verb = "bundling" if bot.endswith(".py") else "compiling"
    return f"{verb} {bot}: it may take a minute, once"


def path_for_people(file: Path) -> str:
    """Returns a path as shown in messages: relative to the current folder, or as in a log."""
    here = Path.cwd().resolve()
    return str(file.relative_to(here)) if file.is_relative_to(here) else portable_path(file)


def find_source(text: str, python: str = sys.executable) -> Bot:
    """Returns the bot whose source file runs directly. python: runs it. Raises UsageError."""
    file = find_file(text)
    if file is None:
        raise UsageError(f"no bot {SOURCE + text!r}: no such file")
    runs = RUN_SOURCE.format(project=str(PROJECT))
    root, *others = roots_of(file)
    if others:
        runs = RUN_JOINED.format(project=str(PROJECT), workspace=str(root))
    command = [python, "-c", runs, str(file)]
    return _bot(file.stem, SOURCE + portable_path(file), command)


def find_command(text: str, what: str = "bot") -> Bot:
    """Returns the bot of a command line, with full paths in its command, as bots run in another
    folder.

    what: the word for the bot in errors. Raises UsageError.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{what} {text!r} is no command line: {error}") from error
    program = shutil.which(words[0]) if words else None
    if program is None:
        if Path(text).is_symlink():
            raise UsageError(f"no {what} {text!r}: a link that leads to no file")
        contests = {file.parent.name for file in _sources_named(text)}
        folder = min(contests) if len(contests) == 1 else "CONTEST"
        meant = f", did you mean bots/{folder}/{text}.py?" if contests else ""
        meant = meant or did_you_mean(text, _files_beside(text))
        raise UsageError(f"no {what} {text!r}: neither a file nor a command that can be run{meant}")
    arguments = [
        with_full_paths(word, is_value=before.startswith("-")) for before, word in pairwise(words)
    ]
    command = [str(Path(program).absolute()), *arguments]
    files = [path for word in command for path in named_paths(word) if path.is_file()]
    return _bot(files[-1].stem, text, command)


def with_full_paths(word: str, is_value: bool) -> str:
    """Returns a word of a command, with full paths if it names a file, a folder, or a list of both.

    A single word counts as a folder only if it has a slash or is the value of an option. Links are
    kept: a virtual environment is identified by the link to its Python.
    """
    for folder in (Path.cwd(), *roots()):
        if (folder / word).is_file():
            return os.path.abspath(folder / word)
    parts = word.split(os.pathsep)
    if len(parts) == 1 and os.sep not in word and not is_value:
        return word
    full = [_full_path(piece) for piece in parts]
    return os.pathsep.join(map(str, full)) if all(full) else word


def _full_path(text: str) -> str | None:
    """Returns the full path of a file or a folder, which may end in /* as in Java's class paths;
    None if there is none.
    """
    path, ending = Path(text.removesuffix("/*")), "/*" if text.endswith("/*") else ""
    for folder in (Path.cwd(), *roots()):
        if text and (folder / path).exists():
            return os.path.abspath(folder / path) + ending
    return None


def _bot(name: str, given: str, command: list[str]) -> Bot:
    # The log that names this hash may lie in the bot's folder.
    return Bot(name, given, command, fingerprint_command(command, with_folders=False).digest)


def find_file(text: str) -> Path | None:
    """Returns the full path of a file, None if there is none.

    A relative path starts in the current folder, else in the workspace or the project's folder.
    """
    for folder in (Path.cwd(), *roots()):
        if (folder / text).is_file():
            return (folder / text).resolve()
    return None


def bundle(
    source: Path, on_bundling: Callable[[str], None] = lambda bot: None, is_open: bool = False
) -> Path:
    """Returns the path of the bundle of a bot's source, from the cache if its sources are
    unchanged.

    is_open: make a bundle whose tunable numbers can be set. Raises UsageError.
    """
    brought = brought_packages().values()
    made_of = {
        *(file for root in roots_of(source) for file in root.glob("shared/**/*.py")),
        *PROJECT.glob("bundler/**/*.py"),
        *source.parent.glob("*.py"),
        *imported_files(source, [source.parent, *roots_of(source)]),
        *source.parent.glob("*.npz"),
        *(file for place in brought for file in (place, *place.rglob("*.py")) if file.is_file()),
    }
    parts = [source.stem, platform.python_version(), importlib.metadata.version("numba")]
    parts += ["open"] if is_open else []
    for file in sorted(made_of):
        parts += [portable_path(file), content_hash([file])]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    bundled = BUNDLES / f"{source.parent.name}-{source.stem}-{key}.py"
    if not bundled.exists():
        on_bundling(path_for_people(source))
        BUNDLES.mkdir(parents=True, exist_ok=True)
        # Two matches may make the same bundle at once: each writes its own file, and the last one
        # is kept.
        unfinished = bundled.with_suffix(f".{os.getpid()}.py")
        try:
            run_bundler(source, unfinished, *(["--open"] if is_open else []))
            unfinished.replace(bundled)
        finally:
            unfinished.unlink(missing_ok=True)
    return bundled


def run_bundler(source: Path, output: Path, *options: str) -> None:
    """Bundle a bot's source with further options. Raises UsageError with the bundler's last line if
    that fails.
    """
    # The referee's own choice between plain and compiled Python must not affect the bundler.
    environment = {name: value for name, value in os.environ.items() if name != "CG_JIT"}
    # The bundler's check would first play other matches; bundles for pasting are made with
    # `bundler`.
    command = [sys.executable, "-m", "bundler", str(source), "-o", str(output), "--no-check"]
    command += options
    made = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)
    if made.returncode != 0:
        said = made.stderr.strip() or f"the bundler exited with status {made.returncode}"
        raise UsageError(f"cannot bundle {path_for_people(source)}: {last_error(said)}")


def _sources_named(text: str) -> list[Path]:
    """Returns the sources in `bots/` of all contests whose file name without suffix is `text`."""
    if not text.isidentifier():
        return []
    return [file for root in roots() for file in root.glob(f"bots/*/{text}.py")]


def _files_beside(text: str) -> list[str]:
    """Returns the sources of bots in the folder of a path that does not exist, with the folder as
    typed.
    """
    folder = Path(text).parent
    places = [root / folder for root in (Path(), *roots())]
    files = [file for place in places if place.is_dir() for file in place.iterdir()]
    suffixes = {".py", *(f".{suffix}" for suffix in compilers())}
    return sorted({str(folder / file.name) for file in files if file.suffix in suffixes})


def last_error(said: str) -> str:
    """Returns the last line that a command wrote to stderr, without its prefix."""
    return said.splitlines()[-1].removeprefix("error: ")


def content_hash(files: list[Path]) -> str:
    """Returns the SHA-256 of the hashes of the files' contents, in hexadecimal."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(bytes.fromhex(file_hash(file)))
    return digest.hexdigest()
