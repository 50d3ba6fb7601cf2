"""Finds the Java classes of an official referee: a user's own build of a contest's repository.

A build is named by a contest's folder after `onefile build`, or after its own `mvn package
dependency:copy-dependencies`; by a folder of class files of contest and engine; by a folder with
`classes` and jars; by one jar with all classes; or by a list of such paths in Java's form.
"""

import configparser
import json
import os
import re
import shlex
import textwrap
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from referee.errors import UsageError
from referee.official.limits import find_limits
from shared.core.clock import Limits

ENGINE = "com/codingame/gameengine/core/RefereeMain.class"
REFEREE = "com/codingame/game/Referee.class"
HOW = "give a contest's folder after onefile build, or its classpath"
# Contents of a folder that belong to no classpath of its referee.
SOURCES = ("-sources.jar", "-javadoc.jar")
# Names of folders that say nothing about the contest.
GENERIC = {"src", "repo", "contest", "game", "referee", "build", "master", "main"}
# The folders, below a contest's, for the entries of a classpath.
BUILT = {"target", "classes", "build", "dependency", "lib", "libs"}


class TestCase(NamedTuple):
    """A test case of a game for one player: its title or file name, and its input."""

    name: str
    lines: list[str]


@dataclass(frozen=True)
class Build:
    """An official referee's classes: jars and folders in the order of Java's search.

    given: the class path as typed, with full paths. folder: the contest's folder, None if unknown.
    """

    given: str
    entries: tuple[Path, ...]
    folder: Path | None

    @property
    def name(self) -> str:
        """The contest's name as a module name, taken from its folder, from its pom.xml or
        configuration if the folder's name says nothing, or from its jar.
        """
        place = self.folder or self.entries[0]
        names = [place.stem]
        if place.stem.lower() in GENERIC:
            names = [self.config.get("title", ""), _artifact(place / "pom.xml"), *names]
        text = next(filter(None, names))
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])", "_", text)
        return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_") or "official"

    @property
    def title(self) -> str:
        """The contest's title as shown to people."""
        return self.config.get("title") or self.name.replace("_", " ").capitalize()

    @cached_property
    def config(self) -> dict[str, str]:
        """The values of the contest's `config/config.ini`, {} without one."""
        return _read_config(self.folder / "config") if self.folder else {}

    @cached_property
    def leagues(self) -> int:
        """The number of the highest league that has a folder in `config/` or a part of a statement;
        0 if there is none.
        """
        if not self.folder:
            return 0
        config = self.folder / "config"
        named = [
            number
            for folder in config.glob("level*")
            if (number := folder.name.removeprefix("level")).isdecimal()
        ]
        for statement in config.glob("*.tpl"):
            text = statement.read_text(encoding="utf-8", errors="replace")
            for block in re.findall(r"<!--\s*BEGIN((?:\s+level\d{1,2})+)", text):
                named += re.findall(r"\d+", block)
        return max(map(int, named), default=0)

    @cached_property
    def limits(self) -> Limits | None:
        """The time limits by the contest's sources or statement; None if neither is available."""
        stated = find_limits(self.folder) if self.folder else None
        return stated.limits if stated else None

    @cached_property
    def release(self) -> int:
        """The oldest version of Java that can load the class of the contest's referee; 0 if the
        class cannot be read.
        """
        for entry in self.entries:
            with suppress(OSError, KeyError, zipfile.BadZipFile):
                if entry.is_dir():
                    head = (entry / REFEREE).read_bytes()[:8]
                else:
                    with zipfile.ZipFile(entry) as jar, jar.open(REFEREE) as file:
                        head = file.read(8)
                # The class file format has its version in bytes 6 and 7, 45 for Java 1.
                return max(int.from_bytes(head[6:8], "big") - 44, 0)
        return 0

    @property
    def is_solo(self) -> bool:
        """True for a game for one player."""
        return self.config.get("type", "multi").lower() in ("solo", "opti")

    def players(self, league: int | None = None) -> tuple[int, int]:
        """Returns the least and the greatest number of players; 1 and 8 in a game for one player.

        league: the league whose configuration, if there is one, comes before the contest's.
        """
        if self.is_solo:
            return 1, 8
        level_config = {}
        if self.folder and league is not None:
            level_config = _read_config(self.folder / "config" / f"level{league}")
        config = self.config | level_config
        least, most = (
            int(text) if re.fullmatch(r"[1-8]", text) else other
            for name, other in (("min_players", 2), ("max_players", 8))
            for text in [config.get(name, "")]
        )
        return least, most

    def content_paths(self) -> list[str]:
        """Returns the full paths of all files and folders that determine the game."""
        config = [self.folder / "config"] if self.folder and self.is_solo else []
        return [str(path) for path in (*self.entries, *config)]

    def test_cases(self) -> list[TestCase]:
        """Returns the test cases of a game for one player, ordered by number, [] without any."""
        files = self.folder.glob("config/test*") if self.folder else ()
        cases = [file for file in files if file.suffix in (".json", ".yaml")]
        return [read_case(file) for file in sorted(cases, key=_by_number)]


