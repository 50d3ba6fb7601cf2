"""Compiles bots that are sources of other languages.

The table [compilers] of a workspace's `onefile.toml` adds to COMPILERS, or replaces entries:

    [compilers]
    cpp = "clang++ -O3 {source} -o {program} -MMD -MF {depends}"
    kt = { compile = "kotlinc {source} -include-runtime -d {program}", run = "java -jar {program}" }

A compiler runs in the source's folder, without a shell. It writes to {program} or into {folder}, an
empty folder, and lists the files that it read in {depends}, in the format of make. `run` is the
bot's command line; {class} in it is Java's class with `main`.

Programs are kept in the cache folder, named by a hash of the command, of the compiler and of the
files that the compiler listed; without {depends}, of all files in the source's folder.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bundler.modules.workspace import CACHE, MARKER
from referee.errors import UsageError
from referee.parent_death import ended_by
from referee.sources.fingerprint import Beside, add_folder_of, file_hash, portable_path
from referee.sources.workspace import home

PROGRAMS = CACHE / "programs"
# Lines of a compiler's message in an error.
MOST_LINES = 20
# The time after which a source that failed is compiled again: one of its headers may be mended.
TRY_AGAIN_NS = 60 * 10**9
# By source, if its last compilation failed: the command and compiler, the time, and the error.
_failures: dict[Path, tuple[str, int, UsageError]] = {}
# Compilers start processes of their own, such as cc1plus: the shell ends all its group.
ENDING_TOGETHER = ["/bin/sh", "-c", 'trap "kill -9 0" TERM; "$@" & wait $!', "sh"]
MAIN = re.compile(r"\bmain\s*\(", re.IGNORECASE)


@dataclass(frozen=True)
class Compiler:
    """The command line that compiles a source, and the command line that runs its program."""

    compile: str
    run: str = "{program}"


_CPP = Compiler("g++ -std=gnu++20 -O2 -pthread {source} -o {program} -MMD -MF {depends}")
COMPILERS = {
    "c": Compiler("gcc -O2 -pthread {source} -o {program} -lm -MMD -MF {depends}"),
    "cc": _CPP,
    "cpp": _CPP,
    "cxx": _CPP,
    "go": Compiler("go build -o {program} {source}"),
    "java": Compiler("javac -d {folder} {source}", "java -cp {folder} {class}"),
    "rs": Compiler("rustc -O --edition 2021 {source} --emit link={program},dep-info={depends}"),
}


def compilers() -> dict[str, Compiler]:
    """Returns the compilers by suffix without a dot. Raises UsageError for an invalid table."""
    file = home() / MARKER
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("compilers", {})
    except FileNotFoundError:
        return COMPILERS
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file}: {error}: mend it") from error
    if not isinstance(table, dict):
        raise UsageError(f"{file}: compilers = {table!r}: expected a table, [compilers]")
    own = {}
    for name, entry in table.items():
        suffix = name.removeprefix(".")
        try:
            own[suffix] = Compiler(**({"compile": entry} if isinstance(entry, str) else entry))
            shlex.split(own[suffix].compile)[0], shlex.split(own[suffix].run)[0]
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise UsageError(
                f"{file}: [compilers] {name} = {entry!r}: expected a command line, or"
                ' { compile = "...", run = "..." }'
            ) from error
    return COMPILERS | own


def is_compiled(file: Path) -> bool:
    """Returns True for a source that a compiler is known for."""
    return file.suffix[1:] in compilers()


def has_main(file: Path) -> bool:
    """Returns True for a source that is a program, not a module of programs."""
    try:
        return MAIN.search(file.read_text(errors="replace")) is not None
    except OSError:
        return False


def compiled(source: Path, on_compiling: Callable[[Path], None]) -> list[str]:
    """Returns the command that runs a source, as words; the source is compiled unless the cache has
    its program.

    on_compiling: is called with the source before it is compiled. Raises UsageError with the
    compiler's message.
    """
    compiler = compilers()[source.suffix[1:]]
    words = shlex.split(compiler.compile)
    program = shutil.which(words[0])
    if program is None:
        raise UsageError(
            f"{portable_path(source)} needs the compiler {words[0]}, which is not there: install"
            f" it, or name another one in the table [compilers] of {MARKER}"
        )
    maker = f"{compiler.compile}\n{Path(program).resolve()} {os.stat(program).st_mtime_ns}"
    place = hashlib.sha256(f"{source}\n{maker}".encode()).hexdigest()[:16]
    listing = PROGRAMS / f"{source.stem}-{place}.json"
    is_listed = "{depends}" in compiler.compile
    files = [source]
    if not is_listed:
        files = files_of(source)
    elif listing.is_file():
        files = list(map(Path, json.loads(listing.read_text())))
    folder = PROGRAMS / f"{source.stem}-{key_of(source, maker, files)}"
    if not folder.is_dir() or (is_listed and not listing.is_file()):
        if failure := _known_failure(source, maker):
            raise failure
        on_compiling(source)
        unfinished = PROGRAMS / f"{source.stem}-{place}.{os.getpid()}"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        began, before = time.time_ns(), {file: _stamp(file) for file in files if file.is_file()}
        try:
            try:
                run_compiler([program, *words[1:]], source, unfinished)
            except UsageError as failure:
                _failures[source] = maker, began, failure
                raise
            if "{program}" in shlex.split(compiler.run) and not (unfinished / source.stem).exists():
                raise UsageError(f"{words[0]} wrote no {{program}} of {portable_path(source)}")
            if is_listed:
                files = depended_on(unfinished / "depends", source)
            for file in files:
                # A header that the compiler has just named has its time alone, of a coarse clock.
                stamp = before.get(file)
                if _stamp(file) != stamp if stamp else _stamp(file)[0] > began:
                    raise UsageError(f"{portable_path(file)} changed while it was compiled")
            folder = PROGRAMS / f"{source.stem}-{key_of(source, maker, files)}"
            try:
                unfinished.rename(folder)
            except OSError:  # another process, which compiled it too, was first
                if not folder.is_dir():
                    raise
            if is_listed:
                # Whole or not at all: another process may read it.
                written = unfinished.with_name(f"{unfinished.name}.json")
                written.write_text(json.dumps(list(map(str, files))))
                written.replace(listing)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return filled(shlex.split(compiler.run), source, folder)


def _stamp(file: Path) -> tuple[int, int]:
    """Returns the time of a file's last change in ns, and its size."""
    stat = file.stat()
    return stat.st_ctime_ns, stat.st_size


