"""Reads Maven's project files, and finds jars in folders of Maven's layout.

A repository of this layout has GROUP/AS/FOLDERS/ARTIFACT/VERSION/ARTIFACT-VERSION.jar beside a
`.pom`. Maven fills `~/.m2/repository`, Debian's packages of Java libraries fill
`/usr/share/maven-repo`.

Source: https://maven.apache.org/pom.html.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from referee.errors import UsageError

REPOSITORIES = (Path("~/.m2/repository"), Path("/usr/share/maven-repo"))
# Debian's packages of the libraries that an engine needs.
PACKAGES = {
    "guice": "libguice-java",
    "guava": "libguava-java",
    "gson": "libgoogle-gson-java",
    "commons-logging": "libcommons-logging-java",
    "javax.inject": "libatinject-jsr330-api-java",
    "aopalliance": "libaopalliance-java",
    "commons-lang3": "libcommons-lang3-java",
    "commons-io": "libcommons-io-java",
    "jackson-databind": "libjackson2-databind-java",
    "vecmath": "libvecmath-java",
}


class Artifact(NamedTuple):
    """A library that a project file names; version: "" where a parent or Maven itself decides."""

    group: str
    name: str
    version: str


@dataclass(frozen=True)
class Pom:
    """A project file of Maven. Raises UsageError if it cannot be read."""

    path: Path

    @cached_property
    def root(self) -> ElementTree.Element:
        """The file's root element, `project`."""
        try:
            return ElementTree.parse(self.path).getroot()
        except (OSError, ElementTree.ParseError) as error:
            raise UsageError(f"{self.path}: no project file of Maven: {error}") from error

    @cached_property
    def properties(self) -> dict[str, str]:
        """The values of the project's properties, by name."""
        return {
            entry.tag.rpartition("}")[2]: (entry.text or "").strip()
            for entry in self.root.findall("{*}properties/*")
            if isinstance(entry.tag, str)
        }

    def text(self, path: str, element: ElementTree.Element | None = None) -> str:
        """Returns the text at a path below `element`, or below the root, with the values of
        properties; "" without one.
        """
        child = (self.root if element is None else element).find(path)
        text = "" if child is None else (child.text or "").strip()
        for _ in range(4):  # a property may name another one
            text = re.sub(
                r"\$\{([^}]+)\}", lambda match: self.properties.get(match[1], match[0]), text
            )
        return text

    @property
    def artifact(self) -> str:
        """The project's own name."""
        return self.text("{*}artifactId")

    @property
    def release(self) -> int:
        """The version of Java that the project is written for, by default 8."""
        properties = self.properties
        plugin = ".//{*}plugin[{*}artifactId='maven-compiler-plugin']/{*}configuration/{*}"
        named = [properties.get(f"maven.compiler.{name}") for name in ("release", "target")]
        named += [self.text(plugin + name) for name in ("release", "target")]
        numbers = [re.fullmatch(r"(?:1\.)?(\d+)", text or "") for text in named]
        return next((int(match[1]) for match in numbers if match), 8)

    def dependencies(self) -> list[Artifact]:
        """Returns the libraries that the project needs when it runs."""
        return [
            Artifact(
                *(
                    self.text(f"{{*}}{name}", dependency)
                    for name in ("groupId", "artifactId", "version")
                )
            )
            for dependency in self.root.findall("{*}dependencies/{*}dependency")
            if self.text("{*}scope", dependency) in ("", "compile", "runtime")
            and self.text("{*}optional", dependency) != "true"
        ]


@dataclass
class Libraries:
    """Finds jars in folders.

    found: the jar of each library, None if there is none. missing: the libraries without a jar that
    a project needs directly.
    """

    folders: list[Path]
    found: dict[tuple[str, str], Path | None] = field(default_factory=dict)
    missing: list[Artifact] = field(default_factory=list)

    def add(self, wanted: Artifact, is_direct: bool = True) -> None:
        """Find the jar of a library, and the jars of the libraries that it needs in turn.

        is_direct: report the library as missing if it has no jar.
        """
        if wanted[:2] in self.found:
            return
        self.found[wanted[:2]] = jar = self._jar(wanted)
        if jar is None:
            # An indirect one may serve a part that a referee never uses.
            if is_direct:
                self.missing.append(wanted)
            return
        pom = next(jar.parent.glob("*.pom"), None)
        for dependency in Pom(pom).dependencies() if pom else ():
            self.add(dependency, is_direct=False)

    def jars(self) -> list[Path]:
        """Returns the paths of the jars, in the order in which they were found."""
        return [jar for jar in self.found.values() if jar]

    def check(self) -> None:
        """Raise UsageError if a library is missing."""
        if not self.missing:
            return
        names = ", ".join(f"{dependency.group}:{dependency.name}" for dependency in self.missing)
        packages = [
            PACKAGES[dependency.name] for dependency in self.missing if dependency.name in PACKAGES
        ]
        install = f"apt install {' '.join(packages)}, or " if packages else ""
        raise UsageError(
            f"missing libraries: {names}: {install}name a folder with their jars by --jars"
        )

    def _jar(self, wanted: Artifact) -> Path | None:
        """Returns the jar of a library in the first folder that has one, None if none has: of the
        wanted version, else of the newest version.
        """
        for folder in self.folders:
            versions = folder.joinpath(*wanted.group.split("."), wanted.name)
            jars = [
                jar
                for version in versions.glob("*")
                for jar in version.glob(f"{wanted.name}-*.jar")
            ]
            jars += folder.glob(f"{wanted.name}*.jar")
            jars = [
                jar for jar in jars if not jar.stem.endswith(("-sources", "-javadoc", "-tests"))
            ]
            if jars:
                return max(jars, key=lambda jar: (jar.parent.name == wanted.version, _number(jar)))
        return None


def _number(jar: Path) -> list[int]:
    return [int(text) for text in re.findall(r"\d+", jar.stem)[:4]]
