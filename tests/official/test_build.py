"""Building a contest's repository, by doubles of Maven and of the Java compiler."""

import shlex
import subprocess
import sys
import zipfile

import pytest

from referee.errors import UsageError
from referee.official.build import ENGINE, REFEREE, find_build
from referee.official.java import find_java, find_jdk

DEPENDENCY = (
    "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"
)
CONTEST = f"""\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <artifactId>sea-2030</artifactId>
  <properties>
    <engine.version>4.5.0</engine.version><maven.compiler.target>1.8</maven.compiler.target>
  </properties>
  <dependencies>
    {DEPENDENCY.format("com.codingame.gameengine", "core", "${engine.version}")}
    {DEPENDENCY.format("com.codingame.gameengine", "runner", "${engine.version}")}
    {DEPENDENCY.format("org.sea", "waves", "1.0")}
  </dependencies>
</project>
"""
# Writes a class for each source, named by its path; a source "broken" is an error.
JAVAC = """\
import pathlib, sys
words = sys.argv[1:]
out, listed = pathlib.Path(words[words.index("-d") + 1]), pathlib.Path(words[-1][1:])
for name in listed.read_text().splitlines():
    source = pathlib.Path(name.strip('"'))
    if source.read_text() == "broken":
        sys.exit(f"{source}:3: error: cannot find symbol")
    path = out / str(source).partition("src/main/java/")[2].replace(".java", ".class")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
"""


def write(folder, **texts):
    """Write texts to files of a folder, by their paths."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def jar(folder, group, name, version, pom="<project/>"):
    """Add an empty jar to a repository of Maven's layout."""
    place = folder.joinpath(*group.split("."), name, version, f"{name}-{version}")
    write(place.parent, **{f"{place.name}.pom": pom})
    zipfile.ZipFile(place.parent / f"{place.name}.jar", "w").close()


@pytest.fixture
def contest(tmp_path, java_home, monkeypatch):
    """A contest's repository; the path has no program but git, and the Java is a double."""
    write(java_home / "bin", javac="", **{"javac.py": JAVAC})
    run = f'exec {shlex.quote(sys.executable)} -I -S {java_home}/bin/javac.py "$@"'
    (java_home / "bin" / "javac").write_text(f"#!/bin/sh\n{run}\n")
    (java_home / "bin" / "javac").chmod(0o755)
    monkeypatch.setattr("referee.official.compilation.REPOSITORIES", (tmp_path / "m2",))
    git = subprocess.run(["which", "git"], capture_output=True, text=True).stdout.strip()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").symlink_to(git)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/nowhere")
    source = REFEREE.replace(".class", ".java")
    folder = tmp_path / "Sea2030"
    write(folder, **{"pom.xml": CONTEST, f"src/main/java/{source}": ""})
    write(folder, **{"src/main/resources/scenario.txt": "", "config/level2/x": ""})
    return folder


@pytest.fixture
def engine(tmp_path):
    """A clone of an engine, which has the tag v4.5.0."""
    folder = tmp_path / "engine"
    root = "<project><properties><maven.compiler.target>11</maven.compiler.target></properties>"
    core = f"engine/core/src/main/java/{ENGINE.replace('.class', '.java')}"
    texts = {"pom.xml": f"{root}</project>", core: ""}
    for place, name in (("engine/core", "core"), ("runner", "runner")):
        texts[f"{place}/pom.xml"] = f"<project><artifactId>{name}</artifactId></project>"
    texts["runner/src/main/resources/view/app.js"] = "viewer"
    write(folder, **texts)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "4.5.0"], ["tag", "v4.5.0"]):
        author = ["-c", "user.name=x", "-c", "user.email=x"]
        subprocess.run(["git", *author, *words], cwd=folder, check=True)
    return folder


def test_compiled_without_maven(run, contest, engine, tmp_path):
    """The engine in the version of the contest's pom.xml, the contest, and the libraries."""
    foam = DEPENDENCY.format("org.sea", "foam", "2")
    waves = f"<project><dependencies>{foam}</dependencies></project>"
    jar(tmp_path / "m2", "org.sea", "waves", "1.0", waves)
    jar(tmp_path / "m2", "org.sea", "waves", "3.0")
    jar(tmp_path / "m2", "org.sea", "foam", "2.1")
    status, out, err = run("build", contest, "--engine", engine)
    assert (status, err) == (0, "")
    assert (
        "compiled with the engine 4.5.0" in out
        and "Sea 2030: 2 to 8 players, leagues 1 to 2" in out
    )
    names = [path.name for path in sorted((contest / "target" / "dependency").iterdir())]
    assert names == ["foam-2.1.jar", "gameengine-4.5.0.jar", "waves-1.0.jar"]
    assert (contest / "target" / "classes" / "scenario.txt").exists()


