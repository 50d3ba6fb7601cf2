"""Builds a contest's repository by Maven, or by the Java compiler where Maven's repository is out
of reach.

Maven reads the contest's `pom.xml` and loads the engine and its libraries. The Java compiler
compiles the contest, and the engine from a checkout of github.com/CodinGame/codingame-game-engine,
in the version that the `pom.xml` names, with the libraries that the machine has. Both ways leave
`target/classes` and `target/dependency`.
"""

import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from itertools import zip_longest
from pathlib import Path

from referee.errors import UsageError, excerpt
from referee.official.java import Jdk, find_jdk, write_jar
from referee.official.maven import REPOSITORIES, Libraries, Pom

GOALS = ["package", "dependency:copy-dependencies", "-DskipTests"]
ENGINE_GROUP = "com.codingame.gameengine"
ENGINE_SOURCE = "github.com/CodinGame/codingame-game-engine"
# Logs of the engine: `java` starts it with a simpler one.
UNUSED = {"log4j-api", "log4j-core", "log4j-jcl", "log4j-slf4j-impl"}
# The runner is replaced by this project; its folder of the viewer is needed.
RUNNER = "runner"
BUILD_S = 1200.0
OLDEST_RELEASE = 8
# Maven's words if it cannot load a library, not if the contest's code is wrong.
UNREACHABLE = re.compile(
    r"unknown host|could not transfer|could not (be resolved|resolve|find) |resolution ?exception"
    r"|cannot access|offline",
    re.IGNORECASE,
)


def build_contest(folder: Path, engine: Path | None, jars: list[Path]) -> str:
    """Build a contest in its folder. Returns a sentence about how it was built. Raises UsageError.

    engine: a checkout of the engine, to compile with it instead of Maven. jars: further jars, and
    folders of jars, in Maven's layout or not; Maven ignores them.
    """
    pom = Pom(folder / "pom.xml")
    if not pom.path.is_file():
        below = next((f": build {path.parent}" for path in folder.glob("*/pom.xml")), "")
        raise UsageError(f"{folder}: no contest's repository: it has no pom.xml{below}")
    jdk = find_jdk(pom.release)
    if engine is None and (maven := shutil.which("mvn")):
        run_maven(maven, folder, jdk)
        return f"built by Maven, with Java {jdk.version}"
    if engine is None:
        raise UsageError(f"no Maven on this machine: apt install maven, or {_without_maven(pom)}")
    return compile_contest(pom, engine, jars, jdk)


def run_maven(maven: str, folder: Path, jdk: Jdk) -> None:
    """Build a contest by Maven, with the Java of `jdk`. Raises UsageError."""
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
        raise UsageError(
            f"{folder}: Maven cannot load a library ({excerpt(first)}): connect to its repository,"
            f" or {_without_maven(Pom(folder / 'pom.xml'))}"
        )
    raise UsageError(f"{folder}: Maven failed: {' '.join(errors[:4]) or first}")


def compile_contest(pom: Pom, engine: Path, folders: list[Path], jdk: Jdk) -> str:
    """Compile a contest and its engine. Returns a sentence about how they were compiled.

    engine: a checkout of the engine. folders: further jars, and folders of jars. Raises UsageError.
    """
    folder = pom.path.parent
    engine_parts = [
        dependency for dependency in pom.dependencies() if dependency.group == ENGINE_GROUP
    ]
    version = next(
        (dependency.version for dependency in engine_parts if dependency.name == "core"), ""
    )
    given = [jar for path in folders for jar in ([path] if path.is_file() else path.glob("*.jar"))]
    libraries = Libraries([*folders, *(repository.expanduser() for repository in REPOSITORIES)])
    for dependency in pom.dependencies():
        if dependency.group != ENGINE_GROUP:
            libraries.add(dependency)
    with tempfile.TemporaryDirectory(prefix="onefile-build-") as name:
        place = Path(name)
        tag = export_engine(engine, version, place / "engine")
        modules = find_modules(place / "engine", [dependency.name for dependency in engine_parts])
        for module in modules:
            for dependency in Pom(module / "pom.xml").dependencies():
                if dependency.group != ENGINE_GROUP and dependency.name not in UNUSED:
                    # Some contests use a library of the runner.
                    libraries.add(dependency, is_direct=module.name != RUNNER)
        libraries.check()
        release = Pom(place / "engine" / "pom.xml").release
        jars = [*dict.fromkeys([*libraries.jars(), *sorted(given)])]
        classes = place / "classes"
        classes.mkdir()
        sources = [module for module in modules if module.name != RUNNER]
        run_javac(find_jdk(max(release, pom.release)), release, sources, classes, jars)
        copy_resources(modules, classes)
        engine_jar = place / f"gameengine-{tag}.jar"
        write_jar(classes, engine_jar)
        shutil.rmtree(classes)
        classes.mkdir()
        run_javac(jdk, pom.release, [folder], classes, [engine_jar, *jars])
        copy_resources([folder], classes)
        target = folder / "target"
        for folder_name in ("classes", "dependency"):
            shutil.rmtree(target / folder_name, ignore_errors=True)
        shutil.copytree(classes, target / "classes")
        (target / "dependency").mkdir()
        for jar in [engine_jar, *jars]:
            shutil.copy(jar, target / "dependency" / jar.name)
    return f"compiled with the engine {tag} of {engine}, with Java {jdk.version}"