def _known_failure(source: Path, maker: str) -> UsageError | None:
    """Returns the last failure to compile a source; None if there is none, if it is old, or if the
    source or the compiler has changed since.

    Without it a league would compile again at each look at its folder.
    """
    if source not in _failures:
        return None
    last_maker, began, failure = _failures[source]
    is_old = time.time_ns() - began > TRY_AGAIN_NS or os.stat(source).st_mtime_ns > began
    return failure if last_maker == maker and not is_old else None


def key_of(source: Path, maker: str, files: list[Path]) -> str:
    """Returns a hash of the files that a program is made of, in hexadecimal; "gone" if a file is
    missing.
    """
    parts = [maker, source.name]
    for file in files:
        if not file.is_file():
            return "gone"
        parts += [os.path.relpath(file, source.parent), file_hash(file)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def files_of(source: Path) -> list[Path]:
    """Returns the files of a source's folder. Raises UsageError if they are too many, or if the
    folder is no folder of the bot's own.
    """
    beside = Beside()
    add_folder_of(source, beside, ())
    if beside.note:
        reason = beside.note.partition(":")[0]
        raise UsageError(f"{reason}: move {source.name} to a folder of its own")
    return sorted({source, *beside.files})


def run_compiler(words: list[str], source: Path, folder: Path) -> None:
    """Compile a source into a folder. Raises UsageError with the compiler's message."""
    command = filled(words, source, folder)
    running = subprocess.Popen(
        [*ENDING_TOGETHER, *command],
        cwd=source.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        process_group=0,
        preexec_fn=ended_by(signal.SIGTERM),
    )
    try:
        output, messages = running.communicate()
    except BaseException:  # as by Ctrl-C
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        raise
    if running.returncode != 0:
        lines = (messages or output).strip().splitlines() or [f"status {running.returncode}"]
        first = next((line for line in lines if "error" in line.lower()), lines[-1])
        more = [f"... {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
        raise UsageError(
            f"cannot compile {portable_path(source)}: {first}",
            "\n".join([shlex.join(command), *lines[:MOST_LINES], *more]),
        )


def filled(words: list[str], source: Path, folder: Path) -> list[str]:
    """Returns the words of a command line, with names such as {source} replaced by paths. Raises
    UsageError.
    """
    values = {
        "{source}": str(source),
        "{folder}": str(folder),
        "{program}": str(folder / source.stem),
        "{depends}": str(folder / "depends"),
    }
    if any("{class}" in word for word in words):
        values["{class}"] = main_class(folder, source)
    # At once, as a path may have such a name in it.
    names = "|".join(map(re.escape, values))
    return [re.sub(names, lambda name: values[name[0]], word) for word in words]


def depended_on(depends: Path, source: Path) -> list[Path]:
    """Returns the source and the files that it includes, from a rule in the format of make. Raises
    UsageError.
    """
    try:
        text = depends.read_text(errors="surrogateescape").replace("\\\n", " ")
    except OSError as error:
        raise UsageError(f"the compiler of {source.name} wrote no {{depends}}") from error
    rule = text.splitlines()[0].partition(": ")[2] if text else ""
    names = [re.sub(r"\\([ #])|\$(\$)", r"\1\2", name) for name in re.findall(r"(?:\\.|\S)+", rule)]
    return sorted({source, *(source.parent / name for name in names)})


def main_class(folder: Path, source: Path) -> str:
    """Returns the name of the Java class with `main`; of several, the class that sites start.
    Raises UsageError.
    """
    names = [
        ".".join(file.relative_to(folder).with_suffix("").parts)
        for file in sorted(folder.rglob("*.class"))
        if "$" not in file.name and b"\x01\x00\x04main" in file.read_bytes()
    ]
    usual = [
        name
        for wanted in ("Player", "Solution", "Answer", source.stem)
        for name in names
        if name.rpartition(".")[2] == wanted
    ]
    if not usual and len(names) != 1:
        there = ", ".join(names) or "none"
        raise UsageError(f"{source.name}: no class to run: those with a `main` are {there}")
    return (usual or names)[0]
