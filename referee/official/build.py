"""Finds the Java classes of an official referee: a user's own build of a contest's repository.

A build is given as a contest's folder after its own `mvn package dependency:copy-dependencies`, as
a folder of classes and jars, as one jar that holds all, or as a list of these as Java takes it.
"""

import configparser
import json
import os
import re
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from referee.errors import UsageError

ENGINE = "com/codingame/gameengine/core/RefereeMain.class"
REFEREE = "com/codingame/game/Referee.class"
HOW = "give a contest's folder after mvn package dependency:copy-dependencies, or its classpath"
# What a folder holds that belongs to no classpath of its referee.
SOURCES = ("-sources.jar", "-javadoc.jar")
# The folders that a classpath's own entry may lie in, below a contest's.
BUILT = {"target", "classes", "build", "dependency", "lib", "libs"}


@dataclass(frozen=True)
class Build:
    """An official referee's classes: jars and folders in the order in which Java looks into them.

    given: as the user named it, with full paths. folder: the contest's own, where there is one.
    """

    given: str
    entries: tuple[Path, ...]
    folder: Path | None

    @property
    def name(self) -> str:
        """The contest's name as that of a module, by its folder or jar."""
        place = self.folder or self.entries[0]
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])", "_", place.stem)
        return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_") or "official"

    @cached_property
    def config(self) -> dict[str, str]:
        """The values of the contest's `config/config.ini`, {} where there is none."""
        file = self.folder and self.folder / "config" / "config.ini"
        if not file or not file.is_file():
            return {}
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            parser.read_string("[contest]\n" + file.read_text(encoding="utf-8-sig"))
        except (configparser.Error, UnicodeDecodeError):
            return {}
        return dict(parser["contest"])

    @property
    def is_solo(self) -> bool:
        """True for a game for one player."""
        return self.config.get("type", "multi").lower() in ("solo", "opti")

    @property
    def players(self) -> tuple[int, int]:
        """The least and the greatest number of players."""
        least, most = (
            int(text) if re.fullmatch(r"[1-8]", text) else other
            for name, other in (("min_players", 2), ("max_players", 8))
            for text in [self.config.get(name, "")]
        )
        return (1, 8) if self.is_solo else (least, most)

    def content_paths(self) -> list[str]:
        """The paths of all that decides how games go, full ones."""
        config = [self.folder / "config"] if self.folder and self.is_solo else []
        return [str(path) for path in (*self.entries, *config)]

    def test_cases(self) -> list[list[str]]:
        """The inputs of a one-player game's test cases, in their order, [] where there are none."""
        files = self.folder.glob("config/test*.json") if self.folder else ()
        return [read_case(file) for file in sorted(files, key=_by_number)]


def find_build(text: str) -> Build:
    """The build that a path, or a list of them, names. Raises UsageError."""
    paths = [Path(part).expanduser().absolute() for part in text.split(os.pathsep) if part]
    if not paths:
        raise UsageError(f"--official names nothing: {HOW}")
    entries = [entry for path in paths for entry in _entries(path)]
    for wanted, what in ((REFEREE, "classes of a contest"), (ENGINE, "engine")):
        if not any(_holds(entry, wanted) for entry in entries):
            raise UsageError(f"{text}: it has no {what} ({wanted[:-6].replace('/', '.')}): {HOW}")
    found = next((path for path in map(_contest_folder, paths) if path), None)
    return Build(os.pathsep.join(map(str, paths)), tuple(entries), found)


def read_case(file: Path) -> list[str]:
    """Returns the input of a test case, JSON or a text. Raises UsageError."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        if file.suffix == ".json":
            text = json.loads(text)["testIn"]
        return text.splitlines()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f'{file}: no test case, a text or JSON with "testIn": {error}') from error


def _entries(path: Path) -> list[Path]:
    """The entries of a classpath that a path stands for. Raises UsageError."""
    if path.name == "*":
        return sorted(path.parent.glob("*.jar"))
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"no official referee at {path}: no such file or folder: {HOW}")
    target = path / "target"
    if (path / "pom.xml").is_file() or (target / "classes").is_dir():
        if not (target / "classes").is_dir():
            raise UsageError(
                f"{path}: it is not built yet: there, mvn package dependency:copy-dependencies"
            )
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
    """The contest's own folder, of it or of what was built in it."""
    for folder in (path, *path.parents):
        if (folder / "config" / "config.ini").is_file() or (folder / "pom.xml").is_file():
            return folder
        if folder.is_dir() and folder.name not in BUILT and folder != path:
            return None
    return None


def _by_number(file: Path) -> tuple[int, str]:
    return int((re.findall(r"\d+", file.stem) or ["0"])[-1]), file.name
