"""Builds a contest's repository by Maven, which reads its `pom.xml` and loads the engine and its
libraries. That leaves `target/classes` and `target/dependency`, which may be copied to a machine
that cannot reach Maven's repository.

Source of the form of a pom.xml: https://maven.apache.org/pom.html.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

from referee.errors import UsageError, excerpt
from referee.official.java import Jdk, find_jdk

GOALS = ["package", "dependency:copy-dependencies", "-DskipTests"]
BUILD_S = 1200.0
# Maven's words if it cannot load a library, not if the contest's code is wrong.
UNREACHABLE = re.compile(
    r"unknown host|could not transfer|could not (be resolved|resolve|find) |resolution ?exception"
    r"|cannot access|offline",
    re.IGNORECASE,
)
ELSEWHERE = (
    "build it where Maven's repository can be reached, and copy the folder target from there"
)


def build_contest(folder: Path) -> str:
    """Build a contest in its folder. Returns the way, for people. Raises UsageError."""
    pom = folder / "pom.xml"
    if not pom.is_file():
        raise UsageError(f"{folder}: no contest's repository: it has no pom.xml")
    jdk = find_jdk(java_release(pom))
    maven = shutil.which("mvn")
    if maven is None:
        raise UsageError(f"no Maven on this machine: apt install maven, or {ELSEWHERE}")
    run_maven(maven, folder, jdk)
    return f"built by Maven, with Java {jdk.version}"


def java_release(pom: Path) -> int:
    """Returns the version of Java that a project is written for. Raises UsageError."""
    try:
        root = ElementTree.parse(pom).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise UsageError(f"{pom}: no project file of Maven: {error}") from error
    properties = {
        entry.tag.rpartition("}")[2]: (entry.text or "").strip()
        for entry in root.findall("{*}properties/*")
        if isinstance(entry.tag, str)
    }
    plugin = ".//{*}plugin[{*}artifactId='maven-compiler-plugin']/{*}configuration/{*}"
    named = [properties.get(f"maven.compiler.{name}", "") for name in ("release", "target")]
    named += [root.findtext(plugin + name, "").strip() for name in ("release", "target")]
    values = [
        re.sub(r"\$\{(.+)\}", lambda match: properties.get(match[1], ""), text) for text in named
    ]
    numbers = [re.fullmatch(r"(?:1\.)?(\d+)", text) for text in values]
    return next((int(match[1]) for match in numbers if match), 8)


def run_maven(maven: str, folder: Path, jdk: Jdk) -> None:
    """Build by Maven. Raises UsageError."""
    words = [maven, "-B", "-q", *GOALS]
    environment = {**os.environ, "JAVA_HOME": str(jdk.home)}
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=BUILD_S,
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"{folder}: Maven took more than {BUILD_S / 60:g} minutes") from None
    if done.returncode == 0:
        return
    said = re.sub(r"\x1b\[[\d;]*m", "", done.stdout)
    errors = [
        line.partition("[ERROR]")[2].strip() for line in said.splitlines() if "[ERROR]" in line
    ]
    first = next(filter(None, errors), said.strip()[-200:])
    if UNREACHABLE.search(said):
        raise UsageError(f"{folder}: Maven cannot load a library ({excerpt(first)}): {ELSEWHERE}")
    raise UsageError(f"{folder}: Maven failed: {' '.join(errors[:4]) or first}")
