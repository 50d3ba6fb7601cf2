"""Starts an official referee in Java, with a short start-up.

Java's flags suit short-lived programs. The classes of Java's library and of the contest are read
from an archive that is made once. An archive (class data sharing) supports only jars, so folders
are packed into jars first. Archives and jars are in the cache folder, under `official/`, named by a
hash of their sources.
"""

import hashlib
import os
import re
import shutil
import subprocess
import zipfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bundler.modules.workspace import CACHE
from referee.errors import UsageError
from referee.official.build import Build
from referee.sources.fingerprint import file_hash, files_of_folder

OFFICIAL_CACHE = CACHE / "official"
MAIN = "com.codingame.gameengine.core.RefereeMain"
# A game takes seconds: the optimising compiler would pay off too late, and a second garbage
# collector or compiler thread would take the bots' cores.
FLAGS = [
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    "-Xshare:auto",
    # Its stdout carries the protocol.
    "-XX:+DisplayVMOutputToStderr",
    # The engine logs every message to log4j, which takes half of its start-up time: only warnings
    # are logged.
    "-Dorg.apache.commons.logging.LogFactory=org.apache.commons.logging.impl.LogFactoryImpl",
    "-Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.SimpleLog",
    "-Dorg.apache.commons.logging.simplelog.defaultlog=warn",
]
# From this version on, Java protects its own modules, and can write an archive when it ends.
GUARDED, ARCHIVING = 9, 13
ARCHIVE_S = 60
# The folder of installed ones on Linux.
JVMS = Path("/usr/lib/jvm")
UNANSWERED, N_UNANSWERED = "[[GET_GAME_INFO] 0]\n[[SET_PLAYER_TIMEOUT] 0]\n", 20


def command(build: Build, league: int | None, is_solo: bool) -> list[str]:
    """Returns the words of a referee's command line; makes the archive the first time. Raises
    UsageError.
    """
    java = find_java(build)
    version = _version(java)
    if _archive(build).exists() or (version >= ARCHIVING and _make_archive(java, build)):
        classes = [f"-XX:SharedArchiveFile={_archive(build)}", "-cp", _classpath(build)]
    else:
        classes = ["-cp", os.pathsep.join(map(str, build.entries))]
    return [java, *FLAGS, *_properties(league, is_solo, version), *classes, MAIN]


def digest(build: Build) -> str:
    """Returns a hash of a build's classes, 16 hexadecimal digits."""
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


class Jdk(NamedTuple):
    """An installed Java compiler: its folder, and its version, such as 17."""

    home: Path
    version: int


def find_jdk(release: int) -> Jdk:
    """Returns a compiler for a release of Java: the compiler of JAVA_HOME or of the path if it is
    new enough, else the oldest installed compiler that is new enough. Raises UsageError.
    """
    jdks = [
        Jdk(Path(java).resolve().parents[1], _version(java))
        for java in _installed()
        if Path(java).resolve().with_name("javac").is_file()
    ]
    fitting = [jdk for jdk in jdks if jdk.version >= release]
    if not fitting:
        having = ", ".join(sorted({str(jdk.version) for jdk in jdks})) or "none"
        raise UsageError(
            f"no JDK for Java {release} (installed: {having}): apt install"
            f" openjdk-{max(release, 17)}-jdk-headless, or set JAVA_HOME to one"
        )
    return fitting[0] if fitting[0] == jdks[0] else min(fitting, key=lambda jdk: jdk.version)


def find_java(build: Build) -> str:
    """Returns the program that runs a build: of JAVA_HOME or of the path if it knows the build's
    class files, else the oldest installed program that knows them. Raises UsageError.
    """
    javas = _installed()
    if not javas:
        raise UsageError(
            "no Java on this machine, which official referees are written in: install one, as with"
            " apt install default-jre-headless"
        )
    release = build.release
    fitting = [java for java in javas if _version(java) >= release]
    if not fitting:
        raise UsageError(
            f"the build is for Java {release}, the installed one is {_version(javas[0])}: apt"
            f" install openjdk-{release}-jre-headless, or set JAVA_HOME to one"
        )
    return fitting[0] if fitting[0] == javas[0] else min(fitting, key=_version)


def _installed() -> list[str]:
    """Returns the paths of the installed Java programs, the user's choice first; [] without a
    choice.
    """
    home = os.environ.get("JAVA_HOME")
    chosen = [shutil.which(f"{home}/bin/java") if home else None, shutil.which("java")]
    others = sorted(map(str, JVMS.glob("*/bin/java"))) if any(chosen) else []
    return list(dict.fromkeys(java for java in [*chosen, *others] if java))


@cache
def _version(java: str) -> int:
    """Returns the version of a Java program, such as 17. Raises UsageError."""
    said = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    if not match:
        raise UsageError(f"{java} -version says {said.strip()[:80]!r}: is it a Java?")
    return int(match[1])


def _folder(build: Build) -> Path:
    return OFFICIAL_CACHE / f"{build.name[:40]}-{digest(build)}"


def _archive(build: Build) -> Path:
    """Returns the path of the archive for the Java program that runs the build; other versions of
    Java would ignore the archive.
    """
    return _folder(build) / f"classes-{_version(find_java(build))}.jsa"


def _classpath(build: Build) -> str:
    folder = _folder(build)
    return os.pathsep.join(
        str(folder / f"{number}.jar" if entry.is_dir() else entry)
        for number, entry in enumerate(build.entries)
    )


def _make_archive(java: str, build: Build) -> bool:
    """Pack folders into jars and make the archive, by a game whose questions stay unanswered.

    Returns False if that failed: then the referee only starts more slowly.
    """
    folder = _folder(build)
    folder.mkdir(parents=True, exist_ok=True)
    for number, entry in enumerate(build.entries):
        if entry.is_dir() and not (folder / f"{number}.jar").exists():
            write_jar(entry, folder / f"{number}.jar")
    archive = _archive(build)
    unfinished = archive.with_suffix(f".{os.getpid()}")
    making = [f"-XX:ArchiveClassesAtExit={unfinished}", "-cp", _classpath(build), MAIN]
    properties = _properties(None, build.is_solo, _version(java))
    try:
        # A few unanswered questions load the classes needed for a game.
        cases = [case.lines for case in build.test_cases()]
        case = (cases or [[]])[0] if build.is_solo else ["seed=1"]
        n_players = 1 if build.is_solo else build.players()[0]
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


def write_jar(folder: Path, jar: Path) -> None:
    """Pack a folder into a jar, uncompressed, as the jar is read more often than written."""
    unfinished = jar.with_suffix(f".{os.getpid()}")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_STORED) as packed:
        for file in files_of_folder(folder):
            packed.write(file, file.relative_to(folder))
    unfinished.replace(jar)
