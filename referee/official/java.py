"""Starts an official referee in Java, fast.

Java's flags suit short-lived programs. The classes of its library and of the contest are read from
an archive that is made once. An archive (class data sharing) holds jars only, so folders are packed
into jars first. Both are in `.cache/official/`, named by a hash of all they are made of.
"""

import hashlib
import os
import re
import shutil
import subprocess
import zipfile
from functools import cache
from pathlib import Path

from referee.errors import UsageError
from referee.official.build import Build
from referee.project import PROJECT
from referee.sources.fingerprint import file_hash, files_of_folder

CACHE = PROJECT / ".cache" / "official"
MAIN = "com.codingame.gameengine.core.RefereeMain"
# A game takes seconds: what the compiler that optimises more would save comes too late, and a
# second collector's or compiler's thread would take the bots' cores.
FLAGS = [
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    "-Xshare:auto",
    # Its stdout is the talk.
    "-XX:+DisplayVMOutputToStderr",
    # The engine logs every message to log4j, which takes half of its start: only warnings are told.
    "-Dorg.apache.commons.logging.LogFactory=org.apache.commons.logging.impl.LogFactoryImpl",
    "-Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.SimpleLog",
    "-Dorg.apache.commons.logging.simplelog.defaultlog=warn",
]
# From here on Java guards its own modules, and can write an archive when it ends.
GUARDED, ARCHIVING = 9, 13
ARCHIVE_S = 60
UNANSWERED, N_UNANSWERED = "[[GET_GAME_INFO] 0]\n[[SET_PLAYER_TIMEOUT] 0]\n", 20


def command(build: Build, league: int | None, is_solo: bool) -> list[str]:
    """Returns a referee's command line; makes the archive the first time. Raises UsageError."""
    java = _java()
    version = _version(java)
    if _archive(build).exists() or (version >= ARCHIVING and _make_archive(java, build)):
        classes = [f"-XX:SharedArchiveFile={_archive(build)}", "-cp", _classpath(build)]
    else:
        classes = ["-cp", os.pathsep.join(map(str, build.entries))]
    return [java, *FLAGS, *_properties(league, is_solo, version), *classes, MAIN]


def digest(build: Build) -> str:
    """Returns a hash that tells a build from others, by the content of its classes."""
    named = hashlib.sha256()
    for number, entry in enumerate(build.entries):
        for file in [entry] if entry.is_file() else files_of_folder(entry):
            name = f"{number}/{os.path.relpath(file, entry)}"
            named.update(f"{name} {file_hash(file)}\n".encode())
    return named.hexdigest()[:16]


def _properties(league: int | None, is_solo: bool, version: int) -> list[str]:
    opened = ["--add-opens", "java.base/java.lang=ALL-UNNAMED"] if version >= GUARDED else []
    level = [] if league is None else [f"-Dleague.level={league}"]
    quiet = ["-Xlog:disable"] if version >= GUARDED else []
    return [f"-Dgame.mode={'solo' if is_solo else 'multi'}", *level, *opened, *quiet]


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which(f"{home}/bin/java") if home else None
    found = found or shutil.which("java")
    if not found:
        raise UsageError(
            "no Java on this machine, which official referees are written in: install one, as with"
            " apt install default-jre-headless"
        )
    return found


@cache
def _version(java: str) -> int:
    """The number of a Java, as in 17."""
    said = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    if not found:
        raise UsageError(f"{java} -version says {said.strip()[:80]!r}: is it a Java?")
    return int(found[1])


def _folder(build: Build) -> Path:
    return CACHE / f"{build.name[:40]}-{digest(build)}"


def _archive(build: Build) -> Path:
    """The archive; another Java would refuse it and start without."""
    return _folder(build) / f"classes-{_version(_java())}.jsa"


def _classpath(build: Build) -> str:
    folder = _folder(build)
    return os.pathsep.join(
        str(folder / f"{number}.jar" if entry.is_dir() else entry)
        for number, entry in enumerate(build.entries)
    )


def _make_archive(java: str, build: Build) -> bool:
    """Pack folders into jars and make the archive, by a referee without players.

    Returns False if that failed: then the referee only starts more slowly.
    """
    folder = _folder(build)
    folder.mkdir(parents=True, exist_ok=True)
    for number, entry in enumerate(build.entries):
        if entry.is_dir() and not (folder / f"{number}.jar").exists():
            _write_jar(entry, folder / f"{number}.jar")
    archive = _archive(build)
    unfinished = archive.with_suffix(f".{os.getpid()}")
    making = [f"-XX:ArchiveClassesAtExit={unfinished}", "-cp", _classpath(build), MAIN]
    properties = _properties(None, build.is_solo, _version(java))
    try:
        # A few questions that nobody answers load what a game needs.
        case = next(iter(build.test_cases()), []) if build.is_solo else ["seed=1"]
        n_players = 1 if build.is_solo else build.players[0]
        init = "\n".join([f"[[INIT] {len(case) + 1}]", str(n_players), *case])
        subprocess.run(
            [java, *FLAGS, *properties, *making],
            input=f"{init}\n" + UNANSWERED * N_UNANSWERED,
            capture_output=True,
            text=True,
            timeout=ARCHIVE_S,
        )
        unfinished.replace(archive)
    except (OSError, subprocess.TimeoutExpired):
        return False
    finally:
        unfinished.unlink(missing_ok=True)
    return True


def _write_jar(folder: Path, jar: Path) -> None:
    """Put a folder into a jar, not compressed: it is read more often than written."""
    unfinished = jar.with_suffix(f".{os.getpid()}")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_STORED) as packed:
        for file in files_of_folder(folder):
            packed.write(file, file.relative_to(folder))
    unfinished.replace(jar)