def export_engine(engine: Path, version: str, folder: Path) -> str:
    """Copy the engine's sources of a version into a new folder. Returns the version.

    engine: a clone, whose tags name versions, or a folder of that version's sources. Raises
    UsageError.
    """
    git = ["git", "-C", str(engine)]
    tag = f"v{version}"
    known = subprocess.run(
        [*git, "rev-parse", "-q", "--verify", f"{tag}^{{commit}}"], capture_output=True
    )
    if known.returncode == 0:
        packed = folder.with_suffix(".tar")
        subprocess.run([*git, "archive", "-o", str(packed), tag], check=True, capture_output=True)
        with tarfile.open(packed) as archive:
            # Python 3.14 does this by itself; 3.11 has it from 3.11.4 on.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(folder)
        return version
    if (engine / "engine" / "core").is_dir() and not (engine / ".git").exists():
        shutil.copytree(engine, folder)
        return version or "unknown"
    if not (engine / "engine" / "core").is_dir() and not (engine / "HEAD").exists():
        raise UsageError(f"{engine}: no checkout of the engine: git clone https://{ENGINE_SOURCE}")
    tags = subprocess.run(
        [*git, "tag", "--list", "v*", "--sort=-v:refname"], capture_output=True, text=True
    )
    newest = ", ".join(tags.stdout.split()[:3]) or "none"
    nearest = min(tags.stdout.split(), key=lambda name: _distance(name, version), default="none")
    raise UsageError(
        f"{engine}: it has no tag {tag}, the version in the contest's pom.xml: git fetch --tags"
        f" there, or change the version (nearest: {nearest}; newest: {newest})"
    )


def _distance(tag: str, version: str) -> list[int]:
    """Returns the distance of two versions: the difference of their first numbers, then of their
    second numbers, and so on.
    """
    numbers = [[int(text) for text in re.findall(r"\d+", name)[:3]] for name in (tag, version)]
    return [abs(one - other) for one, other in zip_longest(*numbers, fillvalue=0)]


def find_modules(engine: Path, wanted: list[str]) -> list[Path]:
    """Returns the folders of the engine's wanted modules, of the runner, and of the modules that
    the wanted ones need. Raises UsageError.
    """
    poms = [Pom(path) for path in engine.rglob("pom.xml")]
    by_name = {pom.artifact: pom for pom in poms}
    left, sources = list(dict.fromkeys([*wanted, RUNNER])), list[Path]()
    while left:
        name = left.pop(0)
        if name not in by_name:
            raise UsageError(
                f"the engine has no module {name!r}, which the contest's pom.xml names"
            )
        folder = by_name[name].path.parent
        if folder not in sources:
            sources.append(folder)
            needed = by_name[name].dependencies() if name != RUNNER else []
            left += [
                dependency.name
                for dependency in needed
                if "codingame" in dependency.group or dependency.group.startswith("${")
            ]
    return sources


def run_javac(jdk: Jdk, release: int, folders: list[Path], classes: Path, jars: list[Path]) -> None:
    """Compile the sources of Maven projects into a folder of classes. Raises UsageError.

    If javac fails, Eclipse's compiler is tried, which accepts some sources that a newer javac
    refuses.
    """
    sources = [
        str(path)
        for folder in folders
        for path in sorted((folder / "src/main/java").rglob("*.java"))
    ]
    if any(path for folder in folders for path in folder.glob("src/main/**/*.kt")):
        raise UsageError(f"{folders[0]}: it has sources in Kotlin, which Maven alone compiles here")
    if not sources:
        raise UsageError(f"{folders[0]}: it has no sources in src/main/java")
    listed = classes.with_suffix(".sources")
    listed.write_text("".join(f'"{path}"\n' for path in sources), encoding="utf-8")
    words = ["-nowarn", "-proc:none", "-g", "-encoding", "UTF-8"]
    # As Maven does: some contests use a newer library than that of their release. Newer compilers
    # take no source older than Java 8.
    level = str(max(release, OLDEST_RELEASE))
    words += ["-source", level, "-target", level]
    words += ["-cp", os.pathsep.join(map(str, jars)), "-d", str(classes), f"@{listed}"]
    ecj = shutil.which("ecj")
    compilers = [str(jdk.home / "bin" / "javac"), *([ecj] if ecj else [])]
    said = []
    for compiler in compilers:
        done = subprocess.run([compiler, *words], capture_output=True, text=True, errors="replace")
        if done.returncode == 0:
            return
        said.append(done.stderr)
    errors = [line for line in said[0].splitlines() if ": error:" in line]
    lacking = any("does not exist" in line or "cannot find symbol" in line for line in errors)
    hint = ": is a library missing? Name it or its folder by --jars" if lacking else ""
    more = "" if ecj else "; for an older Java: apt install ecj"
    raise UsageError(f"javac failed: {'; '.join(errors[:3]) or said[0][-300:]}{hint}{more}")


def copy_resources(folders: list[Path], classes: Path) -> None:
    """Copy the resources of Maven projects into a folder of classes."""
    for folder in folders:
        resources = folder / "src/main/resources"
        if resources.is_dir():
            shutil.copytree(resources, classes, dirs_exist_ok=True)


def _without_maven(pom: Pom) -> str:
    version = next(
        (
            dependency.version
            for dependency in pom.dependencies()
            if dependency.group == ENGINE_GROUP
        ),
        "",
    )
    return (
        f"compile with a clone of the engine: git clone https://{ENGINE_SOURCE}, then onefile build"
        f" {pom.path.parent} --engine codingame-game-engine (it needs the tag v{version})"
    )