def test_what_is_missing_is_named(run, contest, engine, tmp_path):
    """A library, the engine's version, Maven, and an error of the compiler."""
    words = ["build", contest, "--engine", engine]
    assert "missing libraries: org.sea:waves: name a folder with their jars" in run(*words)[2]
    assert "has no pom.xml: build " in run("build", tmp_path, *words[2:])[2]
    flat = tmp_path / "flat"
    write(flat, **{"waves.jar": ""})
    source = contest / "src/main/java" / REFEREE.replace(".class", ".java")
    source.write_text("broken")
    assert "error: cannot find symbol: is a library missing?" in run(*words, "--jars", flat)[2]
    pom = contest / "pom.xml"
    pom.write_text(CONTEST.replace("4.5.0", "9.9"))
    said = run(*words)[2]
    assert "it has no tag v9.9, the version in the contest's pom.xml" in said
    assert "(nearest: v4.5.0; newest: v4.5.0)" in said
    assert (
        "no Maven on this machine: apt install maven, or compile with a clone" in run(*words[:2])[2]
    )
    pom.unlink()
    assert "no contest's repository: it has no pom.xml" in run(*words)[2]


def test_other_sources(run, contest, engine, tmp_path, java_home):
    """Eclipse's compiler takes some that javac refuses; those in Kotlin are named. Of a folder all
    jars are taken.
    """
    words = ["build", contest, "--engine", engine, "--jars", tmp_path / "flat"]
    write(tmp_path / "flat", **{"waves.jar": "", "more.jar": ""})
    source = contest / "src/main/java" / REFEREE.replace(".class", ".java")
    source.write_text("broken")
    assert "apt install ecj" in run(*words)[2]
    write(java_home / "bin", **{"ecj.py": JAVAC.replace("broken", "wrong")})
    ecj = tmp_path / "bin" / "ecj"
    ecj.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {java_home}/bin/ecj.py "$@"\n')
    ecj.chmod(0o755)
    assert run(*words)[0] == 0
    assert (contest / "target" / "dependency" / "more.jar").exists()
    write(contest, **{"src/main/kotlin/Referee.kt": ""})
    assert "sources in Kotlin" in run(*words)[2]


def test_a_puzzle_without_cases(run, contest, engine, tmp_path):
    """The way to play it is told where it is built; cases may be YAML."""
    words = ["build", contest, "--engine", engine]
    jar(tmp_path / "m2", "org.sea", "waves", "1.0")
    write(contest, **{"config/config.ini": "type=solo"})
    assert "BOT --option case=FILE" in run(*words)[1]
    assert "no test cases in config" in run("match", "--official", contest, "true 1")[2]
    write(contest, **{"config/test1.yaml": "title:\n  2: Ebb\ntestIn: |-\n  1 2\n\n  3\nid: 4"})
    [case] = find_build(str(contest)).test_cases()
    assert case == ("Ebb", ["1 2", "", "3"])


def test_maven_fails(run, contest, tmp_path):
    mvn = tmp_path / "bin" / "mvn"
    said = "Referee.java:[3,1] ';' expected"
    mvn.write_text(f'#!/bin/sh\necho "[ERROR] {said}"\nexit 1\n')
    mvn.chmod(0o755)
    status, _, err = run("build", contest)
    assert status == 2 and f"Maven failed: {said}" in err and err.count("\n") == 1


def test_a_java_that_fits(contest):
    """The version of a build's classes decides, and is named."""
    assert find_jdk(8).version == 11
    with pytest.raises(UsageError, match=r"no JDK for Java 21 \(installed: 11\)"):
        find_jdk(21)
    folder = contest / "target" / "classes"
    write(folder, **{ENGINE: "", REFEREE: "\0" * 7 + chr(65)})
    with pytest.raises(UsageError, match="the build is for Java 21, the installed one is 11"):
        find_java(find_build(str(contest)))