def find_build(text: str) -> Build:
    """Returns the build that a path or a list of paths names. Raises UsageError."""
    paths = [Path(path).expanduser().absolute() for path in text.split(os.pathsep) if path]
    if not paths:
        raise UsageError(f"--official is empty: {HOW}")
    entries = [entry for path in paths for entry in _entries(path)]
    for wanted, what in ((REFEREE, "classes of a contest"), (ENGINE, "engine")):
        if not any(_holds(entry, wanted) for entry in entries):
            raise UsageError(f"{text}: it has no {what} ({wanted[:-6].replace('/', '.')}): {HOW}")
    contest_folder = next((path for path in map(_contest_folder, paths) if path), None)
    return Build(os.pathsep.join(map(str, paths)), tuple(entries), contest_folder)


def read_case(file: Path) -> TestCase:
    """Returns the test case in a file: .json, .yaml or the plain input. Raises UsageError."""
    name = file.stem
    try:
        text = file.read_text(encoding="utf-8-sig")
        if file.suffix == ".json":
            # Some have line ends within a text.
            data = json.loads(text, strict=False)
            # By language: 1 is French, 2 is English.
            titles = data.get("title") or {}
            text, name = data["testIn"], str(titles.get("2") or titles.get("1") or name)
        elif file.suffix == ".yaml":
            title = re.search(r"^ +2: *(.+)", text, re.MULTILINE)
            block = re.search(r"^testIn: *\|-?\n((?: +.*\n|\n)*)", text + "\n", re.MULTILINE)
            # Without a block, the error below is of None.
            text, name = textwrap.dedent(block[1]), title[1] if title else name  # type: ignore
        return TestCase(name, text.splitlines())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f'{file}: no test case, a text or JSON with "testIn": {error}') from error


def _entries(path: Path) -> list[Path]:
    """Returns the entries of the class path that a path stands for. Raises UsageError."""
    if path.name == "*":
        return sorted(path.parent.glob("*.jar"))
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"no official referee at {path}: no such file or folder: {HOW}")
    target = path / "target"
    if (path / "pom.xml").is_file() or (target / "classes").is_dir():
        if not (target / "classes").is_dir():
            raise UsageError(f"{path}: it is not built yet: onefile build {shlex.quote(str(path))}")
        return [target / "classes", *sorted((target / "dependency").glob("*.jar"))]
    jars = [jar for jar in sorted(path.rglob("*.jar")) if not jar.name.endswith(SOURCES)]
    classes = [path / "classes"] if (path / "classes").is_dir() else []
    return [*classes, path, *jars] if not classes else [*classes, *jars]


def _holds(entry: Path, name: str) -> bool:
    if entry.is_dir():
        return (entry / name).is_file()
    try:
        with zipfile.ZipFile(entry) as jar:
            return name in jar.NameToInfo
    except (OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"{entry}: no jar: {error}") from error


def _contest_folder(path: Path) -> Path | None:
    """Returns the contest's folder that is `path` or contains it, None if there is none."""
    for folder in (path, *path.parents):
        if (folder / "config" / "config.ini").is_file() or (folder / "pom.xml").is_file():
            return folder
        if folder.is_dir() and folder.name not in BUILT and folder != path:
            return None
    return None


def _read_config(folder: Path) -> dict[str, str]:
    """Returns the values of the `config.ini` in a folder, {} without a readable one."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        text = (folder / "config.ini").read_text(encoding="utf-8-sig")
        parser.read_string("[contest]\n" + text)
    except (OSError, configparser.Error, UnicodeDecodeError):
        return {}
    return dict(parser["contest"])


def _artifact(pom: Path) -> str:
    """Returns the project's name in a pom.xml, "" if it cannot be read."""
    try:
        artifact = ElementTree.parse(pom).getroot().find("{*}artifactId")
    except (OSError, ElementTree.ParseError):
        return ""
    return (artifact is not None and artifact.text) or ""


def _by_number(file: Path) -> tuple[int, str]:
    return int((re.findall(r"\d+", file.stem) or ["0"])[-1]), file.name
